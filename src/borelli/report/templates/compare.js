// Several results on the same axes, for every output that at least two of them have.
function comparePanel(results) {
  const panel = document.querySelector(".compared");
  if (!panel) return;
  const counts = new Map();
  for (const result of results) for (const name of new Set(result.outputs.map((output) => output.name))) counts.set(name, (counts.get(name) ?? 0) + 1);
  const common = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
  if (!common.length) return;
  panel.hidden = false;
  const [choice, over, plot, body, save] = [".output", ".over", ".plot", "tbody", ".save"].map((s) => panel.querySelector(s));
  fillSelect(choice, common.map((name, i) => [i, name.replace(/_/g, " ")]));
  const telling = results.map((result) => result.outputs[firstWorthSeeing(result)]?.name).find((name) => common.includes(name));
  choice.value = Math.max(0, common.indexOf(telling));
  const titles = results.map((result, i) => (results.some((other, j) => j !== i && other.title === result.title) ? `${result.title} (${i + 1})` : result.title));
  const found = () => results.map((result, i) => ({ result, i, output: result.outputs.find((output) => output.name === common[Number(choice.value)]) })).filter((each) => each.output);
  fillSelect(over, commonAxes(results));
  const draw = () => {
    const shown = found().map((each) => ({ ...each, axis: makeAxis(each.result, ownKey(each.result, over.value)) })), { label, unit } = shown[0].output;
    const traces = shown.flatMap(({ result, i, output, axis }) => curveTraces(axis, titles[i], drawnOf(result, output.total.values), { color: hue(i), dash: DASHES[i % 4], width: 2.5 }));
    const rows = shown.map(({ result, i, output }) => extremes(titles[i], result, output));
    body.replaceChildren(...rows.map(([title, ...cells]) => {
      const line = make("tr"), head = make("th", "", title);
      head.scope = "row";
      line.append(head, ...cells.map((cell) => make("td", "number", cell)));
      return line;
    }));
    describe(plot, `${label} of ${shown.length} results over ${shown[0].axis.title}; the table below has their extremes.`);
    Plotly.react(plot, traces, chartLayout(shown[0].axis.title, `${label} (${unit})`, { ...LEGEND_BELOW, hovermode: "x unified" }), CHART_OPTIONS);
  };
  for (const select of [choice, over]) select.addEventListener("change", draw);
  darkMode.addEventListener("change", draw);
  draw();
  saveButtons(save, "the comparison", () => [[plot, fileName("compared", common[Number(choice.value)])]], results.every((result) => result.wholeTotals) && (() => {
    const columns = found().flatMap(({ result, i, output }) => [[`time of ${titles[i]} [s]`, result.time.values], [`${output.name} of ${titles[i]} [${output.unit}]`, output.total.values]]);
    return [fileName("compared", common[Number(choice.value)]), columns];
  }));
}

// Cycles of one side are the same axis in all results that have them.
const cycleKey = ({ kind, side }) => `${kind} of ${side}`;

function commonAxes(results) {
  const kinds = results.map((result) => result.cycles.map(cycleKey));
  const shared = (kinds[0] ?? []).filter((key) => kinds.every((own) => own.includes(key)));
  return [["time", "time"], ["percent", "percent of the recording"], ...shared.map((key) => [key, key])];
}

function ownKey(result, key) {
  const number = result.cycles.findIndex((cycles) => cycleKey(cycles) === key);
  return number < 0 ? key : `cycle ${number}`;
}

function extremes(title, result, output) {
  return [title, ...output.extremes.flatMap(([value, time]) => [`${digits(value)} ${output.unit}`, `${digits(time)} s`])];
}
