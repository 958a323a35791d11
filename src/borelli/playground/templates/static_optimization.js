// Static optimization, exactly: least sum of squared activations that delivers the torques of all joints.
//
//   minimise  Σ a_i² + Σ (r_k / R_k)²    with   Σ_i A_ki a_i + r_k = τ_k,   0 ≤ a_i ≤ 1,
//
// A_ki being moment arm times strength, and r_k what a weak reserve at the joint adds. Its dual has one unknown λ_k a
// joint: a_i = clip(½ Σ_k λ_k A_ki), r_k = ½ R_k² λ_k, and the balance is piecewise linear in λ. Newton's method with
// a search along each step meets it exactly, after finitely many steps.

const MOST_STEPS = 200;

function solved(matrix, right) {
  // Gauss with pivoting; the matrix is symmetric and positive definite.
  const rows = matrix.map((row, i) => [...row, right[i]]);
  const n = rows.length;
  for (let k = 0; k < n; k += 1) {
    let best = k;
    for (let i = k + 1; i < n; i += 1) if (Math.abs(rows[i][k]) > Math.abs(rows[best][k])) best = i;
    [rows[k], rows[best]] = [rows[best], rows[k]];
    for (let i = k + 1; i < n; i += 1) {
      const factor = rows[i][k] / rows[k][k];
      for (let j = k; j <= n; j += 1) rows[i][j] -= factor * rows[k][j];
    }
  }
  const found = new Array(n).fill(0);
  for (let k = n - 1; k >= 0; k -= 1) {
    let rest = rows[k][n];
    for (let j = k + 1; j < n; j += 1) rest -= rows[k][j] * found[j];
    found[k] = rest / rows[k][k];
  }
  return found;
}

// `reach[i]` is A_·i of muscle i; returns activations, what reserves add (N m) and how far the balance is missed (N m).
function sharedLoad(reach, torque, reserves) {
  const n = torque.length;
  const half = reserves.map((reserve) => 0.5 * reserve * reserve);
  const wanted = (multiplier) => reach.map((arms) => {
    let sum = 0;
    for (let k = 0; k < n; k += 1) sum += arms[k] * multiplier[k];
    return 0.5 * sum;
  });
  const clipped = (a) => Math.min(Math.max(a, 0), 1);
  const missing = (multiplier) => {
    const left = torque.map((t, k) => t - half[k] * multiplier[k]);
    wanted(multiplier).forEach((a, i) => {
      const active = clipped(a);
      for (let k = 0; k < n; k += 1) left[k] -= reach[i][k] * active;
    });
    return left;
  };
  // Which piece of the dual a multiplier lies on: muscles idle, free or fully active.
  const piece = (multiplier) => wanted(multiplier).map((a) => (a <= 0 ? 0 : a >= 1 ? 2 : 1)).join("");
  let multiplier = torque.map(() => 0);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const left = missing(multiplier);
    const matrix = torque.map((_, k) => torque.map((__, j) => (k === j ? half[k] : 0)));
    wanted(multiplier).forEach((a, i) => {
      if (a <= 0 || a >= 1) return;
      for (let k = 0; k < n; k += 1) for (let j = 0; j < n; j += 1) matrix[k][j] += 0.5 * reach[i][k] * reach[i][j];
    });
    const way = solved(matrix, left);
    const at = (length) => multiplier.map((p, k) => p + length * way[k]);
    // A step that ends on the piece it began on ends at the optimum.
    if (piece(at(1)) === piece(multiplier)) {
      multiplier = at(1);
      break;
    }
    // The dual is concave: along the way its slope falls, and the step ends where it is level.
    const [here, there] = [wanted(multiplier), wanted(way)];
    const rise = left.reduce((sum, each, k) => sum + each * way[k], 0);
    const bend = way.reduce((sum, each, k) => sum + half[k] * each * each, 0);
    const slope = (length) => here.reduce(
      (sum, a, i) => sum - 2 * there[i] * (clipped(a + length * there[i]) - clipped(a)), rise - length * bend,
    );
    let [low, high] = [0, 1];
    if (slope(1) < 0) {
      for (let i = 0; i < 50; i += 1) {
        const middle = 0.5 * (low + high);
        if (slope(middle) > 0) low = middle; else high = middle;
      }
    }
    multiplier = at(high);
  }
  const left = missing(multiplier);
  return {
    activation: wanted(multiplier).map(clipped),
    reserve: multiplier.map((p, k) => half[k] * p),
    unmet: Math.max(...left.map(Math.abs)),
  };
}

// Tensions (N) of all muscles in a situation, activations, and what is left to reserves at the joints (N m).
function tensionsOf(body, situation, action, torque) {
  const nothing = body.muscles.map(() => 0);
  const idle = new Set(situation.off ?? []);
  const how = situation.muscles ?? (body.given ? "given" : "shared");
  const delivered = (tension) => torque.map((_, k) => action.reduce((sum, each, m) => sum + each.arm[k] * tension[m], 0));
  if (how === "shared" && body.muscles.length) {
    const strength = body.muscles.map((muscle) => (idle.has(muscle.name) ? 0 : muscle.strength));
    const reach = action.map((each, m) => each.arm.map((arm) => arm * strength[m]));
    const { activation, reserve } = sharedLoad(reach, torque, body.reserves);
    const tension = activation.map((a, m) => a * strength[m]);
    return { tension, activation, left: reserve, effort: activation.reduce((sum, a) => sum + a * a, 0), how };
  }
  const tension = how === "given" ? body.muscles.map((muscle) => (idle.has(muscle.name) ? 0 : muscle.tension)) : nothing;
  const activation = tension.map((t, m) => (body.muscles[m].strength ? t / body.muscles[m].strength : 0));
  const got = delivered(tension);
  return { tension, activation, left: torque.map((t, k) => t - got[k]), effort: null, how };
}
