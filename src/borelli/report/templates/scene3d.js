// A model in space: bones, joints, mass centres, ellipsoids, muscle paths, loads and reactions, to orbit and zoom.
const VIEWS = {
  // The ground of OpenSim: x forward, y up, z to the right.
  side: { x: 0, y: 0.1, z: 1.7 }, front: { x: 1.7, y: 0.1, z: 0 }, top: { x: 0.01, y: 1.7, z: 0 }, oblique: { x: 0.95, y: 0.4, z: 1.1 },
};
const cameraFrom = (eye) => ({ eye, up: { x: 0, y: 1, z: 0 }, center: { x: 0, y: 0, z: 0 } });
const triples = (flat) => Array.from({ length: flat.length / 3 }, (_, i) => [flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]]);
const GAP = [null, null, null];
const columns = (points) => ({ x: points.map((p) => p[0]), y: points.map((p) => p[1]), z: points.map((p) => p[2]) });

function rangesOf(scene) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const set of [scene.points, scene.centres, scene.paths]) {
    const at = set?.at.values ?? [];
    for (let i = 0; i < at.length; i += 1) {
      if (!Number.isFinite(at[i])) continue;
      low[i % 3] = Math.min(low[i % 3], at[i]);
      high[i % 3] = Math.max(high[i % 3], at[i]);
    }
  }
  const size = Math.max(...high.map((value, k) => value - low[k])) || 1;
  return { size, ranges: low.map((value, k) => [value - 0.12 * size, high[k] + 0.12 * size]) };
}

// What lies outside the ranges is cut off: tails and tips of arrows widen them.
function makeRoom(ranges, set, scale) {
  const at = set.at.values, force = set.force.values;
  for (let i = 0; i < at.length; i += 3) {
    if (!(Math.hypot(force[i], force[i + 1], force[i + 2]) > 0)) continue;
    for (let k = 0; k < 3; k += 1) {
      for (const end of [at[i + k], at[i + k] + scale * force[i + k]]) {
        if (!Number.isFinite(end)) continue;
        ranges[k] = [Math.min(ranges[k][0], end), Math.max(ranges[k][1], end)];
      }
    }
  }
}

function scene3d(stage, result, switches, scaleText) {
  const scene = result.scene, { size, ranges } = rangesOf(scene);
  const arrows = [["loads", scene.loads, "#D55E00"], ["joint reactions", scene.reactions, "#009E73"]].filter(([, set]) => set?.largest);
  const scaleOf = (set) => (ARROW * size) / set.largest;
  arrows.forEach(([, set]) => makeRoom(ranges, set, scaleOf(set)));
  const plot = make("div", "space"), views = make("div", "controls views");
  stage.append(views, plot);
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", `Figure of ${result.title} in motion, in space`);
  const shown = new Map(), makers = [];
  let frame = 0, camera = cameraFrom(VIEWS.oblique), ready = false;
  const layer = (words, on, maker) => {
    makers.push([words, maker]);
    switches.add(words, on, (visible) => { shown.set(words, visible); if (ready) draw(); });
  };
  layer("bones", true, () => bonesTrace(scene, frame));
  layer("joints", true, () => dotsTrace(scene.points, frame, css("--ink"), 3.5, (name) => name));
  if (scene.centres) layer("mass centres", false, () => dotsTrace(scene.centres, frame, "#E69F00", 4, (name) => `mass centre of ${name}`));
  if (scene.ellipsoids) layer("ellipsoids of inertia", false, () => ellipsoidsTrace(scene, frame));
  if (scene.paths) layer("muscles", true, () => pathsTrace(scene.paths, frame));
  for (const [words, set, colour] of arrows) layer(words, words === "loads", () => arrowsTrace(set, frame, colour, scaleOf(set), size));
  if (arrows.length) scaleText.push(arrowWords(arrows));
  if (scene.paths?.colour) scaleText.push(`Muscles by ${scene.paths.colour.words}, from dark (none) to yellow (${digits(scene.paths.colour.largest)} ${scene.paths.colour.unit}).`);
  scaleText.push("Drag to orbit, scroll to zoom.");

  const layout = () => {
    const axis = (k, title) => ({ range: ranges[k], title: { text: title, font: { size: 10 } }, color: css("--soft"), gridcolor: css("--grid"), showbackground: false, zeroline: false, showspikes: false, nticks: 5, tickfont: { size: 9 } });
    const widest = Math.max(...ranges.map(([low, high]) => high - low));
    const lengths = ranges.map(([low, high]) => (1.3 * (high - low)) / widest);
    return {
      margin: { l: 0, r: 0, t: 0, b: 0 }, paper_bgcolor: css("--panel"), font: { color: css("--ink") }, showlegend: false,
      hoverlabel: { bgcolor: css("--panel"), font: { color: css("--ink"), size: 12 } },
      scene: { xaxis: axis(0, "x (m)"), yaxis: axis(1, "y (m)"), zaxis: axis(2, "z (m)"), aspectmode: "manual", aspectratio: { x: lengths[0], y: lengths[1], z: lengths[2] }, camera },
    };
  };
  function draw() {
    const traces = makers.map(([words, maker]) => ({ ...maker(), visible: shown.get(words) }));
    Plotly.react(plot, traces, layout(), CHART_OPTIONS);
  }
  for (const [name, eye] of Object.entries(VIEWS)) {
    views.append(button(name, `View from ${name === "oblique" ? "an oblique angle" : "the " + name}`, () => Plotly.relayout(plot, { "scene.camera": cameraFrom(eye) })));
  }
  ready = true;
  draw();
  // Whoever turns the view, by hand or by button: the next frame is seen from there.
  for (const turned of ["plotly_relayout", "plotly_relayouting"]) {
    plot.on(turned, (change) => { camera = change["scene.camera"] ?? camera; });
  }
  darkMode.addEventListener("change", draw);
  return (next) => { frame = next; draw(); };
}

