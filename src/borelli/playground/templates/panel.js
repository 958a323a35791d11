// What is read beside the body: numbers of a joint, why, the ranked shares, muscles, differences and the equation.

const HUES = { weight: "var(--weight)", load: "var(--load)", muscle: "var(--muscle)", acceleration: "var(--acceleration)", velocity: "var(--velocity)" };
const SHOWN_SHARES = 12;
const find = (selector) => document.querySelector(selector);

function showNumbers(choice, answer, joint, unit) {
  for (const button of choice.buttons) {
    const quantity = button.dataset.value;
    const value = answer[quantity][joint];
    const [, main, other] = button.children;
    button.dataset.number = value;
    const [number, ...rest] = measured(value, quantity, answer, unit).split(" ");
    put(main.firstChild, number);
    put(main.lastChild, ` ${rest.join(" ")}`);
    const turning = value >= 0 ? "counter-clockwise" : "clockwise";
    put(other, quantity === "torque" ? turning : answer.weight ? measured(value, quantity, answer, unit === "bw" ? "N" : "bw") : "");
  }
}

// Rows are made once and written over: 60 times a second there is no time to build a list.
class ShareList {
  constructor(place, act) {
    this.place = place;
    this.rows = Array.from({ length: SHOWN_SHARES }, () => {
      const item = make("li");
      const button = make("button");
      button.type = "button";
      const track = make("span", "track");
      const bar = document.createElement("i");
      track.append(bar);
      const [name, value, part] = [make("span", "name"), make("span", "value"), make("span", "part")];
      button.append(name, track, value, part);
      button.addEventListener("click", () => act.pin(button.dataset.source));
      button.addEventListener("pointerenter", () => act.hover(button.dataset.source));
      button.addEventListener("pointerleave", () => act.hover(null));
      button.addEventListener("focus", () => act.hover(button.dataset.source));
      button.addEventListener("blur", () => act.hover(null));
      item.append(button);
      return { item, button, bar, name, value, part };
    });
    place.replaceChildren(...this.rows.map(({ item }) => item));
  }

  show(answer, shares, quantity, joint, unit, chosen) {
    const whole = answer[quantity][joint];
    const largest = Math.abs(shares[0]?.value ?? 1);
    // Nothing lies where the smallest and largest shares put it: bars of one sign have the whole width.
    const low = Math.min(0, ...shares.map(({ value }) => value));
    const span = Math.max(0, ...shares.map(({ value }) => value)) - low || 1;
    const zero = (-100 * low) / span;
    set(this.place, "style", `--zero: ${zero.toFixed(1)}%`);
    this.rows.forEach((row, i) => {
      const share = shares[i];
      if (row.item.hidden === Boolean(share)) row.item.hidden = !share;
      if (!share) return;
      const width = (100 * Math.abs(share.value)) / span;
      row.button.dataset.source = share.source;
      row.button.dataset.number = share.value;
      set(row.button, "aria-pressed", String(share.source === chosen));
      put(row.name, sourceWords(share.source));
      set(row.name, "title", sourceWords(share.source));
      row.bar.style.background = HUES[kindOf(share.source)];
      row.bar.style.left = `${share.value >= 0 ? zero : zero - width}%`;
      row.bar.style.width = `${width}%`;
      put(row.value, quantity !== "torque" && unit === "bw" && answer.weight
        ? `${(share.value / answer.weight).toFixed(2).replace("-", "\u2212")} ×` : `${rounded(share.value)} ${QUANTITIES[quantity].unit}`);
      put(row.part, Math.abs(whole) > 0.02 * largest ? percent(share.value, whole) : "");
    });
  }
}

class MuscleTable {
  constructor(place, body, act) {
    this.rows = body.muscles.map((muscle) => {
      const row = make("tr");
      const label = make("label", "check");
      const box = make("input");
      box.type = "checkbox";
      box.addEventListener("change", () => act(muscle.name, box.checked));
      label.append(box, plain(muscle.name));
      const head = make("th");
      head.scope = "row";
      head.append(label);
      const tension = make("td", "number");
      const cell = make("td");
      const bar = make("span", "bar");
      cell.append(bar);
      row.append(head, tension, cell);
      return { row, box, tension, bar, cell };
    });
    place.replaceChildren(...this.rows.map(({ row }) => row));
  }

  show(answer, situation) {
    this.rows.forEach(({ box, tension, bar, cell }, m) => {
      box.checked = !situation.off.includes(answer.body.muscles[m].name);
      put(tension, `${rounded(answer.tension[m])} N`);
      bar.style.width = `${Math.min(100, 100 * answer.activation[m])}%`;
      bar.style.background = effortColour(answer.activation[m]);
      set(cell, "title", `${Math.round(100 * answer.activation[m])} % of its strength, ${answer.body.muscles[m].strength} N`);
    });
  }
}

