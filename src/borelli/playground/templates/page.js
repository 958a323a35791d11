// The page: one state, drawn whenever it has changed.

const DATA = JSON.parse(document.getElementById("borelli-data").textContent);
const BODIES = new Map(DATA.bodies.map((body) => [body.key, body]));
const LESSONS = DATA.lessons;
const MOVE_SECONDS = 1.2;
const READING_MS = 100;
const copied = (value) => JSON.parse(JSON.stringify(value));

function fresh(body, angle = body.start) {
  return { angle: [...angle], heavier: 1, larger: 1, loads: {}, muscles: body.given ? "given" : "shared", off: [] };
}

const first = DATA.bodies[0];
const state = {
  key: first.key, compare: false, active: 0, situations: [fresh(first), fresh(first, first.end)], joint: first.joint,
  axes: first.axes, quantity: "compression", unit: first.mass ? "bw" : "N", hovered: null, pinned: null, lesson: null, follow: false, moving: null,
};
let answers = [];
let asked = false;
let spoken = -Infinity;
let later = 0;

function changed() {
  if (asked) return;
  asked = true;
  requestAnimationFrame((time) => { asked = false; draw(time); });
}

const body = () => BODIES.get(state.key);
const situation = () => state.situations[state.active];

// ---- choosing

const bodies = new Choice(find(".bodies"), DATA.bodies.map((each) => [each.key, plain(each.title)]), state.key, (key) => {
  state.lesson = null;
  chooseBody(key);
});
function reading() {
  const made = make("span", "value");
  made.append(make("b"), make("small"));
  return made;
}

const quantities = new Choice(
  find(".quantities"),
  Object.entries(QUANTITIES).map(([key, { title }]) => [key, [make("span", "name", title), reading(), make("span", "other")]]),
  state.quantity, (quantity) => { state.quantity = quantity; state.pinned = null; changed(); },
);
const units = new Choice(find(".units"), [["bw", "× body weight"], ["N", "N"]], state.unit, (unit) => { state.unit = unit; changed(); });
const shareList = new ShareList(find(".shares"), {
  pin(source) { state.pinned = state.pinned === source ? null : source; changed(); },
  hover(source) { state.hovered = source; changed(); },
});
const difference = new DifferenceTable(find(".difference"));
const equation = new EquationBox(find(".equations"), find(".legend"));
let joints; let axes; let muscles; let sliders = []; let how;

function chooseBody(key) {
  state.key = key;
  const now = body();
  Object.assign(state, {
    active: 0, situations: [fresh(now), fresh(now, now.end)], joint: now.joint, axes: now.axes, pinned: null, hovered: null, moving: null,
    unit: now.mass ? state.unit : "N",
  });
  frame.box = null;
  furnish();
  changed();
}

// Everything that belongs to one body.
function furnish() {
  const now = body();
  joints = new Choice(find(".joints"), now.links.map((link, k) => [k, capital(plain(link.joint))]), state.joint, (k) => {
    state.joint = Number(k);
    state.pinned = null;
    changed();
  });
  axes = new Choice(find(".axes"), ["proximal", "distal"].map((which) => [which, which]), state.axes, (which) => { state.axes = which; changed(); });
  find(".units").hidden = !now.mass;
  find(".muscles").hidden = !now.muscles.length;
  muscles = new MuscleTable(find(".muscles tbody"), now, (name, on) => {
    const { off } = situation();
    situation().off = on ? off.filter((each) => each !== name) : [...off, name];
    changed();
  });
  const ways = [["shared", "share the load"], ...(now.given ? [["given", "pull as given"]] : []), ["none", "left out: net joint force"]];
  how = new Choice(find(".choice"), ways, situation().muscles, (value) => { situation().muscles = value; changed(); });
  find(".choice").setAttribute("role", "radiogroup");
  find(".choice").setAttribute("aria-label", "What muscles do");
  sliders = sliderRows(now);
  find(".sliders").replaceChildren(...sliders.map(({ row }) => row.row));
  find(".optimization").textContent = DATA.optimization;
  bodies.show(state.key);
}

