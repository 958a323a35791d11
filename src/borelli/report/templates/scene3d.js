// A model in space: bones, joints, mass centres, ellipsoids, muscle paths, loads and reactions, to orbit and zoom.
const triples = (flat) => Array.from({ length: flat.length / 3 }, (_, i) => [flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]]);
const GAP = [null, null, null];
const columns = (points) => ({ x: points.map((p) => p[0]), y: points.map((p) => p[1]), z: points.map((p) => p[2]) });
const between = (a, b, part) => a.map((value, k) => value + part * (b[k] - value));

// Forward is x unless that is up; the third axis points to the right of a model after OpenSim's habit (y up).
function viewsOf(up) {
  const vertical = up.map(Math.abs).indexOf(Math.max(...up.map(Math.abs))), forward = vertical === 0 ? 1 : 0, across = 3 - vertical - forward;
  const from = (ahead, above, aside) => {
    const eye = [0, 0, 0];
    [eye[forward], eye[vertical], eye[across]] = [ahead, above * Math.sign(up[vertical]), aside];
    return { x: eye[0], y: eye[1], z: eye[2] };
  };
  return { vertical, eyes: { oblique: from(1.05, 0.35, 1.25), side: from(0, 0.05, 1.65), front: from(1.65, 0.05, 0), top: from(0.01, 1.8, 0) } };
}

// Where the body is at each frame, and how far it reaches around: the drawing can go along with it.
function reachOf(scene, arrows, scaleOf, vertical, eggs = false) {
  const frames = scene.points.at.shape[0];
  const centres = Array.from({ length: frames }, (_, f) => {
    const points = triples(row(scene.points.at, f)).filter((p) => p.every(Number.isFinite));
    return [0, 1, 2].map((k) => (k === vertical ? 0 : points.reduce((sum, p) => sum + p[k], 0) / (points.length || 1)));
  });
  const tips = arrows.map(([, set]) => (f) => triples(row(set.at, f)).map((p, i) => [p, row(set.force, f).subarray(3 * i, 3 * i + 3)])
    .filter(([, force]) => Math.hypot(...force) > 0).flatMap(([p, force]) => [p, p.map((value, k) => value + scaleOf(set) * force[k])]));
  const sets = [scene.points, scene.centres, scene.paths].filter(Boolean).map((set) => (f) => triples(row(set.at, f)));
  if (eggs) sets.push((f) => eggCorners(scene, f));
  const spread = (origin) => {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let f = 0; f < frames; f += 1) {
      for (const set of [...sets, ...tips]) {
        for (const point of set(f)) {
          for (let k = 0; k < 3; k += 1) {
            if (!Number.isFinite(point[k])) continue;
            low[k] = Math.min(low[k], point[k] - origin[f][k]);
            high[k] = Math.max(high[k], point[k] - origin[f][k]);
          }
        }
      }
    }
    return low.map((value, k) => [value - 0.02, high[k] + 0.02]);
  };
  return { centres, spread, still: centres.map(() => [0, 0, 0]) };
}

const longest = (ranges) => Math.max(...ranges.map(([low, high]) => high - low));

