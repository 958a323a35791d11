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
  };
}

function tablesPanel(section, result) {
  const place = section.querySelector(".tables"), time = ["time [s]", result.time.values];
  const totals = () => [time, ...result.outputs.map((output) => [`${output.name} [${output.unit}]`, output.total.values])];
  if (result.outputs.length) place.append(button("All outputs (CSV)", "Save all outputs of " + result.title, () => saveTable(fileName(result.title, "outputs"), totals())));
  if (result.outputs.length && result.wholeShares) {
    place.append(button("All shares (CSV)", "Save all shares of " + result.title, () => {
      const columns = result.outputs.flatMap((output) => output.heard.map((source, k) => [`${output.name}|${result.sources[source]} [${output.unit}]`, row(output.shares, k)]));
      saveTable(fileName(result.title, "shares"), [time, ...columns]);
    }));
  } else if (result.outputs.length) {
    place.append(make("span", "hint", "All shares are too many for a page; shares.parquet in the result folder holds them. Tables of single outputs here have the drawn frames."));
  }
  if (result.muscles) {
    place.append(button("Muscles (CSV)", "Save the muscles of " + result.title, () => {
      const columns = result.muscles.curves.flatMap((curve) => result.muscles.names.map((name, i) => [`${name} ${curve.words} [${curve.unit}]`, row(curve.values, i)]));
      saveTable(fileName(result.title, "muscles"), [time, ...columns]);
    }));
  }
}

function copyPanel(section) {
  section.querySelector(".copy").addEventListener("click", async () => {
    const citations = [...section.querySelectorAll(".citations li")].map((item, i) => `${i + 1}. ${item.textContent}`);
    const done = await copyText([section.querySelector(".methods").textContent, ...citations].join("\n"));
    section.querySelector(".copied").textContent = done ? "Copied." : "The browser refused; select the text instead.";
  });
}

function startResult(result, number) {
  const section = document.getElementById("result-" + number);
  const player = makePlayer(section, result);
  const shares = sharesPanel(section, result, player);
  if (result.scene) {
    const stage = section.querySelector(".stage"), told = [];
    const draw = result.scene.dimensions === 3 ? scene3d : scene2d;
    const move = draw(stage, result, makeSwitches(section.querySelector(".layers")), told);
    section.querySelector(".scale").textContent = told.join(" ");
    player.listenForKeys(stage);
    player.listen(move);
  }
  musclesPanel(section, result, player);
  balancePanel(section, result, player);
  tablesPanel(section, result);
  copyPanel(section);
  player.show(0);
  return { data: result, player, shares };
}

const results = await readPage();
comparePanel(results);
window.borelli = { results: results.map(startResult) };
document.documentElement.dataset.ready = "yes";
