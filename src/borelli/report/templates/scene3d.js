// A model in space: to be turned and zoomed, coloured by tension, followed where it walks; SVG without WebGL and in print.
function viewsOf(up) {
  // Forward is x unless that is up; the third axis points to the right of a model after OpenSim's habit (y up).
  const vertical = up.map(Math.abs).indexOf(Math.max(...up.map(Math.abs))), forward = vertical === 0 ? 1 : 0, across = 3 - vertical - forward;
  const axis = (k, sign = 1) => [0, 1, 2].map((i) => (i === k ? sign : 0));
  return { vertical, u: axis(forward), v: axis(across), up: axis(vertical, Math.sign(up[vertical])), turns: { oblique: [0.85, 0.22], side: [Math.PI / 2, 0.03], front: [0, 0.03], top: [Math.PI / 2, 1.5] } };
}

// Where the body is at each drawn instant, and how large it is.
function extentOf(scene) {
  const frames = scene.points.at.shape[0], all = [];
  let size = 0;
  for (let f = 0; f < frames; f += 1) {
    const flat = row(scene.points.at, f), low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < flat.length; i += 1) if (Number.isFinite(flat[i])) { low[i % 3] = Math.min(low[i % 3], flat[i]); high[i % 3] = Math.max(high[i % 3], flat[i]); }
    all.push({ middle: low.map((value, k) => (value + high[k]) / 2), low, high });
    size = Math.max(size, ...low.map((value, k) => high[k] - value).filter(Number.isFinite));
  }
  return { all, size: size || 1 };
}

function groundHeight(result, vertical) {
  const { loads } = result.scene;
  if (!result.contacts.length || !loads) return null;
  let lowest = Infinity;
  for (let i = 0; i < loads.at.values.length; i += 3) {
    if (Math.hypot(...loads.force.values.subarray(i, i + 3)) > 0) lowest = Math.min(lowest, loads.at.values[i + vertical]);
  }
  return Number.isFinite(lowest) ? lowest : null;
}

function cameraOf(turn, tilt, distance, target, axes, shape) {
  const flat = Math.cos(tilt), back = plus(plus(axes.u.map((x) => x * flat * Math.cos(turn)), axes.v, flat * Math.sin(turn)), axes.up, Math.sin(tilt));
  const eye = plus(target, back, distance), right = unit(cross(axes.up, back)), above = cross(back, right), f = 1 / Math.tan(0.32), near = 0.05 * distance, far = 20 * distance;
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2], rows = [right, above, back].map((axis) => [...axis, -dot(axis, eye)]);
  const clip = [rows[0].map((x) => (x * f) / shape), rows[1].map((x) => x * f), rows[2].map((x, k) => ((far + near) / (near - far)) * x + (k === 3 ? (2 * far * near) / (near - far) : 0)), rows[2].map((x) => -x)];
  const matrix = new Float32Array(16);
  clip.forEach((line, r) => line.forEach((x, c) => { matrix[4 * c + r] = x; }));
  const light = unit(plus(plus(back, above, 0.8), right, -0.5));
  const project = ([x, y, z], width, height) => {
    const [cx, cy, , cw] = clip.map((line) => line[0] * x + line[1] * y + line[2] * z + line[3]);
    return [((cx / cw + 1) / 2) * width, ((1 - cy / cw) / 2) * height, cw, (f * height) / (2 * cw)];
  };
  return { matrix, light, back, right, above, project };
}

