"""Speed of planar chains: ratios to a plain per-frame recursion and to lambdified SymPy, in one run.

The peers compute less: the recursion gives torques and reactions without any share, the lambdified
equations torques alone. Borelli gives torques, reactions and every share of both.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable

import numpy as np

from borelli import planar


def chain_of(n_links: int) -> planar.Chain:
    rng = np.random.default_rng(n_links)
    links = tuple(
        planar.Link(
            f"link{k}", 0.3, *rng.uniform((0.5, 0.01), (3.0, 0.05)), com=tuple(rng.uniform(0.0, 0.1, 2))
        )
        for k in range(n_links)
    )
    return planar.Chain(links)


def motion_of(n_links: int, n_times: int) -> planar.Motion:
    values = np.random.default_rng(0).normal(size=(3, n_times, n_links))
    return planar.Motion(np.arange(n_times) * 1e-3, *values)


def plain_recursion(chain: planar.Chain, angle: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray):
    """Newton–Euler of one frame, as a textbook writes it with NumPy vectors."""
    gravity = np.array(chain.gravity)
    n = chain.n_links
    steps, arms, accelerations = [], [], []
    joint = np.zeros(2)
    for k, link in enumerate(chain.links):
        c, s = np.cos(angle[k]), np.sin(angle[k])
        turn = np.array([[c, -s], [s, c]])
        arm, step = turn @ np.array(link.com), turn @ np.array([link.length, 0.0])

        def carried(vector, k=k):
            return acceleration[k] * np.array([-vector[1], vector[0]]) - velocity[k] ** 2 * vector

        accelerations.append(joint + carried(arm))
        joint = joint + carried(step)
        steps.append(step)
        arms.append(arm)
    force, torque = np.zeros(2), 0.0
    forces, torques = np.empty((n, 2)), np.empty(n)
    for k in reversed(range(n)):
        link = chain.links[k]
        inertial = link.mass * (accelerations[k] - gravity)
        torque = (
            link.inertia * acceleration[k]
            + np.cross(np.append(arms[k], 0.0), np.append(inertial, 0.0))[2]
            + torque
            + np.cross(np.append(steps[k], 0.0), np.append(force, 0.0))[2]
        )
        force = inertial + force
        forces[k], torques[k] = force, torque
    return torques, forces


def best(action: Callable[[], object], repeats: int = 5) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def against_peers() -> None:
    n_links, n_times = 3, 100_000
    chain, motion = chain_of(n_links), motion_of(n_links, n_times)
    ours = best(lambda: planar.analyze(chain, motion)) / n_times
    sample = 2_000
    rows = range(sample)
    plain = (
        best(
            lambda: [
                plain_recursion(chain, motion.angle[t], motion.velocity[t], motion.acceleration[t])
                for t in rows
            ],
            2,
        )
        / sample
    )
    start = time.perf_counter()
    lambdified = lambdified_shares(chain)
    prepare = time.perf_counter() - start
    arguments = [*motion.angle.T, *motion.velocity.T, *motion.acceleration.T]
    symbolic = best(lambda: lambdified["shares"](*arguments)) / n_times
    torques_only = best(lambda: lambdified["torques"](*arguments)) / n_times
    plain_torques = best(lambda: planar.newton_euler(chain, motion)) / n_times
    answer = planar.analyze(chain, motion)
    np.testing.assert_allclose(np.stack(lambdified["torques"](*arguments), -1), answer.torque, atol=1e-9)

    print(
        f"\nplanar, {n_links} links, {n_times:,} frames, microseconds a frame; borelli uses {os.cpu_count()} cores"
    )
    print(f"  borelli: torques, reactions, all shares        {ours * 1e6:9.3f}")
    print(f"  plain NumPy recursion, frame by frame          {plain * 1e6:9.3f}   {plain / ours:7.1f} x")
    print(
        f"  SymPy lambdified, the same shares              {symbolic * 1e6:9.3f}   {symbolic / ours:7.1f} x   "
        f"(prepared in {prepare:.1f} s)"
    )
    print(f"  borelli: torques and reactions, one core       {plain_torques * 1e6:9.3f}")
    ratio = torques_only / plain_torques
    print(f"  SymPy lambdified, torques alone                {torques_only * 1e6:9.3f}   {ratio:7.1f} x")


def lambdified_shares(chain: planar.Chain) -> dict[str, Callable[..., list[np.ndarray]]]:
    """Torques and all shares in closed form, through SymPy's lambdify with common parts shared."""
    import sympy as sp

    n = chain.n_links
    theta, rate, accel = (sp.symbols(f"{name}1:{n + 1}", real=True) for name in ("th", "w", "a"))
    gravity = chain.gravity

    def turned(k: int, vector: tuple[float, float]) -> tuple[sp.Expr, sp.Expr]:
        c, s = sp.cos(theta[k]), sp.sin(theta[k])
        return c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]

    def cross(a, b):
        return a[0] * b[1] - a[1] * b[0]

    step = [turned(k, (link.length, 0.0)) for k, link in enumerate(chain.links)]
    arm = [turned(k, link.com) for k, link in enumerate(chain.links)]
    torques, shares = [], []
    for k in range(n):
        parts = []
        for i in range(k, n):
            lever = tuple(sum(step[p][x] for p in range(k, i)) + arm[i][x] for x in (0, 1))
            mass = chain.links[i].mass
            parts.append(-mass * cross(lever, gravity))
            shares += [-mass * gravity[0], -mass * gravity[1]]
        for j in range(n):
            path_a, path_v, coefficient, squared = (
                [0, 0],
                [0, 0],
                chain.links[j].inertia if j >= k else 0.0,
                0.0,
            )
            for i in range(max(k, j), n):
                mass = chain.links[i].mass
                lever = tuple(sum(step[p][x] for p in range(k, i)) + arm[i][x] for x in (0, 1))
                b = arm[j] if i == j else step[j]
                coefficient += mass * (lever[0] * b[0] + lever[1] * b[1])
                squared -= mass * cross(lever, b)
                path_a = [path_a[0] - mass * b[1], path_a[1] + mass * b[0]]
                path_v = [path_v[0] - mass * b[0], path_v[1] - mass * b[1]]
            parts += [coefficient * accel[j], squared * rate[j] ** 2]
            shares += [accel[j] * value for value in path_a] + [rate[j] ** 2 * value for value in path_v]
        torques.append(sp.Add(*parts))
        shares += parts
    arguments = [*theta, *rate, *accel]
    return {
        "torques": sp.lambdify(arguments, torques, "numpy", cse=True),
        "shares": sp.lambdify(arguments, [*torques, *shares], "numpy", cse=True),
    }


