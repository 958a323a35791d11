"""Sweeps of every coordinate of the shared models: where do lengths and moment arms jump, here and in OpenSim?

``make continuity`` prints one line a case; ``python -m tests.laws.path_continuity [case …]`` some of them. All cases
take some minutes, nearly all of them OpenSim's. Both are judged by their lengths alone, in the same postures: a kink
is a sudden change of slope by more than 1 mm a radian within 0.1 degrees. Ours are put down to what switches there.
"""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

from borelli.analyses.muscles.sweep import ARM_JUMP, FINE, Sweep, sweep
from borelli.io.load_model import load_model
from tests.conformance.cases import shared_file
from tests.shared_data import CASES

STEPS = 2000


def cases() -> dict[str, Path]:
    """Model file of every shared case."""
    return {name: shared_file(name) for name in CASES}


def quiet_model(file: Path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load_model(file)


def limits(coordinate) -> tuple[float, float]:
    """Range of a coordinate, or half a turn (half a metre) about zero where it has none worth the name."""
    most = np.pi / 2 if coordinate.unit == "rad" else 0.5
    low, high = coordinate.range
    low, high = max(low, -2 * most), min(high, 2 * most)
    return (low, high) if high - low > 1e-3 else (low - 0.1, low + 0.1)


def our_sweep(model, name: str, steps: int = STEPS) -> Sweep:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sweep(model, name, *limits(model.coordinates[name]), steps=steps, within_reach=True)


def free_coordinates(model) -> list[str]:
    """Coordinates that move on their own."""
    following = {getattr(c, "dependent", None) for c in model.constraints if c.enforced}
    return [c.name for c in model.coordinates if c.name not in following and not c.locked]


def kinks(values: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Places (step, path) where the slope of a length changes suddenly, within the three steps that begin there.

    A kink within a step shows in two changes of slope in a row. What is steep but smooth has neighbours of its size.
    """
    slope = np.diff(length, axis=0) / np.diff(values)[:, None]
    change = np.pad(np.abs(np.diff(slope, axis=0)), ((1, 1), (0, 0)), mode="edge")
    pair, around = change[1:-2] + change[2:-1], np.maximum(change[:-3], change[3:])
    sudden = pair - 2.0 * around > ARM_JUMP * max(1.0, (values[1] - values[0]) / FINE)
    first = sudden.copy()
    first[1:] &= ~sudden[:-1]
    return np.argwhere(first)


KINDS = {
    "point": "conditional point ",
    "half": "quadrant constraint of wrap object ",
    "lift-off": "lift-off ",
    "tie": "both ways round wrap object ",
}
"""What switches, and how its name begins."""


def kind_of(cause: str) -> str:
    """What switches first: a conditional point, the half of a surface, a contact, or the shorter of two ways."""
    return next((kind for kind, start in KINDS.items() if cause.startswith(start)), "nothing")


def opensim_module():
    """Return OpenSim, imported where the log file that it drops does no harm."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        import opensim

        os.chdir(here)
    opensim.Logger.setLevelString("off")
    return opensim


class OpenSimLengths:
    """Lengths of OpenSim's paths in given postures."""

    def __init__(self, opensim, file: Path, paths: tuple[str, ...], coordinates: tuple[str, ...]) -> None:
        self.model = opensim.Model(str(file))
        self.state = self.model.initSystem()
        forces = {force.getName(): force for force in self.model.getForceSet()}
        owners = [
            opensim.Muscle.safeDownCast(forces[name]) or opensim.PathSpring.safeDownCast(forces[name])
            for name in paths
        ]
        self.paths = [owner.getGeometryPath() for owner in owners]
        self.coordinates = [self.model.getCoordinateSet().get(name) for name in coordinates]

    def over(self, q: np.ndarray) -> np.ndarray:
        """Lengths, (n, n_paths), in postures that obey the constraints, (n, n_q)."""
        moving = [(k, c) for k, c in enumerate(self.coordinates) if np.ptp(q[:, k]) > 0.0]
        for k, coordinate in enumerate(self.coordinates):
            if not coordinate.getLocked(self.state):
                coordinate.setValue(self.state, float(q[0, k]), False)
        out = np.empty((len(q), len(self.paths)))
        for row, posture in enumerate(q):
            for k, coordinate in moving:
                coordinate.setValue(self.state, float(posture[k]), False)
            self.model.realizePosition(self.state)
            out[row] = [path.getLength(self.state) for path in self.paths]
        return out


def main(chosen: list[str]) -> None:
    """Print one line of the table a case."""
    opensim = opensim_module()
    print(
        "| case | coordinates | kinks | of a point | quadrant | lift-off | tie | nothing | OpenSim's kinks |"
    )
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    for case, file in cases().items():
        if chosen and case not in chosen:
            continue
        model = quiet_model(file)
        theirs = 0
        kinds: Counter[str] = Counter()
        other = OpenSimLengths(opensim, file, model.path_names, model.coordinate_names)
        names = free_coordinates(model)
        for name in names:
            swept = our_sweep(model, name)
            for step, path in kinks(swept.values, swept.length):
                kinds[kind_of(swept.cause(path, step, min(step + 3, STEPS)))] += 1
            theirs += len(kinks(swept.values, other.over(swept.q)))
        told = " | ".join(str(kinds[kind]) for kind in (*KINDS, "nothing"))
        print(f"| `{case}` | {len(names)} | {kinds.total()} | {told} | {theirs} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
