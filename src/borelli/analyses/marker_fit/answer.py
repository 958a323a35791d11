"""The answer of inverse kinematics: labelled, with its residuals, and what is odd about it said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.marker_fit.given import MarkerTasks, SensorTasks
from borelli.errors import UnsolvableError, warn
from borelli.kernels.markers.modelled import longest_step
from borelli.kernels.markers.solve import NO_MARKERS, SOLVED, STALLED, UNMET
from borelli.kernels.markers.track import Found
from borelli.kernels.tree.blocks import in_blocks
from borelli.mechanics.markers.misfit import Misfit
from borelli.mechanics.markers.targets import Measured
from borelli.model.model import Model
from borelli.model.plausibility.ranges import FAR_OUTSIDE, joint_angles, outside_range
from borelli.records import dataclass
from borelli.results.labelled.dataset import AXES, dataset, labelled, time_axis

if TYPE_CHECKING:
    import xarray as xr

_REASONS = {
    SOLVED: "solved",
    NO_MARKERS: "no marker is seen",
    UNMET: "the constraints cannot be met",
    STALLED: "no optimum was found in the steps allowed",
}
MEANING = ", ".join(f"{code} {reason}" for code, reason in _REASONS.items())
CITATION = (
    "Lu TW, O'Connor JJ (1999) Bone position estimation from skin marker co-ordinates using global optimisation "
    "with joint constraints. J Biomech 32:129-134."
)


@dataclass(frozen=True, eq=False)
class Fit:
    """Everything that was found."""

    measured: Measured
    tasks: MarkerTasks
    sensors: SensorTasks
    found: Found
    left: Misfit


_LOOKED_AT = ("q", "marker_error", "marker_modelled")


def labelled_fit(fit: Fit) -> xr.Dataset:
    """Label everything."""
    problem, found, markers, left = fit.measured.problem, fit.found, fit.measured.markers, fit.left
    model = problem.model
    solved = found.status == SOLVED
    seen = np.empty_like(found.unseen)
    seen[:, problem.order] = ~found.unseen
    by_coordinate, alone, placed = ("time", "coordinate"), ("time",), ("time", "marker", "axis")
    whole = bool(markers.seen.all())
    measured = markers.measured if whole else np.where(markers.seen[:, :, None], markers.measured, np.nan)
    result = dataset(
        {
            "q": labelled(by_coordinate, left.q, "rad or m"),
            "marker_error": labelled(("time", "marker"), left.distance, "m"),
            "marker_measured": labelled(placed, measured, "m", "ground", role="drawing"),
            "marker_modelled": labelled(placed, left.place, "m", "ground", role="drawing"),
            "rms_error": labelled(alone, left.rms, "m"),
            "objective": labelled(alone, np.where(solved, left.objective, np.nan), "m^2"),
            "kkt_residual": labelled(alone, np.where(solved, found.residual, np.nan), "m^2/rad or m"),
            "constraint_error": labelled(alone, left.constraint_error, "m or rad"),
            "iterations": labelled(alone, found.steps, "1"),
            "status": labelled(alone, found.status, "1", meaning=MEANING),
            "seen": labelled(by_coordinate, seen, "1", meaning="whether something determines the coordinate"),
        },
        {
            "time": time_axis(fit.measured.time),
            "coordinate": list(model.coordinate_names),
            "marker": list(fit.tasks.names),
            "axis": list(AXES),
            "unit": ("coordinate", [coordinate.unit for coordinate in model.coordinates]),
        },
        {
            "analysis": "inverse_kinematics",
            "model": model.name,
            "marker_weights": {n: float(w) for n, w in zip(fit.tasks.names, markers.weight, strict=True)},
            "ignored_markers": [*fit.tasks.ignored, *fit.sensors.ignored],
            "citations": [CITATION],
        },
        # As it was given; to look at all of it again takes as long as to track a hundred instants.
        looked_at=("marker_measured", *(_LOOKED_AT if left.is_plausible else ())),
    )
    if fit.sensors.names:
        result = result.assign(orientation_error=labelled(("time", "sensor"), left.angle, "rad"))
        result = result.assign_coords(sensor=list(fit.sensors.names))
    return result


_ACCEPTED_RMS_M, _ACCEPTED_MARKER_M = 0.02, 0.04
"""What OpenSim's documentation calls acceptable: an RMS error below 2 cm, no marker above 2 to 4 cm."""
_JUMP_M, _JUMP_TIMES, _JUMP_STEPS = 0.1, 5.0, 5
"""A marker jumps if a step is this long and this many times those around it, so many before and after: a fast limb
takes several long steps one after the other, a swapped label one, a ghost two."""


def tell_what_is_odd(result: xr.Dataset, model: Model, threads: int = 1) -> None:
    """Warn of instants without an answer, of coordinates that nothing determines, and of postures that cannot be."""
    notes = []
    # Variables, not arrays of a Dataset, which take a tenth of a millisecond each to be put together with all labels.
    status, time = result.variables["status"].values, result.variables["time"].values
    if len(status) and not (status == SOLVED).any():
        reasons = ", or ".join(reason for code, reason in _REASONS.items() if (status == code).any())
        raise UnsolvableError(
            f"No instant of the {len(status)} has an answer: {reasons}.",
            remedy="look at the recording (gaps, units, axes, names of markers) and at the constraints of the model",
        )
    for code, reason in _REASONS.items():
        if code != SOLVED and (status == code).any():
            first = float(time[int(np.argmax(status == code))])
            notes.append(
                f"{int((status == code).sum())} of {len(status)} instants have no answer (q is NaN there): {reason}, "
                f"first at {first:g} s."
            )
    # A choice of instants copies everything.
    solved = result if (status == SOLVED).all() else result.isel(time=status == SOLVED)
    notes += [
        *_unseen(solved, model),
        *_jumps(result, threads),
        *_misfits(solved),
        *_beyond_ranges(solved, model),
    ]
    result.attrs["warnings"] = notes
    for note in notes:
        warn(note)


