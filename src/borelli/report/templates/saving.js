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

async function saveChart(plot, format, name) {
  const address = await Plotly.toImage(plot, { format, width: plot.clientWidth || 800, height: plot.clientHeight || 450, scale: format === "png" ? 2 : 1 });
  if (format === "svg") {
    download(`${name}.svg`, decodeURIComponent(address.slice(address.indexOf(",") + 1)), "image/svg+xml");
  } else {
    const letters = atob(address.slice(address.indexOf(",") + 1));
    download(`${name}.png`, Uint8Array.from(letters, (letter) => letter.charCodeAt(0)), "image/png");
  }
}

// `charts` is a list of [plot, name]; `table` gives [name, columns].
function saveButtons(place, what, charts, table) {
  const of = ` of ${what}`;
  if (table) place.append(button("CSV", "Save the numbers" + of, () => saveTable(...table())));
  for (const format of ["svg", "png"]) {
    place.append(button(format.toUpperCase(), `Save the pictures${of} as ${format.toUpperCase()}`, async () => {
      for (const [plot, name] of charts()) await saveChart(plot, format, name);
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
