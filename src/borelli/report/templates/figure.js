// What is to be drawn of a body in space, as tapered capsules: bones, joints, muscles, arrows, head and arms.
// Each has eleven numbers: both ends, the radius at each, and its colour.
const FIELDS = 11;
const triple = (flat, i) => [flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a, b, w = 1) => [a[0] + w * b[0], a[1] + w * b[1], a[2] + w * b[2]];
const sized = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => { const n = sized(a) || 1; return [a[0] / n, a[1] / n, a[2] / n]; };
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const rgb = (text) => (text[0] === "#" ? [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16) / 255) : text.match(/\d+/g).slice(0, 3).map((x) => Number(x) / 255));

function makeFigure(room) {
  let count = 0, numbers = new Float32Array(FIELDS * room), owners = [];
  return {
    clear() { count = 0; owners = []; },
    add(a, b, ra, rb, colour, owner = null) {
      if (!(Number.isFinite(a[0] + a[1] + a[2] + b[0] + b[1] + b[2]))) return;
      if (FIELDS * (count + 1) > numbers.length) { const more = new Float32Array(2 * numbers.length); more.set(numbers); numbers = more; }
      numbers.set(a, FIELDS * count);
      numbers.set(b, FIELDS * count + 3);
      numbers[FIELDS * count + 6] = ra;
      numbers[FIELDS * count + 7] = rb;
      numbers.set(colour, FIELDS * count + 8);
      owners[count] = owner;
      count += 1;
    },
    get count() { return count; },
    get numbers() { return numbers; },
    owner: (k) => owners[k],
    ends: (k) => [numbers.subarray(FIELDS * k, FIELDS * k + 3), numbers.subarray(FIELDS * k + 3, FIELDS * k + 6)],
  };
}

const ARROW_COLOURS = { loads: "#D55E00", "joint reactions": "#009E73" };

// Everything of one instant; `look` says what is shown, how muscles are coloured, and which thing is chosen.
function fillFigure(figure, scene, frame, look) {
  const { size } = look, points = row(scene.points.at, frame);
  figure.clear();
  // A body whose surface is shown needs no stick.
  const covered = new Set(look.meshes ? look.meshes.names : []);
  if (look.shown("bones")) scene.bones.forEach(([first, second], k) => !covered.has(scene.boneNames[k]) && figure.add(triple(points, first), triple(points, second), 0.016 * size, 0.012 * size, look.bone, { kind: "bone", number: k }));
  if (look.shown("joints")) scene.points.names.forEach((_, i) => figure.add(triple(points, i), triple(points, i), 0.017 * size, 0.017 * size, look.ink, { kind: "joint", number: i }));
  if (scene.centres && look.shown("mass centres")) scene.centres.names.forEach((_, i) => { const at = triple(row(scene.centres.at, frame), i); figure.add(at, at, 0.014 * size, 0.014 * size, [0.9, 0.62, 0], { kind: "centre", number: i }); });
  if (scene.ellipsoids && look.shown(INERTIA)) inertiaOf(figure, scene, frame, look);
  if (scene.paths && look.shown("muscles")) musclesOf(figure, scene.paths, frame, look);
  for (const [words, set] of look.arrows) if (look.shown(words)) arrowsOf(figure, set, frame, look.scaleOf(set), size, rgb(ARROW_COLOURS[words]), words);
  if (look.shown(DRAWN)) limbsOf(figure, scene, frame, look);
}

// Semi-axes of the ellipsoid with a body's mass and inertia.
const INERTIA = "axes of inertia";
function inertiaOf(figure, scene, frame, look) {
  const axes = row(scene.ellipsoids, frame), centres = row(scene.centres.at, frame);
  scene.centres.names.forEach((_, body) => {
    const middle = triple(centres, body), own = axes.subarray(9 * body, 9 * body + 9);
    for (let k = 0; k < 3; k += 1) {
      const half = [own[k], own[3 + k], own[6 + k]];
      figure.add(plus(middle, half, -1), plus(middle, half), 0.004 * look.size, 0.004 * look.size, [0.34, 0.71, 0.91], { kind: "centre", number: body });
    }
  });
}

function musclesOf(figure, paths, frame, look) {
  const [, count, vertices] = paths.at.shape, all = row(paths.at, frame);
  for (let i = 0; i < count; i += 1) {
    const part = look.colours.plain() ? 0.4 : look.colours.fraction(frame, i), chosen = look.chosen?.kind === "muscle" && look.chosen.number === i;
    const colour = chosen ? [0.1, 0.6, 1] : look.muscle(look.colours.plain() ? null : part), radius = (0.0028 + 0.0085 * Math.min(1, Math.max(0, part))) * look.size * (chosen ? 1.6 : 1);
    let before = null;
    for (let k = 0; k < vertices; k += 1) {
      const at = triple(all, i * vertices + k);
      if (!Number.isFinite(at[0])) break;
      // The belly is thicker than the tendons at both ends.
      if (before) figure.add(before, at, radius, radius, colour, { kind: "muscle", number: i });
      before = at;
    }
  }
}

