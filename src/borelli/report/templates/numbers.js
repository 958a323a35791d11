// What stands in letters on the page, five for every four bytes of a compressed block: the first letters of all these
// words, then their second and third ones, then their last two.
const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#%()*+,-.:;=?@[]^_{|}~";

function blockOf(id) {
  const text = document.getElementById(id).textContent, start = text.indexOf("/") + 1, words = (text.length - start) / 5;
  const digit = new Uint8Array(128), packed = new DataView(new ArrayBuffer(4 * words));
  for (let k = 0; k < 85; k += 1) digit[LETTERS.charCodeAt(k)] = k;
  const at = (place) => digit[text.charCodeAt(start + place)], pair = (place) => 85 * at(place) + at(place + 1);
  for (let i = 0; i < words; i += 1) {
    packed.setUint32(4 * i, 7225 * (7225 * at(i) + pair(words + 2 * i)) + pair(3 * words + 2 * i), true);
  }
  const small = new Blob([packed.buffer.slice(0, parseInt(text, 10))]);
  return new Response(small.stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

// The page's data: JSON for names, one block for numbers.
async function readPage() {
  const [names, block] = await Promise.all(["borelli-data", "borelli-numbers"].map(blockOf));
  const page = JSON.parse(new TextDecoder().decode(names));
  return page.results.map((result) => withDerived(withNumbers(result, block)));
}

// The size of a force, and its parts along and across a segment: shares are those of the components, projected.
function withDerived(result) {
  for (const output of result.outputs.filter((each) => each.parts)) {
    let made = null;
    const get = (key) => ({ get: () => (made ??= derived(result, output))[key], configurable: true });
    Object.defineProperties(output, { total: get("total"), heard: get("heard"), shares: get("shares") });
  }
  return result;
}

function derived(result, output) {
  const parts = output.parts.map((k) => result.outputs[k] ?? null), known = parts.filter(Boolean), n = result.time.values.length, axes = parts.length;
  const vector = (frame) => parts.map((part) => (part ? part.total.values[frame] : 0));
  const towards = (frame) => {
    let v = vector(frame);
    if (output.direction !== "resultant") {
      const axis = output.axis.values.subarray(axes * frame, axes * frame + axes), along = v.reduce((sum, x, k) => sum + x * axis[k], 0);
      if (output.direction === "axial") return Array.from(axis);
      v = v.map((x, k) => x - along * axis[k]);
    }
    const size = Math.hypot(...v);
    return v.map((x) => (size > 0 ? x / size : 0));
  };
  const total = Float64Array.from({ length: n }, (_, frame) => { const u = towards(frame); return vector(frame).reduce((sum, x, k) => sum + x * u[k], 0); });
  const heard = [...new Set(known.flatMap((part) => part.heard))].sort((a, b) => a - b), length = known[0].shares.shape[1];
  const directions = Array.from({ length }, (_, i) => towards(length === n ? i : result.drawn[i])), values = new Float64Array(heard.length * length);
  parts.forEach((part, k) => part?.heard.forEach((source, own) => {
    const place = heard.indexOf(source) * length, share = row(part.shares, own);
    for (let i = 0; i < length; i += 1) values[place + i] += share[i] * directions[i][k];
  }));
  return { total: { shape: [n], values: total }, heard, shares: { shape: [heard.length, length], values } };
}

// Every reference {at, shape, kind} becomes {shape, values}; what nobody looks at is never unpacked.
function withNumbers(part, block) {
  if (Array.isArray(part)) return typeof part[0] === "object" ? part.map((each) => withNumbers(each, block)) : part;
  if (part === null || typeof part !== "object") return part;
  if (part.kind !== undefined && part.at !== undefined && Array.isArray(part.shape)) {
    const count = part.shape.reduce((product, size) => product * size, 1);
    const read = () => (part.kind === "d4" ? curvesAt(block, part) : numbersAt(block, part.at, count, part.kind));
    let values = null;
    return { shape: part.shape, get values() { return (values ??= read()); } };
  }
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withNumbers(value, block)]));
}

// The first bytes of all numbers lie together, then the second ones, and so on.
function numbersAt(block, at, count, kind) {
  const width = Number(kind[1]), parts = new Uint8Array(block, at, count * width), bytes = new Uint8Array(count * width);
  for (let place = 0; place < width; place += 1) {
    for (let i = 0; i < count; i += 1) bytes[i * width + place] = parts[place * count + i];
  }
  return new { f8: Float64Array, f4: Float32Array, u2: Uint16Array }[kind](bytes.buffer);
}

// Curves in whole steps, told by their differences; `rows` numbers them from 1, turned round where negative.
function curvesAt(block, { at, shape, heads, rows, turned }) {
  const known = numbersAt(block, heads.at, heads.shape[0], "u2"), length = turned ? shape[0] : shape[1], count = known.length * length;
  const bytes = new Uint8Array(block, at, 4 * count), wanted = rows ?? Array.from(known, (_, k) => k + 1), n = wanted.length;
  const values = new (turned ? Float32Array : Float64Array)(n * length), [along, across] = turned ? [n, 1] : [1, length];
  wanted.forEach((signed, k) => {
    const curve = Math.abs(signed) - 1, head = known[curve], order = head % 4, step = Math.sign(signed) * 2 ** ((head >> 2) - 2048), sums = [0, 0, 0];
    for (let i = 0, place = curve * length; i < length; i += 1, place += 1) {
      const code = bytes[place] + 256 * bytes[count + place] + 65536 * bytes[2 * count + place] + 16777216 * bytes[3 * count + place];
      let left = code % 2 ? -(code + 1) / 2 : code / 2;
      if (code !== 4294967295) for (let j = 0; j < order; j += 1) left = sums[j] += left;
      values[i * along + k * across] = code === 4294967295 ? NaN : step * left;
    }
  });
  return values;
}

function row(array, index) {
  const length = array.shape.slice(1).reduce((product, size) => product * size, 1);
  return array.values.subarray(index * length, (index + 1) * length);
}

// The drawn frames of a curve, which has either all frames or those alone.
const drawnOf = (result, curve) => (curve.length === result.drawn.length ? Array.from(curve) : result.drawn.map((frame) => curve[frame]));
const drawnTime = (result) => drawnOf(result, result.time.values);

// Shares added up by group, the largest first; what is beyond `most` is added up in the last. The sum is kept.
function layersOf(result, output, key, most = 10) {
  const grouping = result.groupings.find((each) => each.key === key);
  const sums = new Map();
  output.heard.forEach((source, k) => {
    const group = grouping.of[source], share = drawnOf(result, row(output.shares, k));
    const sum = sums.get(group);
    sums.set(group, sum ? sum.map((value, i) => value + share[i]) : share);
  });
  const ranked = [...sums].map(([group, values]) => ({ name: (grouping.labels ?? grouping.names)[group], colour: grouping.colours[group], values }))
    .sort((a, b) => largestOf(b.values) - largestOf(a.values));
  if (ranked.length <= most) return ranked;
  const rest = ranked.splice(most - 1);
  const values = rest[0].values.map((_, i) => rest.reduce((sum, layer) => sum + layer.values[i], 0));
  return [...ranked, { name: `all others (${rest.length})`, colour: "#999999", values, rest: true }];
}
