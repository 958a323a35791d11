"""A tour through everything public, to be made with and without a compiler; run as a program it makes it without.

    python -m tests.compiler_free FOLDER CASE…

writes the numbers of each case to FOLDER/CASE.npz.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

N_FRAMES = 3
BLOCKED = ("numba", "llvmlite")


class NoCompiler:
    """Finder of modules that finds no compiler, as on a machine that has none."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def pendulum() -> tuple[Any, Any, list[Any]]:
    """Two rods on pins, one muscle over the joint between them."""
    import borelli as bo
    from borelli import model as bm
    from tests.conformance.own_models.parts import path, pull

    rods = [bm.Body(name, 1.5, (0.0, -0.2, 0.0), (0.02, 0.001, 0.02)) for name in ("upper", "lower")]
    pins = [
        bm.PinJoint(name="high", parent="ground", child="upper"),
        bm.PinJoint(name="low", parent="upper", child="lower", parent_placement=bm.Placement((0, -0.4, 0))),
    ]
    line = path([("upper", (0.03, -0.1, 0.0)), ("lower", (0.03, -0.1, 0.0))])
    muscle = pull(bm.Thelen2003Muscle, "flexor", line, 800.0, 0.15, 0.2)
    model = bm.Model(name="pendulum", bodies=rods, joints=pins, muscles=[muscle])
    time = np.arange(N_FRAMES) * 0.1
    q = np.column_stack([0.3 + time, 0.5 - 0.2 * time])
    return model, bo.Motion(time, model.coordinate_names, q, np.full_like(q, 0.4), np.full_like(q, -0.3)), []


def case(name: str) -> tuple[Any, Any, list[Any]]:
    """Return model, motion and loads."""
    if name == "pendulum":
        return pendulum()
    from tests.conformance.cases import Case

    found = Case(name)
    return found.model, found.motion(slice(0, N_FRAMES)), found.loads(slice(0, N_FRAMES))


def tour(name: str, folder: Path) -> dict[str, np.ndarray]:
    """Ask every question about a case; return all numbers by name."""
    import borelli as bo

    model, motion, loads = case(name)
    reserves = dict.fromkeys(model.coordinate_names, 200.0)
    shared = bo.muscle_forces(model, motion, loads, reserves=reserves, infeasible="report")
    torque = np.zeros((N_FRAMES, len(model.speed_names)))
    everything = {
        "poses": bo.body_poses(model, motion),
        "mass": bo.mass_matrix(model, motion),
        "inverse": bo.inverse_dynamics(model, motion, loads),
        "paths": bo.paths(model, motion),
        "arms": bo.moment_arms(model, motion),
        "shared": shared,
        "cubes": bo.muscle_forces(
            model, motion, loads, reserves=reserves, infeasible="report", criterion=bo.Criterion(power=3.0)
        ),
        "strength": bo.muscle_strength(model, motion),
        "reactions": bo.joint_reactions(model, motion, loads, tensions=shared),
        "contributions": bo.contributions(model, motion, loads, tensions=shared),
        "induced": bo.induced(model, motion, loads, tensions=shared),
        "forward": bo.forward_dynamics(model, motion, torque, loads),
        "energy": bo.energy(model, motion),
    }
    bo.save_result(everything["contributions"], folder / "saved")
    loaded = bo.load_result(folder / "saved")
    everything["loaded"] = loaded
    output = f"{model.coordinate_names[-1]} moment"
    simulated = bo.simulate(model, np.linspace(0.0, 0.01, 3), generalized_force=torque[0])
    numbers = {
        "simulated": simulated.q,
        "explained": np.array([share.value for share in bo.explain(loaded, output).shares]),
    }
    for label, answer in everything.items():
        for variable, values in (answer if hasattr(answer, "data_vars") else {"": answer}).items():
            if values.dtype.kind == "f":
                numbers[f"{label}.{variable}"] = values.values
    return numbers | _from_files(model, motion, folder) | _planar()


def _from_files(model: Any, motion: Any, folder: Path) -> dict[str, np.ndarray]:
    """Write large tables, and run the command that reads model and motion from files."""
    import borelli as bo
    from borelli.cli.main import main
    from borelli.io.text import numbers, write_numbers

    bo.save_model(model, folder / "model.osim")
    time = np.linspace(0.0, 0.5, 8)
    q = motion.q[:1] + 0.05 * np.sin(4.0 * time[:, None] + np.arange(motion.q.shape[1]))
    files = [str(folder / "model.osim"), "--motion", str(folder / "motion.sto"), "--muscles", "none"]
    # Whatever their size, as if they were large enough for the compiled reader and writer. Other tests of this process
    # write small tables, whose numbers look otherwise (0.0 for 0): the limits are theirs again afterwards.
    with patch.object(numbers, "LARGE_BLOCK", 1), patch.object(write_numbers, "LARGE_TABLE", 1):
        bo.save_motion(bo.Motion(time, motion.coordinates, q), model, folder / "motion.sto")
        try:
            main(["analyze", *files, "--out", str(folder / "analyzed")])
        except SystemExit as end:
            assert not end.code, f"borelli analyze ended with {end.code}"
    result = bo.load_result(folder / "analyzed")
    return {"analyzed": result["generalized_force"].values}


def _planar() -> dict[str, np.ndarray]:
    """A recording so long that its formulas would be compiled."""
    from borelli import planar

    links = [planar.Link(f"l{k}", 0.4, 2.0, 0.03, (0.2, 0.01)) for k in range(3)]
    angle = np.linspace(0.0, 3.0, 60_000)[:, None] * [0.3, 0.5, -0.2]
    motion = planar.Motion(np.arange(60_000.0), angle, 0.1 * angle, -0.2 * angle)
    return {"planar": planar.analyze(planar.Chain(links=tuple(links)), motion)["torque"].values[::5000]}


def main(arguments: Sequence[str]) -> None:
    top, *names = arguments
    sys.meta_path.insert(0, NoCompiler())
    os.environ["BORELLI_BACKEND"] = "numpy"
    warnings.simplefilter("ignore")
    for name in names:
        folder = Path(top) / name
        folder.mkdir()
        np.savez(Path(top) / f"{name}.npz", **tour(name, folder))
    assert not any(module.partition(".")[0] in BLOCKED for module in sys.modules)


if __name__ == "__main__":
    main(sys.argv[1:])
