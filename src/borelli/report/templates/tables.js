// Whole tables of a result, every frame of it.
function tablesPanel(section, result) {
  const place = section.querySelector(".tables"), time = ["time [s]", result.time.values];
  const add = (words, what, columns) => place.append(button(words, `Save ${words} of ${result.title}`, () => saveTable(fileName(result.title, what), columns())));
  const whole = result.outputs.length && result.wholeTotals;
  if (whole) add("All outputs (CSV)", "all outputs", () => [time, ...outputColumns(result)]);
  if (result.outputs.length && result.wholeShares) add("All shares (CSV)", "all shares", () => [time, ...allShares(result)]);
  if (result.muscles && result.wholeMuscles) add("Muscles (CSV)", "muscles", () => [time, ...muscleColumns(result)]);
  if (result.cycles.length && whole) add("Outputs by cycle (CSV)", "cycles", () => cycleColumns(result));
  if (result.events.length) {
    add("Events (CSV)", "events", () => [["time [s]", "time"], ["side", "side"], ["kind", "kind"]].map(([head, key]) => [head, result.events.map((event) => event[key])]));
  }
}

const outputColumns = (result) => result.outputs.map((output) => [`${output.name} [${output.unit}]`, output.total.values]);
const muscleColumns = (result) => result.muscles.curves.flatMap((curve) =>
  curve.of.map((muscle, i) => [`${result.muscles.names[muscle]} ${curve.words} [${curve.unit}]`, row(curve.values, i)]));
const allShares = (result) => result.outputs.flatMap((output) =>
  output.heard.map((source, k) => [`${output.name}|${result.sources[source]} [${output.unit}]`, row(output.shares, k)]));

// Every cycle of every side below the other, each from 0 to 100 %, from all frames.
function cycleColumns(result) {
  const spans = result.cycles.flatMap(({ side, kind, spans: own }) => own.map((span, i) => ({ side, kind, cycle: i + 1, span })));
  const label = (key) => spans.flatMap((each) => PERCENT.map(() => each[key]));
  const over = (values) => spans.flatMap(({ span }) => interpolated(result.time.values, values, instantsOf(span)));
  return [["side", label("side")], ["kind", label("kind")], ["cycle", label("cycle")], ["percent", spans.flatMap(() => PERCENT)],
    ...outputColumns(result).map(([name, values]) => [name, over(values)])];
}

function copyPanel(section) {
  section.querySelector(".copy").addEventListener("click", async () => {
    const citations = [...section.querySelectorAll(".citations li")].map((item, i) => `${i + 1}. ${item.textContent}`);
    const done = await copyText([section.querySelector(".methods").textContent, ...citations].join("\n"));
    section.querySelector(".copied").textContent = done ? "Copied." : "The browser refused; select the text instead.";
  });
}
