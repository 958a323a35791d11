// A planar chain: links, joints, mass centres, muscles coloured by tension, loads and reactions to scale.
const ARROW = 0.3; // of the drawing's size: the longest arrow of each kind
const arrowWords = (arrows) => {
  const longest = arrows.map(([words, set]) => `${words} ${digits(set.largest)} ${set.unit}`).join(", ");
  return `Longest arrows: ${longest}${arrows.length > 1 ? "; each kind has its own scale." : "."}`;
};

function boundsOf(scene) {
  const found = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
  for (const set of [scene.points, scene.centres, scene.paths, scene.loads]) {
    const at = set?.at.values ?? [];
    for (let i = 0; i < at.length; i += 2) {
      if (!Number.isFinite(at[i]) || !Number.isFinite(at[i + 1])) continue;
      found.left = Math.min(found.left, at[i]); found.right = Math.max(found.right, at[i]);
      found.low = Math.min(found.low, at[i + 1]); found.high = Math.max(found.high, at[i + 1]);
    }
  }
  return found;
}

const pairs = (flat) => Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], -flat[2 * i + 1]]);
const asPoints = (points) => points.filter(([x]) => Number.isFinite(x)).map((p) => p.join(",")).join(" ");

function named(element, name) {
  const title = svg("title");
  title.textContent = name;
  element.append(title);
  return element;
}

function scene2d(stage, result, switches, scaleText) {
  const scene = result.scene, bounds = boundsOf(scene);
  const size = Math.max(bounds.right - bounds.left, bounds.high - bounds.low) || 1, pad = 0.15 * size;
  const box = [bounds.left - pad, -bounds.high - pad, bounds.right - bounds.left + 2 * pad, bounds.high - bounds.low + 2 * pad];
  const picture = svg("svg", { class: "scene", viewBox: box.join(" "), role: "img", "aria-label": `Stick figure of ${result.title} in motion` });
  const layer = (words, shown = true) => {
    const group = svg("g");
    picture.append(group);
    switches.add(words, shown, (on) => { group.style.display = on ? "" : "none"; });
    return group;
  };
  const frames = scene.points.at.shape[0], n = scene.points.names.length;
  const all = Array.from({ length: frames }, (_, k) => pairs(row(scene.points.at, k)));
  picture.append(svg("polyline", { class: "ghost", "stroke-width": 0.005 * size, points: asPoints(all.map((points) => points[n - 1])) }));

  const moves = [bonesLayer(layer, scene, all, size)];
  if (scene.centres) moves.push(centresLayer(layer("mass centres", false), scene.centres, size));
  if (scene.paths) moves.push(pathsLayer(layer("muscles"), scene.paths, size, muscleColours(stage, scene.paths, switches, () => redraw())));
  const arrows = [["loads", scene.loads, "load"], ["joint reactions", scene.reactions, "reaction"]].filter(([, set]) => set?.largest);
  for (const [words, set, className] of arrows) moves.push(arrowsLayer(layer(words), className, set, (ARROW * size) / set.largest, size));
  if (arrows.length) scaleText.push(arrowWords(arrows));
  stage.prepend(picture);
  let shown = 0;
  const redraw = () => moves.forEach((move) => move(shown));
  darkMode.addEventListener("change", redraw);
  return (frame) => { shown = frame; redraw(); };
}

function bonesLayer(layer, scene, all, size) {
  const bones = scene.bones.map((_, k) => named(svg("line", { class: "bone", "stroke-width": 0.025 * size }), scene.boneNames[k] ?? ""));
  layer("links").append(...bones);
  const joints = scene.points.names.map((name, i) => named(svg("circle", { class: "joint", r: (i ? 0.014 : 0.02) * size }), name));
  layer("joints").append(...joints);
  return (frame) => {
    scene.bones.forEach(([first, second], k) => {
      const [[x1, y1], [x2, y2]] = [all[frame][first], all[frame][second]];
      for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) bones[k].setAttribute(name, value);
    });
    all[frame].forEach(([x, y], i) => { joints[i].setAttribute("cx", x); joints[i].setAttribute("cy", y); });
  };
}

function centresLayer(group, centres, size) {
  const dots = centres.names.map((name) => named(svg("circle", { class: "centre", r: 0.012 * size, "stroke-width": 0.006 * size }), `mass centre of ${name}`));
  group.append(...dots);
  return (frame) => pairs(row(centres.at, frame)).forEach(([x, y], i) => { dots[i].setAttribute("cx", x); dots[i].setAttribute("cy", y); });
}

function pathsLayer(group, paths, size, colours) {
  // A rim keeps muscles apart that lie upon each other.
  const rims = paths.names.map(() => svg("polyline", { class: "rim", "stroke-width": 0.018 * size }));
  const lines = paths.names.map((name) => named(svg("polyline", { class: "path", "stroke-width": 0.012 * size }), name));
  group.append(...rims, ...lines);
  const [, count, vertices] = paths.at.shape;
  return (frame) => {
    const points = pairs(row(paths.at, frame));
    for (let i = 0; i < count; i += 1) {
      const line = asPoints(points.slice(i * vertices, (i + 1) * vertices));
      rims[i].setAttribute("points", line);
      lines[i].setAttribute("points", line);
      lines[i].style.stroke = colours.colour(frame, i);
      lines[i].firstChild.textContent = colours.words(frame, i);
    }
  };
}

function arrowsLayer(group, className, set, scale, size) {
  const shafts = set.names.map((name) => named(svg("path", { class: className, "stroke-width": 0.008 * size }), name));
  group.append(...shafts);
  return (frame) => {
    const at = pairs(row(set.at, frame)), force = pairs(row(set.force, frame));
    shafts.forEach((shaft, i) => {
      const length = Math.hypot(...force[i]) * scale, head = Math.min(0.03 * size, length / 2);
      const [ux, uy] = length > 0 ? force[i].map((f) => (f * scale) / length) : [0, 0];
      const [x, y] = at[i], tip = [x + ux * length, y + uy * length];
      const wing = (side) => [tip[0] - head * (ux + side * 0.5 * uy), tip[1] - head * (uy - side * 0.5 * ux)];
      const known = Number.isFinite(x) && length > 0;
      shaft.setAttribute("d", known ? `M${x},${y}L${tip}M${wing(1)}L${tip}L${wing(-1)}` : "");
      shaft.firstChild.textContent = `${set.names[i]}: ${digits(length / scale)} ${set.unit}`;
    });
  };
}
