// Charts as SVG: lines with bands, stacked areas, bars, maps. Drawn when in sight; the cursor moves without a redraw.
const Chart = (() => {
  const waiting = new Map();
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting && waiting.has(target)) paint(target);
  }, { rootMargin: "300px" });
  const sized = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) if (target.chart?.width && Math.abs(contentRect.width - target.chart.width) > 1) later(target);
  });
  function later(plot) {
    waiting.set(plot, true);
    const box = plot.getBoundingClientRect();
    if (box.width && box.bottom > -300 && box.top < innerHeight + 300) paint(plot);
  }
  addEventListener("beforeprint", () => [...waiting.keys()].forEach(paint));

  // `data` is a list of traces, `layout` has titles, marks and the kind of axes; see chartLayout.
  function draw(plot, data, layout) {
    if (!plot.chart) {
      plot.chart = { listeners: [] };
      seen.observe(plot);
      sized.observe(plot);
    }
    plot.data = data;
    plot.layout = layout;
    later(plot);
  }

  function steps(low, high, most) {
    const raw = (high - low) / Math.max(1, most) || 1, power = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].find((m) => m * power >= raw) * power;
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) found.push(Math.abs(k * step) < 1e-12 * step ? 0 : Number((k * step).toPrecision(12)));
    return found;
  }

  // Stacked values become absolute edges, so that everything after this is lines and areas.
  function shapesOf(data) {
    const edges = new Map();
    let before = null;
    return data.filter((trace) => trace.visible !== false).map((trace) => {
      if (trace.type === "heatmap" || trace.type === "bar") return trace;
      const y = Array.from(trace.y);
      let floor = null;
      if (trace.stackgroup) {
        floor = edges.get(trace.stackgroup) ?? y.map(() => 0);
        const top = y.map((value, i) => floor[i] + (value || 0));
        edges.set(trace.stackgroup, top);
        return { ...trace, y: top, floor };
      }
      if (trace.fill === "tonexty") floor = before;
      before = y;
      return { ...trace, y, floor };
    });
  }

  function extent(values, low = Infinity, high = -Infinity) {
    for (const value of values) if (Number.isFinite(value)) { if (value < low) low = value; if (value > high) high = value; }
    return [low, high];
  }

  function paint(plot) {
    waiting.delete(plot);
    if (!plot.layout) return;
    const { data, layout, chart } = plot, width = Math.round(plot.clientWidth) || 640, key = layout.showlegend ? keyOf(data, width) : { rows: 0, items: [] };
    const height = Math.max(160, Math.round(plot.clientHeight) || 336), traces = shapesOf(data);
    const map = traces.find((trace) => trace.type === "heatmap"), across = traces.some((trace) => trace.orientation === "h");
    const labels = layout.yaxis.ticktext, left = labels ? Math.min(0.42 * width, 14 + (labels.length > 30 ? 5.6 : 6.7) * Math.max(...labels.map((text) => text.length))) : 54;
    const box = { left, top: 18, right: width - (map ? 64 : 12), bottom: height - 38 - 17 * key.rows };
    const xs = extent(traces.flatMap((trace) => (trace.orientation === "h" ? [] : [trace.x[0], trace.x.at(-1)])));
    let [x0, x1] = layout.xaxis.range ?? (Number.isFinite(xs[0]) ? xs : [0, 1]), [y0, y1] = [0, 1];
    if (traces.some((trace) => trace.type === "bar" && !across)) [x0, x1] = [x0 - 0.5, x1 + 0.5];
    if (x0 === x1) [x0, x1] = [x0 - 0.5, x1 + 0.5];
    if (labels) [y0, y1] = [labels.length - 0.5, -0.5];
    else {
      [y0, y1] = [0, 0];
      for (const trace of traces) {
        if (trace.type === "bar") { const up = stackedBars(traces); [y0, y1] = extent(up.flat(), y0, y1); continue; }
        [y0, y1] = extent(trace.y, y0, y1);
        if (trace.floor) [y0, y1] = extent(trace.floor, y0, y1);
      }
      if (traces.every((trace) => !trace.stackgroup && trace.type !== "bar") && traces.length) [y0, y1] = extent(traces.flatMap((trace) => [...extent(trace.y)]));
      if (!Number.isFinite(y0)) [y0, y1] = [0, 1];
      const pad = 0.06 * (y1 - y0) || 0.5 * Math.abs(y1) || 1;
      [y0, y1] = [y0 - pad, y1 + pad];
    }
    const px = (x) => box.left + ((x - x0) / (x1 - x0)) * (box.right - box.left), py = (y) => box.bottom - ((y - y0) / (y1 - y0)) * (box.bottom - box.top);
    const picture = svg("svg", { class: "chart", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    axes(picture, { box, layout, x0, x1, y0, y1, px, py, labels, width, height: height - 17 * key.rows });
    for (const { name, colour, x, line } of key.items) {
      const y = height - 17 * (key.rows - line) + 11, words = svg("text", { x: x + 20, y, "font-size": 11, class: "key" });
      words.textContent = name;
      picture.append(svg("line", { x1: x, x2: x + 14, y1: y - 4, y2: y - 4, stroke: colour, "stroke-width": 3 }), words);
    }
    const clip = svg("g");
    picture.append(clip);
    for (const trace of traces) {
      if (trace.type === "heatmap") heat(clip, picture, trace, box, width);
      else if (trace.type === "bar") bars(clip, trace, traces, px, py, across);
      else line(clip, trace, px, py);
    }
    const marks = svg("g", { class: "marks" });
    picture.append(marks);
    for (const note of layout.annotations ?? []) {
      const paper = note.xref === "paper";
      const text = svg("text", { x: paper ? (box.left + box.right) / 2 : px(note.x), y: paper ? (box.top + box.bottom) / 2 : box.top - 4, "text-anchor": "middle", "font-size": 11, fill: note.font?.color ?? "currentColor" });
      text.textContent = note.text;
      if (note.hovertext) named(text, note.hovertext);
      picture.append(text);
    }
    const area = svg("rect", { class: "area", x: box.left, y: box.top, width: Math.max(0, box.right - box.left), height: Math.max(0, box.bottom - box.top), fill: "transparent" });
    picture.append(area);
    Object.assign(chart, { width: plot.clientWidth, px, marks, box });
    const place = (event) => {
      const at = picture.getBoundingClientRect(), x = x0 + ((event.clientX - at.left - box.left) / (box.right - box.left)) * (x1 - x0);
      return { x, y: Math.round(y0 + ((at.top + box.bottom - event.clientY) / (box.bottom - box.top)) * (y1 - y0)), left: event.clientX - at.left, top: event.clientY - at.top };
    };
    area.addEventListener("click", (event) => chart.listeners.forEach((listener) => listener(place(event))));
    if (!across) hover(plot, area, traces, map, place, layout);
    plot.replaceChildren(picture);
    mark(plot, { shapes: layout.shapes ?? [] });
  }

  function axes(picture, { box, layout, x0, x1, y0, y1, px, py, labels, width, height }) {
    const text = (x, y, words, anchor, size = 11, more = {}) => { const made = svg("text", { x, y, "text-anchor": anchor, "font-size": size, class: "tick", ...more }); made.textContent = words; picture.append(made); return made; };
    for (const tick of steps(x0, x1, Math.max(2, (box.right - box.left) / 90))) {
      picture.append(svg("line", { x1: px(tick), x2: px(tick), y1: box.top, y2: box.bottom, class: tick === 0 ? "zero" : "grid" }));
      text(px(tick), box.bottom + 14, digits(tick), "middle");
    }
    if (labels) labels.forEach((words, i) => text(box.left - 6, py(i) + 3.5, words, "end", labels.length > 30 ? 8.5 : 11));
    else for (const tick of steps(y0, y1, Math.max(2, (box.bottom - box.top) / (box.bottom - box.top < 180 ? 30 : 48)))) {
      picture.append(svg("line", { x1: box.left, x2: box.right, y1: py(tick), y2: py(tick), class: tick === 0 ? "zero" : "grid" }));
      text(box.left - 6, py(tick) + 3.5, digits(tick), "end");
    }
    text((box.left + box.right) / 2, height - 6, layout.xaxis.title.text, "middle", 12, { class: "title" });
    if (layout.yaxis.title.text) text(0, 0, layout.yaxis.title.text, "middle", 12, { class: "title", transform: `translate(12 ${(box.top + box.bottom) / 2}) rotate(-90)` });
  }

  const pathOf = (x, y, px, py) => {
    let text = "", pen = "M";
    for (let i = 0; i < y.length; i += 1) {
      if (!Number.isFinite(y[i])) { pen = "M"; continue; }
      text += `${pen}${px(x[i]).toFixed(1)} ${py(y[i]).toFixed(1)}`;
      pen = "L";
    }
    return text;
  };

  function line(group, trace, px, py) {
    const { x, y, floor } = trace;
    if (floor) {
      const back = pathOf([...x].reverse(), [...floor].reverse(), px, py).replace(/^M/, "L");
      group.append(svg("path", { d: pathOf(x, y, px, py) + back + "Z", fill: trace.fillcolor ?? trace.line.color, stroke: "none", opacity: trace.opacity ?? 1 }));
    }
    if (trace.mode === "markers") x.forEach((at, i) => group.append(svg("circle", { cx: px(at), cy: py(y[i]), r: 5, fill: trace.marker?.color ?? trace.line.color })));
    else if (trace.line?.width) {
      const dash = { dash: "7 5", dot: "2 4", dashdot: "7 4 2 4" }[trace.line.dash];
      group.append(svg("path", { d: pathOf(x, y, px, py), fill: "none", stroke: trace.line.color, "stroke-width": trace.line.width, opacity: trace.opacity ?? 1, "stroke-linejoin": "round", ...(dash ? { "stroke-dasharray": dash } : {}) }));
    }
  }

  function stackedBars(traces) {
    let [up, down] = [0, 0];
    return traces.filter((trace) => trace.type === "bar").map((trace) => { const value = trace.y[0]; if (value >= 0) { up += value; return [up - value, up]; } down += value; return [down, down - value]; });
  }

  function bars(group, trace, traces, px, py, across) {
    if (!across) {
      const [low, high] = stackedBars(traces)[traces.filter((each) => each.type === "bar").indexOf(trace)];
      group.append(svg("rect", { x: px(trace.x[0] - 0.1), width: px(trace.x[0] + 0.1) - px(trace.x[0] - 0.1), y: py(high), height: Math.max(0, py(low) - py(high)), fill: trace.marker.color }));
      return;
    }
    const tall = Math.abs(py(1) - py(0));
    trace.y.forEach((row, i) => {
      const [a, b] = [trace.base[i], trace.base[i] + trace.x[i]].map(px), begin = Math.min(a, b), end = Math.max(a, b);
      const bar = svg("rect", { x: begin, width: Math.max(0.5, end - begin), y: py(row) - 0.38 * tall, height: 0.76 * tall, fill: trace.marker.color[i] });
      group.append(named(bar, `${trace.customdata[i]}: ${trace.text[i]}`));
      const right = trace.x[i] >= 0, words = svg("text", { x: right ? end + 4 : begin - 4, y: py(row) + 4, "text-anchor": right ? "start" : "end", "font-size": 11, class: "value" });
      words.textContent = trace.text[i];
      group.append(words);
    });
  }

  const mixedOf = (scale, part) => {
    const at = Math.min(1, Math.max(0, part || 0)), k = Math.max(1, scale.findIndex(([place]) => place >= at)), [[p0, c0], [p1, c1]] = [scale[k - 1], scale[k]];
    const numbers = (colour) => (colour[0] === "#" ? [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)) : colour.match(/\d+/g).map(Number));
    const [a, b] = [numbers(c0), numbers(c1)], w = (at - p0) / (p1 - p0 || 1);
    return a.map((value, i) => value + (b[i] - value) * w);
  };

  function heat(group, picture, trace, box, width) {
    const canvas = make("canvas"), rows = trace.z.length, count = trace.z[0]?.length ?? 0;
    if (!rows || !count) return;
    [canvas.width, canvas.height] = [count, rows];
    const pen = canvas.getContext("2d"), image = pen.createImageData(count, rows), table = Array.from({ length: 256 }, (_, k) => mixedOf(trace.colorscale, k / 255));
    trace.z.forEach((values, r) => values.forEach((value, c) => {
      const colour = table[Math.round(255 * Math.min(1, Math.max(0, (value - trace.zmin) / (trace.zmax - trace.zmin || 1))))] ?? [128, 128, 128];
      image.data.set([...colour, Number.isFinite(value) ? 255 : 0], 4 * (r * count + c));
    }));
    pen.putImageData(image, 0, 0);
    group.append(svg("image", { href: canvas.toDataURL(), x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top, preserveAspectRatio: "none", style: "image-rendering: pixelated" }));
    const tall = Math.min(180, box.bottom - box.top), high = box.top + 8;
    for (let k = 0; k < 40; k += 1) picture.append(svg("rect", { x: width - 52, y: high + (tall * (39 - k)) / 40, width: 10, height: tall / 40 + 0.6, fill: `rgb(${mixedOf(trace.colorscale, k / 39).map(Math.round).join(",")})` }));
    for (const [value, y] of [[trace.zmax, high + 8], [trace.zmin, high + tall]]) { const text = svg("text", { x: width - 38, y, "font-size": 10, class: "tick" }); text.textContent = digits(value); picture.append(text); }
  }

  // Names under the chart, as many to a line as fit.
  function keyOf(data, width) {
    let [x, line] = [8, 0];
    const items = data.filter((each) => each.showlegend !== false && each.name).map((trace) => {
      const long = 34 + 6.1 * trace.name.length;
      if (x + long > width && x > 8) [x, line] = [8, line + 1];
      x += long;
      return { name: trace.name, colour: trace.line?.color, x: x - long, line };
    });
    return { items, rows: items.length ? line + 1 : 0 };
  }

  function hover(plot, area, traces, map, place, layout) {
    let box = null;
    const hide = () => { box?.remove(); box = null; };
    area.addEventListener("pointerleave", hide);
    area.addEventListener("pointermove", (event) => {
      const at = place(event), x = map ? map.x : traces.find((trace) => trace.hoverinfo !== "skip")?.x;
      if (!x?.length) return;
      const i = nearest(x, at.x), head = digits(x[i]);
      const rows = map ? [[map.customdata[at.y]?.[i] ?? "", map.z[at.y]?.[i]]]
        : traces.filter((trace) => trace.hoverinfo !== "skip").map((trace) => [trace.name, (trace.customdata ?? trace.y)[i]]);
      box ??= plot.appendChild(make("div", "hover"));
      box.replaceChildren(make("b", "", `${layout.xaxis.title.text}: ${head}`), ...rows.map(([name, value]) => make("div", "", `${name} ${digits(value)}`)));
      box.style.left = `${Math.min(at.left + 14, plot.clientWidth - box.offsetWidth - 4)}px`;
      box.style.top = `${Math.max(0, at.top - 20)}px`;
    });
  }

  // Cursor and events: vertical lines that move without anything else being drawn.
  function mark(plot, { shapes }) {
    if (plot.layout) plot.layout.shapes = shapes;
    if (!plot.chart?.marks || waiting.has(plot)) return;
    const { marks, px, box } = plot.chart;
    while (marks.children.length < shapes.length) marks.append(svg("line", { y1: box.top, y2: box.bottom }));
    while (marks.children.length > shapes.length) marks.lastChild.remove();
    shapes.forEach((shape, i) => {
      const own = marks.children[i], x = px(shape.x0), out = shape.visible === false || !(x >= box.left - 1 && x <= box.right + 1);
      own.style.display = out ? "none" : "";
      own.setAttribute("x1", out ? 0 : x);
      own.setAttribute("x2", out ? 0 : x);
      own.setAttribute("stroke", shape.line.color);
      own.setAttribute("stroke-width", shape.line.width);
      own.setAttribute("opacity", shape.opacity ?? 1);
      if (shape.line.dash && shape.line.dash !== "solid") own.setAttribute("stroke-dasharray", shape.line.dash === "dot" ? "2 3" : "5 4");
    });
  }

  const onClick = (plot, listener) => plot.chart.listeners.push(listener);
  // What is out of sight is drawn now, to be saved.
  const pictureOf = (plot) => { if (waiting.has(plot) || !plot.querySelector("svg.chart")) paint(plot); return plot.querySelector("svg.chart"); };
  return { draw, mark, onClick, pictureOf };
})();