function scene3d(stage, result, switches, scaleText) {
  const scene = result.scene, { vertical, eyes } = viewsOf(scene.up);
  const size = longest(reachOf(scene, [], null, vertical).spread(reachOf(scene, [], null, vertical).centres));
  const arrows = [["loads", scene.loads, "#D55E00"], ["joint reactions", scene.reactions, "#009E73"]].filter(([, set]) => set?.largest);
  const scaleOf = (set) => (ARROW * size) / set.largest;
  let reach, around, whole; // of what is shown
  const plot = make("div", "space"), views = make("div", "controls views");
  stage.append(views, plot);
  describe(plot, `Figure of ${result.title} in motion, in space`);
  const shown = new Map(), makers = [];
  let frame = 0, follow = false, ready = false;
  let camera = { eye: eyes.oblique, up: { x: scene.up[0], y: scene.up[1], z: scene.up[2] }, center: { x: 0, y: 0, z: 0 } };
  const measure = () => {
    reach = reachOf(scene, arrows.filter(([words]) => shown.get(words)), scaleOf, vertical, shown.get(EGGS));
    [around, whole] = [reach.spread(reach.centres), reach.spread(reach.still)];
  };
  const redraw = () => { if (ready) draw(); };
  const layer = (words, on, maker) => {
    makers.push([words, maker]);
    switches.add(words, on, (visible) => { shown.set(words, visible); if (ready) measure(); redraw(); });
  };
  const height = groundHeight(result, vertical);
  if (height !== null) layer("ground", true, () => groundTrace(ranges(), vertical, height));
  layer("bones", true, () => bonesTrace(scene, frame));
  layer("joints", true, () => dotsTrace(scene.points, frame, css("--ink"), 3.5, (name) => name));
  if (scene.centres) layer("mass centres", false, () => dotsTrace(scene.centres, frame, "#E69F00", 4.5, (_, i) => bodyWords(scene, i, frame)));
  if (scene.ellipsoids) layer(EGGS, false, () => ellipsoidsTrace(scene, frame));
  if (scene.paths) {
    const colours = muscleColours(stage, scene.paths, switches, redraw);
    layer("muscles", true, () => pathsTrace(scene.paths, frame, colours));
  }
  for (const [words, set, colour] of arrows) layer(words, words === "loads", () => arrowsTrace(set, frame, colour, scaleOf(set), size));
  measure();
  if (longest(whole) > 1.25 * longest(around)) switches.add("follow the body", true, (on) => { follow = on; redraw(); });
  if (arrows.length) scaleText.push(arrowWords(arrows));
  scaleText.push("Drag to orbit, scroll to zoom.");

  function ranges() {
    return follow ? around.map(([low, high], k) => [low + reach.centres[frame][k], high + reach.centres[frame][k]]) : whole;
  }
  const layout = () => {
    const now = ranges(), widest = longest(now), lengths = now.map(([low, high]) => (1.3 * (high - low)) / widest);
    const axis = (k) => ({
      range: now[k], title: { text: "" }, color: css("--soft"), gridcolor: css("--grid"), showbackground: false, zeroline: false, showspikes: false,
      dtick: 0.5, showticklabels: k === vertical, tickfont: { size: 9 }, ticksuffix: " m",
    });
    return {
      margin: { l: 0, r: 0, t: 0, b: 0 }, paper_bgcolor: css("--panel"), font: { color: css("--ink") }, showlegend: false,
      hoverlabel: { bgcolor: css("--panel"), font: { color: css("--ink"), size: 12 } },
      scene: { xaxis: axis(0), yaxis: axis(1), zaxis: axis(2), aspectmode: "manual", aspectratio: { x: lengths[0], y: lengths[1], z: lengths[2] }, camera },
    };
  };
  function draw() {
    const traces = makers.map(([words, maker]) => ({ ...maker(), visible: shown.get(words) }));
    Plotly.react(plot, traces, layout(), CHART_OPTIONS);
  }
  for (const [name, eye] of Object.entries(eyes)) {
    const turn = () => Plotly.relayout(plot, { "scene.camera": { ...camera, eye, center: { x: 0, y: 0, z: 0 } } });
    views.append(button(name, `View from ${name === "oblique" ? "an oblique angle" : "the " + name}`, turn));
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

// Where feet touch it, by the points at which the ground pushes them; no ground where nobody does.
function groundHeight(result, vertical) {
  const { loads } = result.scene;
  if (!result.contacts.length || !loads) return null;
  let lowest = Infinity;
  for (let i = 0; i < loads.at.values.length; i += 3) {
    if (Math.hypot(...loads.force.values.subarray(i, i + 3)) > 0) lowest = Math.min(lowest, loads.at.values[i + vertical]);
  }
  return Number.isFinite(lowest) ? lowest : null;
}

function groundTrace(ranges, vertical, height) {
  const [a, b] = [0, 1, 2].filter((k) => k !== vertical);
  const corners = [[0, 0], [0, 1], [1, 1], [1, 0]].map(([i, j]) => { const p = [0, 0, 0]; p[vertical] = height; p[a] = ranges[a][i]; p[b] = ranges[b][j]; return p; });
  return { type: "mesh3d", ...columns(corners), i: [0, 0], j: [1, 2], k: [2, 3], color: css("--floor"), opacity: 0.9, hoverinfo: "skip", lighting: { ambient: 1, diffuse: 0, specular: 0 } };
}

function bodyWords(scene, body, frame) {
  const at = triples(row(scene.centres.at, frame))[body].map(digits).join(", ");
  const mass = scene.masses ? `${digits(scene.masses[body])} kg, ` : "";
  return `${scene.centres.names[body]}: ${mass}mass centre at (${at}) m`;
}

// Several points on each bone and muscle, so that pointing anywhere at it names it.
const STEPS = [0, 0.25, 0.5, 0.75, 1];

function bonesTrace(scene, frame) {
  const points = triples(row(scene.points.at, frame)), texts = [];
  const lines = scene.bones.flatMap(([first, second], k) => {
    const body = scene.centres ? scene.centres.names.indexOf(scene.boneNames[k]) : -1;
    texts.push(...Array(STEPS.length + 1).fill(literal(body < 0 ? scene.boneNames[k] ?? "" : bodyWords(scene, body, frame))));
    return [...STEPS.map((part) => between(points[first], points[second], part)), GAP];
  });
  return { type: "scatter3d", mode: "lines", ...columns(lines), line: { width: 10, color: css("--bone") }, text: texts, hovertemplate: "%{text}<extra></extra>" };
}

function dotsTrace(set, frame, color, markerSize, words) {
  const texts = set.names.map((name, i) => literal(words(name, i)));
  return { type: "scatter3d", mode: "markers", ...columns(triples(row(set.at, frame))), marker: { size: markerSize, color }, text: texts, hovertemplate: "%{text}<extra></extra>" };
}

function pathsTrace(paths, frame, colours) {
  const vertices = paths.at.shape[2], points = triples(row(paths.at, frame)), lines = [], shades = [], texts = [];
  paths.names.forEach((_, i) => {
    const own = points.slice(i * vertices, (i + 1) * vertices).filter(([x]) => Number.isFinite(x));
    const fine = own.flatMap((point, k) => (k + 1 < own.length ? STEPS.slice(0, -1).map((part) => between(point, own[k + 1], part)) : [point]));
    const text = literal(colours.words(frame, i)), shade = colours.plain() ? 0 : colours.fraction(frame, i);
    lines.push(...fine, GAP);
    shades.push(...fine.map(() => shade), shade);
    texts.push(...fine.map(() => text), "");
  });
  const line = colours.plain() ? { width: 4, color: "#CC79A7" } : { width: 5, color: shades, colorscale: rampScale(), cmin: 0, cmax: 1 };
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
    const norm = Math.hypot(...across), v = across.map((a) => a / norm), head = Math.min(0.035 * size, length / 2);
    const w = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    // Four wings, so that a head is seen from every side.
    const wing = (side, aside) => tip.map((t, k) => t - head * (u[k] + side * 0.45 * aside[k]));
    const drawn = [...STEPS.map((part) => between(start, tip, part)), wing(1, v), tip, wing(-1, v), tip, wing(1, w), tip, wing(-1, w), GAP];
    lines.push(...drawn);
    texts.push(...Array(drawn.length).fill(literal(`${set.names[i]}: ${digits(strength)} ${set.unit}`)));
  });
  return { type: "scatter3d", mode: "lines", ...columns(lines), line: { width: 6, color }, text: texts, hovertemplate: "%{text}<extra></extra>" };
}

