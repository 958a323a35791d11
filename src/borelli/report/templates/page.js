"use strict";
(() => {
  const page = JSON.parse(document.getElementById("borelli-data").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const SVG = "http://www.w3.org/2000/svg";
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  // Plotly reads a few tags in its texts; names from files must not become any.
  const literal = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const svg = (tag, attributes) => {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const shown = (value) => Number(value.toPrecision(4)).toString().replace("-", "−");

  function scene(section, result) {
    const drawing = section.querySelector(".scene");
    if (!result.points.length) return () => {};
    const all = result.points.flat();
    const xs = all.map((p) => p[0]), ys = all.map((p) => -p[1]);
    const size = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)) || 1;
    const pad = 0.12 * size;
    const left = Math.min(...xs) - pad, top = Math.min(...ys) - pad;
    const width = Math.max(...xs) - Math.min(...xs) + 2 * pad, height = Math.max(...ys) - Math.min(...ys) + 2 * pad;
    drawing.setAttribute("viewBox", [left, top, width, height].join(" "));
    const at = (p) => p[0] + "," + -p[1];
    const base = result.points[0][0];
    drawing.append(svg("line", { class: "ground", x1: left, x2: left + width, y1: -base[1], y2: -base[1], "stroke-width": 0.004 * size }));
    drawing.append(svg("polyline", { class: "ghost", "stroke-width": 0.006 * size, points: result.points.map((f) => at(f[f.length - 1])).join(" ") }));
    const bones = svg("polyline", { class: "bone", "stroke-width": 0.025 * size });
    const joints = result.points[0].map((_, i) => {
      const joint = svg("circle", { class: "joint", r: (i ? 0.014 : 0.02) * size });
      joint.append(svg("title", {}));
      joint.firstChild.textContent = result.pointNames[i];
      return joint;
    });
    drawing.append(bones, ...joints);
    return (frame) => {
      const points = result.points[frame];
      bones.setAttribute("points", points.map(at).join(" "));
      points.forEach((p, i) => { joints[i].setAttribute("cx", p[0]); joints[i].setAttribute("cy", -p[1]); });
    };
  }

  function chart(output, grouping, time, pick) {
    const stack = output.stacks[grouping];
    const box = make("div", "chart");
    box.append(make("h4", "", output.label), make("p", "sentence", output.sentence));
    const reading = make("p", "reading"), plot = make("div", "plot"), legend = make("ul", "legend");
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", output.alternative);
    stack.names.forEach((name, k) => {
      const item = make("li"), swatch = make("span", "swatch");
      swatch.style.background = stack.colours[k];
      item.append(swatch, name);
      legend.append(item);
    });
    const line = make("li"), stroke = make("span", "swatch line");
    stroke.style.background = "var(--ink)";
    line.append(stroke, "total");
    legend.append(line);
    box.append(reading, plot, legend);
    const traces = [];
    stack.names.forEach((name, k) => {
      for (const [side, clip] of [["up", Math.max], ["down", Math.min]]) {
        traces.push({
          x: time, y: stack.layers[k].map((v) => clip(v, 0)), customdata: stack.layers[k], stackgroup: side, mode: "lines",
          line: { width: 0.5, color: css("--paper") }, fillcolor: stack.colours[k], name: literal(name), showlegend: false,
          hoverinfo: side === "up" ? undefined : "skip",
          hovertemplate: side === "up" ? "%{customdata:.4g}" : undefined,
        });
      }
    });
    traces.push({ x: time, y: output.total, mode: time.length > 1 ? "lines" : "markers", name: "total", showlegend: false, hovertemplate: "%{y:.4g}", line: { width: 2.5 } });
    const layout = (frame) => {
      const ink = css("--ink"), grid = css("--grid"), paper = css("--paper");
      traces.forEach((trace, k) => { trace.line.color = k === traces.length - 1 ? ink : paper; });
      const axis = { gridcolor: grid, zerolinecolor: ink, linecolor: grid, tickfont: { size: 11 }, automargin: true };
      return {
        margin: { l: 50, r: 8, t: 8, b: 40 }, paper_bgcolor: paper, plot_bgcolor: paper, font: { color: ink },
        hovermode: "x unified", hoverlabel: { bgcolor: css("--panel"), font: { color: ink, size: 11 } }, dragmode: false,
        xaxis: { ...axis, title: { text: "time (s)", font: { size: 12 } } },
        yaxis: { ...axis, title: { text: literal(output.axis), font: { size: 12 } } },
        shapes: [{ type: "line", x0: time[frame], x1: time[frame], yref: "paper", y0: 0, y1: 1, line: { color: ink, width: 1, dash: "dot" } }],
      };
    };
    // Beside the largest numbers of the chart, round-off is nothing.
    const largest = Math.max(...output.total.map(Math.abs), ...stack.layers.flat().map(Math.abs));
    const clean = (value) => (Math.abs(value) < 1e-9 * largest ? 0 : value);
    const tell = (frame) => {
      const parts = stack.names.map((name, k) => [name, clean(stack.layers[k][frame])]).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
      const said = parts.slice(0, 3).filter((p) => p[1] !== 0).map((p) => p[0] + " " + shown(p[1]));
      reading.textContent = "At " + shown(time[frame]) + " s: " + shown(clean(output.total[frame])) + " " + output.unit + (said.length ? "; " + said.join(", ") : "");
    };
    return {
      box,
      draw(frame) {
        Plotly.react(plot, traces, layout(frame), { responsive: true, displaylogo: false, displayModeBar: false });
        if (!plot.dataset.ready) {
          plot.dataset.ready = "yes";
          plot.on("plotly_click", (event) => pick(event.points[0].pointIndex));
        }
        tell(frame);
      },
      point(frame) { Plotly.relayout(plot, { "shapes[0].x0": time[frame], "shapes[0].x1": time[frame] }); tell(frame); },
    };
  }

  function start(result, number) {
    const section = document.getElementById("result-" + number);
    const [play, scrub, clock, speed, place, grouping, charts] =
      [".play", ".scrub", ".clock", ".speed", ".place", ".grouping", ".charts"].map((s) => section.querySelector(s));
    const time = result.time, move = scene(section, result);
    let frame = 0, running = false, shownCharts = [];
    const show = (next) => {
      frame = Math.max(0, Math.min(time.length - 1, next));
      scrub.value = frame;
      clock.textContent = time[frame].toFixed(2) + " s";
      move(frame);
      shownCharts.forEach((each) => each.point(frame));
    };
    const halt = () => { running = false; play.textContent = "Play"; play.setAttribute("aria-label", "Play the motion"); };
    const pick = (next) => { halt(); show(next); };
    const fill = () => {
      const wanted = result.outputs.filter((output) => output.place === place.value);
      shownCharts = wanted.map((output) => chart(output, grouping.value, time, pick));
      charts.replaceChildren(...shownCharts.map((each) => each.box));
      shownCharts.forEach((each) => each.draw(frame));
    };
    scrub.max = time.length - 1;
    scrub.addEventListener("input", () => pick(Number(scrub.value)));
    place.addEventListener("change", fill);
    grouping.addEventListener("change", fill);
    dark.addEventListener("change", () => shownCharts.forEach((each) => each.draw(frame)));
    play.addEventListener("click", () => {
      if (running) { halt(); return; }
      running = true;
      play.textContent = "Pause";
      play.setAttribute("aria-label", "Pause the motion");
      if (frame === time.length - 1) show(0);
      let clockThen = performance.now(), now = time[frame];
      const step = (clockNow) => {
        if (!running) return;
        now += (clockNow - clockThen) / 1000 * Number(speed.value);
        clockThen = clockNow;
        let next = frame;
        while (next < time.length - 1 && time[next + 1] <= now) next += 1;
        if (next !== frame) show(next);
        if (frame === time.length - 1) halt(); else requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    });
    fill();
    show(0);
  }

  page.results.forEach(start);
  document.documentElement.dataset.ready = "yes";
})();