function arrowsOf(figure, set, frame, scale, size, colour, words) {
  const at = row(set.at, frame), force = row(set.force, frame);
  set.names.forEach((_, i) => {
    const start = triple(at, i), push = triple(force, i), length = sized(push) * scale;
    if (!(length > 0.002 * size)) return;
    const u = unit(push), tip = plus(start, u, length), neck = plus(tip, u, -Math.min(0.045 * size, 0.5 * length)), owner = { kind: words, number: i };
    figure.add(start, neck, 0.006 * size, 0.006 * size, colour, owner);
    figure.add(neck, tip, 0.018 * size, 0.0005 * size, colour, owner);
  });
}

// A body that one recognises: trunk, pelvis, neck and head, and arms where the model has none. Breadths and lengths over
// stature after Winter (2009, figure 4.1); grey, because they are drawn and not in the model.
const DRAWN = "trunk and head (drawn, not in the model)";
function limbFrame(scene) {
  const joint = (pattern) => scene.points.names.findIndex((name) => pattern.test(name)), names = [...scene.boneNames, ...scene.points.names].join(" ");
  const [right, left, ankle, back] = [/^hip.*r$/i, /^hip.*l$/i, /^ankle.*r$/i, /^(back|lumbar)/i].map(joint), trunk = joint(/(torso|trunk).* mass centre$/i);
  const [shoulderRight, shoulderLeft] = [/^(shoulder|acromial|gleno).*r$/i, /^(shoulder|acromial|gleno).*l$/i].map(joint), armed = shoulderRight >= 0 && shoulderLeft >= 0;
  if ([right, left, ankle, back].some((k) => k < 0) || (trunk < 0 && !armed)) return null;
  return { right, left, ankle, back, trunk, armed, shoulderRight, shoulderLeft, head: !/head|skull/i.test(names), arms: !/arm|humer|hand|radius/i.test(names) };
}

function limbsOf(figure, scene, frame, look) {
  const body = look.limbs, points = row(scene.points.at, frame), at = (k) => triple(points, k), s = look.stature, half = (a, b) => plus(a, minus(b, a), 0.5);
  const hips = half(at(body.right), at(body.left)), back = at(body.back), across = unit(minus(at(body.right), at(body.left))), top = body.armed ? half(at(body.shoulderRight), at(body.shoulderLeft)) : null;
  const up = unit(minus(top ?? at(body.trunk), back)), neck = top ?? plus(hips, up, 0.288 * s), owner = { kind: "drawn", number: 0 }, add = (a, b, ra, rb) => figure.add(a, b, ra * s, rb * s, look.drawn, owner);
  const shoulders = body.armed ? [at(body.shoulderRight), at(body.shoulderLeft)] : [1, -1].map((side) => plus(neck, across, 0.115 * side * s));
  add(plus(hips, across, -0.03 * s), plus(hips, across, 0.03 * s), 0.042, 0.042); // pelvis
  add(hips, back, 0.045, 0.045);
  for (const shoulder of shoulders) {
    const chest = plus(half(neck, shoulder), up, -0.055 * s);
    add(plus(back, minus(chest, back), 0.05), chest, 0.045, 0.058); // flanks: narrow at the waist, wide at the chest
    add(neck, plus(shoulder, minus(neck, shoulder), 0.12), 0.03, 0.032);
  }
  add(back, plus(neck, up, -0.06 * s), 0.05, 0.06);
  if (body.head) {
    add(neck, plus(neck, up, 0.07 * s), 0.028, 0.026);
    add(plus(neck, up, 0.098 * s), plus(neck, up, 0.128 * s), 0.05, 0.054);
  }
  // A last body ends beyond its mass centre, where its bone ends: forearms get their other half.
  scene.bones.forEach(([first, last], k) => {
    if (!/(fore.?arm|radius|ulna|hand)/i.test(scene.boneNames[k]) || !/ mass centre$/.test(scene.points.names[last])) return;
    add(at(last), plus(at(first), minus(at(last), at(first)), 2), 0.012, 0.016);
  });
  if (body.arms) for (const shoulder of shoulders) {
    const elbow = plus(shoulder, look.up, -0.186 * s), hand = plus(elbow, look.up, -0.2 * s);
    add(shoulder, elbow, 0.024, 0.02);
    add(elbow, hand, 0.019, 0.014);
  }
}

// Leg length, hip to ankle, is 0.491 of stature (Winter 2009).
function statureOf(scene, body) {
  const points = row(scene.points.at, 0), knee = scene.points.names.findIndex((name) => /knee.*r$/i.test(name));
  const parts = knee < 0 ? [[body.right, body.ankle]] : [[body.right, knee], [knee, body.ankle]];
  return parts.reduce((sum, [a, b]) => sum + sized(minus(triple(points, a), triple(points, b))), 0) / 0.491;
}
