// One output: its shares stacked over time, how they add up at the cursor, and the number as a sentence.
function sharesPanel(section, result, player, over) {
  const panel = section.querySelector(".shares");
  if (!result.outputs.length) return null;
  const [choice, grouping, sentence, reading, stack, waterfall, legend, save] =
    [".output", ".grouping", ".sentence", ".reading", ".stack", ".waterfall", ".legend", ".save"].map((s) => panel.querySelector(s));
  fillOutputs(choice, result);
  choice.value = firstWorthSeeing(result);
  fillSelect(grouping, result.groupings.map((each) => [each.key, each.words]));
  if (result.sources.length > 16) grouping.value = result.groupings[0].key === "source" ? "kind" : result.groupings[0].key;
  if (result.weight) section.querySelector(".dock .units").value = "body";
  const picked = section.querySelector(".motion .picked");
  const units = () => section.querySelector(".dock .units").value;
  const chosen = () => inUnits(result, result.outputs[Number(choice.value)], units());
  let layers = [], total = [], axis = null;

  const point = (frame) => {
    Chart.mark(stack, decoration(result, axis, frame));
    drawWaterfall(waterfall, chosen(), layers, total, frame);
    reading.setAttribute("aria-live", player.running ? "off" : "polite"); // nobody can listen to a film of sentences
    reading.textContent = tell(chosen(), layers, total, player.time, frame);
  };
  const draw = () => {
    const output = chosen();
    layers = layersOf(result, output, grouping.value);
    if (output.factor !== 1) for (const layer of layers) layer.values = layer.values.map((value) => value * output.factor);
    total = drawnOf(result, output.total.values).map((value) => value * output.factor);
    axis = over.axis();
    sentence.textContent = output.sentence;
    describe(stack, output.alternative);
    fillLegend(legend, layers);
    drawStack(stack, result, output, layers, total, axis, player.frame);
    point(player.frame);
  };
  for (const select of [choice, grouping]) select.addEventListener("change", draw);
  over.listen(draw);
  darkMode.addEventListener("change", draw);
  section.querySelector(".dock .units").addEventListener("change", draw);
  draw();
  Chart.onClick(stack, (event) => player.pick(axis.frameAt(event.x, player.frame)));
  player.listenForKeys(stack);
  followPlayer(stack, player, point);
  const name = () => fileName(result.title, chosen().name);
  // A table has every frame or is not offered.
  const table = result.wholeShares ? () => [name() + "_shares", shareColumns(result, chosen())] : null;
  saveButtons(save, "this output", () => [[stack, name()], [waterfall, name() + "_at_cursor"]], table);
  const open = (number, scroll = true) => {
    choice.value = number;
    draw();
    if (scroll) panel.scrollIntoView({ behavior: "smooth", block: "nearest" });
  };
  peaksPanel(section, result, player, open);
  cardsPanel(section, result, player, open);
  // What one source gives of the chosen output, at the chosen instant.
  const tellShare = (source) => {
    const output = chosen(), k = output.heard.indexOf(result.sources.indexOf(source)), own = k < 0 ? null : drawnOf(result, row(output.shares, k))[player.frame] * output.factor, whole = total[player.frame];
    picked.textContent = own === null ? `${source.replace(":", " ")} has no part in the ${output.label}.`
      : `${source.replace(":", " ")} gives ${digits(own)} ${output.unit} of the ${output.label}, ${digits(whole)} ${output.unit}, at ${digits(player.time[player.frame])} s${whole ? ` (${Math.round((100 * own) / whole)} %)` : ""}.`;
  };
  return { open, tellShare, layers: () => layers, total: () => total, output: chosen };
}

// A row of the peaks leads to its output, at the instant of its peak.
function peaksPanel(section, result, player, choose) {
  const rows = [...section.querySelectorAll(".peaks tbody tr")], search = section.querySelector(".peaks .find");
  for (const row of rows) row.querySelector("button").addEventListener("click", () => {
    const number = Number(row.dataset.output);
    player.pick(nearest(result.drawn, result.outputs[number].peak));
    choose(number);
  });
  search.hidden = rows.length < 10;
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/[\s_]+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => (row.textContent + " " + row.dataset.words).toLowerCase().includes(word));
  });
  if (!result.weight) return;
  const select = section.querySelector(".dock .units");
  const tell = () => {
    for (const row of rows) {
      const { factor, unit } = scaleOf(result, result.outputs[Number(row.dataset.output)].unit, select.value);
      row.querySelector(".number").textContent = `${digits(Number(row.dataset.peak) * factor)} ${unit.replace("body weight", "BW")}`;
    }
  };
  select.addEventListener("change", tell);
  tell();
}