def scaling() -> None:
    print("\nplanar, cost of everything against links and frames (streamed in blocks), microseconds a frame")
    links, frames = (2, 3, 5, 10, 20, 50), (1_000, 10_000, 100_000, 1_000_000)
    print("  links " + "".join(f"{count:>12,}" for count in frames) + "   frames")
    per_frame = []
    for n_links in links:
        chain = chain_of(n_links)
        row = []
        for n_times in frames:
            if n_links**2 * n_times > 3e7:  # more than a minute
                row.append(float("nan"))
                continue
            motion = motion_of(n_links, n_times)
            repeats = 3 if n_times < 100_000 else 1
            row.append(best(lambda m=motion, c=chain: stream(c, m), repeats) / n_times)
        per_frame.append(row)
        print(
            f"  {n_links:5d} "
            + "".join(f"{value * 1e6:12.3f}" if value == value else f"{'-':>12}" for value in row)
        )
    by_links = exponent(links[2:], [row[1] for row in per_frame[2:]])
    by_frames = exponent(frames, [row * count for row, count in zip(per_frame[1], frames, strict=True)])
    print(f"  cost grows as links^{by_links:.2f} for 5 links and more (a frame has links² shares), ", end="")
    print(f"and as frames^{by_frames:.2f} for 3 links")


def exponent(sizes: tuple[int, ...], costs: list[float]) -> float:
    """Slope of log cost against log size."""
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


def stream(chain: planar.Chain, motion: planar.Motion) -> float:
    return max(float(part.closure) for part in planar.analyze_in_blocks(chain, motion))


def memory() -> None:
    n_times = 1_000_000
    chain, motion = chain_of(3), motion_of(3, n_times)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    closure = stream(chain, motion)
    took = time.perf_counter() - start
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    held = motion.angle.nbytes * 3 / 2**20
    print(
        f"\nplanar, 3 links, {n_times:,} frames in blocks: {took:.2f} s ({took / n_times * 1e6:.3f} us a frame), "
        f"closure {closure:.1e};\n  memory grew by {grown / 1024:.0f} MiB above the motion's own {held:.0f} MiB"
    )


def main() -> None:
    memory()  # first, so that the high-water mark of memory is its own
    against_peers()
    scaling()


if __name__ == "__main__":
    main()