function sliderRows(now) {
  const scale = (key, label, unit, whole, least, most, step) => {
    const given = whole ? { label, unit, least, most, step }
      : { label: key === "heavier" ? "Masses of all links" : "Size", unit: "×", least: 0.5, most: 1.5, step: 0.01 };
    const row = new SliderRow(given, (value) => { situation()[key] = value / (whole ?? 1); changed(); });
    return { row, value: () => situation()[key] * (whole ?? 1) };
  };
  const set = (slider, value) => {
    const { loads } = situation();
    loads[slider.load] = { ...loads[slider.load], [slider.key]: value };
    changed();
  };
  return [
    ...now.sliders.map((slider) => {
      const load = now.loads.find((each) => each.name === slider.load);
      const own = { force: () => size(load.force), direction: () => directionOf(now, load) }[slider.key] ?? (() => load[slider.key]);
      return { row: new SliderRow(slider, (value) => set(slider, value)), value: () => situation().loads[slider.load]?.[slider.key] ?? own() };
    }),
    scale("heavier", "Body mass", "kg", now.mass, 40, 130, 1),
    scale("larger", "Body height", "m", now.height, 1.4, 2.1, 0.01),
  ];
}

// ---- moving

function turnTo(which, angles) {
  stop();
  state.active = which;
  state.situations[which].angle = angles;
  changed();
}

const frame = { box: null };
const scenes = [...document.querySelectorAll(".stage")].map((stage, which) => {
  stage.addEventListener("pointerdown", () => { state.active = which; changed(); });
  stage.addEventListener("focusin", () => { state.active = which; changed(); });
  // Of now, not of the last drawing: two keys may come between two drawings.
  const pose = () => [answers[which].body, poseOf(answers[which].body, { angle: state.situations[which].angle })];
  return new Scene(stage.querySelector("svg"), {
    choose(joint) { state.joint = joint; state.pinned = null; changed(); },
    turn(link, by) {
      const [now, { angle }] = pose();
      turnTo(which, withinRanges(now, angle.map((each, k) => (k === link ? each + by : each))));
    },
    pull(joint, place) {
      const way = state.follow ? reached : pointed;
      turnTo(which, way(...pose(), joint - 1, place));
    },
  }, frame);
});

function step(time) {
  if (!state.moving) return;
  const { began, start, end } = state.moving;
  const seconds = (time - (began ?? time)) / 1000;
  state.moving.began ??= time;
  const round = Math.floor(seconds / (2 * MOVE_SECONDS));
  const inside = seconds - 2 * MOVE_SECONDS * round;
  const [from, to, since] = inside < MOVE_SECONDS ? [start, end, inside] : [end, start, inside - MOVE_SECONDS];
  Object.assign(situation(), moved(from, to, MOVE_SECONDS, since));
  changed();
}

function stop() {
  state.moving = null;
  for (const each of state.situations) {
    delete each.velocity;
    delete each.acceleration;
  }
}

find(".play").addEventListener("click", () => {
  if (state.moving) stop();
  else {
    const now = body();
    const other = state.compare ? state.situations[1 - state.active].angle : now.end;
    const own = [...situation().angle];
    const same = own.every((angle, k) => Math.abs(angle - other[k]) < 0.02);
    state.moving = { start: own, end: same ? now.start : [...other] };
  }
  changed();
});
find(".compare").addEventListener("click", () => { state.compare = !state.compare; state.active = state.compare ? 1 : 0; stop(); changed(); });
find(".reset").addEventListener("click", () => { if (state.lesson) openLesson(state.lesson.number, state.lesson.step); else chooseBody(state.key); });
find(".follow").addEventListener("change", (event) => { state.follow = event.target.checked; });

// ---- lessons

function openLesson(number, at) {
  const { body: key, joint, quantity, a, b } = LESSONS[number].steps[at];
  chooseBody(key);
  const now = body();
  const given = ({ angle, loads, off }) => ({ ...fresh(now), ...copied({ angle, loads, off }) });
  Object.assign(state, {
    lesson: { number, step: at }, joint: now.links.findIndex((link) => link.joint === joint), quantity, compare: Boolean(b),
    situations: [given(a), given(b ?? a)], active: b ? 1 : 0,
  });
  changed();
}

