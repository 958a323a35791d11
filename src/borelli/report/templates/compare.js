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
  const labelOf = (name) => results.flatMap((result) => result.outputs).find((output) => output.name === name).label;
  fillSelect(choice, common.map((name, i) => [i, labelOf(name)]));
  choice.value = differsMost(results, common);
  const titles = namesOf(results);
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
    const split = panel.querySelector(".difference");
    split.hidden = shown.length !== 2 || !shown.every(({ result }) => result.groupings.length);
    if (shown.length === 2) {
      const [a, b] = shown.map(({ result, output, axis }) => meanOf(axis.rows(drawnOf(result, output.total.values)))), other = interpolated(shown[1].axis.x, b, shown[0].axis.x);
      traces.push({ x: shown[0].axis.x, y: other.map((value, i) => value - a[i]), mode: "lines", name: `difference: ${titles[shown[1].i]} less ${titles[shown[0].i]}`, line: { color: css("--soft"), width: 1.5, dash: "dot" } });
      if (!split.hidden) drawDifference(split, shown, titles);
    }
    describe(plot, `${label} of ${shown.length} results over ${shown[0].axis.title}; the table below has their extremes.`);
    Chart.draw(plot, traces, chartLayout(shown[0].axis.title, `${label} (${unit})`, { ...LEGEND_BELOW, hovermode: "x unified" }));
  };
  const bodies = overlayPanel(panel, results, titles, (result) => ownKey(result, over.value));
  panel.bodies = bodies?.about;
  for (const select of [choice, over]) select.addEventListener("change", draw);
  if (bodies) over.addEventListener("change", bodies.draw);
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

// By their titles; where these are alike by their folders, else by numbers.
function namesOf(results) {
  const alike = (key) => new Set(results.map((result) => result[key])).size < results.length;
  if (!alike("title")) return results.map((result) => result.title);
  return alike("folder") ? results.map((result, i) => `${result.title} (${i + 1})`) : results.map((result) => result.folder);
}

// What differs most between the first two, of whole joint forces where there are any.
function differsMost(results, common) {
  const [a, b] = results, both = (name) => [a, b].map((result) => result.outputs.find((output) => output.name === name));
  const sizes = common.map((name) => {
    const [one, other] = both(name);
    if (!one || !other) return [0, 0];
    const over = [one, other].map((output, i) => { const axis = makeAxis(results[i], "percent"); return [axis.x, meanOf(axis.rows(drawnOf(results[i], output.total.values)))]; });
    const far = interpolated(...over[1], over[0][0]).map((value, i) => value - over[0][1][i]);
    return [largestOf(far), one.direction === "resultant" ? 2 : one.unit === "N m" ? 1 : 0];
  });
  const rank = Math.max(...sizes.map(([far, kind]) => (far > 0 ? kind : 0)));
  const worth = sizes.map(([far, kind]) => (kind === rank ? far : 0));
  return Math.max(0, worth.indexOf(Math.max(...worth)));
}

// Shares of the second less those of the first, group by group: they add up to the difference exactly.
function differenceLayers(shown) {
  const [x, sums] = [shown[0].axis.x, new Map()];
  shown.forEach(({ result, output, axis }, i) => {
    for (const layer of layersOf(result, output, result.groupings.find((each) => each.key !== "source")?.key ?? "source", Infinity)) {
      const curve = interpolated(axis.x, meanOf(axis.rows(layer.values)), x), sum = sums.get(layer.name) ?? { colour: layer.colour, values: x.map(() => 0) };
      curve.forEach((value, k) => { sum.values[k] += i ? value : -value; });
      sums.set(layer.name, sum);
    }
  });
  const ranked = [...sums].map(([name, sum]) => ({ name, ...sum })).sort((p, q) => largestOf(q.values) - largestOf(p.values));
  const kept = ranked.slice(0, 9), rest = ranked.slice(9);
  return rest.length ? [...kept, { name: `all others (${rest.length})`, colour: "#999999", values: x.map((_, k) => rest.reduce((sum, layer) => sum + layer.values[k], 0)) }] : kept;
}

function drawDifference(place, shown, titles) {
  const [plot, reading] = [".split", ".reading"].map((s) => place.querySelector(s)), layers = differenceLayers(shown), { x } = shown[0].axis, { output } = shown[0];
  const total = x.map((_, i) => layers.reduce((sum, layer) => sum + layer.values[i], 0)), at = total.reduce((best, value, i) => (Math.abs(value) > Math.abs(total[best]) ? i : best), 0);
  const traces = layers.flatMap((layer) => ["up", "down"].map((side) => ({ x, y: layer.values.map((value) => (side === "up" ? Math.max(value, 0) : Math.min(value, 0))), customdata: layer.values, mode: "lines", stackgroup: side, name: layer.name, line: { width: 0.5, color: layer.colour }, fillcolor: layer.colour, ...(side === "down" ? { hoverinfo: "skip", showlegend: false } : {}) })));
  traces.push({ x, y: total, mode: "lines", name: "difference", line: { color: css("--ink"), width: 2.5 } });
  const parts = layers.map((layer) => [layer.name, layer.values[at]]).sort((p, q) => Math.abs(q[1]) - Math.abs(p[1])).slice(0, 3).map(([name, value]) => `${name} ${digits(value)} ${output.unit}`);
  reading.textContent = `${titles[shown[1].i]} less ${titles[shown[0].i]}: the ${output.label} differs most at ${digits(x[at])} ${shown[0].axis.unit}, by ${digits(total[at])} ${output.unit}: ${parts.join(", ")}.`;
  describe(plot, reading.textContent);
  Chart.draw(plot, traces, chartLayout(shown[0].axis.title, `difference (${output.unit})`, LEGEND_BELOW));
}
