// Tables as CSV, charts as SVG and PNG, text to the clipboard.
function download(name, content, type) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A spreadsheet would run a cell that begins like a formula; a blank before it keeps it a name.
const safeCell = (text) => (/^[=+@\t\r-]/.test(text) ? " " + text : text);
const quoted = (text) => (/[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text);
const fileName = (...parts) => parts.join(" ").replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/g, "").slice(0, 80) || "borelli";

const cell = (value) => (typeof value === "string" ? quoted(safeCell(value)) : Number.isFinite(value) ? value : "");

function csv(columns) {
  const lines = [columns.map(([name]) => quoted(safeCell(name))).join(",")];
  const length = Math.max(...columns.map(([, values]) => values.length));
  for (let i = 0; i < length; i += 1) {
    lines.push(columns.map(([, values]) => cell(values[i])).join(","));
  }
  return lines.join("\r\n") + "\r\n";
}

const saveTable = (name, columns) => download(`${name}.csv`, "\ufeff" + csv(columns), "text/csv");

function button(text, label, act) {
  const made = make("button", "small", text);
  made.type = "button";
  made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}

// Of what is on the page, or was drawn to be saved.
const sizeOf = (drawing) => [drawing.clientWidth || Number(drawing.getAttribute("width")), drawing.clientHeight || Number(drawing.getAttribute("height"))];

// A drawing with the looks that the page's style gives it, so that it stands alone.
function standalone(drawing) {
  const copy = drawing.cloneNode(true), [own, made] = [drawing, copy].map((each) => [each, ...each.querySelectorAll("*")]);
  own.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of ["fill", "stroke", "stroke-linecap", "stroke-linejoin", "opacity", "display", "font-size", "font-family", "text-anchor"]) made[i].style.setProperty(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", SVG);
  const [width, height] = sizeOf(drawing);
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  copy.style.background = css("--paper");
  return new XMLSerializer().serializeToString(copy);
}

async function saveDrawing(drawing, format, name) {
  if (drawing.tagName === "CANVAS" && format === "png") return drawing.toBlob((blob) => download(`${name}.png`, blob, "image/png"));
  if (drawing.tagName === "CANVAS") drawing = drawing.flat(); // as lines
  const text = standalone(drawing);
  if (format === "svg") return download(`${name}.svg`, text, "image/svg+xml");
  const picture = new Image(), canvas = make("canvas");
  picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  await picture.decode();
  [canvas.width, canvas.height] = sizeOf(drawing).map((side) => 2 * side);
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toBlob((blob) => download(`${name}.png`, blob, "image/png"));
}

// `charts` is a list of [plot, name]; `table` gives [name, columns].
function saveButtons(place, what, charts, table) {
  const of = ` of ${what}`;
  if (table) place.append(button("CSV", `Save the numbers${of} as CSV`, () => saveTable(...table())));
  for (const format of ["svg", "png"]) {
    place.append(button(format.toUpperCase(), `Save the pictures${of} as ${format.toUpperCase()}`, async () => {
      for (const [plot, name] of charts()) await saveDrawing(["svg", "CANVAS"].includes(plot.tagName) ? plot : Chart.pictureOf(plot), format, name);
    }));
  }
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", "", text);
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
