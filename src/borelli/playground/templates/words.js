// Numbers and sentences. Nothing here touches the page.

const SAID = { forearm_hand: "forearm with hand" };
const plain = (name) => SAID[name] ?? name.replaceAll("_", " ");
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const QUANTITIES = {
  compression: { title: "Compression", unit: "N" },
  shear: { title: "Shear", unit: "N" },
  resultant: { title: "Joint force", unit: "N" },
  torque: { title: "Torque", unit: "N m" },
};

function rounded(value) {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "\u2212");
}

// A force or torque with its unit; forces in times body weight where that is chosen and known.
function measured(value, quantity, answer, unit) {
  if (quantity !== "torque" && unit === "bw" && answer.weight) return `${(value / answer.weight).toFixed(2).replace("-", "\u2212")} × body weight`;
  return `${rounded(value)} ${QUANTITIES[quantity].unit}`;
}

const distance = (value) => `${(100 * Math.abs(value)).toFixed(Math.abs(value) < 0.1 ? 1 : 0)} cm`;
const percent = (part, whole) => `${Math.round((100 * part) / whole)} %`.replace("-", "\u2212");

// Between body and situation there is no doubt which link, load or muscle is meant: sources say their kind.
function sourceWords(source) {
  const [kind, ...rest] = source.split(":");
  const name = plain(rest.join(":"));
  const words = {
    weight: `weight of the ${name}`, load: name, acceleration: `acceleration of the ${name}`,
    velocity: `velocity of the ${name}`, muscle: name,
  };
  return words[kind] ?? source;
}

const kindOf = (source) => source.split(":")[0];
const nameOf = (source) => source.slice(source.indexOf(":") + 1);

// Shares of a quantity at a joint, the largest first; what has no part is left out.
function ranked(answer, quantity, joint) {
  const shares = Object.entries(answer[`${quantity}Share`][joint]).filter(([, value]) => Math.abs(value) > 1e-9);
  return shares.map(([source, value]) => ({ source, value })).sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
}

// The force behind a share, where it acts, and how far from the joint it passes (m, signed by its torque).
function momentArmOf(answer, joint, source) {
  const { body, pose } = answer;
  const name = nameOf(source);
  const about = pose.joint[joint];
  if (kindOf(source) === "weight") {
    const link = body.links.findIndex((each) => each.name === name);
    if (link < joint) return null;
    const place = pointOf(pose, link + 1, body.links[link].com);
    return withMomentArm(about, place, times(body.links[link].mass, body.gravity));
  }
  if (kindOf(source) === "load") {
    const found = answer.forces.find(({ load }) => load.name === name);
    if (!found || found.load.kind === "couple" || found.load.link <= joint) return null;
    return withMomentArm(about, found.place, found.force);
  }
  if (kindOf(source) === "muscle") {
    const m = body.muscles.findIndex((each) => each.name === name);
    return { force: answer.tension[m], momentArm: answer.action[m].arm[joint], muscle: m };
  }
  return null;
}

function withMomentArm(about, place, vector) {
  const force = size(vector);
  return force ? { force, momentArm: cross(minus(place, about), vector) / force, place, vector } : null;
}

// The muscle that delivers most of the torque at a joint; null where none does.
function strongest(answer, joint) {
  const wanted = Math.sign(answer.torque[joint]);
  let best = null;
  answer.muscleTorque[joint].forEach((torque, m) => {
    if (torque * wanted > 1e-6 && (best === null || torque * wanted > answer.muscleTorque[joint][best] * wanted)) best = m;
  });
  return best;
}

function because(answer, joint, { source, value }) {
  const found = momentArmOf(answer, joint, source);
  const whole = answer.torque[joint];
  const words = `${sourceWords(source)}, ${rounded(Math.abs(value))} N m (${percent(value, whole)})`;
  if (!found || kindOf(source) === "muscle") return words;
  return `${sourceWords(source)}: ${rounded(found.force)} N with a moment arm of ${distance(found.momentArm)} make ${rounded(Math.abs(value))} N m (${percent(value, whole)})`;
}