const EGGS = "ellipsoids of inertia";

// How far they reach along each axis of the ground: corners of the boxes around them.
function eggCorners(scene, frame) {
  const axes = row(scene.ellipsoids, frame);
  return triples(row(scene.centres.at, frame)).flatMap((centre, body) => {
    const half = [0, 1, 2].map((k) => Math.hypot(...axes.subarray(9 * body + 3 * k, 9 * body + 3 * k + 3)));
    return half.every(Number.isFinite) ? [centre.map((c, k) => c - half[k]), centre.map((c, k) => c + half[k])] : [];
  });
}

// All ellipsoids as one mesh: a coarse sphere, stretched along each body's semi-axes.
const RINGS = 8, SPOKES = 14;
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
  const centres = triples(row(scene.centres.at, frame)), axes = row(scene.ellipsoids, frame), points = [], faces = [], texts = [];
  centres.forEach((centre, body) => {
    const m = axes.subarray(9 * body, 9 * body + 9);
    if (!m.every(Number.isFinite)) return;
    faces.push(...FACES.map((face) => face.map((corner) => corner + points.length)));
    points.push(...SPHERE.map((p) => centre.map((c, k) => c + m[3 * k] * p[0] + m[3 * k + 1] * p[1] + m[3 * k + 2] * p[2])));
    texts.push(...SPHERE.map(() => literal(bodyWords(scene, body, frame))));
  });
  const [i, j, k] = [0, 1, 2].map((corner) => faces.map((face) => face[corner]));
  const look = { color: "#56B4E9", opacity: 0.25, lighting: { ambient: 0.7, diffuse: 0.6 } };
  return { type: "mesh3d", ...columns(points), i, j, k, ...look, text: texts, hovertemplate: "%{text}<extra></extra>" };
}
