const data = JSON.parse(document.getElementById("study-data").textContent);
const element = (id) => document.getElementById(id);
const LINES = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999999"];

function fill(select, names) {
  for (const name of names) {
    const option = document.createElement("option");
    option.value = name;
    option.textContent = name.replaceAll("_", " ");
    select.append(option);
  }
}

function style() {
  const own = getComputedStyle(document.documentElement);
  const value = (name) => own.getPropertyValue(name).trim();
  return { ink: value("--ink"), grid: value("--grid") };
}

// Texts in charts are HTML of a kind to plotly: names must stay names.
const plain = (text) => text.replaceAll("_", " ").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function percents(count) {
  return Array.from({ length: count }, (_, k) => (100 * k) / (count - 1));
}

function layout(unit, shapes) {
  const { ink, grid } = style();
  const axis = { gridcolor: grid, zerolinecolor: grid, color: ink };
  return {
    margin: { l: 60, r: 10, t: 10, b: 42 }, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: ink, family: "system-ui, sans-serif", size: 12 }, legend: { orientation: "h", y: 1.18 }, shapes,
    xaxis: { ...axis, title: { text: "% of the cycle" }, range: [0, 100] }, yaxis: { ...axis, title: { text: plain(unit) } },
  };
}

function shaded(clusters) {
  return clusters.map((each) => ({
    type: "rect", xref: "x", yref: "paper", x0: each.first_percent, x1: each.last_percent, y0: 0, y1: 1,
    fillcolor: "rgba(230,159,0,0.18)", line: { width: 0 }, layer: "below",
  }));
}

function drawBands(output, group, clusters) {
  const traces = [];
  data.conditions.forEach((condition, k) => {
    const own = (data.bands[group][output] || {})[condition];
    if (!own) return;
    const x = percents(own.mean.length), colour = LINES[k % LINES.length];
    const low = own.mean.map((value, i) => value - (own.sd[i] ?? 0)), high = own.mean.map((value, i) => value + (own.sd[i] ?? 0));
    traces.push({ x: [...x, ...[...x].reverse()], y: [...high, ...low.reverse()], fill: "toself", fillcolor: colour + "30", line: { width: 0 },
      hoverinfo: "skip", showlegend: false, mode: "lines" });
    traces.push({ x, y: own.mean, name: `${plain(condition)} (${own.n})`, line: { color: colour, width: 2.5 }, mode: "lines" });
  });
  Plotly.react("bands", traces, layout(data.outputs[output], shaded(clusters)), { displaylogo: false, responsive: true });
}

function drawSplit(output, group, condition, clusters) {
  const own = data.splits[group].find((each) => each.output === output && each.condition === condition);
  const traces = [];
  if (own) {
    const x = percents(own.total.length);
    for (const [name, values] of Object.entries(own.parts)) {
      // What raises and what lowers is stacked apart, so that areas add up to the line.
      for (const [sign, stack] of [[1, "up"], [-1, "down"]]) {
        const y = values.map((value) => (sign * value > 0 ? value : 0));
        if (y.every((value) => value === 0)) continue;
        traces.push({ x, y, name: plain(name), legendgroup: name, showlegend: !traces.some((trace) => trace.legendgroup === name),
          stackgroup: stack, line: { width: 0.5, color: data.colours[name] || "#999999" }, mode: "lines" });
      }
    }
    traces.push({ x, y: own.total, name: "difference", line: { color: style().ink, width: 2.5 }, mode: "lines" });
  }
  Plotly.react("split", traces, layout(data.outputs[output], shaded(clusters)), { displaylogo: false, responsive: true });
}

function tell(test, output, group) {
  if (!test) element("test").textContent = "";
  else {
    const spans = test.clusters.map((each) => `${each.first_percent.toFixed(0)} to ${each.last_percent.toFixed(0)} % (${each.p < 0.001 ? "p < 0.001" : `p = ${each.p.toPrecision(2)}`})`);
    element("test").textContent = `Test over the cycle (${test.n} subjects, |t| > ${test.threshold.toFixed(2)}; ${test.correction}): `
      + (spans.length ? `different from ${spans.join(", ")}, shaded.` : "no difference.");
  }
  const list = element("told");
  list.replaceChildren();
  for (const sentence of (data.sentences[group] || {})[output] || []) {
    const item = document.createElement("li");
    item.textContent = sentence;
    list.append(item);
  }
}

function draw() {
  const output = element("output").value, group = element("group").value, condition = element("condition").value;
  const test = ((data.tests[group] || {}).made || []).find((each) => each.output === output && each.condition === condition);
  const clusters = test ? test.clusters : [];
  drawBands(output, group, clusters);
  if (condition) drawSplit(output, group, condition, clusters);
  tell(test, output, group);
}

fill(element("output"), Object.keys(data.outputs));
fill(element("group"), Object.keys(data.groups));
fill(element("condition"), data.conditions.slice(1));
for (const id of ["output", "group", "condition"]) element(id).addEventListener("change", draw);
element("doubtful").addEventListener("change", (event) => element("table").classList.toggle("second", event.target.checked));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
if (Object.keys(data.outputs).length) draw();