// A card leads to its output, at the instant that it tells of; units are those of the page.
function cardsPanel(section, result, player, choose) {
  for (const each of section.querySelectorAll(".card button")) {
    each.addEventListener("click", () => { player.pick(nearest(player.time, Number(each.dataset.time))); choose(Number(each.dataset.output)); });
  }
  const select = section.querySelector(".dock .units"), numbers = [...section.querySelectorAll(".card [data-newtons]")];
  section.querySelector(".unit-choice").hidden = !result.weight;
  const tell = () => {
    for (const each of numbers) {
      const newtons = Number(each.dataset.newtons), whole = each.classList.contains("much");
      const { factor, unit } = scaleOf(result, "N", select.value), value = newtons * factor;
      each.textContent = `${value.toFixed(unit === "N" ? 0 : 1)} ${whole ? unit : unit.replace("body weight", "BW")}`;
    }
  };
  if (!result.weight) return;
  select.addEventListener("change", tell);
  tell();
}

// Units to choose: forces in body weights, moments and forces by mass.
function scaleOf(result, unit, choice) {
  const ways = { body: { N: [1 / result.weight, "× body weight"], "N m": [1 / result.mass, "N m/kg"] }, kg: { N: [1 / result.mass, "N/kg"], "N m": [1 / result.mass, "N m/kg"] } };
  const [factor, words] = (result.weight && result.mass && ways[choice]?.[unit]) || [1, unit];
  return { factor, unit: words };
}

const inUnits = (result, output, choice) => Object.assign(Object.create(output), scaleOf(result, output.unit, choice));

// A large torque of several kinds of sources, not what an imbalance leaves of them.
function firstWorthSeeing(result) {
  if (result.first !== null && result.first !== undefined) return result.first;
  const first = result.outputs.find((output) => output.unit === "N m") ?? result.outputs[0];
  const worth = (output) => {
    const total = largestOf(output.total.values), alike = output.unit === first.unit && output.quantity === first.quantity;
    if (!alike || total < 0.3 * largestOf(output.shares.values)) return 0;
    const second = layersOf(result, output, "kind").map((layer) => largestOf(layer.values))[1] ?? 0;
    return total * Math.min(1, (5 * second) / total);
  };
  const sizes = result.outputs.map(worth);
  return Math.max(0, sizes.indexOf(Math.max(...sizes)));
}

function fillOutputs(select, result) {
  const places = [...new Set(result.outputs.map((output) => output.place))];
  select.replaceChildren(...places.map((place) => {
    const group = make("optgroup");
    group.label = place;
    result.outputs.forEach((output, i) => {
      if (output.place !== place) return;
      const option = make("option", "", output.label);
      option.value = i;
      group.append(option);
    });
    return group;
  }));
}

function fillLegend(legend, layers) {
  const item = (name, colour, className) => {
    const made = make("li"), swatch = make("span", "swatch" + className);
    swatch.style.background = colour;
    made.append(swatch, name);
    return made;
  };
  legend.replaceChildren(...layers.map((layer) => item(layer.name, layer.colour, "")), item("total", "var(--ink)", " line"));
}

function drawStack(plot, result, output, layers, total, axis, frame) {
  const paper = css("--paper"), ink = css("--ink"), lone = total.length === 1, traces = [];
  for (const layer of layers) {
    const values = meanOf(axis.rows(layer.values));
    for (const [side, clip] of [["up", Math.max], ["down", Math.min]]) {
      const look = lone ? { type: "bar", marker: { color: layer.colour }, width: 0.2 }
        : { mode: "lines", stackgroup: side, line: { width: 0.5, color: paper }, fillcolor: layer.colour };
      const hover = side === "up" ? { hovertemplate: "%{customdata:.4g}" } : { hoverinfo: "skip" };
      traces.push({ x: axis.x, y: values.map((value) => clip(value, 0)), customdata: values, name: literal(layer.name), ...look, ...hover });
    }
  }
  traces.push(...curveTraces(axis, "total", total, { color: ink, width: 2.5 }));
  const marks = { ...decoration(result, axis, frame), annotations: signs(result, axis) };
  Chart.draw(plot, traces, chartLayout(axis.title, `${output.label} (${output.unit})`, { hovermode: "x unified", barmode: "relative", ...marks }));
}