LESSONS.forEach(({ title }, number) => {
  const button = make("button", "", title);
  button.type = "button";
  button.addEventListener("click", () => openLesson(number, 0));
  find(".lessons").append(...(number ? [] : [make("span", "", "Lessons:")]), button);
});
find(".lesson .back").addEventListener("click", () => openLesson(state.lesson.number, state.lesson.step - 1));
find(".lesson .next").addEventListener("click", () => openLesson(state.lesson.number, state.lesson.step + 1));
find(".lesson .leave").addEventListener("click", () => { state.lesson = null; changed(); });

function showLesson() {
  const place = find(".lesson");
  place.hidden = !state.lesson;
  if (!state.lesson) return;
  const { number, step: at } = state.lesson;
  const { title, steps } = LESSONS[number];
  place.querySelector("h2").textContent = title;
  put(place.querySelector(".text"), filled(steps[at].text, answers, state.unit));
  place.querySelector(".count").textContent = `${at + 1} of ${steps.length}`;
  place.querySelector(".back").disabled = at === 0;
  place.querySelector(".next").hidden = at === steps.length - 1;
}

// ---- drawing

function draw(time) {
  step(time);
  const now = body();
  document.body.classList.toggle("comparing", state.compare);
  answers = (state.compare ? state.situations : [state.situations[0]]).map((each) => answerOf(now, { ...each, axes: state.axes }));
  const answer = answers[state.active];
  const shares = ranked(answer, state.quantity, state.joint);
  const source = state.hovered ?? state.pinned ?? shares[0]?.source ?? null;
  scenes.forEach((scene, which) => {
    const stage = scene.svg.parentElement;
    stage.hidden = !answers[which];
    stage.classList.toggle("active", which === state.active);
    if (!answers[which]) return;
    const own = answers[which];
    const turning = ranked(own, "torque", state.joint).find((share) => momentArmOf(own, state.joint, share.source));
    const asked = source && momentArmOf(own, state.joint, source);
    scene.draw(own, {
      joint: state.joint, source, fits: answers.filter((each) => each && each !== own),
      momentArm: asked && asked.vector ? source : turning?.source ?? null,
      muscle: asked && asked.muscle !== undefined && Math.abs(asked.momentArm) > 1e-6 ? asked.muscle : strongest(own, state.joint),
    });
    put(stage.querySelector(".brief"), `${capital(plain(now.links[state.joint].joint))}: ${measured(own[state.quantity][state.joint], state.quantity, own, state.unit)}`);
  });
  read(answer, shares, source);
  // Numbers, bars and the body follow at once; what is read as text follows as fast as anyone reads.
  if (time - spoken < READING_MS && scenes.some((scene) => scene.held || state.moving)) {
    clearTimeout(later);
    later = setTimeout(changed, READING_MS);
    return;
  }
  spoken = time;
  say(answer, source);
  remember();
}

function say(answer, source) {
  const now = answer.body;
  put(find(".right .why"), why(answer, state.joint, state.quantity, state.unit));
  equation.build(now, DATA.equations[now.links.length], state.joint, state.quantity, state.axes);
  equation.light(answer, state.joint, state.quantity, source);
  const differing = find(".difference");
  differing.hidden = !state.compare;
  if (state.compare) difference.show(...answers, state.joint, state.quantity, state.unit);
  muscles.show(answer, situation());
  put(find(".muscles .how"), answer.how === "shared"
    ? `Sum of squared activations: ${answer.effort.toFixed(3)}, the smallest that holds the posture.` : answer.how === "given" ? "Tensions as given in the file." : "Muscles are left out: forces are net joint forces.");
  const notes = answers.flatMap((each, which) => cautions(each).map((note) => (state.compare ? `${"AB"[which]}: ${note}` : note)));
  if (find(".cautions").textContent !== notes.join("")) find(".cautions").replaceChildren(...notes.map((note) => make("li", "", note)));
  showLesson();
}

