// What muscles are coloured by in a drawing, with a legend under it; everyone may choose.
function muscleColours(stage, paths, switches, redraw) {
  const legend = make("p", "ramp"), [low, bar, high] = [make("span"), make("i"), make("span")];
  legend.append(low, bar, high);
  let chosen = null, ready = false;
  const choose = (number) => {
    chosen = number === "none" ? null : paths.colours[Number(number)];
    legend.hidden = !chosen;
    if (chosen) {
      low.textContent = `${chosen.words} 0`;
      high.textContent = `${digits(chosen.largest)} ${chosen.unit}`;
    }
    if (ready) redraw();
  };
  if (paths.colours.length) {
    const options = paths.colours.map((each, i) => [i, each.words]);
    switches.choose("muscles by", [...options, ["none", "one colour"]], choose);
    stage.append(legend);
  }
  ready = true;
  const value = (frame, muscle) => row(chosen.values, frame)[muscle];
  return {
    plain: () => !chosen,
    fraction: (frame, muscle) => (value(frame, muscle) || 0) / (chosen.largest || 1),
    colour: (frame, muscle) => (chosen ? ramp((value(frame, muscle) || 0) / (chosen.largest || 1)) : "#CC79A7"),
    words: (frame, muscle) => {
      const numbers = paths.colours.map((each) => [each, row(each.values, frame)[muscle]]).filter(([, number]) => Number.isFinite(number));
      const told = numbers.map(([each, number]) => `${each.words} ${digits(number)} ${each.unit}`.trim());
      return paths.names[muscle] + (told.length ? ": " + told.join(", ") : "");
    },
  };
}
