// Muscles: all of them as a map over time, some of them as curves; torque against what they deliver.
const FEW = 8;

function musclesPanel(section, result, player) {
  const data = result.muscles;
  if (!data) return;
  const panel = section.querySelector(".muscles");
  const [quantity, chosen, heat, curves, save] = [".quantity", ".chosen", ".heat", ".curves", ".save"].map((s) => panel.querySelector(s));
  fillSelect(quantity, data.curves.map((curve, i) => [i, curve.words]));
  const few = data.names.length > FEW ? `the ${FEW} largest` : "all";
  fillSelect(chosen, [["few", few], ...data.names.map((name, i) => [i, name])]);
  const time = player.time;
  const rows = (curve) => data.names.map((_, i) => drawnOf(result, row(curve.values, i)));
  const draw = () => {
    const curve = data.curves[Number(quantity.value)], values = rows(curve), unit = curve.unit === "1" ? "" : ` (${curve.unit})`;
    drawHeat(heat, data.names, values, time, curve);
    const order = values.map((each, i) => [i, largestOf(each)]).sort((a, b) => b[1] - a[1]).map(([i]) => i);
    const which = chosen.value === "few" ? order.slice(0, FEW) : [Number(chosen.value)];
    const traces = which.map((i, k) => ({
      x: time, y: values[i], name: literal(data.names[i]), mode: time.length > 1 ? "lines" : "markers",
      line: { color: HUES[k % HUES.length], width: 2, dash: DASHES[Math.floor(k / HUES.length) % 4] }, hovertemplate: "%{y:.4g}",
    }));
    curves.setAttribute("role", "img");
    curves.setAttribute("aria-label", `${curve.words} over time: ` + which.map((i) => `${data.names[i]} up to ${digits(largestOf(values[i]))} ${curve.unit}`).join(", "));
    Plotly.react(curves, traces, chartLayout("time (s)", curve.words + unit, { showlegend: true, legend: { orientation: "h", y: -0.22 }, hovermode: "x unified", shapes: cursorAt(time[player.frame]) }), CHART_OPTIONS);
  };
  for (const select of [quantity, chosen]) select.addEventListener("change", draw);
  darkMode.addEventListener("change", draw);
  draw();
  for (const plot of [heat, curves]) {
    plot.on("plotly_click", (event) => player.pick(nearest(time, event.points[0].x)));
    player.listenForKeys(plot);
    player.listen(cursorMover(plot, time, player));
  }
  const name = () => fileName(result.title, data.curves[Number(quantity.value)].words);
  saveButtons(save, "the muscles", () => [[heat, name() + "_map"], [curves, name()]], () => {
    const curve = data.curves[Number(quantity.value)];
    return [name(), [["time [s]", result.time.values], ...data.names.map((each, i) => [`${each} [${curve.unit}]`, row(curve.values, i)])]];
  });
}

function drawHeat(plot, names, values, time, curve) {
  const signed = values.some((each) => each.some((value) => value < 0));
  const largest = Math.max(...values.map(largestOf)) || 1;
  const colours = signed ? { colorscale: [[0, "#0072B2"], [0.5, "#F4F4F4"], [1, "#D55E00"]], zmin: -largest, zmax: largest } : { colorscale: CIVIDIS_SCALE, zmin: 0, zmax: largest };
  const trace = {
    type: "heatmap", x: time, y: names.map((_, i) => i), z: values, ...colours, customdata: names.map((name) => time.map(() => literal(name))),
    hovertemplate: "%{customdata}: %{z:.4g} at %{x:.3g} s<extra></extra>", colorbar: { thickness: 10, outlinewidth: 0, tickfont: { size: 10 } },
  };
  plot.style.height = `${Math.max(19, 1.1 * names.length + 5)}rem`;
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", `Map of ${curve.words} over time, a row for each of ${names.length} muscles, up to ${digits(largest)} ${curve.unit}`);
  Plotly.react(plot, [trace], chartLayout("time (s)", "", {
    yaxis: { autorange: "reversed", tickmode: "array", tickvals: names.map((_, i) => i), ticktext: names.map((name) => literal(name.length > 18 ? name.slice(0, 17) + "…" : name)), showgrid: false, zeroline: false },
    shapes: cursorAt(time[0]),
  }), CHART_OPTIONS);
}

const nearest = (times, time) => times.reduce((best, each, i) => (Math.abs(each - time) < Math.abs(times[best] - time) ? i : best), 0);

// While the motion plays, charts out of sight and every other call are left alone.
function cursorMover(plot, time, player) {
  let seen = true, then = 0;
  new IntersectionObserver(([entry]) => { seen = entry.isIntersecting; if (seen) move(player.frame); }).observe(plot);
  function move(frame) { Plotly.relayout(plot, { shapes: cursorAt(time[frame]) }); }
  return (frame) => {
    if (!seen || (player.running && performance.now() - then < 120)) return;
    then = performance.now();
    move(frame);
  };
}

function balancePanel(section, result, player) {
  if (!result.balance.length) return;
  const panel = section.querySelector(".balance");
  const [place, plot, save] = [".place", ".plot", ".save"].map((s) => panel.querySelector(s));
  fillSelect(place, result.balance.map((each, i) => [i, each.place]));
  const chosen = () => result.balance[Number(place.value)], time = player.time;
  const draw = () => {
    const each = chosen(), ink = css("--ink");
    const lines = [["torque", each.torque, ink, "solid"], ["sum of the muscles", each.muscles, "#CC79A7", "dash"], ["missing", each.missing, "#D55E00", "dot"]];
    const traces = lines.map(([name, curve, color, dash]) => ({ x: time, y: drawnOf(result, curve.values), name, mode: time.length > 1 ? "lines" : "markers", line: { color, dash, width: 2.5 }, hovertemplate: "%{y:.4g}" }));
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", `Torque at ${each.place} over time, up to ${digits(largestOf(each.torque.values))} ${each.unit}; the muscles leave up to ${digits(largestOf(each.missing.values))} ${each.unit} of it.`);
    Plotly.react(plot, traces, chartLayout("time (s)", `${each.place} (${each.unit})`, { showlegend: true, legend: { orientation: "h", y: -0.22 }, hovermode: "x unified", shapes: cursorAt(time[player.frame]) }), CHART_OPTIONS);
  };
  place.addEventListener("change", draw);
  darkMode.addEventListener("change", draw);
  draw();
  plot.on("plotly_click", (event) => player.pick(event.points[0].pointIndex));
  player.listenForKeys(plot);
  player.listen(cursorMover(plot, time, player));
  saveButtons(save, "the torque", () => [[plot, fileName(result.title, chosen().place, "balance")]], () => {
    const each = chosen();
    return [fileName(result.title, each.place, "balance"), [["time [s]", result.time.values],
      ...["torque", "muscles", "missing"].map((key) => [`${each.place} ${key} [${each.unit}]`, each[key].values])]];
  });
}