function read(answer, shares, source) {
  joints.show(state.joint);
  quantities.show(state.quantity);
  units.show(state.unit);
  axes.show(state.axes);
  const { links } = answer.body;
  axes.buttons.forEach((button, i) => put(button, plain(links[Math.max(0, state.joint - 1 + i)].name)));
  find(".along").hidden = state.joint === 0 || !["compression", "shear"].includes(state.quantity);
  how.show(answer.how);
  showNumbers(quantities, answer, state.joint, state.unit);
  shareList.show(answer, shares, state.quantity, state.joint, state.unit, state.pinned ?? source);
  const hidden = shares.length - SHOWN_SHARES;
  put(find(".total"), `All shares add up to ${measured(answer[state.quantity][state.joint], state.quantity, answer, state.unit)}${answer.body.sides ? `, ${answer.body.sides}` : ""}.${hidden > 0 ? ` ${hidden} smaller ones are not listed.` : ""}`);
  for (const { row, value } of sliders) row.show(value());
  put(find(".which"), state.compare ? `of ${state.active ? "B" : "A"}` : "");
  set(find(".compare"), "aria-pressed", String(state.compare));
  set(find(".play"), "aria-pressed", String(Boolean(state.moving)));
  put(find(".play"), state.moving ? "Stop" : "Play the movement");
}

// ---- the address remembers

let remembering = 0;
function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(() => {
    const { key, compare, active, situations, joint, quantity, unit, axes: along, lesson } = state;
    const kept = { key, compare, active, joint, quantity, unit, along, lesson, situations: situations.map(({ velocity, acceleration, ...rest }) => ({ ...rest, angle: rest.angle.map((a) => Number(a.toFixed(5))) })) };
    history.replaceState(null, "", `#${encodeURIComponent(JSON.stringify(kept))}`);
  }, 400);
}

// What an address says is a stranger's: only what is known and finite is taken.
function recalled() {
  let given;
  try { given = JSON.parse(decodeURIComponent(location.hash.slice(1))); } catch { return; }
  const now = BODIES.get(given?.key);
  if (!now || !Array.isArray(given.situations)) return;
  const number = (value, least, most, other) => (Number.isFinite(value) ? Math.min(Math.max(value, least), most) : other);
  state.key = now.key;
  state.situations = [0, 1].map((which) => {
    const each = given.situations[which] ?? {};
    const made = fresh(now);
    made.angle = withinRanges(now, now.start.map((angle, k) => number(each.angle?.[k], -20, 20, angle)));
    for (const scale of ["heavier", "larger"]) made[scale] = number(each[scale], 0.4, 2, 1);
    for (const slider of now.sliders) {
      const value = each.loads?.[slider.load]?.[slider.key];
      if (Number.isFinite(value)) made.loads[slider.load] = { ...made.loads[slider.load], [slider.key]: number(value, slider.least, slider.most, 0) };
    }
    made.off = now.muscles.map((muscle) => muscle.name).filter((name) => Array.isArray(each.off) && each.off.includes(name));
    if (["shared", "none"].includes(each.muscles)) made.muscles = each.muscles;
    return made;
  });
  state.joint = Math.round(number(given.joint, 0, now.links.length - 1, now.joint));
  state.axes = ["distal", "proximal"].includes(given.along) ? given.along : now.axes;
  if (given.quantity in QUANTITIES) state.quantity = given.quantity;
  if (now.mass && ["bw", "N"].includes(given.unit)) state.unit = given.unit;
  state.compare = given.compare === true;
  state.active = state.compare && given.active === 1 ? 1 : 0;
  const [lesson, at] = [LESSONS[given.lesson?.number], given.lesson?.step];
  if (lesson?.steps[at]?.body === now.key) state.lesson = { number: given.lesson.number, step: at };
}

recalled();
furnish();
draw(0);
// For teachers who script: the bodies, and every number of a situation as the page computes it.
window.borelliPlayground = { bodies: DATA.bodies, answer: (key, given) => answerOf(BODIES.get(key), given), shown: () => answers[state.active], turn: (angles) => { turnTo(state.active, angles); draw(performance.now()); }, choose: chooseBody };
document.documentElement.dataset.ready = "yes";