def _unseen(solved: xr.Dataset, model: Model) -> list[str]:
    """Coordinates that no marker sees, at all or in some instants."""
    seen = solved.variables["seen"].values
    # As in nearly every recording; to count takes longer.
    if seen.all():
        return []
    lost = (~seen).sum(axis=0)
    never = [
        repr(name)
        for name, many in zip(model.coordinate_names, lost, strict=True)
        if many == solved.sizes["time"]
    ]
    notes = []
    if solved.sizes["time"] and never:
        notes.append(
            f"No marker sees coordinate {never[0]}: it stays where it was, at its prior."
            if len(never) == 1
            else f"No marker sees coordinates {', '.join(never)}: they stay where they were, at their priors."
        )
    return notes + [
        f"No marker sees coordinate {name!r} in {many} of {len(solved['time'])} instants: it stays where it was before."
        for name, many in zip(model.coordinate_names, lost, strict=True)
        if 0 < many < solved.sizes["time"]
    ]


def _jumps(result: xr.Dataset, threads: int) -> list[str]:
    """Markers that are elsewhere from one instant to the next: their labels were swapped."""
    time, place = result.variables["time"].values, result.variables["marker_measured"].values
    if len(time) < 2:
        return []
    longest = [0.0]
    in_blocks(
        len(time) - 1,
        lambda steps: longest.append(longest_step(place[steps.start : steps.stop + 1])),
        threads=threads,
    )
    # Few recordings have such a step, and to write down the lengths of all takes most of the time.
    if max(longest) <= _JUMP_M:
        return []
    # NaN, where a marker was not seen in both instants, is no jump.
    away = np.linalg.norm(np.diff(place, axis=0), axis=2)
    step, marker = np.nonzero(away > _JUMP_M)
    around = np.clip(step[:, None] + np.arange(-_JUMP_STEPS, _JUMP_STEPS + 1), 0, len(away) - 1)
    usual = np.nanmedian(away[around, marker[:, None]], axis=1)
    jumped = away[step, marker] > _JUMP_TIMES * usual
    if not jumped.any():
        return []
    step, marker = step[jumped], marker[jumped]
    first = int(np.argmax(away[step, marker]))
    name, size, when = (
        str(result["marker"].values[marker[first]]),
        away[step, marker][first],
        time[step[first] + 1],
    )
    many = len(set(marker.tolist()))
    others = f", and {many - 1} more of the markers jump" if many > 1 else ""
    return [
        f"Marker {name!r} jumps by {size:.2f} m at {when:g} s{others}: labels may be swapped. The posture jumps with "
        "it, and accelerations are wrong there: mend the labels, or leave these instants out (--from-s, --to-s)."
    ]


def _misfits(solved: xr.Dataset) -> list[str]:
    """Markers that the model cannot follow."""
    error = solved.variables["marker_error"]
    # Plain arrays: labels take as long as the fit of a hundred instants.
    by_marker = _mean_of_seen(error.values)
    if not by_marker.any():
        return []
    rms = float(np.nanmean(solved.variables["rms_error"].values))
    worst, name = float(by_marker.max()), str(solved["marker"].values[int(by_marker.argmax())])
    if rms <= _ACCEPTED_RMS_M and worst <= _ACCEPTED_MARKER_M:
        return []
    return [
        f"The model misses the markers by {1e3 * rms:.0f} mm (RMS, on average), {name!r} by {1e3 * worst:.0f} mm; "
        f"{1e3 * _ACCEPTED_RMS_M:.0f} mm and {1e3 * _ACCEPTED_MARKER_M:.0f} mm are accepted as a rule. Do not trust "
        "the joint angles: check names, places and units of the markers, and the size of the model (place_markers, "
        "borelli scale)."
    ]


def _mean_of_seen(error: np.ndarray) -> np.ndarray:
    """Return the mean over time of each column, zero where a marker was never seen."""
    total = np.asarray(error.sum(axis=0))
    if np.isfinite(total).all():
        return total / max(len(error), 1)
    seen = np.isfinite(error)
    return np.asarray(np.where(seen, error, 0.0).sum(axis=0) / np.maximum(seen.sum(axis=0), 1))


def _beyond_ranges(solved: xr.Dataset, model: Model) -> list[str]:
    """Angles far outside the ranges of the model: a limb that fits its markers turned round."""
    notes, postures = [], solved.variables["q"].values
    if not len(postures):
        return []
    # Few angles leave their ranges at all, and the extremes of all are found together.
    low, high = np.array([coordinate.range for coordinate in model.coordinates], dtype=float).T
    farthest = np.maximum(low - postures.min(axis=0), postures.max(axis=0) - high)
    far = {model.coordinate_names[k]: k for k in np.flatnonzero(~(farthest <= FAR_OUTSIDE))}
    for coordinate in joint_angles(model):
        if coordinate.name not in far:
            continue
        q = postures[:, far[coordinate.name]]
        beyond = outside_range(coordinate, q)
        if (beyond > FAR_OUTSIDE).any():
            low, high = np.degrees(coordinate.range)
            notes.append(
                f"{coordinate.name!r} leaves its range ({low:.0f}° to {high:.0f}°) in {int((beyond > 0.0).sum())} of "
                f"{len(q)} instants, by up to {np.degrees(np.nanmax(beyond)):.0f}°: a limb may be turned round. "
                "Clamp the coordinate in the model, or give it a task."
            )
    return notes