// Beside the largest numbers of a chart, round-off is nothing.
function cleaner(layers, total) {
  const largest = Math.max(largestOf(total), ...layers.map((layer) => largestOf(layer.values)));
  return (value) => (Math.abs(value) < 1e-9 * largest ? 0 : value);
}

// The largest first; what is added up as the rest comes last.
function rankedAt(layers, clean, frame) {
  return layers.map((layer) => ({ name: layer.name, colour: layer.colour, rest: layer.rest, value: clean(layer.values[frame]) }))
    .sort((a, b) => (a.rest ? 1 : 0) - (b.rest ? 1 : 0) || Math.abs(b.value) - Math.abs(a.value));
}

// Each bar begins where the one before ended; the last one is the total.
function drawWaterfall(plot, output, layers, total, frame) {
  const clean = cleaner(layers, total), parts = rankedAt(layers, clean, frame);
  let sum = 0;
  const bars = parts.map((part) => { const base = sum; sum += part.value; return { ...part, base }; });
  bars.push({ name: "total", colour: css("--ink"), value: clean(total[frame]), base: 0 });
  const ends = [0, ...bars.flatMap((bar) => [bar.base, bar.base + bar.value])];
  const low = Math.min(...ends), high = Math.max(...ends), room = 0.16 * (high - low || 1); // for the numbers beside short bars
  const narrow = plot.clientWidth < 420;
  const short = (name) => (narrow && name.length > 18 ? name.slice(0, 17) + "…" : name);
  const trace = {
    type: "bar", orientation: "h", y: bars.map((_, i) => i), x: bars.map((bar) => bar.value), base: bars.map((bar) => bar.base),
    marker: { color: bars.map((bar) => bar.colour) }, text: bars.map((bar) => digits(bar.value)), textposition: "auto", textangle: 0, cliponaxis: false,
    customdata: bars.map((bar) => literal(bar.name)), hovertemplate: "%{customdata}: %{text}<extra></extra>",
  };
  describe(plot, `Shares of ${output.label} at the chosen instant: ` + bars.map((bar) => `${bar.name} ${digits(bar.value)}`).join(", "));
  Chart.draw(plot, [trace], chartLayout(`${output.label} (${output.unit})`, "", {
    xaxis: { range: [low - room, high + room] },
    yaxis: { autorange: "reversed", tickmode: "array", tickvals: bars.map((_, i) => i), ticktext: bars.map((bar) => literal(short(bar.name))), showgrid: false, zeroline: false },
  }));
}

function tell(output, layers, total, time, frame) {
  const clean = cleaner(layers, total), sum = clean(total[frame]);
  const parts = rankedAt(layers, clean, frame).filter((part) => part.value !== 0);
  // Of a total that is little beside its parts, percentages say nothing.
  const little = Math.abs(sum) < 0.05 * Math.abs(parts[0]?.value ?? 0);
  const percent = (value) => (sum === 0 || little ? "" : ` (${Math.round((100 * value) / sum)} %)`.replace("-", "−"));
  const said = parts.slice(0, 3).map((part) => `${part.name} gives ${digits(part.value)} ${output.unit}${percent(part.value)}`);
  const rest = parts.slice(3).reduce((all, part) => all + part.value, 0);
  if (parts.length > 3) said.push(`all else gives ${digits(clean(rest))} ${output.unit}`);
  const list = said.length > 1 ? said.slice(0, -1).join(", ") + " and " + said.at(-1) : said.join("");
  return `At ${digits(time[frame])} s the ${output.label} is ${digits(sum)} ${output.unit}` + (list ? `: ${list}.` : ".");
}

function shareColumns(result, output) {
  return [["time [s]", result.time.values], [`${output.name} [${output.unit}]`, output.total.values],
    ...output.heard.map((source, k) => [`${result.sources[source]} [${output.unit}]`, row(output.shares, k)])];
}
