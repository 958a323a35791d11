// Everything is put together here, a result at a time.
function makeSwitches(place) {
  return {
    add(words, on, turn) {
      const label = make("label"), box = make("input");
      box.type = "checkbox";
      box.checked = on;
      box.addEventListener("change", () => turn(box.checked));
      label.append(box, " " + words);
      place.append(label);
      turn(on);
    },
    choose(words, options, turn) {
      const label = make("label", "choice", words + " "), select = make("select");
      fillSelect(select, options);
      select.addEventListener("change", () => turn(select.value));
      label.append(select);
      place.append(label);
      turn(options[0][0]);
    },
  };
}

// What the charts of a result are drawn over: one choice for all of them.
function makeOver(section, result) {
  const select = section.querySelector(".dock .over"), listeners = [];
  fillSelect(select, axisChoices(result));
  let axis = makeAxis(result, select.value);
  select.addEventListener("change", () => {
    axis = makeAxis(result, select.value);
    listeners.forEach((listener) => listener());
  });
  return { axis: () => axis, listen: (listener) => listeners.push(listener) };
}

function startScene(section, result, player, pick) {
  const stage = section.querySelector(".stage"), told = [];
  const draw = result.scene.dimensions === 3 ? scene3d : scene2d;
  const move = draw(stage, result, makeSwitches(section.querySelector(".layers")), told, player, pick);
  section.querySelector(".scale").textContent = told.join(" ");
  player.listenForKeys(stage);
  player.listen(move);
  const name = () => fileName(result.title, "at", player.time[player.frame].toFixed(3).replace(".", "_"), "s");
  saveButtons(section.querySelector(".motion .save"), "the drawing", () => [[stage.querySelector(".scene, .space:not([hidden])"), name()]], null);
  return move;
}

// A click on a muscle, joint or arrow: its curve, and its share of what is shown.
function pickers(section, result, panels) {
  return ({ kind, name }) => {
    const { shares, muscles } = panels;
    if (kind === "muscle") {
      muscles?.choose(name);
      shares?.tellShare(`muscle:${name}`);
    } else if (kind === "loads") shares?.tellShare(`load:${name}`);
    else {
      const number = result.outputs.findIndex((output) => output.direction === "resultant" && output.joint === name);
      if (number >= 0) shares.open(number);
      // What was told of the thing that was clicked before is not about this one.
      section.querySelector(".motion .picked").textContent = number >= 0 ? `The ${result.outputs[number].label} is shown below.` : `${name.replace(/_/g, " ")} has no curve of its own here.`;
    }
  };
}

function startResult(result, number) {
  const section = document.getElementById("result-" + number);
  const player = makePlayer(section, result), over = makeOver(section, result);
  section.querySelector(".dock").hidden = player.time.length === 1;
  timeline(section, result, player);
  const panels = {};
  const scene = result.scene ? startScene(section, result, player, pickers(section, result, panels)) : null;
  const shares = (panels.shares = sharesPanel(section, result, player, over));
  panels.muscles = musclesPanel(section, result, player, over);
  balancePanel(section, result, player, over);
  gaitPanel(section, result);
  markersPanel(section, result, player);
  tablesPanel(section, result);
  copyPanel(section);
  const card = section.querySelector(".card .answer");
  player.show(card && result.first !== null ? nearest(player.time, Number(card.dataset.time)) : shares ? nearest(result.drawn, shares.output().peak) : 0);
  return { data: result, player, shares, scene: scene?.about };
}

// A link shows the same output at the same instant: all of it is in the address, behind the #.
function keepInAddress(started) {
  const wanted = new URLSearchParams(location.hash.slice(1));
  started.forEach(({ data, player, shares }, i) => {
    const section = document.getElementById("result-" + i), key = (name) => `${name}${i}`;
    const selects = [["units", ".dock .units"], ["over", ".dock .over"], ["by", ".shares .grouping"]].map(([name, place]) => [key(name), section.querySelector(place)]);
    const output = data.outputs.findIndex((each) => each.name === wanted.get(key("output")));
    if (shares && output >= 0) shares.open(output, false);
    for (const [name, select] of selects) {
      if (!select || ![...select.options].some((option) => option.value === wanted.get(name))) continue;
      select.value = wanted.get(name);
      select.dispatchEvent(new Event("change"));
    }
    if (Number.isFinite(parseFloat(wanted.get(key("time"))))) player.pick(nearest(player.time, parseFloat(wanted.get(key("time")))));
    if (location.protocol === "about:") return; // in the frame of a notebook, which has no address to keep it in
    const write = () => {
      if (player.running) return;
      const now = new URLSearchParams(location.hash.slice(1));
      if (shares) now.set(key("output"), shares.output().name);
      now.set(key("time"), player.time[player.frame].toFixed(4));
      for (const [name, select] of selects) if (select?.value) now.set(name, select.value);
      history.replaceState(null, "", "#" + now);
    };
    player.listen(write);
    section.addEventListener("change", write);
    section.addEventListener("click", write);
  });
}

// The space bar plays what is in sight, wherever nothing else wants it.
function spacePlays(started) {
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.defaultPrevented || event.target.closest("input, select, button, summary, a, textarea")) return;
    const boxes = started.map((_, i) => document.getElementById("result-" + i).getBoundingClientRect()), at = boxes.findIndex((box) => box.bottom > innerHeight / 2);
    event.preventDefault();
    started[Math.max(0, at)].player.toggle();
  });
}

const results = await readPage();
comparePanel(results);
window.borelli = { results: results.map(startResult) };
keepInAddress(window.borelli.results);
spacePlays(window.borelli.results);
talkToParent(window.borelli.results);
document.documentElement.dataset.ready = "yes";
