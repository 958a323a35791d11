"""Sweeps of every coordinate of the shared models: where do lengths and moment arms jump, here and in OpenSim?

``python -m tests.laws.path_continuity [case …]`` prints one line a case; all cases take a few minutes, nearly all
of them OpenSim's. Both are judged by their lengths alone: a kink is a change of slope by more than 1 mm a radian
within 0.1 degrees. Kinks of ours are put down to what switches there.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

from borelli.analyses.path_sweep import ARM_JUMP, FINE, Jump, Sweep, sweep
from borelli.errors import UnsolvableError
from borelli.io.load_model import load_model

ORACLE = Path(__file__).resolve().parents[3] / "shared" / "oracle"
STEPS = 2000


def cases() -> dict[str, Path]:
    """Model file of every shared case."""
    found = {}
    for folder in sorted(ORACLE.glob("*/ref.npz")):
        named = json.loads((folder.parent / "case.json").read_text()).get("model")
        file = folder.parent / named if named else None
        found[folder.parent.name] = file if file and file.exists() else next(folder.parent.glob("*.osim"))
    return found


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
        return sweep(model, name, *limits(model.coordinates[name]), steps=steps)


def free_coordinates(model) -> list[str]:
    """Coordinates that move on their own."""
    following = {getattr(c, "dependent", None) for c in model.constraints if c.enforced}
    return [c.name for c in model.coordinates if c.name not in following and not c.locked]


def kinks(values: np.ndarray, length: np.ndarray) -> int:
    """Number of places where the slope of a length changes suddenly, over all paths."""
    slope = np.diff(length, axis=0) / np.diff(values)[:, None]
    sudden = np.abs(np.diff(slope, axis=0)) > ARM_JUMP * max(1.0, (values[1] - values[0]) / FINE)
    # A step of the length is two changes of slope in a row: one place.
    first = sudden.copy()
    first[1:] &= ~sudden[:-1]
    return int(first.sum())


def unexplained(model, jumps: tuple[Jump, ...]) -> list[Jump]:
    """Jumps that no conditional point and no surface accounts for."""
    return [jump for jump in jumps if not jump.cause.startswith(("conditional point", "wrap object"))]


def opensim_lengths(opensim, file: Path, swept: Sweep, steps: int) -> np.ndarray:
    """Lengths of the same paths over the same sweep."""
    model = opensim.Model(str(file))
    state = model.initSystem()
    coordinates = model.getCoordinateSet()
    coordinate = coordinates.get(swept.coordinate)
    components = {c.getName(): c for c in model.getForceSet()}
    owners = [
        opensim.Muscle.safeDownCast(components[name]) or opensim.PathSpring.safeDownCast(components[name])
        for name in swept.paths
    ]
    out = np.empty((steps + 1, len(owners)))
    constrained = model.getConstraintSet().getSize() > 0
    for row, value in enumerate(swept.values):
        coordinate.setValue(state, float(value), constrained)
        model.realizePosition(state)
        out[row] = [owner.getGeometryPath().getLength(state) for owner in owners]
    return out


def main(chosen: list[str]) -> None:
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)  # OpenSim drops a log file where it is imported
        import opensim

        os.chdir(here)
    opensim.Logger.setLevelString("off")
    for case, file in cases().items():
        if chosen and case not in chosen:
            continue
        model = quiet_model(file)
        ours = theirs = lost = 0
        causes: Counter[str] = Counter()
        for name in free_coordinates(model):
            try:
                swept = our_sweep(model, name)
            except UnsolvableError as error:
                print(f"  {case}: {name} cannot be swept: {error.what}")
                continue
            moving = np.ptp(swept.length, axis=0) > 1e-9
            ours += kinks(swept.values, swept.length[:, moving])
            causes.update(jump.cause.split(" ")[0] for jump in swept.jumps)
            lost += len(unexplained(model, swept.jumps))
            try:
                theirs += kinks(swept.values, opensim_lengths(opensim, file, swept, STEPS)[:, moving])
            except RuntimeError as error:
                print(f"  OpenSim cannot sweep {name}: {str(error).splitlines()[0][:80]}")
        said = ", ".join(f"{count} {cause}" for cause, count in causes.items()) or "none"
        print(
            f"{case:38s} kinks: ours {ours:4d}, OpenSim {theirs:4d}; unexplained {lost}; causes: {said}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
