"""By how much OpenSim's solver stops short of the optimum: what its accuracy allows, and what a motion of its shows.

OpenSim 4.6 stops where every component of the gradient (m²/rad) is below ``accuracy``, or below a tenth of it where
there are neither constraints nor locks nor clamps. How far from the optimum that may be is known from the second
derivatives at the optimum. With clamps alone it stops where the objective hardly falls: nothing is known beforehand.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.marker_fit.solution import Solution
from borelli.analyses.recordings.place_markers import PlacedMarkers
from borelli.errors import BorelliError, BorelliWarning
from borelli.io.load import load_table
from borelli.io.load_model import load_model
from borelli.kernels.markers.objective import value_at
from borelli.kernels.markers.solve import SOLVED
from borelli.kernels.markers.track import aim_at
from borelli.mechanics.markers.problem import PostureProblem
from borelli.mechanics.markers.targets import instants
from borelli.mechanics.markers.uncertainty import reach_of_gradients
from borelli.model.joints.coordinate import MotionType
from borelli.units import RAD_PER_DEG

if TYPE_CHECKING:
    import xarray as xr

COMPARISON = "compared_with_opensim"
"""Attribute of a result: by how much OpenSim stops short of it."""
_SAME_PLACE = 1e-6
"""Markers nearer to each other than this (m) are in the same place."""
_INSTANTS = 200
"""Instants that are looked at, spread over the recording."""
# Coordinates in a sentence; the others are counted.
_NAMED = 3
_TOLD = np.radians(0.1)
"""Angles that are off by less than this (rad) are not worth a word."""
_SAME = np.radians(1e-5)
"""Less than the last digits of a table in degrees (rad)."""
# Printed times (s) are rounded; no recording has rows a microsecond apart.
_SAME_TIME = 1e-6
_EXACT = 1e-12
"""Objectives below this (m²) are of markers that fit exactly: parts of them say nothing."""
_LOWER = 0.01
"""An earlier posture that is better by less than this (per cent) is the same: tables have eight digits at most."""


def gradient_left(problem: PostureProblem, accuracy: float) -> float | None:
    """Return the gradient that OpenSim's solver may leave (m²/rad); None where its accuracy has no effect."""
    if problem.fixed or len(problem.ties.dependent) or len(problem.ties.kind):
        return accuracy
    clamped = np.isfinite(problem.ties.low) | np.isfinite(problem.ties.high)
    # As its own solutions show: they lie within it, and use a good part of it (docs/validation.md).
    return None if clamped.any() else 0.1 * accuracy


def reach_of_opensim(solution: Solution, accuracy: float) -> np.ndarray | None:
    """Return how postures move with the gradient that OpenSim may leave, (n_some, n_q, n_q) in the model's order.

    The sum of absolute values over a row is the largest error of a coordinate (rad or m). None where that is not known.
    """
    problem, found = solution.problem, solution.found
    left = gradient_left(problem, accuracy)
    which = np.flatnonzero(found.status == SOLVED)
    if left is None or not which.size:
        return None
    which = which[np.unique(np.linspace(0, which.size - 1, _INSTANTS).astype(int))]
    aims = instants(solution.aims, which)
    reach = left * reach_of_gradients(problem, aims, found.q[which], found.unseen[which], left)
    # From tree order to that of the model.
    return reach[:, problem.place][:, :, problem.place]


def compared(solution: Solution, accuracy: float | None, motion: Path) -> xr.Dataset:
    """Return the result of a tool with what is to be said of OpenSim's answer.

    Parameters
    ----------
    accuracy : float or None
        Of the tool; None where it is not known to bound anything, as with sensors.
    motion : Path
        Where the tool's motion goes.
    """
    told = [] if accuracy is None else [told_of_accuracy(solution, accuracy)]
    earlier = told_of_earlier(motion, solution) if motion.is_file() else None
    if earlier is not None:
        told.append(earlier)
    return solution.result.assign_attrs({**solution.result.attrs, COMPARISON: told})


def told_of_accuracy(solution: Solution, accuracy: float) -> str:
    """Say how far from the optimum OpenSim may stop in a recording."""
    reach = reach_of_opensim(solution, accuracy)
    if reach is None:
        return (
            "OpenSim's tool stops here where the objective hardly falls, whatever its accuracy, because coordinates "
            "are clamped and nothing is constrained: how far from this optimum is not known beforehand (10° on a "
            "published walk)."
        )
    most = _angles(solution, np.abs(reach).sum(axis=2).max(axis=0))
    if not most:
        return f"OpenSim's tool, with accuracy {accuracy:g}, stops within {np.degrees(_TOLD):g}° of this optimum."
    more = f"; {len(most) - _NAMED} more by over {np.degrees(_TOLD):g}°" if len(most) > _NAMED else ""
    return (
        f"OpenSim's tool, with accuracy {accuracy:g}, may stop short of this optimum: "
        f"{', '.join(f'{name} by {_degrees(off)}' for name, off in most[:_NAMED])}{more}."
    )


