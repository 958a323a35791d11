// The curves of a gait laboratory: joint by plane, each side over its own cycles, a band of others behind them.
const GAIT_SIDES = { right: { colour: () => (darkMode.matches ? "#56B4E9" : "#0072B2"), dash: "solid" }, left: { colour: () => (darkMode.matches ? "#F0803C" : "#D55E00"), dash: "dash" } };
const GAIT_WORDS = { angle: "angles", moment: "moments", power: "power", force: "ground reaction", pressure: "centre of pressure" };
const GAIT_ROWS = ["pelvis", "trunk", "hip", "knee", "ankle", "ground"];
const GAIT_PLANES = ["sagittal", "frontal", "transverse", "vertical", "forward", "sideways"];

function gaitPanel(section, result) {
  const { gait } = result, panel = section.querySelector(".gait");
  if (!gait || !panel) return null;
  const [choice, grid, key, save] = [".quantity", ".grid", ".key", ".save"].map((s) => panel.querySelector(s));
  const has = new Set(gait.curves.map((curve) => curve.quantity)), known = Object.keys(GAIT_WORDS).filter((quantity) => has.has(quantity));
  fillSelect(choice, known.map((quantity) => [quantity, GAIT_WORDS[quantity]]));
  const sides = Object.keys(GAIT_SIDES).filter((side) => gait.curves.some((curve) => curve.side === side));
  const cells = () => {
    const own = gait.curves.filter((curve) => curve.quantity === choice.value), found = new Map();
    for (const curve of own) {
      const name = `${curve.joint} ${curve.plane}`;
      found.set(name, [...(found.get(name) ?? []), curve]);
    }
    const place = ([{ joint, plane }]) => 10 * GAIT_ROWS.indexOf(joint) + GAIT_PLANES.indexOf(plane);
    return [...found.values()].sort((a, b) => place(a) - place(b));
  };
  const axis = { x: PERCENT, rows: (rows) => rows };
  const draw = () => {
    const shown = cells(), planes = GAIT_PLANES.filter((plane) => shown.some(([curve]) => curve.plane === plane));
    grid.style.setProperty("--planes", planes.length);
    grid.replaceChildren(...shown.map((curves) => {
      const plot = make("div", "plot small"), [{ joint, plane, quantity, label, unit }] = curves, band = gait.norms?.bands.find((each) => each.joint === joint && each.plane === plane && each.quantity === quantity)?.band;
      plot.style.setProperty("--plane", planes.indexOf(plane) + 1);
      plot.dataset.curve = `${joint} ${plane} ${quantity}`;
      const traces = [];
      if (band) {
        const [mean, sd] = [row(band, 0), row(band, 1)], edge = (sign) => Array.from(mean, (value, i) => value + sign * sd[i]), quiet = { x: PERCENT, mode: "lines", hoverinfo: "skip", showlegend: false, line: { width: 0, color: "#888888" } };
        traces.push({ ...quiet, y: edge(-1) }, { ...quiet, y: edge(1), fill: "tonexty", fillcolor: "#88888850" });
      }
      for (const curve of curves) {
        const rows = Array.from({ length: curve.rows.shape[0] }, (_, i) => Array.from(row(curve.rows, i))), side = GAIT_SIDES[curve.side];
        traces.push(...curveTraces(axis, curve.side, rows, { color: side.colour(), dash: side.dash, width: 2 }));
      }
      const shapes = curves.filter((curve) => gait.release[curve.side]).map((curve) => ({ type: "line", x0: gait.release[curve.side], x1: gait.release[curve.side], yref: "paper", y0: 0, y1: 1, opacity: 0.6, line: { color: GAIT_SIDES[curve.side].colour(), width: 1, dash: GAIT_SIDES[curve.side].dash } }));
      describe(plot, `${label} (${unit}) of ${curves.map((curve) => curve.side).join(" and ")} over the ${gait.over}${band ? ", with the band of the norms" : ""}.`);
      const words = unit === "× body weight" ? "BW" : unit;
      Chart.draw(plot, traces, chartLayout(gait.over === "cycle" ? "% of the cycle" : "% of the recording", `${label} (${words})`, { hovermode: "x unified", shapes }));
      return plot;
    }));
    key.replaceChildren(...sides.flatMap((side) => { const swatch = make("span", "swatch line"); swatch.style.background = GAIT_SIDES[side].colour(); const made = make("span", "of"); made.append(swatch, side); return [made]; }));
    if (gait.norms) { const swatch = make("span", "swatch"); swatch.style.background = "#88888880"; const made = make("span", "of"); made.append(swatch, `mean ± one standard deviation of ${gait.norms.name}`); key.append(made); }
    for (const side of gait.lacking) key.append(make("span", "of", `${side}: no whole cycle in this recording`));
  };
  choice.addEventListener("change", draw);
  darkMode.addEventListener("change", draw);
  draw();
  const table = panel.querySelector(".work");
  table.hidden = !gait.work.length;
  table.querySelector("tbody").replaceChildren(...gait.work.map(({ joint, side, given, taken, unit: of }) => {
    const line = make("tr"), head = make("th", "", `${side} ${joint}`);
    head.scope = "row";
    line.append(head, ...[given, taken, given + taken].map((value) => make("td", "number", `${value.toFixed(of === "J" ? 1 : 3).replace("-", "−")} ${of}`)));
    return line;
  }));
  const name = () => fileName(result.title, GAIT_WORDS[choice.value]);
  saveButtons(save, "these curves", () => [...grid.children].map((plot) => [plot, fileName(result.title, plot.dataset.curve)]), () => [name(), [["percent", PERCENT],
    ...cells().flat().flatMap((curve) => Array.from({ length: curve.rows.shape[0] }, (_, i) => [`${curve.side} ${curve.label}, ${curve.plane}, cycle ${i + 1} [${curve.unit}]`, Array.from(row(curve.rows, i))]))]]);
  return { cells };
}