function scene3d(stage, result, switches, scaleText, player, pick) {
  const scene = result.scene, axes = viewsOf(scene.up), { all, size } = extentOf(scene), height = groundHeight(result, axes.vertical);
  const arrows = [["loads", scene.loads], ["joint reactions", scene.reactions]].filter(([, set]) => set?.largest);
  const canvas = make("canvas", "space"), drawing = svg("svg", { class: "space" }), views = make("div", "controls views"), hint = make("div", "hover"), shown = new Map();
  const render = makeRenderer(canvas), figure = makeFigure(2000), limbs = limbFrame(scene);
  stage.append(views, canvas, drawing, hint);
  canvas.hidden = !render;
  drawing.style.display = render ? "none" : "";
  hint.hidden = true;
  const seen = () => (render ? canvas : drawing);
  for (const each of [canvas, drawing]) describe(each, `Figure of ${result.title} in motion, in space`);
  let frame = 0, [turn, tilt] = axes.turns.oblique, distance = 2.3 * size, follow = true, visible = true, asked = false, chosen = null, camera = null, work = 0;
  const ask = () => {
    if (asked || !visible) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; draw(); });
  };
  const layer = (words, on) => switches.add(words, on, (is) => { shown.set(words, is); ask(); });
  if (height !== null) layer("ground", true);
  layer("bones", true);
  if (scene.meshes && render) layer(MESHES, true);
  layer("joints", true);
  if (scene.centres) layer("mass centres", false);
  if (scene.ellipsoids) layer(INERTIA, false);
  const colours = scene.paths ? muscleColours(stage, scene.paths, switches, ask) : null;
  if (scene.paths) layer("muscles", true);
  for (const [words] of arrows) layer(words, words === "loads");
  if (limbs) layer(DRAWN, !(scene.meshes && render));
  switches.add("follow the body", true, (is) => { follow = is; ask(); });
  if (arrows.length) scaleText.push(arrowWords(arrows));
  scaleText.push("Drag to turn, Ctrl and the wheel (or + and −) to zoom; click names a thing and shows its curve.");

  const look = () => {
    const ramps = rampNow().map((c) => c.map((x) => x / 255)), middle = all[follow ? frame : 0].middle;
    const mix = (part) => { const place = Math.min(1, Math.max(0, part || 0)) * (ramps.length - 1), low = Math.min(ramps.length - 2, Math.floor(place)); return ramps[low].map((c, k) => c + (ramps[low + 1][k] - c) * (place - low)); };
    return {
      size, arrows, colours, chosen, limbs, stature: limbs ? statureOf(scene, limbs) : 0, up: axes.up, shown: (words) => shown.get(words) === true, scaleOf: (set) => (ARROW * size) / set.largest,
      bone: darkMode.matches ? [0.8, 0.78, 0.7] : [0.87, 0.84, 0.75], ink: rgb(css("--ink")), drawn: darkMode.matches ? [0.36, 0.4, 0.45] : [0.83, 0.86, 0.89], muscle: (part) => (part === null ? [0.8, 0.47, 0.65] : mix(part)),
      frame, meshes: scene.meshes && render && shown.get(MESHES) ? scene.meshes : null, paper: rgb(css("--panel")), floor: height !== null && shown.get("ground") ? floorOf(middle) : null,
    };
  };
  const floorOf = (middle) => {
    const reach = 3 * size, dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0), base = middle.map((x, k) => (k === axes.vertical ? height : x));
    const corners = [[-1, -1], [1, -1], [-1, 1], [1, 1]].map(([i, j]) => plus(plus(base, axes.u, i * reach), axes.v, j * reach));
    return { corners, u: axes.u, v: axes.v, tint: rgb(css("--floor")), middle: [dot(base, axes.u), dot(base, axes.v)], reach };
  };
  function draw() {
    const begin = performance.now(), own = look(), box = seen().getBoundingClientRect(), sharp = Math.min(2, window.devicePixelRatio || 1), wide = Math.max(2, box.width), tall = Math.max(2, box.height);
    camera = cameraOf(turn, tilt, distance, all[follow ? frame : 0].middle, axes, wide / tall);
    fillFigure(figure, scene, frame, own);
    if (render) {
      const [w, h] = [Math.round(wide * sharp), Math.round(tall * sharp)];
      if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
      render(figure, camera, own);
    } else flatten(drawing, figure, camera, wide, tall);
    work = performance.now() - begin;
  }
  // What the pointer is at: the nearest capsule on the screen.
  const under = (event) => {
    if (!camera) return null;
    const box = seen().getBoundingClientRect(), [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best = null, near = 9;
    for (let k = 0; k < figure.count; k += 1) {
      const owner = figure.owner(k);
      if (!owner || owner.kind === "drawn") continue;
      const [a, b] = figure.ends(k).map((p) => camera.project(p, box.width, box.height)), dx = b[0] - a[0], dy = b[1] - a[1];
      const part = Math.min(1, Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1))), off = Math.hypot(a[0] + part * dx - x, a[1] + part * dy - y) - 0.5 * figure.numbers[FIELDS * k + 6] * a[3];
      const rank = owner.kind === "bone" ? 2 : 0;
      if (off + rank < near) { near = off + rank; best = owner; }
    }
    return best;
  };
  const wordsOf = (owner) => {
    const { kind, number } = owner;
    if (kind === "muscle") return colours.words(frame, number);
    if (kind === "joint") return scene.points.names[number];
    if (kind === "bone") return scene.boneNames[number] ?? "";
    if (kind === "centre") return `mass centre of ${scene.centres.names[number]}`;
    const set = arrows.find(([words]) => words === kind)[1];
    return `${set.names[number]}: ${digits(sized(triple(row(set.force, frame), number)))} ${set.unit}`;
  };
  const nameOf = ({ kind, number }) => (kind === "muscle" ? scene.paths.names[number] : kind === "joint" ? scene.points.names[number] : kind === "bone" ? scene.boneNames[number] : kind === "centre" ? scene.centres.names[number] : arrows.find(([words]) => words === kind)[1].names[number]);
  for (const place of [canvas, drawing]) {
    let from = null, moved = 0;
    place.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; moved = 0; place.setPointerCapture(event.pointerId); });
    place.addEventListener("pointermove", (event) => {
      if (from) {
        const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
        moved += Math.abs(dx) + Math.abs(dy);
        turn += 0.008 * dx;
        tilt = Math.min(1.5, Math.max(-1.2, tilt + 0.008 * dy));
        from = [event.clientX, event.clientY];
        hint.hidden = true;
        return ask();
      }
      const found = under(event), box = stage.getBoundingClientRect();
      hint.hidden = !found;
      if (!found) return undefined;
      hint.textContent = wordsOf(found);
      hint.style.left = `${event.clientX - box.left + 14}px`;
      hint.style.top = `${event.clientY - box.top - 8}px`;
      return undefined;
    });
    place.addEventListener("pointerup", (event) => {
      from = null;
      if (moved > 4) return;
      chosen = under(event);
      ask();
      if (chosen) pick({ kind: chosen.kind, name: nameOf(chosen) });
    });
    place.addEventListener("pointerleave", () => { hint.hidden = true; });
    place.addEventListener("wheel", (event) => { // the page scrolls; only with Ctrl the drawing zooms
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(Math.exp(0.002 * event.deltaY));
    }, { passive: false });
  }
  const zoom = (factor) => { distance = Math.min(8 * size, Math.max(0.5 * size, distance * factor)); ask(); };
  for (const name of Object.keys(axes.turns)) views.append(button(name, `View from ${name === "oblique" ? "an oblique angle" : "the " + name}`, () => { [turn, tilt] = axes.turns[name]; ask(); }));
  views.append(button("+", "Zoom in", () => zoom(0.8)), button("−", "Zoom out", () => zoom(1.25)));
  new IntersectionObserver(([entry]) => { visible = entry.isIntersecting; if (visible) ask(); }).observe(stage);
  new ResizeObserver(ask).observe(stage);
  darkMode.addEventListener("change", ask);
  // Paper knows no WebGL: what is printed is drawn as outlines.
  addEventListener("beforeprint", () => { const box = seen().getBoundingClientRect(); draw(); flatten(drawing, figure, camera, box.width || 640, box.height || 480); if (render) { drawing.style.display = ""; canvas.hidden = true; } });
  addEventListener("afterprint", () => { if (render) { drawing.style.display = "none"; canvas.hidden = false; } });
  canvas.flat = () => {
    const { width, height: tall } = canvas.getBoundingClientRect(), copy = svg("svg", { width, height: tall });
    draw();
    flatten(copy, figure, camera, width, tall);
    return copy;
  };
  const move = (next) => { frame = next; ask(); };
  move.about = { get work() { return work; }, get renderer() { return render ? "webgl" : "svg"; }, get shapes() { return figure.count; }, draw, place: (k) => { const box = seen().getBoundingClientRect(), [a, b] = figure.ends(k), [x, y] = camera.project(a.map((value, i) => (value + b[i]) / 2), box.width, box.height); return [box.left + x, box.top + y]; }, owner: figure.owner, words: (k) => wordsOf(figure.owner(k)), ends: (k) => figure.ends(k).map((end) => Array.from(end)), fraction: (i) => (colours.plain() ? null : colours.fraction(frame, i)), get view() { return [turn, tilt, distance / size]; } };
  return move;
}

