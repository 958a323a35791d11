"""Speed of sharing a load: microseconds per instant, beside OpenSim's static optimization and qpsolvers' back ends.

Single thread, processor time, least of repeats. The model is gait2392 (92 muscles, 23 freedoms) with its walking
trial at the rate it was recorded, 37 instants over and over: instants differ as much as real ones do, so that starting
from the one before helps no more than it does in use. OpenSim's cost is that of a further instant in its AnalyzeTool,
measured in the same run where OpenSim is installed.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

import borelli as bo
from borelli.io.setups.actuator_set import load_force_set
from borelli.kernels.static_optimization.instants import solve_instants

CASE = Path(__file__).resolve().parents[2] / "shared" / "oracle" / "gait2392"
REPEATS = 100
ROUND_OFF = 1e-9
"""Arms (m) below this are round-off of OpenSim: muscles between two segments do not move the pelvis."""


def least_us(function: Callable[[], object], n_instants: int, seconds: float = 3.0) -> float:
    """Least processor time of one call, in microseconds per instant."""
    function()
    least, until = np.inf, time.perf_counter() + seconds
    while time.perf_counter() < until or least == np.inf:
        start = time.process_time()
        function()
        least = min(least, time.process_time() - start)
    return least / n_instants * 1e6


def trial() -> tuple[bo.Model, bo.Motion, list[bo.Load]]:
    """Model with its reserves and residuals, motion and ground reactions."""
    data = np.load(CASE / "so_ref.npz")
    model = bo.load_model(next(CASE.glob("*.osim")))
    actuators = load_force_set(CASE / "pipeline" / "gait2392_CMC_Actuators.xml")
    model = replace(model, forces=(*model.forces, *actuators))
    names = tuple(map(str, data["coord_names"]))
    once = bo.Motion(data["time"], names, data["q"], data["u"], data["udot"])
    loads = bo.load_loads(next(CASE.glob("*grf.xml")), once, mode="opensim")
    instants = np.arange(REPEATS * len(data["time"])) / 60.0

    def repeated(values: np.ndarray) -> np.ndarray:
        return np.tile(values, (REPEATS, 1))

    motion = bo.Motion(instants, names, *(repeated(data[key]) for key in ("q", "u", "udot")))
    longer = [
        bo.Load(
            load.name,
            load.body,
            repeated(load.force),
            repeated(load.point),
            repeated(load.moment),
            time=instants,
        )
        for load in loads
    ]
    return model, motion, longer


def opensim_us() -> float | None:
    """Processor time of a further instant in OpenSim's AnalyzeTool, or None where it is not installed."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as scratch:
        for file in (CASE / "pipeline").iterdir():
            shutil.copyfile(file, Path(scratch) / file.name)
        os.chdir(scratch)  # it drops a log file where it is imported
        try:
            import opensim

            opensim.Logger.setLevelString("off")
            costs = []
            for last in (0.7, 1.2):
                tool = opensim.AnalyzeTool("setup_gait2392_SO.xml")
                tool.setFinalTime(last)
                start = time.process_time()
                tool.run()
                costs.append(time.process_time() - start)
        except ImportError:
            return None
        finally:
            os.chdir(here)
    # The recording has 60 instants a second.
    return (costs[1] - costs[0]) / (0.5 * 60) * 1e6


def whole() -> None:
    """Everything included: inverse dynamics, paths, moment arms, strengths, solve, labels."""
    model, motion, loads = trial()
    peer = opensim_us()
    if peer is not None:
        print(f"  OpenSim's AnalyzeTool: {peer:8.0f} µs a further instant")
    for power in (2.0, 3.0):
        criterion = bo.Criterion(power=power)

        def run(criterion: bo.Criterion = criterion) -> object:
            return bo.muscle_forces(model, motion, loads, criterion=criterion, mode="opensim")

        cost = least_us(run, motion.n_times)
        iterations = float(
            bo.muscle_forces(model, motion, loads, criterion=criterion, mode="opensim")["iterations"].mean()
        )
        ratio = "" if peer is None else f", {peer / cost:.0f} x OpenSim's AnalyzeTool with squares"
        print(
            f"  everything, power {power:g}: {cost:8.1f} µs per instant, {iterations:.1f} iterations{ratio}"
        )


