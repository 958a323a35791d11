// Muscles: all of them as a map, some of them as curves.
const FEW = 8;
const MANY = 30; // rows of a map from which on they are drawn closely

function musclesPanel(section, result, player, over) {
  const data = result.muscles;
  if (!data) return null;
  const panel = section.querySelector(".muscles");
  const [quantity, chosen, heat, curves, save] = [".quantity", ".chosen", ".heat", ".curves", ".save"].map((s) => panel.querySelector(s));
  panel.classList.add(data.names.length > MANY ? "many" : "few");
  fillQuantities(quantity, data.curves);
  fillSelect(chosen, [["few", data.names.length > FEW ? `the ${FEW} largest` : "all"], ...data.names.map((name, i) => [i, name])]);
  const curve = () => data.curves[Number(quantity.value)];
  let axis = null;
  const draw = () => {
    const own = curve(), values = own.of.map((_, i) => drawnOf(result, row(own.values, i)));
    axis = over.axis();
    drawHeat(heat, result, data.names, own, values.map((each) => meanOf(axis.rows(each))), axis, player.frame);
    drawCurves(curves, result, data.names, own, values, chosen.value, axis, player.frame);
  };
  for (const select of [quantity, chosen]) select.addEventListener("change", draw);
  over.listen(draw);
  darkMode.addEventListener("change", draw);
  draw();
  for (const plot of [heat, curves]) {
    Chart.onClick(plot, (event) => player.pick(axis.frameAt(event.x, player.frame)));
    player.listenForKeys(plot);
    followPlayer(plot, player, (frame) => Chart.mark(plot, decoration(result, axis, frame)));
  }
  // A click on the map also chooses the muscle of that row; a second one shows the largest again.
  Chart.onClick(heat, (event) => {
    const muscle = String(curve().of[event.y]);
    chosen.value = chosen.value === muscle ? "few" : muscle;
    draw();
  });
  const choose = (muscle) => { chosen.value = String(data.names.indexOf(muscle)); draw(); };
  const name = () => fileName(result.title, curve().words);
  saveButtons(save, "the muscles", () => [[heat, name() + "_map"], [curves, name()]], result.wholeMuscles && (() => {
    const own = curve();
    return [name(), [["time [s]", result.time.values], ...own.of.map((muscle, i) => [`${data.names[muscle]} [${own.unit}]`, row(own.values, i)])]];
  }));
  return { choose };
}

function fillQuantities(select, curves) {
  const arms = make("optgroup"), plain = [];
  arms.label = "moment arm at";
  curves.forEach((curve, i) => {
    const arm = curve.words.startsWith("moment arm at "), option = make("option", "", curve.words);
    option.value = i;
    if (arm) arms.append(option); else plain.push(option);
  });
  select.replaceChildren(...plain, ...(arms.children.length ? [arms] : []));
}

const unitOf = (curve) => (curve.unit === "1" ? "" : ` (${curve.unit})`);

function drawCurves(plot, result, names, curve, values, chosen, axis, frame) {
  const order = values.map((each, i) => [i, largestOf(each)]).sort((a, b) => b[1] - a[1]).map(([i]) => i);
  const single = curve.of.indexOf(Number(chosen));
  const which = chosen === "few" ? order.slice(0, FEW) : single < 0 ? [] : [single];
  // Where there are few, each muscle keeps its colour in all charts.
  const own = (i, k) => hue(names.length <= HUES.light.length ? curve.of[i] : k);
  const traces = which.flatMap((i, k) => curveTraces(axis, names[curve.of[i]], values[i], { color: own(i, k) }));
  const said = which.map((i) => `${names[curve.of[i]]} up to ${digits(largestOf(values[i]))} ${curve.unit}`);
  describe(plot, `${curve.words} over ${axis.title}: ${said.join(", ") || "this muscle has none"}`);
  const none = which.length ? [] : [{ text: "This muscle has none.", showarrow: false, xref: "paper", yref: "paper", x: 0.5, y: 0.5 }];
  const marks = { ...decoration(result, axis, frame), annotations: [...signs(result, axis), ...none] };
  Chart.draw(plot, traces, chartLayout(axis.title, curve.words + unitOf(curve), { ...LEGEND_BELOW, hovermode: "x unified", ...marks }));
}

function drawHeat(plot, result, names, curve, values, axis, frame) {
  const signed = values.some((each) => each.some((value) => value < 0));
  const largest = Math.max(...values.map(largestOf)) || 1, labels = curve.of.map((muscle) => names[muscle]);
  const colours = signed
    ? { colorscale: [[0, "#0072B2"], [0.5, "#F4F4F4"], [1, "#D55E00"]], zmin: -largest, zmax: largest }
    : { colorscale: CIVIDIS_SCALE, zmin: 0, zmax: largest };
  const trace = {
    type: "heatmap", x: axis.x, y: labels.map((_, i) => i), z: values, ...colours,
    customdata: labels.map((name) => axis.x.map(() => literal(name))),
    hovertemplate: `%{customdata}: %{z:.4g} at %{x:.3g} ${axis.unit}<extra></extra>`,
    colorbar: { thickness: 10, outlinewidth: 0, len: Math.min(1, 24 / labels.length), y: 1, yanchor: "top", tickfont: { size: 10 } },
  };
  const many = labels.length > MANY, short = (name) => (name.length > 18 ? name.slice(0, 17) + "…" : name);
  plot.style.height = `${Math.max(19, (many ? 0.68 : 1.1) * labels.length + 5)}rem`;
  describe(plot, `Map of ${curve.words} over ${axis.title}, a row for each of ${labels.length} muscles, up to ${digits(largest)} ${curve.unit}`);
  Chart.draw(plot, [trace], chartLayout(axis.title, "", {
    margin: { l: 50, r: 10, t: 18, b: 36 },
    yaxis: {
      autorange: "reversed", tickmode: "array", tickvals: labels.map((_, i) => i), ticktext: labels.map((name) => literal(short(name))),
      tickfont: { size: many ? 8.5 : 11, color: css("--soft") }, showgrid: false, zeroline: false,
    },
    ...decoration(result, axis, frame), annotations: signs(result, axis),
  }));
}
