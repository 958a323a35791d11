// What a body feels in one posture: torques, reactions, compression and shear, each split into its sources.
// Planar vectors are pairs [x, y]. The closed form itself is the printed equation of Borelli, EQUATIONS[n].

const plus = (a, b) => [a[0] + b[0], a[1] + b[1]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1]];
const times = (s, a) => [s * a[0], s * a[1]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
const cross = (a, b) => a[0] * b[1] - a[1] * b[0];
const turned = (a, u) => [a[0] * u[0] - a[1] * u[1], a[0] * u[1] + a[1] * u[0]];
const size = (a) => Math.hypot(a[0], a[1]);

// Closer than this (m) the direction of a line is decided by round-off.
const SHORTEST_LINE = 1e-9;

// The same body of another size: masses go with `heavier`, lengths with `larger`, inertias with heavier larger².
function scaledBody(body, heavier, larger) {
  const place = (p) => times(larger, p);
  return {
    ...body,
    base: {
      position: place(body.base.position), mass: heavier * body.base.mass, com: place(body.base.com),
      floor: larger * body.base.floor,
    },
    links: body.links.map((link) => ({
      ...link, length: larger * link.length, mass: heavier * link.mass,
      inertia: heavier * larger * larger * link.inertia, com: place(link.com),
    })),
    muscles: body.muscles.map((muscle) => ({
      ...muscle, path: muscle.path.map(([link, point]) => [link, place(point)]),
    })),
    loads: body.loads.map((load) => ({
      ...load,
      ...(load.point && { point: place(load.point) }),
      ...(load.anchor && { anchor: place(load.anchor) }),
      ...(load.restLength && { restLength: larger * load.restLength }),
    })),
    foot: body.foot && place(body.foot),
    shapes: body.shapes.map((shape) => ({
      ...shape, start: place(shape.start), end: place(shape.end), radii: place(shape.radii),
    })),
    scale: larger,
  };
}

// The body with what the reader has set: size, loads, directions. `settings` has one object for each load's name.
function bodyOf(body, situation) {
  const whole = scaledBody(body, situation.heavier ?? 1, situation.larger ?? 1);
  const loads = whole.loads.map((load) => {
    const set = situation.loads?.[load.name];
    if (!set) return load;
    const changed = { ...load };
    for (const key of ["mass", "stiffness", "stackMass", "moment"]) if (key in set) changed[key] = set[key];
    if ("force" in set) changed.force = withSize(load.force, set.force);
    if ("direction" in set) changed.anchor = around(whole, body, load, set.direction);
    return changed;
  });
  return { ...whole, loads };
}

const withSize = (force, wanted) => (size(force) ? times(wanted / size(force), force) : [0, -wanted]);

function pivotOf(body, load) {
  return body.sliders.find((slider) => slider.load === load.name && slider.key === "direction").pivot;
}

function around(whole, body, load, degrees) {
  const pivot = times(whole.scale, pivotOf(body, load));
  const distance = size(minus(load.anchor, pivot));
  const angle = (degrees * Math.PI) / 180;
  return plus(pivot, [distance * Math.cos(angle), distance * Math.sin(angle)]);
}

function directionOf(body, load) {
  const [x, y] = minus(load.anchor, pivotOf(body, load));
  return (Math.atan2(y, x) * 180) / Math.PI;
}

// Where everything is, and how it moves: joints (the end of the chain last) and unit vectors along the links.
function poseOf(body, motion) {
  const still = motion.angle.map(() => 0);
  const { angle, velocity = still, acceleration = still } = motion;
  const turn = angle.map((a) => [Math.cos(a), Math.sin(a)]);
  const joint = [body.base.position];
  const jointVelocity = [[0, 0]];
  const jointAcceleration = [[0, 0]];
  body.links.forEach((link, k) => {
    const step = times(link.length, turn[k]);
    const across = [-step[1], step[0]];
    joint.push(plus(joint[k], step));
    jointVelocity.push(plus(jointVelocity[k], times(velocity[k], across)));
    const bent = plus(times(acceleration[k], across), times(-velocity[k] * velocity[k], step));
    jointAcceleration.push(plus(jointAcceleration[k], bent));
  });
  return { angle, velocity, acceleration, turn, joint, jointVelocity, jointAcceleration };
}

// Link 0 is the base, whose points are given in the world.
const pointOf = (pose, link, local) =>
  (link === 0 ? local : plus(pose.joint[link - 1], turned(local, pose.turn[link - 1])));

function pointMotion(pose, link, local) {
  if (link === 0) return { velocity: [0, 0], acceleration: [0, 0] };
  const arm = turned(local, pose.turn[link - 1]);
  const across = [-arm[1], arm[0]];
  const rate = pose.velocity[link - 1];
  const bent = plus(times(pose.acceleration[link - 1], across), times(-rate * rate, arm));
  return {
    velocity: plus(pose.jointVelocity[link - 1], times(rate, across)),
    acceleration: plus(pose.jointAcceleration[link - 1], bent),
  };
}

// Force of a load on its link, in the world (N); as of Weight, Spring, Band and Cable of Borelli.
function forceOf(body, pose, load) {
  if (load.kind === "contact") return load.turns ? turned(load.force, pose.turn[load.link - 1]) : load.force;
  const { velocity, acceleration } = pointMotion(pose, load.link, load.point);
  if (load.kind === "weight") return times(load.mass, minus(body.gravity, acceleration));
  const away = minus(pointOf(pose, load.link, load.point), load.anchor);
  const length = size(away);
  if (length < SHORTEST_LINE) return [0, 0];
  const out = times(1 / length, away);
  const rate = dot(out, velocity);
  let pull;
  if (load.kind === "cable") {
    const bend = dot(out, acceleration) + (dot(velocity, velocity) - rate * rate) / length;
    const carried = load.carried ? load.stackMass / load.ratio ** 2 : 0;
    pull = (load.stackMass * size(body.gravity)) / load.ratio + carried * bend;
  } else {
    const taut = load.kind === "spring" || length > load.restLength;
    pull = taut ? load.stiffness * (length - load.restLength) + load.damping * rate : 0;
  }
  if (load.kind !== "spring") pull = Math.max(pull, 0);
  return times(-pull, out);
}

// Pull of every muscle across every joint for each newton of its tension, and its moment arm there (m).
function muscleAction(body, pose) {
  return body.muscles.map((muscle) => {
    const arm = body.links.map(() => 0);
    const pull = body.links.map(() => [0, 0]);
    const points = muscle.path.map(([link, local]) => [link, pointOf(pose, link, local)]);
    let length = 0;
    for (let i = 1; i < points.length; i += 1) {
      let [[linkA, a], [linkB, b]] = [points[i - 1], points[i]];
      const distance = size(minus(a, b));
      length += distance;
      if (linkA === linkB || distance < SHORTEST_LINE) continue;
      if (linkA > linkB) [linkA, a, linkB, b] = [linkB, b, linkA, a];
      const force = times(1 / distance, minus(a, b));
      for (let k = linkA; k < linkB; k += 1) {
        pull[k] = plus(pull[k], force);
        arm[k] += cross(minus(b, pose.joint[k]), force);
      }
    }
    return { arm, pull, length, points: points.map(([, place]) => place) };
  });
}

// The arguments of the printed equations: gravity turned to -y, mass centres and contacts in polar form.
function equationArguments(body, pose, tilt) {
  return {
    theta: pose.angle.map((angle) => angle - tilt),
    thetad: pose.velocity,
    thetadd: pose.acceleration,
    m: body.links.map((link) => link.mass),
    I: body.links.map((link) => link.inertia),
    l: body.links.map((link) => link.length),
    lC: body.links.map((link) => size(link.com)),
    eps: body.links.map((link) => Math.atan2(link.com[1], link.com[0])),
    g: size(body.gravity),
  };
}

const tiltOf = (gravity) => (size(gravity) ? Math.atan2(gravity[1], gravity[0]) + Math.PI / 2 : 0);

// The equations have one contact a link: loads on the same link take turns.
function rounds(loads) {
  const found = [[]];
  for (const load of loads) {
    let round = found.find((each) => each.every((other) => other.link !== load.link));
    if (!round) found.push((round = []));
    round.push(load);
  }
  return found;
}

// Shares of torque (N m) and of the reaction on the distal link (N, [x, y]), by joint and source, muscles not yet.
function externalShares(body, pose, forces) {
  const n = body.links.length;
  const tilt = tiltOf(body.gravity);
  const back = [Math.cos(tilt), Math.sin(tilt)];
  const given = equationArguments(body, pose, tilt);
  const torque = body.links.map(() => ({}));
  const reaction = body.links.map(() => ({}));
  const take = (answer, label, source) => {
    for (let k = 0; k < n; k += 1) {
      const x = answer.phiShares[k].x[label];
      const y = answer.phiShares[k].y[label];
      torque[k][source] = answer.tauShares[k][label] ?? 0;
      reaction[k][source] = turned([-(x ?? 0), -(y ?? 0)], back);
    }
  };
  const pushing = forces.filter(({ load }) => load.kind !== "couple" && load.link > 0);
  rounds(pushing.map(({ load, force }) => ({ load, force, link: load.link }))).forEach((round, number) => {
    const nothing = body.links.map(() => 0);
    const contact = { R: [...nothing], lR: [...nothing], eR: [...nothing], gR: [...nothing] };
    for (const { load, force, link } of round) {
      contact.R[link - 1] = size(force);
      contact.lR[link - 1] = size(load.point);
      contact.eR[link - 1] = Math.atan2(load.point[1], load.point[0]);
      contact.gR[link - 1] = Math.atan2(force[1], force[0]) - pose.angle[link - 1];
    }
    const answer = EQUATIONS[n]({ ...given, ...contact });
    if (number === 0) {
      for (const kind of ["weight", "acceleration", "velocity"]) {
        body.links.forEach((link, i) => take(answer, `${kind}:${i + 1}`, `${kind}:${link.name}`));
      }
    }
    for (const { load, link } of round) take(answer, `load:${link}`, `load:${load.name}`);
  });
  for (const { load } of forces) {
    if (load.kind !== "couple" && load.link > 0) continue;
    for (let k = 0; k < n; k += 1) {
      torque[k][`load:${load.name}`] = load.kind === "couple" && k < load.link ? -load.moment : 0;
      reaction[k][`load:${load.name}`] = [0, 0];
    }
  }
  return { torque, reaction };
}

// The ground's support of the base, and where on the floor it acts; null where nothing presses.
function supportOf(body, pose, forces, torque, reaction) {
  const own = times(-body.base.mass, body.gravity);
  let force = plus(reaction, own);
  let moment = torque + cross(minus(body.base.com, body.base.position), own);
  for (const { load, force: push } of forces) {
    if (load.link !== 0) continue;
    if (load.kind === "couple") moment -= load.moment;
    else {
      force = minus(force, push);
      moment -= cross(minus(load.point, body.base.position), push);
    }
  }
  const g = size(body.gravity);
  const up = g ? times(-1 / g, body.gravity) : [0, 1];
  const along = [up[1], -up[0]];
  const below = times(body.base.floor, up);
  const pressure = cross(along, force);
  if (Math.abs(pressure) <= 1e-9 * size(force)) return { force, moment, centre: null };
  const reach = (moment - cross(minus(below, body.base.position), force)) / pressure;
  return { force, moment, centre: plus(below, times(reach, along)) };
}

const sumOf = (shares) => Object.values(shares).reduce((sum, share) => sum + share, 0);

// Everything about one situation: { angle, velocity, acceleration, heavier, larger, loads, muscles, off }.
// `muscles` is "shared", "given" or "none"; `off` lists muscles that do not pull; `axes` is "distal" or "proximal".
function answerOf(original, situation) {
  const body = bodyOf(original, situation);
  const pose = poseOf(body, situation);
  const forces = body.loads.map((load) => ({
    load, force: load.kind === "couple" ? [0, 0] : forceOf(body, pose, load),
    place: load.point ? pointOf(pose, load.link, load.point) : pointOf(pose, load.link, [0, 0]),
  }));
  const { torque: torqueShare, reaction: reactionShare } = externalShares(body, pose, forces);
  const torque = torqueShare.map(sumOf);
  const net = reactionShare.map((shares) => Object.values(shares).reduce(plus, [0, 0]));
  const action = muscleAction(body, pose);
  const optimum = tensionsOf(body, situation, action, torque);
  body.muscles.forEach((muscle, m) => {
    body.links.forEach((_, k) => {
      torqueShare[k][`muscle:${muscle.name}`] = 0;
      reactionShare[k][`muscle:${muscle.name}`] = times(-optimum.tension[m], action[m].pull[k]);
    });
  });
  const reaction = reactionShare.map((shares) => Object.values(shares).reduce(plus, [0, 0]));
  // Along the link beyond the joint, or the one before it; the base has no axis, so that the first link's stands in.
  const axes = situation.axes ?? body.axes;
  const axis = body.links.map((_, k) => pose.turn[axes === "proximal" ? Math.max(k - 1, 0) : k]);
  const along = (k, vector) => dot(axis[k], vector);
  const across = (k, vector) => cross(axis[k], vector);
  const projected = (part) => reactionShare.map((shares, k) => {
    const found = {};
    for (const source in shares) found[source] = part(k, shares[source]);
    return found;
  });
  const direction = reaction.map((vector) => (size(vector) ? times(1 / size(vector), vector) : [0, 0]));
  return {
    body, pose, forces, axes, action, torque, torqueShare, reaction, reactionShare, ...optimum,
    muscleTorque: body.links.map((_, k) => action.map((each, m) => each.arm[k] * optimum.tension[m])),
    compression: reaction.map((vector, k) => along(k, vector)), compressionShare: projected(along),
    shear: reaction.map((vector, k) => across(k, vector)), shearShare: projected(across),
    resultant: reaction.map(size), resultantShare: projected((k, vector) => dot(direction[k], vector)),
    support: supportOf(body, pose, forces, torque[0], net[0]),
    weight: original.mass === null ? null : original.mass * (situation.heavier ?? 1) * size(body.gravity),
  };
}
