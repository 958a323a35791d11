// The markers that a motion was found from: measured and modelled, and how far apart they are.
const LIMB_APART = 10; // per cent of the median limb beyond which a reader should look twice

function markersPanel(section, result, player) {
  const markers = result.markers;
  if (!markers) return;
  const panel = section.querySelector(".markers"), [cloud, errors, reading] = [".cloud", ".errors", ".reading"].map((s) => panel.querySelector(s));
  // The worst marker on top.
  const rank = markers.names.map((_, i) => i).sort((a, b) => (markers.markers[b].mean ?? -1) - (markers.markers[a].mean ?? -1));
  const most = largestOf(markers.error.values), time = drawnTime(result);
  markerTables(panel, markers, player);

  const say = (frame) => {
    const rms = markers.rms.values[frame], now = row(transposed(markers.error), frame);
    const worst = now.reduce((best, value, i) => (value > (now[best] ?? -1) ? i : best), 0);
    reading.textContent = Number.isFinite(rms)
      ? `At ${digits(time[frame])} s markers are ${digits(rms)} mm off (RMS; ${digits(markers.meanRms)} mm on average), ${markers.names[worst]} most: ${digits(now[worst])} mm.`
      : `At ${digits(time[frame])} s no marker was seen.`;
  };
  const drawing = cloudOf(cloud, result, most);
  const drawCloud = (frame) => {
    drawing.show(frame);
    say(frame);
  };
  const drawErrors = () => {
    const map = { type: "heatmap", x: time, z: rank.map((i) => Array.from(row(markers.error, i))), colorscale: rampScale(), zmin: 0, zmax: most, customdata: rank.map((i) => time.map(() => `${markers.names[i]}, mm:`)) };
    describe(errors, `Error of ${markers.names.length} markers over time, up to ${digits(most)} mm; ${markers.names[rank[0]]} is worst on average.`);
    Chart.draw(errors, [map], chartLayout("time (s)", "", { shapes: cursor(player.frame), yaxis: { ticktext: rank.map((i) => markers.names[i]) } }));
  };
  const cursor = (frame) => [{ type: "line", x0: time[frame], x1: time[frame], yref: "paper", y0: 0, y1: 1, line: { color: css("--ink"), width: 1.5, dash: "dot" } }];
  describe(cloud, `Measured and modelled markers of ${result.title} in space`);
  errors.style.height = `${Math.max(21, 0.9 * markers.names.length + 5)}rem`;
  cloud.style.height = errors.style.height;
  drawErrors();
  drawCloud(player.frame);
  Chart.onClick(errors, (event) => player.pick(nearest(time, event.x)));
  player.listenForKeys(errors);
  followPlayer(errors, player, (frame) => Chart.mark(errors, { shapes: cursor(frame) }));
  followPlayer(cloud, player, drawCloud);
  darkMode.addEventListener("change", () => { drawErrors(); drawCloud(player.frame); });
  saveButtons(panel.querySelector(".save"), "the markers", () => [[errors, fileName(result.title, "marker_errors")], [drawing.picture, fileName(result.title, "markers")]],
    () => [fileName(result.title, "marker_errors"), [["time [s]", time], ...markers.names.map((name, i) => [`${name} [mm]`, Array.from(row(markers.error, i))])]]);
}

// Rows become columns: of each instant all markers.
function transposed({ shape: [rows, columns], values }) {
  const turned = new Float32Array(values.length);
  for (let i = 0; i < rows; i += 1) for (let j = 0; j < columns; j += 1) turned[j * rows + i] = values[i * columns + j];
  return { shape: [columns, rows], values: turned };
}

