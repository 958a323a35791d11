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

function startScene(section, result, player) {
  const stage = section.querySelector(".stage"), told = [];
  const draw = result.scene.dimensions === 3 ? scene3d : scene2d;
  const move = draw(stage, result, makeSwitches(section.querySelector(".layers")), told);
  section.querySelector(".scale").textContent = told.join(" ");
  player.listenForKeys(stage);
  player.listen(move);
  const name = () => fileName(result.title, "at", player.time[player.frame].toFixed(3).replace(".", "_"), "s");
  saveButtons(section.querySelector(".motion .save"), "the drawing", () => [[stage.querySelector(".scene, .space"), name()]], null);
}

function startResult(result, number) {
  const section = document.getElementById("result-" + number);
  const player = makePlayer(section, result), over = makeOver(section, result);
  section.querySelector(".dock").hidden = player.time.length === 1;
  timeline(section, result, player);
  if (result.scene) startScene(section, result, player);
  const shares = sharesPanel(section, result, player, over);
  musclesPanel(section, result, player, over);
  balancePanel(section, result, player, over);
  tablesPanel(section, result);
  copyPanel(section);
  player.show(shares ? nearest(result.drawn, shares.output().peak) : 0);
  return { data: result, player, shares };
}

const results = await readPage();
comparePanel(results);
window.borelli = { results: results.map(startResult) };
document.documentElement.dataset.ready = "yes";
