"""Speed of planar chains: ratios to a plain per-instant recursion and to lambdified SymPy, in one run.

The peers compute less: the recursion gives torques and reactions without any share, the lambdified
equations leave the shares of reactions out. Borelli gives torques, reactions and every share of both.
"""

from __future__ import annotations

import math
import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

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
    """Newton–Euler of one instant, as a textbook writes it with NumPy vectors."""
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
    return best_in_turn([action], repeats)[0]


def best_in_turn(actions: list[Callable[[], object]], repeats: int) -> list[float]:
    """Return the least processor time of each action, taken in turn so that a busy minute meets all of them."""
    times = [math.inf] * len(actions)
    for _ in range(repeats):
        for k, action in enumerate(actions):
            start = time.process_time()
            action()
            times[k] = min(times[k], time.process_time() - start)
    return times


def first_call() -> float:
    """Return the seconds that a first long recording costs above a second one: loading or compiling."""
    chain, motion = chain_of(3), motion_of(3, 100_000)
    planar.analyze(chain, motion.instants(slice(0, 100)))
    start = time.perf_counter()
    planar.analyze(chain, motion)
    loaded = time.perf_counter()
    planar.analyze(chain, motion)
    return 2 * loaded - start - time.perf_counter()


def against_peers() -> None:
    n_links, n_times, sample = 3, 100_000, 1_000
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as new_process:
        ready = new_process.submit(first_call).result()
    chain, motion = chain_of(n_links), motion_of(n_links, n_times)
    rows = list(
        zip(motion.angle[:sample], motion.velocity[:sample], motion.acceleration[:sample], strict=True)
    )
    arguments = [*motion.angle.T, *motion.velocity.T, *motion.acceleration.T]
    answer = planar.analyze(chain, motion)
    functions, prepared = [], []
    for shared_parts in (False, True):
        start = time.perf_counter()
        functions.append(lambdified(chain, shared_parts))
        prepared.append(time.perf_counter() - start)
        torque = np.stack(functions[-1](*arguments)[:n_links], axis=-1)
        np.testing.assert_allclose(torque, answer.torque, atol=1e-9)
    del answer

    actions: list[Callable[[], object]] = [lambda: planar.analyze(chain, motion)]
    actions += [lambda f=function: f(*arguments) for function in functions]
    actions += [lambda: [plain_recursion(chain, *row) for row in rows]]
    ours, symbolic, once, plain = best_in_turn(actions, 15)
    print(f"\nplanar, {n_links} links, {n_times:,} instants, microseconds of processor time per instant")
    for what, cost, wait in (
        ("borelli: torques, reactions, all shares of both", ours / n_times, ready),
        ("plain NumPy recursion: torques, reactions", plain / sample, None),
        ("SymPy's equations lambdified:", symbolic / n_times, prepared[0]),
        ("SymPy's equations lambdified, common parts once:", once / n_times, prepared[1]),
    ):
        note = "" if wait is None else f"   (ready in {wait:.1f} s)"
        print(f"  {what:<58} {cost * 1e6:9.3f}   {cost * n_times / ours:6.1f} x{note}")
    print("  (the equations give torques, their shares, and reactions without shares)")


def lambdified(chain: planar.Chain, shared_parts: bool) -> Callable[..., list[np.ndarray]]:
    """Torques, their shares and reactions of planar.equations, made into a function by SymPy."""
    import sympy as sp

    equations = planar.equations(chain.n_links)
    symbols = equations.symbols
    values = {symbols["g"]: -chain.gravity[1]}
    for k, link in enumerate(chain.links, start=1):
        distance = math.hypot(*link.com)
        numbers = {
            "m": link.mass,
            "l": link.length,
            "lC": distance,
            "eps": math.atan2(link.com[1], link.com[0]),
            "IJ": link.inertia + link.mass * distance**2,
        }
        values |= {symbols[f"{name}_{k}"]: number for name, number in numbers.items()}
        values |= {symbols[f"{name}_{k}"]: 0.0 for name in ("R", "lR", "eR", "gR", "Fx", "Fy")}
    joints = range(1, chain.n_links + 1)
    wanted = [equations.torque(k) for k in joints]
    wanted += [share for k in joints for share in equations.torque_shares(k).values()]
    wanted += [part for k in joints for part in equations.reaction(k)]
    arguments = [symbols[f"{name}_{k}"] for name in ("theta", "thetad", "thetadd") for k in joints]
    return sp.lambdify(
        arguments, [sp.sympify(part).subs(values) for part in wanted], "numpy", cse=shared_parts
    )


def scaling() -> None:
    print(
        "\nplanar, cost of everything against links and instants (streamed in blocks), microseconds per instant"
    )
    links, instants = (2, 3, 5, 10, 20, 50), (1_000, 10_000, 100_000, 1_000_000)
    print("  links " + "".join(f"{count:>12,}" for count in instants) + "   instants")
    per_instant = []
    for n_links in links:
        chain = chain_of(n_links)
        row = []
        for n_times in instants:
            if n_links**2 * n_times > 3e7:  # more than a minute
                row.append(float("nan"))
                continue
            motion = motion_of(n_links, n_times)
            repeats = 3 if n_times < 100_000 else 1
            row.append(best(lambda m=motion, c=chain: stream(c, m), repeats) / n_times)
        per_instant.append(row)
        print(
            f"  {n_links:5d} "
            + "".join(f"{value * 1e6:12.3f}" if value == value else f"{'-':>12}" for value in row)
        )
    by_links = exponent(links[2:], [row[1] for row in per_instant[2:]])
    by_instants = exponent(
        instants, [row * count for row, count in zip(per_instant[1], instants, strict=True)]
    )
    print(
        f"  cost grows as links^{by_links:.2f} for 5 links and more (an instant has links² shares), ", end=""
    )
    print(f"and as instants^{by_instants:.2f} for 3 links")


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
        f"\nplanar, 3 links, {n_times:,} instants in blocks: {took:.2f} s ({took / n_times * 1e6:.3f} us per instant), "
        f"closure {closure:.1e};\n  memory grew by {grown / 1024:.0f} MiB, compiled code included, "
        f"above the motion's own {held:.0f} MiB"
    )


def main() -> None:
    memory()  # first, so that the high-water mark of memory is its own
    against_peers()
    scaling()


if __name__ == "__main__":
    main()