// Measured and modelled markers in space, each pair joined by a line in the colour of its distance; drag to turn.
function cloudOf(place, result, most) {
  const { names, measured, modelled, error } = result.markers, frames = error.shape[1], axes = viewsOf(result.scene?.up ?? [0, 1, 0]);
  const { all, size } = extentOf({ points: { at: modelled } }), figure = makeFigure(256), picture = svg("svg", { class: "space" }), hint = make("div", "hover");
  let [turn, tilt] = axes.turns.oblique, frame = 0, camera = null, from = null;
  place.replaceChildren(picture, hint);
  picture.style.height = "100%";
  hint.hidden = true;
  const own = (i) => error.values[i * frames + frame];
  const draw = () => {
    const box = place.getBoundingClientRect(), [width, height] = [box.width || 480, box.height || 336];
    const [seen, made] = [measured, modelled].map((set) => row(set, frame)), ink = rgb(css("--ink")), blue = rgb(css("--link")), bone = rgb(css("--grid"));
    camera = cameraOf(turn, tilt, 2.4 * size, all[frame].middle, axes, width / height);
    figure.clear();
    if (result.scene?.dimensions === 3) result.scene.bones.forEach(([first, second]) => { const at = row(result.scene.points.at, frame); figure.add(triple(at, first), triple(at, second), 0.008 * size, 0.008 * size, bone); });
    names.forEach((_, i) => {
      const [a, b] = [triple(seen, i), triple(made, i)];
      figure.add(a, b, 0.005 * size, 0.005 * size, rgb(ramp(own(i) / (most || 1))));
      figure.add(b, b, 0.011 * size, 0.011 * size, blue, i);
      figure.add(a, a, 0.006 * size, 0.006 * size, ink, i);
    });
    flatten(picture, figure, camera, width, height);
  };
  picture.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; picture.setPointerCapture(event.pointerId); });
  picture.addEventListener("pointerup", () => { from = null; });
  picture.addEventListener("pointerleave", () => { hint.hidden = true; });
  picture.addEventListener("pointermove", (event) => {
    const box = place.getBoundingClientRect();
    if (from) {
      turn += 0.008 * (event.clientX - from[0]);
      tilt = Math.min(1.5, Math.max(-1.2, tilt + 0.008 * (event.clientY - from[1])));
      from = [event.clientX, event.clientY];
      return draw();
    }
    let [near, best] = [12, null];
    for (let k = 0; k < figure.count; k += 1) {
      if (figure.owner(k) === null) continue;
      const [x, y] = camera.project(figure.ends(k)[0], box.width, box.height), off = Math.hypot(box.left + x - event.clientX, box.top + y - event.clientY);
      if (off < near) [near, best] = [off, figure.owner(k)];
    }
    hint.hidden = best === null;
    if (best === null) return undefined;
    hint.textContent = `${names[best]}: ${Number.isFinite(own(best)) ? digits(own(best)) + " mm" : "not seen"}`;
    hint.style.left = `${event.clientX - box.left + 14}px`;
    hint.style.top = `${event.clientY - box.top - 8}px`;
    return undefined;
  });
  return { picture, show: (next) => { frame = next; draw(); } };
}

function markerTables(panel, markers, player) {
  const jump = (at) => {
    const button = make("button", "", `${digits(at)} s`);
    button.type = "button";
    button.addEventListener("click", () => player.pick(nearest(player.time, at)));
    return button;
  };
  const fill = (table, rows) => panel.querySelector(`${table} tbody`).replaceChildren(...rows.map((cells) => {
    const line = make("tr");
    cells.forEach((cell, k) => {
      const place = make(k ? "td" : "th", k ? "number" : "");
      if (!k) place.scope = "row";
      place.append(cell);
      line.append(place);
    });
    return line;
  }));
  fill(".worst", markers.worst.map(({ time, rms, marker, error }) => [jump(time), digits(rms), `${marker}, ${digits(error)} mm`]));
  const ranked = [...markers.markers].sort((a, b) => (b.mean ?? -1) - (a.mean ?? -1));
  fill(".each", ranked.map(({ name, mean, most, at, missing }) => [name, mean === null ? "" : digits(mean), most === null ? "" : digits(most), at === null ? "" : jump(at), `${digits(missing)} %`]));
  panel.querySelector(".limbs").hidden = !markers.segments.length;
  fill(".sizes", markers.segments.map(({ name, length, height, beside }) => {
    const apart = make("span", Math.abs(beside) > LIMB_APART ? "doubtful" : "", `${beside < 0 ? "−" : "+"}${Math.abs(beside).toFixed(1)} %`);
    return [name.replaceAll("_", " "), length.toFixed(3), height.toFixed(2), apart];
  }));
}