// As with the shares, rows are made once: the first is the total.
class DifferenceTable {
  constructor(place) {
    this.why = place.querySelector(".why");
    this.rows = Array.from({ length: SHOWN_SHARES + 1 }, (_, i) => {
      const row = make("tr", i ? "" : "lit");
      const head = make("th");
      head.scope = "row";
      const cells = Array.from({ length: 5 }, () => make("td", "number"));
      row.append(head, ...cells);
      return { row, head, cells };
    });
    place.querySelector("tbody").replaceChildren(...this.rows.map(({ row }) => row));
  }

  show(a, b, joint, quantity, unit) {
    const text = differenceReason(a, b, joint, quantity, unit);
    put(this.why, text);
    const [first, second] = [a[quantity][joint], b[quantity][joint]];
    const total = { a: first, b: second, change: second - first, momentArms: [null, null] };
    const found = [total, ...differences(a, b, quantity, joint)];
    this.rows.forEach(({ row, head, cells }, i) => {
      row.hidden = !found[i];
      if (!found[i]) return;
      const { source, change, momentArms } = found[i];
      put(head, source ? sourceWords(source) : `${QUANTITIES[quantity].title} (${QUANTITIES[quantity].unit})`);
      const texts = [rounded(found[i].a), rounded(found[i].b), `${change < 0 ? "" : "+"}${rounded(change)}`, ...momentArms.map((momentArm) => (momentArm === null ? "" : distance(momentArm)))];
      cells.forEach((cell, k) => put(cell, texts[k]));
    });
  }
}

// The closed form of the joint; the term of the chosen source is lit, terms that are zero here are faint.
class EquationBox {
  constructor(place, legend) {
    this.place = place;
    this.legend = legend;
    this.shown = "";
  }

  build(body, rows, joint, quantity, axes) {
    const key = `${body.key} ${joint} ${quantity === "torque"} ${axes}`;
    if (key === this.shown) return;
    this.shown = key;
    const [k, row] = [joint + 1, rows[joint]];
    const p = axes === "proximal" ? Math.max(1, k - 1) : k;
    const project = `<p><span class="left">compression =</span> − <i>φ</i><sub>x${k}</sub> cos <i>θ</i><sub>${p}</sub> − <i>φ</i><sub>y${k}</sub> sin <i>θ</i><sub>${p}</sub>,&ensp; <span class="left">shear =</span> <i>φ</i><sub>x${k}</sub> sin <i>θ</i><sub>${p}</sub> − <i>φ</i><sub>y${k}</sub> cos <i>θ</i><sub>${p}</sub></p>`;
    // Our own markup, printed by Borelli: letters and numbers, no name of the reader's.
    this.place.innerHTML = quantity === "torque" ? `<p>${row.torque}</p>` : `${project}<p>${row.x}</p><p>${row.y}</p>`;
    this.legend.textContent = `Links: ${body.links.map((link, i) => `${i + 1} ${plain(link.name)}`).join(", ")}. `
      + "θ angle from the horizontal; m mass; l length; l with index C and ε: distance and angle of the mass centre in its link; R external force, γ its direction, l and ε with index R: distance and angle of its point; F pull of the muscles; φ force on the link before the joint; I moment of inertia, with index J about the joint.";
  }

  light(answer, joint, quantity, source) {
    const label = this.termOf(answer, joint, source);
    for (const term of this.place.querySelectorAll(".term")) {
      term.classList.toggle("lit", term.dataset.term === label);
      term.classList.toggle("nothing", this.isNothing(answer, joint, quantity, term.dataset.term));
    }
  }

  termOf({ body }, joint, source) {
    if (!source) return "";
    const [kind, name] = [kindOf(source), nameOf(source)];
    if (kind === "muscle") return `muscles:${joint + 1}`;
    const link = kind === "load" ? body.loads.find((load) => load.name === name)?.link
      : body.links.findIndex((each) => each.name === name) + 1;
    return `${kind}:${link}`;
  }

  isNothing({ body, torqueShare, reactionShare, tension, action }, joint, quantity, label) {
    const [kind, number] = [kindOf(label), Number(nameOf(label))];
    if (kind === "muscles") return !action.some((each, m) => tension[m] > 1e-9 && size(each.pull[joint]) > 0);
    const names = kind === "load" ? body.loads.filter((load) => load.link === number).map((load) => `load:${load.name}`)
      : [`${kind}:${body.links[number - 1].name}`];
    return names.every((name) => {
      const share = quantity === "torque" ? torqueShare[joint][name] ?? 0 : size(reactionShare[joint][name] ?? [0, 0]);
      return Math.abs(share) < 1e-9;
    });
  }
}
