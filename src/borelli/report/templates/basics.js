// Elements, numbers as text, colours of the page.
const SVG = "http://www.w3.org/2000/svg";
const darkMode = window.matchMedia("(prefers-color-scheme: dark)");
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Texts are put into elements as text, never as markup.
const literal = (text) => text;

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function svg(tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function fillSelect(select, options) {
  select.replaceChildren(...options.map(([value, text]) => {
    const option = make("option", "", text);
    option.value = value;
    return option;
  }));
}

const digits = (value) =>
  Number.isFinite(value) ? Number(value.toPrecision(4)).toString().replace("-", "−") : "no number";

const largestOf = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 0);

// Cividis (Nuñez et al. 2018), which readers with and without colour blindness see alike.
const CIVIDIS = [[0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115],
  [138, 134, 120], [165, 156, 116], [195, 179, 105], [225, 204, 85], [254, 232, 56]];
const CIVIDIS_SCALE = CIVIDIS.map((c, k) => [k / (CIVIDIS.length - 1), `rgb(${c.join(",")})`]);

function mixed(colours, fraction) {
  const place = Math.min(1, Math.max(0, fraction || 0)) * (colours.length - 1);
  const low = Math.min(colours.length - 2, Math.floor(place));
  return `rgb(${colours[low].map((c, k) => Math.round(c + (colours[low + 1][k] - c) * (place - low))).join(",")})`;
}

// How hard a muscle works: from what fades into the paper to what stands out from it, by lightness first of all.
const RAMPS = {
  light: [[180, 188, 197], [230, 159, 0], [160, 40, 0]],
  dark: [[78, 88, 100], [213, 130, 40], [255, 238, 150]],
};
const rampNow = () => RAMPS[darkMode.matches ? "dark" : "light"];
const rampScale = () => rampNow().map((c, k, all) => [k / (all.length - 1), `rgb(${c.join(",")})`]);
const ramp = (fraction) => mixed(rampNow(), fraction);

// Colours after Okabe and Ito (2008), for curves that have none of their own.
const HUES = {
  light: ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#8C6D00", "#777777"],
  dark: ["#56B4E9", "#E69F00", "#2BC49A", "#F0803C", "#E29AC3", "#3D8FD1", "#D6B84A", "#B0B0B0"],
};
const hue = (number) => HUES[darkMode.matches ? "dark" : "light"][number % HUES.light.length];
const DASHES = ["solid", "dash", "dot", "dashdot"];

const nearest = (values, wanted) => values.reduce((best, each, i) => (Math.abs(each - wanted) < Math.abs(values[best] - wanted) ? i : best), 0);

// Titles of both axes; the rest says what else is drawn: marks, rows with names, a legend.
function chartLayout(xTitle, yTitle, more = {}) {
  const { xaxis, yaxis, ...rest } = more;
  return { xaxis: { title: { text: xTitle }, ...xaxis }, yaxis: { title: { text: yTitle }, ...yaxis }, ...rest };
}

const LEGEND_BELOW = { showlegend: true };

function describe(plot, words) {
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", words);
}