function torqueReason(answer, joint) {
  const name = plain(answer.body.links[joint].joint);
  const whole = answer.torque[joint];
  const shares = ranked(answer, "torque", joint);
  if (!shares.length || Math.abs(whole) < 0.5) return `The ${name} needs almost no torque here: the loads on it balance each other.`;
  const [first, second] = shares.filter(({ value }) => value * whole > 0);
  const against = shares.find(({ value }) => value * whole < 0 && Math.abs(value) > 0.1 * Math.abs(whole));
  let text = `Holding the ${name} takes ${rounded(Math.abs(whole))} N m. Most of it comes from the ${because(answer, joint, first)}`;
  if (second && Math.abs(second.value) > 0.05 * Math.abs(whole)) text += `, then from the ${because(answer, joint, second)}`;
  text += ".";
  if (against) text += ` The ${sourceWords(against.source)} reduces it by ${rounded(Math.abs(against.value))} N m.`;
  return text;
}

function forceReason(answer, joint, quantity, unit) {
  const { body } = answer;
  const name = plain(body.links[joint].joint);
  const whole = answer[quantity][joint];
  const shares = ranked(answer, quantity, joint);
  const verbs = { compression: whole < 0 ? "is pulled apart by" : "is pressed together by", shear: "is sheared by", resultant: "bears" };
  let text = `The ${name} ${verbs[quantity]} ${measured(Math.abs(whole), quantity, answer, unit)}.`;
  if (!shares.length) return text;
  const muscles = shares.filter(({ source }) => kindOf(source) === "muscle").reduce((sum, { value }) => sum + value, 0);
  const best = strongest(answer, joint);
  if (best !== null && quantity !== "shear" && muscles / whole > 0.3) {
    const arm = Math.abs(answer.action[best].arm[joint]);
    const load = ranked(answer, "torque", joint).find(({ source, value }) => value * answer.torque[joint] > 0 && momentArmOf(answer, joint, source));
    const far = load && momentArmOf(answer, joint, load.source);
    text += ` ${percent(muscles, whole)} of that comes from muscles: they must balance ${rounded(Math.abs(answer.torque[joint]))} N m with short moment arms.`;
    text += ` Moment arm of the ${plain(body.muscles[best].name)}: ${distance(arm)}, pull ${rounded(answer.tension[best])} N`;
    text += far && Math.abs(far.momentArm) > arm ? `; moment arm of the ${sourceWords(load.source)}: ${distance(far.momentArm)}, ${(Math.abs(far.momentArm) / arm).toFixed(1)} times as long.` : ".";
    return text;
  }
  const [first, second] = shares;
  text += ` The largest share comes from the ${sourceWords(first.source)}: ${rounded(first.value)} N (${percent(first.value, whole)})`;
  if (second) text += `, then from the ${sourceWords(second.source)}: ${rounded(second.value)} N (${percent(second.value, whole)})`;
  return `${text}.`;
}

const why = (answer, joint, quantity, unit) =>
  (quantity === "torque" ? torqueReason(answer, joint) : forceReason(answer, joint, quantity, unit));

// What the muscles cannot do, and whether the body would fall: notes that matter before any number does.
function cautions(answer) {
  const notes = [];
  const { body, support } = answer;
  if (answer.how === "shared") {
    body.links.forEach((link, k) => {
      if (Math.abs(answer.left[k]) > Math.max(10 * body.reserves[k], 0.02 * Math.abs(answer.torque[k]))) {
        notes.push(`The muscles cannot hold the ${plain(link.joint)}: ${rounded(Math.abs(answer.left[k]))} N m are missing. The forces shown leave out the muscle pull that this would take. Reduce the load, change the posture or switch muscles on.`);
      }
    });
  }
  if (body.foot && support.centre) {
    const [heel, toe] = body.foot;
    const at = support.centre[0];
    if (at > toe) notes.push(`The body would fall forward: the centre of pressure is ${rounded(100 * (at - toe))} cm in front of the toes. Shift weight backward.`);
    if (at < heel) notes.push(`The body would fall backward: the centre of pressure is ${rounded(100 * (heel - at))} cm behind the heel. Shift weight forward.`);
  }
  return notes;
}

