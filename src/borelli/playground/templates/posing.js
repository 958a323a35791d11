// How a body is moved: by one link, or with all links before it; joints stay within their ranges.

const FULL_TURN = 2 * Math.PI;

// The angle nearest to another one, whole turns apart.
const nearest = (angle, to) => angle + FULL_TURN * Math.round((to - angle) / FULL_TURN);
const between = (value, [least, most]) => Math.min(Math.max(value, least), most);

// Absolute angles with every joint within its range: links beyond one that is held back are carried along.
function withinRanges(body, angles) {
  const kept = [];
  angles.forEach((angle, k) => {
    const before = k ? kept[k - 1] : 0;
    const apart = angle - before;
    const allowed = between(apart, body.links[k].range);
    kept.push(allowed === apart ? angle : before + allowed);
  });
  return kept;
}

// Turn one link so that it points at a place; those beyond keep their directions.
function pointed(body, pose, link, place) {
  const [x, y] = minus(place, pose.joint[link]);
  const angles = [...pose.angle];
  angles[link] = nearest(Math.atan2(y, x), angles[link]);
  return withinRanges(body, angles);
}

// Move the end of a link to a place with all links up to it, the nearer ones first: damped least squares.
function reached(body, pose, link, place) {
  let angles = [...pose.angle];
  const whole = body.links.slice(0, link + 1).reduce((sum, each) => sum + each.length, 0);
  for (let round = 0; round < 60; round += 1) {
    const now = poseOf(body, { angle: angles });
    let off = minus(place, now.joint[link + 1]);
    if (size(off) < 1e-4 * whole) break;
    // Steps are short, so that a place out of reach is stretched for and not jumped past.
    if (size(off) > 0.05 * whole) off = times((0.05 * whole) / size(off), off);
    const columns = angles.map((_, j) => {
      if (j > link) return [0, 0];
      const own = times(body.links[j].length, now.turn[j]);
      return [-own[1], own[0]];
    });
    const ease = angles.map((_, j) => (j > link ? 0 : 0.45 ** (link - j)));
    let [xx, xy, yy] = [1e-3 * whole * whole, 0, 1e-3 * whole * whole];
    columns.forEach(([x, y], j) => { xx += ease[j] * x * x; xy += ease[j] * x * y; yy += ease[j] * y * y; });
    const det = xx * yy - xy * xy;
    const [fx, fy] = [(yy * off[0] - xy * off[1]) / det, (xx * off[1] - xy * off[0]) / det];
    angles = withinRanges(body, angles.map((angle, j) => angle + ease[j] * (columns[j][0] * fx + columns[j][1] * fy)));
  }
  return angles;
}

// Minimum-jerk movement between two postures (Flash & Hogan 1985): angles, velocities and accelerations at a time.
function moved(start, end, duration, time) {
  const s = Math.min(Math.max(time / duration, 0), 1);
  const way = end.map((angle, k) => angle - start[k]);
  return {
    angle: way.map((w, k) => start[k] + w * s ** 3 * (10 + s * (6 * s - 15))),
    velocity: way.map((w) => (w / duration) * 30 * s * s * (1 - s) ** 2),
    acceleration: way.map((w) => (w / duration ** 2) * 60 * s * (1 - s) * (1 - 2 * s)),
  };
}
