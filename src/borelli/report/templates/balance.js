// The torque that the motion demands, what all muscles together deliver of it, and what is missing.
function balancePanel(section, result, player, over) {
  if (!result.balance.length) return;
  const panel = section.querySelector(".balance");
  const [place, plot, arms, save] = [".place", ".torques", ".arms", ".save"].map((s) => panel.querySelector(s));
  fillSelect(place, result.balance.map((each, i) => [i, each.place]));
  const sizes = result.balance.map((each) => largestOf(each.torque.values));
  place.value = sizes.indexOf(Math.max(...sizes));
  const chosen = () => result.balance[Number(place.value)];
  let axis = null;
  const draw = () => {
    const each = chosen(), lines = [["torque", each.torque, css("--ink"), "solid"], ["sum of the muscles", each.muscles, "#CC79A7", "dash"], ["missing", each.missing, "#D55E00", "dot"]];
    axis = over.axis();
    const traces = lines.flatMap(([name, curve, color, dash]) => curveTraces(axis, name, drawnOf(result, curve.values), { color, dash, width: 2.5 }));
    const [most, left] = [each.torque, each.missing].map((curve) => `${digits(largestOf(curve.values))} ${each.unit}`);
    describe(plot, `Torque at ${each.place} over ${axis.title}, up to ${most}; the muscles leave up to ${left} of it.`);
    const marks = { ...decoration(result, axis, player.frame), annotations: signs(result, axis) };
    Chart.draw(plot, traces, chartLayout(axis.title, `${each.place} (${each.unit})`, { ...LEGEND_BELOW, hovermode: "x unified", ...marks }));
    drawArms(arms, result, each.place, axis, player.frame);
  };
  place.addEventListener("change", draw);
  over.listen(draw);
  darkMode.addEventListener("change", draw);
  draw();
  for (const chart of arms.hidden ? [plot] : [plot, arms]) {
    Chart.onClick(chart, (event) => player.pick(axis.frameAt(event.x, player.frame)));
    player.listenForKeys(chart);
    followPlayer(chart, player, (frame) => Chart.mark(chart, decoration(result, axis, frame)));
  }
  const name = () => fileName(result.title, chosen().place, "balance");
  saveButtons(save, "the torque", () => [[plot, name()], ...(arms.hidden ? [] : [[arms, fileName(result.title, chosen().place, "moment_arms")]])], result.wholeTotals && (() => {
    const each = chosen();
    return [name(), [["time [s]", result.time.values],
      ...["torque", "muscles", "missing"].map((key) => [`${each.place} ${key} [${each.unit}]`, each[key].values])]];
  }));
}

// The moment arms with which they deliver it.
function drawArms(plot, result, place, axis, frame) {
  const curve = result.muscles?.curves.find((each) => each.words === `moment arm at ${place}`);
  plot.hidden = !curve;
  if (!curve) return;
  const values = curve.of.map((_, i) => drawnOf(result, row(curve.values, i)));
  drawCurves(plot, result, result.muscles.names, curve, values, "few", axis, frame);
}