// Shares of both situations and their difference, what differs most first.
function differences(a, b, quantity, joint) {
  const [first, second] = [a, b].map((answer) => answer[`${quantity}Share`][joint]);
  const sources = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  const rows = sources.map((source) => ({
    source, a: first[source] ?? 0, b: second[source] ?? 0, change: (second[source] ?? 0) - (first[source] ?? 0),
    momentArms: [a, b].map((answer) => momentArmOf(answer, joint, source)?.momentArm ?? null),
  }));
  return rows.filter((row) => Math.abs(row.a) + Math.abs(row.b) > 1e-9).sort((x, y) => Math.abs(y.change) - Math.abs(x.change));
}

function momentArmChange(row) {
  const [from, to] = row.momentArms;
  if (from === null || to === null || Math.abs(Math.abs(from) - Math.abs(to)) < 0.005) return "";
  const shorter = Math.abs(to) < Math.abs(from);
  return ` because its moment arm is ${distance(Math.abs(from) - Math.abs(to))} ${shorter ? "shorter" : "longer"} (${distance(from)} → ${distance(to)})`;
}

function differenceReason(a, b, joint, quantity, unit) {
  const name = plain(a.body.links[joint].joint);
  const change = Math.abs(b[quantity][joint]) - Math.abs(a[quantity][joint]);
  const title = QUANTITIES[quantity].title.toLowerCase();
  if (Math.abs(change) < 1e-6 * Math.max(1, Math.abs(a[quantity][joint]))) return `A and B have the same ${title} at the ${name}.`;
  const before = Math.abs(a[quantity][joint]);
  const share = before > 1e-9 ? ` (${change < 0 ? "\u2212" : "+"}${Math.round(Math.abs((100 * change) / before))} %)` : "";
  let text = `The ${title} at the ${name} is ${measured(Math.abs(change), quantity, b, unit)} ${change < 0 ? "less" : "more"} in B than in A${share}.`;
  // Torques may turn either way: here "more" is away from nothing.
  const turning = (row) => ({ ...row, change: row.change * (b.torque[joint] < 0 && a.torque[joint] < 0 ? -1 : 1) });
  const rows = differences(a, b, quantity, joint);
  const top = (quantity === "torque" ? rows.map(turning) : rows).filter((row) => Math.abs(row.change) > 0.1 * Math.abs(rows[0].change)).slice(0, 3);
  const sign = (value) => (value < 0 ? "" : "+");
  const unitOf = QUANTITIES[quantity].unit;
  text += ` ${capital(top.map((row) => `${sourceWords(row.source)} ${sign(row.change)}${rounded(row.change)} ${unitOf}${quantity === "torque" ? momentArmChange(row) : ""}`).join(", "))}.`;
  if (quantity !== "torque") {
    const causes = differences(a, b, "torque", joint).map(turning).slice(0, 2).filter((row) => Math.abs(row.change) > 1);
    const less = Math.abs(b.torque[joint]) - Math.abs(a.torque[joint]);
    if (causes.length && Math.abs(less) > 1) {
      text += ` The muscles pull ${less < 0 ? "less" : "more"} because the joint needs ${rounded(Math.abs(b.torque[joint]))} N m instead of ${rounded(Math.abs(a.torque[joint]))} N m: `;
      text += `${causes.map((row) => `the ${sourceWords(row.source)} ${sign(row.change)}${rounded(row.change)} N m${momentArmChange(row)}`).join("; ")}.`;
    }
  }
  return text;
}

// Text of a lesson with the numbers of the moment: {A.knee.compression}, {B.effort}, {A.box.arm@knee}.
function filled(text, answers, unit) {
  return text.replace(/\{([AB])\.([a-z_]+)(?:\.([a-z]+))?(?:@([a-z_]+))?\}/g, (whole, which, name, what, at) => {
    const answer = answers[which === "A" ? 0 : 1];
    if (!answer) return "…";
    if (name === "effort") return answer.effort === null ? "…" : answer.effort.toFixed(2);
    const muscle = answer.body.muscles.findIndex((each) => each.name === name);
    const jointOf = (joint) => answer.body.links.findIndex((link) => link.joint === joint);
    if (muscle >= 0) return what === "arm" ? distance(answer.action[muscle].arm[jointOf(at)]) : `${rounded(answer.tension[muscle])} N`;
    if (what === "arm") return distance(momentArmOf(answer, jointOf(at), `load:${name}`)?.momentArm ?? 0);
    const joint = jointOf(name);
    return joint < 0 ? whole : measured(Math.abs(answer[what][joint]), what, answer, unit);
  });
}
