// The torque that the motion demands, what all muscles together deliver of it, and what is missing.
function balancePanel(section, result, player, over) {
  if (!result.balance.length) return;
  const panel = section.querySelector(".balance");
  const [place, plot, save] = [".place", ".plot", ".save"].map((s) => panel.querySelector(s));
  fillSelect(place, result.balance.map((each, i) => [i, each.place]));
  const sizes = result.balance.map((each) => largestOf(each.torque.values));
  place.value = sizes.indexOf(Math.max(...sizes));
  const chosen = () => result.balance[Number(place.value)];
  let axis = null;
  const draw = () => {
    const each = chosen(), lines = [["torque", each.torque, css("--ink"), "solid"], ["sum of the muscles", each.muscles, "#CC79A7", "dash"], ["missing", each.missing, "#D55E00", "dot"]];
    axis = over.axis();
    const traces = lines.flatMap(([name, curve, color, dash]) => curveTraces(axis, name, drawnOf(result, curve.values), { color, dash, width: 2.5 }));
    describe(plot, `Torque at ${each.place} over ${axis.title}, up to ${digits(largestOf(each.torque.values))} ${each.unit}; the muscles leave up to ${digits(largestOf(each.missing.values))} ${each.unit} of it.`);
    const marks = { ...decoration(result, axis, player.frame), annotations: signs(result, axis) };
    Plotly.react(plot, traces, chartLayout(axis.title, `${each.place} (${each.unit})`, { ...LEGEND_BELOW, hovermode: "x unified", ...marks }), CHART_OPTIONS);
  };
  place.addEventListener("change", draw);
  over.listen(draw);
  darkMode.addEventListener("change", draw);
  draw();
  plot.on("plotly_click", (event) => player.pick(axis.frameAt(event.points[0].x, player.frame)));
  player.listenForKeys(plot);
  followPlayer(plot, player, (frame) => Plotly.relayout(plot, decoration(result, axis, frame)));
  const name = () => fileName(result.title, chosen().place, "balance");
  saveButtons(save, "the torque", () => [[plot, name()]], () => {
    const each = chosen();
    return [name(), [["time [s]", result.time.values],
      ...["torque", "muscles", "missing"].map((key) => [`${each.place} ${key} [${each.unit}]`, each[key].values])]];
  });
}
