// The body as a picture: limbs, muscles, loads, moment arms; joints that can be dragged or moved by keys.

const SVG = "http://www.w3.org/2000/svg";
// Of the picture's size: room around the body.
const MARGIN = 0.08;
// Marks have the same size on the screen whatever the body's: they are drawn for a picture of this size (m).
const USUAL_SIZE = 2.1;

function element(name, attributes = {}, parent = null) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.append(made);
  return made;
}

// World to picture: metres, y down.
const at = ([x, y]) => `${x.toFixed(5)} ${(-y).toFixed(5)}`;

// Two circles and their common tangents.
function limbPath(a, b, ra, rb) {
  const along = minus(b, a);
  const length = size(along);
  if (length <= Math.abs(ra - rb) || length < 1e-6) {
    const r = Math.max(ra, rb);
    const centre = ra >= rb ? a : b;
    return `M ${at(plus(centre, [r, 0]))} A ${r} ${r} 0 1 0 ${at(plus(centre, [-r, 0]))} A ${r} ${r} 0 1 0 ${at(plus(centre, [r, 0]))} Z`;
  }
  const u = times(1 / length, along);
  const tilt = Math.acos((ra - rb) / length);
  const side = (sign) => turned(u, [Math.cos(tilt), sign * Math.sin(tilt)]);
  const [left, right] = [side(1), side(-1)];
  return `M ${at(plus(a, times(ra, left)))} L ${at(plus(b, times(rb, left)))} A ${rb} ${rb} 0 0 1 ${at(plus(b, times(rb, right)))}`
    + ` L ${at(plus(a, times(ra, right)))} A ${ra} ${ra} 0 ${ra > rb ? 1 : 0} 1 ${at(plus(a, times(ra, left)))} Z`;
}

// Grey at rest, over orange to deep red when fully active; lighter towards the top on dark paper.
function effortColour(activation) {
  const ramp = matchMedia("(prefers-color-scheme: dark)").matches
    ? [[118, 128, 140], [230, 150, 40], [255, 226, 130]] : [[150, 160, 170], [224, 140, 0], [160, 40, 0]];
  const t = Math.min(Math.max(activation, 0), 1) * 2;
  const [from, to] = t < 1 ? [ramp[0], ramp[1]] : [ramp[1], ramp[2]];
  const part = t < 1 ? t : t - 1;
  return `rgb(${from.map((c, i) => Math.round(c + (to[i] - c) * part)).join(" ")})`;
}

// Where the perpendicular from a joint meets a line.
const footOf = (about, place, along) => plus(place, times(dot(minus(about, place), along), along));