def solve_alone() -> None:
    """The solver on OpenSim's own problems, instant after instant of the recording."""
    data = np.load(CASE / "so_ref.npz")
    arms = np.ascontiguousarray(data["genforce_per_unit_force"].transpose(0, 2, 1))
    arms[np.abs(arms) < ROUND_OFF] = 0.0
    strength, target = data["optimal_force"], data["tau_required"]
    lower, upper = data["actuator_bounds"].T
    weight, n = np.ones(len(lower)), len(arms)
    ours, answer = np.inf, np.zeros_like(strength)
    for warm in (False, True):

        def run(warm: bool = warm) -> object:
            return solve_instants(arms, strength, target, lower, upper, weight, 2.0, warm)

        cost = least_us(run, n, 2.0)
        ours = min(ours, cost)
        found = solve_instants(arms, strength, target, lower, upper, weight, 2.0, warm)
        answer = found.activation
        print(
            f"  solve, {'warm' if warm else 'cold'}: {cost:8.1f} µs per instant, "
            f"{found.iterations.mean():.1f} iterations (most {found.iterations.max()}), "
            f"gap {np.abs(found.unmet).max():.0e} N m, KKT {found.violation.max():.0e}"
        )
    peers = _peers(arms, strength, target, lower, upper, answer)
    best = min(peers, key=lambda name: peers[name][0])
    for name, (cost, error) in sorted(peers.items(), key=lambda peer: peer[1][0]):
        mark = "  <- best" if name == best else ""
        print(f"  solve, qpsolvers {name}: {cost:8.1f} µs per instant, activation off by {error:.0e}{mark}")
    print(f"  ratio to the best of {len(peers)}: {peers[best][0] / ours:.1f} x")


def _peers(
    arms: np.ndarray,
    strength: np.ndarray,
    target: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    answer: np.ndarray,
) -> dict[str, tuple[float, float]]:
    """Cost and error of every installed back end of qpsolvers, with dense and with sparse matrices.

    What a back end needs is made before the clock starts; one that cannot solve these problems is told and left out.
    """
    from qpsolvers import available_solvers, dense_solvers, solve_qp, sparse_solvers
    from scipy.sparse import csc_matrix

    n = len(lower)
    matrices = [(frame * force[:, None]).T.copy() for frame, force in zip(arms, strength, strict=True)]
    forms = {
        "dense": (dense_solvers, np.eye(n), matrices),
        "sparse": (sparse_solvers, csc_matrix(np.eye(n)), [csc_matrix(matrix) for matrix in matrices]),
    }
    peers = {}
    for form, (takers, square, columns) in forms.items():
        for name in sorted(set(available_solvers) & set(takers)):

            def run(name: str = name, square: object = square, columns: list = columns) -> list:
                return [
                    solve_qp(square, np.zeros(n), A=matrix, b=needed, lb=lower, ub=upper, solver=name)
                    for matrix, needed in zip(columns, target, strict=True)
                ]

            try:
                found = np.array(run(), dtype=float)
                error = float(np.abs(found - answer).max())
            except Exception as problem:  # each back end fails in its own way
                print(f"  solve, qpsolvers {name} ({form}): cannot ({type(problem).__name__})")
                continue
            peers[f"{name} ({form})"] = least_us(run, len(arms), 1.0), error
    return peers


def main() -> None:
    print("Muscle forces, gait2392 (92 muscles, 23 freedoms)")
    if not CASE.exists():
        print("  skipped: the reference model is not here")
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole()
        solve_alone()


if __name__ == "__main__":
    main()
