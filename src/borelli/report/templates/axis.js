// The abscissa that all charts of a result share: time, percent of the recording, or percent of its cycles.
const PERCENT = Array.from({ length: 101 }, (_, k) => k);
const SIDES = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00"];
const sideColour = (result, side) => SIDES[Math.max(0, result.contacts.findIndex((each) => each.side === side)) % SIDES.length];
const EVENT_SIGNS = { contact: "▼", release: "△" };
const EVENT_WORDS = { contact: "touches the ground", release: "leaves the ground" };

function cycleWords({ side, kind, spans }) {
  const many = spans.length > 1 ? `, mean of ${spans.length}` : "";
  return kind === "cycle" ? `cycle of ${side}${many}` : `contact of ${side}${many}`;
}

const axisChoices = (result) => [["time", "time"], ["percent", "percent of the recording"],
  ...result.cycles.map((cycles, i) => [`cycle ${i}`, cycleWords(cycles)])];

// On straight lines between frames, as the saved cycles are.
function interpolated(times, values, instants) {
  let low = 0;
  return instants.map((instant) => {
    while (low < times.length - 2 && times[low + 1] <= instant) low += 1;
    const part = Math.min(1, Math.max(0, (instant - times[low]) / (times[low + 1] - times[low])));
    return values[low] * (1 - part) + values[low + 1] * part;
  });
}

const instantsOf = ([begin, end]) => PERCENT.map((percent) => begin + ((end - begin) * percent) / 100);
const meanOf = (rows) => rows[0].map((_, i) => rows.reduce((sum, row) => sum + row[i], 0) / rows.length);

function deviationOf(rows, mean) {
  return mean.map((middle, i) => Math.sqrt(rows.reduce((sum, row) => sum + (row[i] - middle) ** 2, 0) / (rows.length - 1)));
}

// `rows` of a curve over the drawn frames: one for each cycle, else the curve itself.
function makeAxis(result, key) {
  const times = drawnTime(result);
  if (key.startsWith("cycle")) return cycleAxis(result, result.cycles[Number(key.split(" ")[1])], times);
  const first = result.time.values[0], span = result.time.values.at(-1) - first || 1;
  const place = key === "time" ? (time) => time : (time) => (100 * (time - first)) / span;
  const x = times.map(place);
  return {
    x, title: key === "time" ? "time (s)" : "percent of the recording", unit: key === "time" ? "s" : "%",
    rows: (curve) => [Array.from(curve)], at: (frame) => x[frame], frameAt: (value) => nearest(x, value),
    marks: result.events.map((event) => ({ ...event, x: place(event.time) })),
  };
}

function cycleAxis(result, cycles, times) {
  const spans = cycles.spans.map(instantsOf);
  const inside = (time) => cycles.spans.find(([begin, end]) => time >= begin && time <= end);
  const percent = (time, [begin, end]) => (100 * (time - begin)) / (end - begin);
  const at = (frame) => { const span = inside(times[frame]); return span ? percent(times[frame], span) : null; };
  return {
    x: PERCENT, title: `percent of the ${cycleWords(cycles)}`, unit: "%",
    rows: (curve) => spans.map((instants) => interpolated(times, curve, instants)), at,
    frameAt: (value, frame) => {
      const [begin, end] = inside(times[frame]) ?? cycles.spans[0];
      return nearest(times, begin + ((end - begin) * value) / 100);
    },
    marks: meanMarks(result, cycles, percent),
  };
}

// Events that happen within every cycle, where they happen on average.
function meanMarks(result, cycles, percent) {
  const kinds = new Map(result.events.map(({ side, kind }) => [`${kind} ${side}`, { side, kind }]));
  return [...kinds.values()].flatMap(({ side, kind }) => {
    const own = result.events.filter((event) => event.side === side && event.kind === kind);
    const places = cycles.spans.map((span) => own.map((event) => percent(event.time, span)).find((x) => x > 0.5 && x < 99.5));
    return places.some((x) => x === undefined) ? [] : [{ side, kind, x: places.reduce((sum, x) => sum + x, 0) / places.length }];
  });
}

// The cursor comes first, then a thin line and a sign for each event.
function decoration(result, axis, frame) {
  const x = axis.at(frame);
  const cursor = {
    type: "line", x0: x ?? 0, x1: x ?? 0, yref: "paper", y0: 0, y1: 1, visible: x !== null,
    line: { color: css("--ink"), width: 1.5, dash: "dot" },
  };
  const lines = axis.marks.map((mark) => ({
    type: "line", x0: mark.x, x1: mark.x, yref: "paper", y0: 0, y1: 1, opacity: 0.55,
    line: { color: sideColour(result, mark.side), width: 1, dash: mark.kind === "contact" ? "solid" : "dash" },
  }));
  return { shapes: [cursor, ...lines] };
}

const signs = (result, axis) => axis.marks.map((mark) => ({
  x: mark.x, y: 1, yref: "paper", yanchor: "bottom", showarrow: false, text: EVENT_SIGNS[mark.kind], font: { size: 10, color: sideColour(result, mark.side) },
  hovertext: literal(`${mark.side} ${EVENT_WORDS[mark.kind]} at ${digits(mark.x)} ${axis.unit}`),
}));

// A line, and where there are several cycles also each of them, faintly, and the band of one standard deviation.
function curveTraces(axis, name, curve, { color, dash = "solid", width = 2 }, shown = {}) {
  const rows = axis.rows(curve), mean = meanOf(rows), look = { x: axis.x, mode: axis.x.length > 1 ? "lines" : "markers", name: literal(name), legendgroup: name };
  const line = { ...look, y: mean, line: { color, dash, width }, marker: { color, size: 10 }, hovertemplate: "%{y:.4g}", ...shown };
  if (rows.length === 1) return [line];
  const deviation = deviationOf(rows, mean), quiet = { ...look, hoverinfo: "skip", showlegend: false };
  const edge = (sign) => mean.map((middle, i) => middle + sign * deviation[i]);
  return [
    { ...quiet, y: edge(-1), line: { width: 0, color } }, { ...quiet, y: edge(1), line: { width: 0, color }, fill: "tonexty", fillcolor: color + "38" },
    ...rows.map((row) => ({ ...quiet, y: row, line: { width: 0.7, color }, opacity: 0.5 })), line,
  ];
}
