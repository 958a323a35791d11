// The bodies of several results, one over the other at the same place of the axis that they are compared over.
function overlayPanel(panel, results, titles, keyOf) {
  const place = panel.querySelector(".overlay"), shown = results.map((result, i) => ({ result, i, scene: spaceOf(result.scene) })).filter((each) => each.scene);
  if (shown.length < 2) return null;
  place.hidden = false;
  const [stage, slider, told, legend] = [".stage", ".scrub", "output", ".legend"].map((s) => place.querySelector(s));
  const canvas = make("canvas", "space"), drawing = svg("svg", { class: "space" }), render = makeRenderer(canvas), figure = makeFigure(400), axes = viewsOf(shown[0].scene.up);
  const flat = shown.every(({ result }) => result.scene.dimensions === 2), extents = shown.map(({ scene }) => extentOf(scene)), size = Math.max(...extents.map((each) => each.size));
  stage.append(canvas, drawing);
  canvas.hidden = !render;
  drawing.style.display = render ? "none" : "";
  for (const each of [canvas, drawing]) describe(each, `Bodies of ${shown.map(({ i }) => titles[i]).join(" and ")}, one over the other`);
  let [turn, tilt] = flat ? axes.turns.side : axes.turns.oblique, visible = false, asked = false, instants = [], camera = null;
  if (flat) tilt = 0;
  const ask = () => { if (asked || !visible) return; asked = true; requestAnimationFrame(() => { asked = false; draw(); }); };
  const frames = () => shown.map(({ result }) => {
    const axis = makeAxis(result, keyOf(result)), [low, high] = [axis.x[0], axis.x.at(-1)];
    return axis.frameAt(low + ((high - low) * Number(slider.value)) / 100, 0);
  });
  // Roots are put on the same spot of the ground; heights stay as they are.
  const root = (k) => triple(row(shown[k].scene.points.at, instants[k]), 0).map((x, c) => (c === axes.vertical ? 0 : x));
  const fill = () => {
    figure.clear();
    shown.forEach(({ scene, i }, k) => {
      const points = row(scene.points.at, instants[k]), shift = minus(root(0), root(k)), at = (n) => plus(triple(points, n), shift), colour = rgb(hue(i)), owner = { kind: "body", number: i };
      for (const [first, last] of scene.bones) figure.add(at(first), at(last), 0.013 * size, 0.01 * size, colour, owner);
      scene.points.names.forEach((_, n) => figure.add(at(n), at(n), 0.016 * size, 0.016 * size, colour, owner));
    });
  };
  function draw() {
    const seen = render ? canvas : drawing, box = seen.getBoundingClientRect(), wide = Math.max(2, box.width), tall = Math.max(2, box.height), sharp = Math.min(2, window.devicePixelRatio || 1);
    instants = frames();
    fill();
    camera = cameraOf(turn, tilt, 2.2 * size, extents[0].all[instants[0]].middle, axes, wide / tall);
    if (!render) return flatten(drawing, figure, camera, wide, tall);
    const [w, h] = [Math.round(wide * sharp), Math.round(tall * sharp)];
    if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
    return render(figure, camera, { paper: rgb(css("--panel")), floor: null });
  }
  const told_ = () => { told.textContent = `${slider.value} %`; ask(); };
  slider.addEventListener("input", told_);
  for (const each of [canvas, drawing]) {
    let from = null;
    each.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; each.setPointerCapture(event.pointerId); });
    each.addEventListener("pointermove", (event) => {
      if (!from) return;
      turn += 0.008 * (event.clientX - from[0]);
      tilt = Math.min(1.5, Math.max(-1.2, tilt + 0.008 * (event.clientY - from[1])));
      from = [event.clientX, event.clientY];
      ask();
    });
    each.addEventListener("pointerup", () => { from = null; });
  }
  const paintLegend = () => legend.replaceChildren(...shown.map(({ i }) => { const item = make("li"), swatch = make("span", "swatch"); swatch.style.background = hue(i); item.append(swatch, titles[i]); return item; }));
  new IntersectionObserver(([entry]) => { visible = entry.isIntersecting; ask(); }).observe(stage);
  new ResizeObserver(ask).observe(stage);
  darkMode.addEventListener("change", () => { paintLegend(); ask(); });
  addEventListener("beforeprint", () => { draw(); const box = canvas.getBoundingClientRect(); flatten(drawing, figure, camera, box.width || 640, box.height || 480); if (render) { drawing.style.display = ""; canvas.hidden = true; } });
  addEventListener("afterprint", () => { if (render) { drawing.style.display = "none"; canvas.hidden = false; } });
  paintLegend();
  told_();
  return { draw: told_, about: { get instants() { draw(); return instants; }, get count() { return figure.count; }, ends: (k) => figure.ends(k).map((end) => Array.from(end)), owner: figure.owner } };
}

// A planar body lies in a plane of space.
function spaceOf(scene) {
  if (!scene || scene.dimensions === 3) return scene;
  const [times, count] = scene.points.at.shape, flat = scene.points.at.values, values = new Float32Array(3 * times * count);
  for (let k = 0; k < times * count; k += 1) { values[3 * k] = flat[2 * k]; values[3 * k + 1] = flat[2 * k + 1]; }
  return { ...scene, up: [0, 1, 0], points: { names: scene.points.names, at: { shape: [times, count, 3], values } } };
}