// The same capsules as outlines on paper, those behind first.
function flatten(drawing, figure, camera, width, height) {
  drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const shapes = Array.from({ length: figure.count }, (_, k) => { const [a, b] = figure.ends(k).map((p) => camera.project(p, width, height)); return { a, b, k, depth: a[2] + b[2] }; }).sort((p, q) => q.depth - p.depth);
  while (drawing.children.length < shapes.length) drawing.append(svg("path", { "stroke-width": 0.7, "stroke-linejoin": "round" }));
  while (drawing.children.length > shapes.length) drawing.lastChild.remove();
  const paint = (colour) => `rgb(${colour.map((c) => Math.round(255 * c)).join(",")})`;
  shapes.forEach(({ a, b, k }, i) => {
    const own = drawing.children[i], n = FIELDS * k, colour = Array.from(figure.numbers.subarray(n + 8, n + 11)), radii = [a, b].map((end, j) => Math.max(0.6, figure.numbers[n + 6 + j] * end[3]));
    own.setAttribute("d", outline(a, b, ...radii));
    own.setAttribute("fill", paint(colour));
    own.setAttribute("stroke", paint(colour.map((c) => 0.6 * c)));
  });
}

// Two circles and the lines between them; where one holds the other, that one alone.
function outline([ax, ay], [bx, by], ra, rb) {
  const far = Math.hypot(bx - ax, by - ay), at = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`, round = (r) => `A${r.toFixed(1)} ${r.toFixed(1)} 0 0 0 `;
  if (far <= Math.abs(ra - rb) + 0.05) {
    const [x, y, r] = ra > rb ? [ax, ay, ra] : [bx, by, rb];
    return `M${at(x - r, y)}${round(r)}${at(x + r, y)}${round(r)}${at(x - r, y)}Z`;
  }
  const [nx, ny] = [-(by - ay) / far, (bx - ax) / far];
  return `M${at(ax + nx * ra, ay + ny * ra)}L${at(bx + nx * rb, by + ny * rb)}${round(rb)}${at(bx - nx * rb, by - ny * rb)}L${at(ax - nx * ra, ay - ny * ra)}${round(ra)}${at(ax + nx * ra, ay + ny * ra)}Z`;
}