def told_of_earlier_markers(path: Path, placed: PlacedMarkers) -> str | None:
    """Say how far the markers of the model in a file are from here; None if they are the same, or of another model.

    What the fixed accuracy of OpenSim's registration (1e-4) allows is decimetres, and what it does is millimetres: only
    its own answer tells.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BorelliWarning)
            earlier = load_model(path)
    except (BorelliError, OSError):
        return None
    off = {
        marker.name: float(
            np.linalg.norm(np.subtract(marker.location, earlier.markers[marker.name].location))
        )
        for marker in placed.model.markers
        if earlier.markers.has(marker.name) and earlier.markers[marker.name].frame == marker.frame
    }
    if not off or max(off.values()) < _SAME_PLACE:
        return None
    mean, worst = float(np.mean(list(off.values()))), max(off, key=off.__getitem__)
    return (
        f"The model that {path.name} had before has its markers {1e3 * mean:.2g} mm from here on average, "
        f"{1e3 * off[worst]:.2g} mm at most ({worst})."
    )


def _angles(solution: Solution, off: np.ndarray) -> list[tuple[str, float]]:
    """Return the angles that are off by more than a little, the worst first."""
    coordinates = solution.problem.model.coordinates
    turns = [c.motion is MotionType.ROTATIONAL for c in coordinates]
    order = sorted(np.flatnonzero(turns), key=lambda k: -float(off[k]))
    return [(coordinates[k].name, float(off[k])) for k in order if off[k] > _TOLD]


def _degrees(angle: float) -> str:
    # Where an angle is so badly determined second derivatives at the optimum tell no more than that.
    return "90° or more" if angle > 0.5 * np.pi else f"up to {np.degrees(angle):.2g}°"


def told_of_earlier(path: Path, solution: Solution) -> str | None:
    """Say how far the motion that a file has is from the optimum; None if it is the same, or of something else.

    Parameters
    ----------
    path : Path
        Where the tool's motion goes: OpenSim's own, if it was run before.
    """
    model, time = solution.problem.model, solution.result["time"].values
    try:
        table = load_table(path)
    except (BorelliError, OSError):
        return None
    names = model.coordinate_names
    if not len(table.time) or any(name not in table.columns for name in names):
        return None
    row = np.searchsorted(table.time, time - _SAME_TIME).clip(max=len(table.time) - 1)
    same = np.abs(table.time[row] - time) < _SAME_TIME
    which = np.flatnonzero(same & (solution.found.status == SOLVED))
    if not which.size:
        return None
    q = table.values[row[which]][:, [table.columns.index(name) for name in names]].copy()
    turns = np.array([c.motion is MotionType.ROTATIONAL for c in model.coordinates])
    if table.in_degrees is not False:
        q[:, turns] *= RAD_PER_DEG
    gap = np.abs(q - solution.result["q"].values[which])[:, turns]
    if not np.isfinite(gap).all() or gap.max() < _SAME:
        return None
    t, k = np.unravel_index(int(gap.argmax()), gap.shape)
    name = np.array(names)[turns][k]
    away = (
        f"The motion that {path.name} had before is up to {np.degrees(gap[t, k]):.3g}° away ({name}, at "
        f"{time[which[t]]:.3f} s)"
    )
    own = _objectives(solution, which, solution.result["q"].values[which])
    if own.max() < _EXACT:
        return f"{away}."
    higher = 100.0 * (_objectives(solution, which, q) / own - 1.0)
    mean, most = higher.mean(), higher.max()
    on_average = f"{abs(mean):.2g} % {'higher' if mean >= 0.0 else 'lower'} on average"
    told = f"{away}, and its objective is {on_average}" + (f", {most:.2g} % at most." if most > 0.0 else ".")
    lower = np.flatnonzero(higher < -_LOWER)
    if not lower.size:
        return told
    least = lower[int(higher[lower].argmin())]
    return (
        f"{told} It is lower in {lower.size} of {len(higher)} instants, by {-higher[least]:.2g} % at "
        f"{time[which[least]]:.3f} s: there it has found a better posture."
    )


def _objectives(solution: Solution, which: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return the objective (m²) of postures in the order of the model, for some instants."""
    problem, work = solution.problem, solution.problem.scratch()
    tables = (problem.tree, problem.functions)
    values = [
        value_at(*tables, aim_at(solution.aims, int(t)), np.ascontiguousarray(own[problem.order]), work)
        for t, own in zip(which, q, strict=True)
    ]
    return np.array(values)
