"""What a second thread gains: wall time with one and with two, on 20,000 instants of gait2392, least of repeats.

Efficiency is the time with one thread over twice the time with two. Other programs of the machine matter here as they
do in use: run it where nothing else does. Beside it stands what the machine itself has to give: the efficiency of two
threads that need neither memory nor Python (processors may be halves of one, or shared with other machines), and how
fast memory is filled, fresh from the system and again, by one thread and by two: an analysis that reads and writes as
fast as that cannot gain.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import contributions as shares
import ik
import muscle_forces as sharing
import numpy as np

import borelli as bo
from borelli.kernels.lanes.code.width import lane_width

N_INSTANTS = 20_000
REPEATS = 10
FILLED_BYTES = 1 << 28


def least_seconds(function: Callable[[], object], repeats: int = REPEATS) -> float:
    """Least wall time of one call."""
    least = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        answer = function()
        least = min(least, time.perf_counter() - start)
        del answer
    return least


def questions() -> dict[str, Callable[[int], object]]:
    """Return what is asked, as functions of the number of threads."""
    sharing.REPEATS = -(-N_INSTANTS // 37)
    with_reserves, walk, grf = sharing.trial()
    model, motion, loads, tensions = shares.trial(N_INSTANTS)
    ik.N_INSTANTS = N_INSTANTS
    fitted, markers, weights = ik.trial("gait2392")
    return {
        "inverse kinematics": lambda n: bo.inverse_kinematics(fitted, markers, weights=weights, threads=n),
        "inverse dynamics": lambda n: bo.inverse_dynamics(model, motion, loads, threads=n),
        "paths and moment arms": lambda n: bo.paths(model, motion, forces=True, threads=n),
        "static optimization": lambda n: bo.muscle_forces(
            with_reserves, walk, grf, mode="opensim", threads=n
        ),
        "contributions": lambda n: bo.contributions(
            model, motion, loads, tensions=tensions, threads=n, memory_limit_gb=8.0
        ),
    }


def fill(memory: np.ndarray, n_threads: int) -> None:
    """Write memory from end to end."""
    parts = np.array_split(memory, n_threads)
    if n_threads == 1:
        parts[0].fill(1.0)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(lambda part: part.fill(1.0), parts))


def sines(numbers: np.ndarray) -> None:
    """Compute as long as some of the analyses, in the first cache."""
    out = np.empty_like(numbers)
    for _ in range(1500):
        np.sin(numbers, out=out)


def most_to_gain() -> float:
    """Efficiency of two threads that have nothing in common, in percent."""
    numbers = [np.linspace(0.0, 1.0, 2048) for _ in range(2)]
    one = least_seconds(lambda: sines(numbers[0]))
    with ThreadPoolExecutor(2) as pool:
        two = least_seconds(lambda: list(pool.map(sines, numbers)))
    return 100 * one / two


def main() -> None:
    """Print the table."""
    if not (sharing.CASE.is_dir() and (ik.SHARED / "gait2392").is_dir()):
        print("threads: the reference case gait2392 is not here")
        return
    print(f"\nTwo threads: gait2392, {N_INSTANTS:,} instants, wall time, vectors of {lane_width()} instants")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        took: dict[int, float] = {}
        for name, ask in questions().items():
            # One thread first: after calls with two it was up to a sixth slower in the same process.
            for n in (1, 2):
                ask(n)
                took[n] = least_seconds(lambda n=n, ask=ask: ask(n)) / N_INSTANTS * 1e6
            one, two = took[1], took[2]
            print(f"  {name:<22} {one:8.3f} us with one, {two:8.3f} with two: {50 * one / two:4.0f} %")
    print(f"  two threads that need neither memory nor Python: {most_to_gain():.0f} %")
    again = np.zeros(FILLED_BYTES // 8)
    for n in (1, 2):
        fresh = FILLED_BYTES / least_seconds(lambda n=n: fill(np.empty(FILLED_BYTES // 8), n)) / 1e9
        warm = FILLED_BYTES / least_seconds(lambda n=n: fill(again, n)) / 1e9
        print(f"  memory filled by {n}: {fresh:5.1f} GB/s fresh from the system, {warm:5.1f} again")


if __name__ == "__main__":
    main()
