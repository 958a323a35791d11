// Groups of buttons of which one is chosen, and sliders.

function make(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

// What is as it was is left alone: a browser lays out, and a live region speaks, whatever is written again.
function put(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

const written = new WeakMap();
function set(place, name, value) {
  let before = written.get(place);
  if (!before) written.set(place, (before = {}));
  if (before[name] === value) return;
  before[name] = value;
  place.setAttribute(name, value);
}

// One of several, moved by the arrow keys as well. `options` are [value, label or elements].
class Choice {
  constructor(place, options, chosen, act) {
    this.buttons = options.map(([value, label], number) => {
      const button = make("button", "", typeof label === "string" ? label : "");
      if (typeof label !== "string") button.append(...label);
      button.type = "button";
      button.setAttribute("role", "radio");
      button.dataset.value = value;
      button.addEventListener("click", () => act(value));
      button.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const next = this.buttons[(number + step + this.buttons.length) % this.buttons.length];
        next.focus();
        next.click();
      });
      return button;
    });
    place.replaceChildren(...this.buttons);
    this.show(chosen);
  }

  show(chosen) {
    for (const button of this.buttons) {
      const now = button.dataset.value === String(chosen);
      set(button, "aria-checked", String(now));
      set(button, "tabindex", now ? "0" : "-1");
    }
  }
}

class SliderRow {
  // `given` has label, unit, least, most, step; `act` is told of the new number.
  constructor(given, act) {
    this.given = given;
    this.row = make("div", "slider");
    this.reading = make("output");
    this.input = make("input");
    Object.assign(this.input, { type: "range", min: given.least, max: given.most, step: given.step });
    // Not a label element: that would name the output, which it holds first.
    this.input.setAttribute("aria-label", given.label);
    this.input.addEventListener("input", () => act(Number(this.input.value)));
    this.row.append(make("span", "", given.label), this.reading, this.input);
  }

  show(value) {
    if (Number(this.input.value) !== value) this.input.value = value;
    const digits = this.given.step < 1 ? (this.given.step < 0.1 ? 2 : 1) : 0;
    const text = `${value.toFixed(digits).replace("-", "\u2212")} ${this.given.unit}`;
    put(this.reading, text);
    set(this.input, "aria-valuetext", text);
  }
}