function bonesTrace(scene, frame) {
  const points = triples(row(scene.points.at, frame));
  const lines = scene.bones.flatMap(([first, second]) => [points[first], points[second], GAP]);
  return { type: "scatter3d", mode: "lines", ...columns(lines), line: { width: 9, color: css("--bone") }, hoverinfo: "skip" };
}

function dotsTrace(set, frame, color, markerSize, words) {
  return { type: "scatter3d", mode: "markers", ...columns(triples(row(set.at, frame))), marker: { size: markerSize, color }, text: set.names.map((name) => literal(words(name))), hovertemplate: "%{text}<extra></extra>" };
}

function pathsTrace(paths, frame) {
  const vertices = paths.at.shape[2], points = triples(row(paths.at, frame));
  const values = paths.colour ? row(paths.colour.values, frame) : null, lines = [], colours = [], texts = [];
  paths.names.forEach((name, i) => {
    const own = points.slice(i * vertices, (i + 1) * vertices).filter(([x]) => Number.isFinite(x));
    const value = values ? values[i] : 0;
    const text = literal(values ? `${name}: ${digits(value)} ${paths.colour.unit}` : name);
    lines.push(...own, GAP);
    colours.push(...own.map(() => value || 0), value || 0);
    texts.push(...own.map(() => text), "");
  });
  // The darkest colours are left out: they could not be told from dark paper.
  const line = values ? { width: 5, color: colours, colorscale: CIVIDIS_SCALE, cmin: -0.4 * (paths.colour.largest || 1), cmax: paths.colour.largest || 1 } : { width: 5, color: "#CC79A7" };
  return { type: "scatter3d", mode: "lines", ...columns(lines), line, text: texts, hovertemplate: "%{text}<extra></extra>" };
}

function arrowsTrace(set, frame, color, scale, size) {
  const at = triples(row(set.at, frame)), force = triples(row(set.force, frame)), lines = [], texts = [];
  at.forEach((start, i) => {
    const strength = Math.hypot(...force[i]), length = strength * scale;
    if (!(length > 0.002 * size) || !start.every(Number.isFinite)) return;
    const u = force[i].map((f) => f / strength), tip = start.map((s, k) => s + u[k] * length);
    // Any direction across the arrow will do for its head.
    const across = Math.abs(u[1]) < 0.9 ? [-u[2], 0, u[0]] : [0, u[2], -u[1]];
    const norm = Math.hypot(...across), head = Math.min(0.03 * size, length / 2);
    const wing = (side) => tip.map((t, k) => t - head * (u[k] + (side * 0.5 * across[k]) / norm));
    lines.push(start, tip, wing(1), tip, wing(-1), GAP);
    texts.push(...Array(6).fill(literal(`${set.names[i]}: ${digits(strength)} ${set.unit}`)));
  });
  return { type: "scatter3d", mode: "lines", ...columns(lines), line: { width: 5, color }, text: texts, hovertemplate: "%{text}<extra></extra>" };
}

// All ellipsoids as one mesh: a coarse sphere, stretched along each body's semi-axes.
const RINGS = 6, SPOKES = 10;
const SPHERE = Array.from({ length: RINGS + 1 }, (_, r) => Array.from({ length: SPOKES }, (_, s) => {
  const tilt = (Math.PI * r) / RINGS, turn = (2 * Math.PI * s) / SPOKES;
  return [Math.sin(tilt) * Math.cos(turn), Math.cos(tilt), Math.sin(tilt) * Math.sin(turn)];
})).flat();
const FACES = Array.from({ length: RINGS * SPOKES }, (_, k) => {
  const r = Math.floor(k / SPOKES), s = k % SPOKES, next = (s + 1) % SPOKES;
  const [a, b, c, d] = [r * SPOKES + s, r * SPOKES + next, (r + 1) * SPOKES + s, (r + 1) * SPOKES + next];
  return [[a, b, c], [b, d, c]];
}).flat();

function ellipsoidsTrace(scene, frame) {
  const centres = triples(row(scene.centres.at, frame)), axes = row(scene.ellipsoids, frame), points = [], faces = [];
  centres.forEach((centre, body) => {
    const m = axes.subarray(9 * body, 9 * body + 9);
    if (!m.every(Number.isFinite)) return;
    faces.push(...FACES.map((face) => face.map((corner) => corner + points.length)));
    points.push(...SPHERE.map((p) => centre.map((c, k) => c + m[3 * k] * p[0] + m[3 * k + 1] * p[1] + m[3 * k + 2] * p[2])));
  });
  return { type: "mesh3d", ...columns(points), i: faces.map((f) => f[0]), j: faces.map((f) => f[1]), k: faces.map((f) => f[2]), color: "#56B4E9", opacity: 0.35, hoverinfo: "skip" };
}