class Scene {
  // `act` is told of every change: { choose(joint), turn(link, by), pull(joint, place) }; `frame` is shared by scenes
  // that are to have the same scale.
  constructor(svg, act, frame) {
    this.svg = svg;
    this.act = act;
    this.frame = frame;
    this.body = null;
    svg.addEventListener("pointermove", (event) => this.dragged(event));
    for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => { this.held = null; });
  }

  // Every element once for each body; a posture only moves them.
  build(answer) {
    const { body } = answer;
    this.body = body.key;
    this.strong = Math.max(...answer.resultant, size(body.gravity) * body.links.reduce((sum, link) => sum + link.mass, 0), 1e-9);
    this.svg.replaceChildren();
    const layer = (name) => element("g", { class: name }, this.svg);
    this.floor = element("path", { class: "floor" }, this.svg);
    this.foot = element("path", { class: "footprint" }, this.svg);
    this.centre = element("path", { class: "centre" }, this.svg);
    const limbs = layer("limbs");
    this.limbs = body.shapes.map((shape) => element("path", { class: `limb ${shape.kind} ${shape.link ? "" : "still"}` }, limbs));
    const cords = layer("cords");
    this.muscles = body.muscles.map(() => element("path", { class: "muscle" }, cords));
    const lines = layer("lines");
    this.lines = body.loads.map((load) => element("path", { class: `line ${load.kind}` }, lines));
    this.anchors = body.loads.map(() => element("circle", { class: "anchor" }, lines));
    this.masses = body.loads.map((load) => (load.kind === "weight" ? element("rect", { class: "mass" }, lines) : null));
    const arrows = layer("arrows");
    this.loads = body.loads.map(() => element("path", { class: "arrow load" }, arrows));
    this.weights = body.links.map(() => element("path", { class: "arrow weight" }, arrows));
    this.momentArm = ["far", "near"].map((kind) => ({
      line: element("path", { class: `action ${kind}` }, arrows), arm: element("path", { class: `momentArm ${kind}` }, arrows),
      text: element("text", { class: `reading ${kind}` }, arrows),
    }));
    this.press = element("path", { class: "arrow press" }, arrows);
    this.buildHandles(body, layer("handles"));
  }

  // Joint k turns link k; its handle is where the link before it ends, which is what a pull there turns.
  buildHandles(body, parent) {
    this.handles = [...body.links.keys(), body.links.length].map((k) => {
      const joint = body.links[k];
      const link = body.links[k - 1];
      const group = element("g", { class: "handle", "data-joint": k }, parent);
      element("circle", { class: "catch" }, group);
      element("circle", { class: "ring" }, group);
      element("circle", { class: "dot" }, group);
      if (link) {
        group.setAttribute("tabindex", "0");
        group.setAttribute("role", "slider");
        group.setAttribute("aria-label", `Angle of the ${plain(link.name)}${joint ? `, at the ${plain(joint.joint)}` : ", at its end"}`);
        group.setAttribute("aria-valuemin", "-360");
        group.setAttribute("aria-valuemax", "360");
        group.addEventListener("keydown", (event) => this.keyed(event, k));
      }
      group.addEventListener("pointerdown", (event) => {
        if (joint) this.act.choose(k);
        if (!link) return;
        this.held = k;
        this.svg.setPointerCapture(event.pointerId);
        event.preventDefault();
      });
      return group;
    });
  }

  keyed(event, k) {
    const steps = { ArrowLeft: 1, ArrowUp: 1, ArrowRight: -1, ArrowDown: -1 };
    if (event.key === "Enter" && k < this.handles.length - 1) this.act.choose(k);
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.act.turn(k - 1, (steps[event.key] * (event.shiftKey ? 5 : 1) * Math.PI) / 180);
  }

  dragged(event) {
    if (this.held === null || this.held === undefined) return;
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    this.act.pull(this.held, [place.x, -place.y]);
  }

  // What must be in sight; the picture grows where the body does, and never jumps back.
  fit(answers) {
    const points = [];
    for (const { body, pose, forces } of answers) {
      points.push(...pose.joint);
      for (const shape of body.shapes) {
        for (const end of ["start", "end"]) {
          const [x, y] = pointOf(pose, shape.link, shape[end]);
          const r = Math.max(...shape.radii);
          points.push([x - r, y - r], [x + r, y + r]);
        }
      }
      for (const { load, force } of forces) if (load.anchor && size(force)) points.push(load.anchor);
      points.push([body.base.position[0], body.base.floor]);
    }
    const edge = (pick, i) => pick(...points.map((point) => point[i]));
    const room = MARGIN * Math.max(...[0, 1].map((i) => edge(Math.max, i) - edge(Math.min, i)));
    // Readings stand beside the body: more room there.
    const low = [0, 1].map((i) => edge(Math.min, i) - (i ? 1 : 1.6) * room);
    const high = [0, 1].map((i) => edge(Math.max, i) + room);
    const old = this.frame.box;
    this.frame.box = old
      ? { low: low.map((v, i) => Math.min(v, old.low[i])), high: high.map((v, i) => Math.max(v, old.high[i])) } : { low, high };
    const { low: l, high: h } = this.frame.box;
    this.unit = Math.max(h[0] - l[0], h[1] - l[1]) / USUAL_SIZE;
    set(this.svg, "style", `--u: ${this.unit.toFixed(4)}`);
    set(this.svg, "viewBox", `${l[0]} ${-h[1]} ${h[0] - l[0]} ${h[1] - l[1]}`);
  }

  draw(answer, shown) {
    if (this.body !== answer.body.key) this.build(answer);
    this.fit([answer, ...shown.fits]);
    const { body, pose } = answer;
    this.limbs.forEach((limb, i) => {
      const shape = body.shapes[i];
      set(limb, "d", limbPath(pointOf(pose, shape.link, shape.start), pointOf(pose, shape.link, shape.end), ...shape.radii));
    });
    this.drawFloor(answer);
    this.muscles.forEach((path, m) => {
      set(path, "d", `M ${answer.action[m].points.map(at).join(" L ")}`);
      set(path, "stroke", effortColour(answer.activation[m]));
      set(path, "stroke-width", (this.unit * (0.005 + 0.017 * Math.min(1, Math.sqrt(Math.max(0, answer.activation[m]))))).toFixed(5));
      path.classList.toggle("idle", answer.tension[m] < 1);
      path.classList.toggle("lit", shown.source === `muscle:${body.muscles[m].name}`);
    });
    this.drawLoads(answer, shown);
    this.drawMomentArms(answer, shown);
    this.handles.forEach((group, k) => {
      const [x, y] = pose.joint[k];
      set(group, "transform", `translate(${x.toFixed(4)} ${(-y).toFixed(4)})`);
      group.classList.toggle("chosen", k === shown.joint);
      if (k > 0) {
        const degrees = Math.round((pose.angle[k - 1] * 180) / Math.PI);
        set(group, "aria-valuenow", degrees);
        set(group, "aria-valuetext", `${degrees} degrees from the horizontal`);
      }
    });
  }

  drawFloor({ body, support }) {
    const { low, high } = this.frame.box;
    const y = body.base.floor;
    set(this.floor, "d", body.foot ? `M ${at([low[0], y])} L ${at([high[0], y])}` : "");
    if (!body.foot) return;
    set(this.foot, "d", `M ${at([body.foot[0], y - 0.022 * this.unit])} L ${at([body.foot[1], y - 0.022 * this.unit])}`);
    const c = support.centre;
    const inside = c && c[0] >= body.foot[0] && c[0] <= body.foot[1];
    set(this.centre, "d", c ? `M ${at([c[0], y - 0.008 * this.unit])} l ${-0.022 * this.unit} ${0.045 * this.unit} l ${0.044 * this.unit} 0 Z` : "");
    this.centre.classList.toggle("outside", !inside);
  }

  // Lengths of arrows go with the square root of the force: a box beside a joint force would not be seen otherwise.
  // The largest joint force of the starting posture sets the scale.
  arrow(path, tip, force, backwards) {
    const strength = size(force);
    if (strength < 1e-3 * this.strong) return set(path, "d", "");
    const u = times(1 / strength, force);
    const length = this.unit * Math.min(0.5, 0.4 * Math.sqrt(strength / this.strong));
    const start = backwards ? minus(tip, times(length, u)) : tip;
    const end = backwards ? tip : plus(tip, times(length, u));
    const head = Math.min(0.045 * this.unit, 0.5 * length);
    const wing = (sign) => plus(end, times(head, turned(u, [-0.88, sign * 0.47])));
    return set(path, "d", `M ${at(start)} L ${at(end)} M ${at(wing(1))} L ${at(end)} L ${at(wing(-1))}`);
  }

  drawLoads({ body, pose, forces }, shown) {
    forces.forEach(({ load, force, place }, i) => {
      const active = size(force) > 0;
      set(this.lines[i], "d", load.anchor && active ? `M ${at(place)} L ${at(load.anchor)}` : "");
      const [x, y] = load.anchor ?? [0, 0];
      set(this.anchors[i], "visibility", load.anchor && active ? "visible" : "hidden");
      set(this.anchors[i], "cx", x);
      set(this.anchors[i], "cy", -y);
      this.arrow(this.loads[i], place, load.kind === "couple" ? [0, 0] : force, load.kind === "contact");
      this.loads[i].classList.toggle("lit", shown.source === `load:${load.name}`);
      if (this.masses[i]) {
        const side = load.mass ? this.unit * (0.05 + 0.035 * Math.cbrt(load.mass)) : 0;
        for (const [key, value] of Object.entries({ x: place[0] - side / 2, y: -place[1] - side / 2, width: side, height: side, rx: 0.012 * this.unit })) {
          set(this.masses[i], key, value.toFixed(4));
        }
      }
    });
    body.links.forEach((link, k) => {
      const lit = shown.source === `weight:${link.name}`;
      this.arrow(this.weights[k], pointOf(pose, k + 1, link.com), times(link.mass, body.gravity), false);
      this.weights[k].classList.toggle("lit", lit);
    });
  }

  // The long moment arm of what loads the joint, and the short one of the muscle that holds it.
  drawMomentArms(answer, shown) {
    const { joint } = shown;
    const about = answer.pose.joint[joint];
    const [far, near] = this.momentArm;
    const load = shown.momentArm && momentArmOf(answer, joint, shown.momentArm);
    this.put(far, load && load.vector ? { about, place: load.place, along: times(1 / load.force, load.vector), momentArm: load.momentArm } : null);
    const muscle = shown.muscle;
    const side = load && load.vector ? footOf(about, load.place, times(1 / load.force, load.vector))[0] >= about[0] : null;
    this.put(near, muscle === null || muscle === undefined ? null : this.muscleLine(answer, muscle, joint), side);
    this.arrow(this.press, about, answer.reaction[joint], true);
  }

  muscleLine(answer, m, joint) {
    const path = answer.body.muscles[m].path;
    const points = answer.action[m].points;
    for (let i = 1; i < path.length; i += 1) {
      const [a, b] = [path[i - 1][0], path[i][0]];
      if (Math.min(a, b) <= joint && joint < Math.max(a, b)) {
        const line = minus(points[i], points[i - 1]);
        return { about: answer.pose.joint[joint], place: points[i], along: times(1 / size(line), line), momentArm: answer.action[m].arm[joint], short: true };
      }
    }
    return null;
  }

  // `far` says on which side the other reading stands: true for the right.
  put(marks, found, far = null) {
    if (!found) {
      for (const mark of [marks.line, marks.arm]) set(mark, "d", "");
      put(marks.text, "");
      return;
    }
    const { about, place, along, momentArm, short } = found;
    const foot = footOf(about, place, along);
    const past = times(0.06 * this.unit, along);
    const ends = [foot, place].sort((p, q) => dot(p, along) - dot(q, along));
    set(marks.line, "d", short ? "" : `M ${at(minus(ends[0], past))} L ${at(plus(ends[1], past))}`);
    set(marks.arm, "d", `M ${at(about)} L ${at(foot)}`);
    // Away from the joint along the moment arm, where neither the other one nor the handle is.
    const out = minus(foot, about);
    const right = out[0] >= 0;
    const spot = short ? plus(foot, [(right ? 0.03 : -0.03) * this.unit, 0]) : plus(about, times(0.62, out));
    set(marks.text, "x", spot[0].toFixed(4));
    const lower = short ? (right === far ? 0.062 : 0.02) : -0.022; // below the other reading, on its side
    set(marks.text, "y", (-spot[1] + lower * this.unit).toFixed(4));
    set(marks.text, "text-anchor", short ? (right ? "start" : "end") : "middle");
    put(marks.text, distance(momentArm));
  }
}
