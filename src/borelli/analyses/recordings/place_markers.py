"""Where on the body are the markers, by a trial in which the subject stands still?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import xarray as xr

from borelli.analyses.movement.body_poses import body_poses, marker_positions
from borelli.analyses.postures.static_trials import static_trials
from borelli.analyses.recordings.inverse_kinematics import inverse_kinematics
from borelli.errors import InvalidValueError, UnknownNameError, warn
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.scaling.static_trial import (
    all_instants,
    mean_of_seen,
    mean_of_whole,
    opensim_instants,
    within,
)
from borelli.model.body import GROUND
from borelli.model.model import Model
from borelli.results.labelled.dataset import AXES, dataset, labelled

MODES = ("default", "opensim")


class PlacedMarkers(NamedTuple):
    """A model whose markers are where they were seen.

    Attributes
    ----------
    model : Model
    pose : Motion
        The posture of the subject, an instant for each static trial.
    report : Dataset
        ``before`` and ``after`` (trial, marker): distance between the seen marker and the model's, in that posture (m);
        ``moved`` (marker): how far it was moved in its body (m); ``location`` (marker, axis): where it is now;
        ``weight`` (marker); and ``objective``, ``kkt_residual`` (trial).

    Examples
    --------
    >>> placed = bo.place_markers(model, bo.load_markers(walk.standing))
    >>> placed.model.name
    'borelli_walk'
    """

    model: Model
    pose: Motion
    report: xr.Dataset


class _Targets(NamedTuple):
    """Where one trial shows its markers: to find the posture by, and to put markers at."""

    names: tuple[str, ...]
    followed: np.ndarray
    placed: np.ndarray
    time: float


def place_markers(
    model: Model,
    static: xr.DataArray | Sequence[xr.DataArray],
    *,
    weights: Mapping[str, float] | None = None,
    tasks: Mapping[str, tuple[float, Any]] | None = None,
    time_range: tuple[float, float] | None = None,
    keep_absent: bool = True,
    set_default_pose: bool = False,
    mode: str = "default",
) -> PlacedMarkers:
    """Move a model's markers to where a subject wore them.

    The posture is the one whose markers are nearest to those seen on average (:func:`borelli.inverse_kinematics`, to
    the optimum); then each marker that is not ``fixed`` goes to where it was seen, in the frame that carries it.

    Parameters
    ----------
    model : Model
        Scaled to the subject.
    static : DataArray (time, marker, axis), or several
        Trials in which the subject stands still (m); one instant is enough. With several, a marker goes to the mean of
        its places in its body.
    weights, tasks
        As of :func:`borelli.inverse_kinematics`.
    time_range : (float, float), optional
        First and last time (s); the whole trial by default.
    keep_absent : bool
        Markers that no trial has stay on the model; OpenSim deletes them.
    set_default_pose : bool
        The posture of the first trial becomes the default values of the coordinates.
    mode : {"default", "opensim"}
        By default one mean over the instants that see a marker serves both steps. ``"opensim"`` takes the means that
        OpenSim takes: a marker with a single gap is not followed, and its place is averaged over up to one more
        instant on each side.

    Returns
    -------
    PlacedMarkers

    Guarantees, each a test
    -----------------------
    - an exact trial gives places and posture back

    Examples
    --------
    >>> placed = bo.place_markers(model, bo.load_markers(walk.standing))
    >>> shift = [np.subtract(new.location, old.location) for new, old in zip(placed.model.markers, model.markers)]
    >>> bool(np.abs(shift).max() < 0.005)  # m; the markers were where the model has them
    True
    """
    if mode not in MODES:
        raise UnknownNameError.among(mode, "mode of placing markers", MODES)
    aims = [_targets(trial, time_range, mode) for trial in static_trials(static)]
    found = [_posture(model, aim, weights, tasks) for aim in aims]
    pose = Motion(
        np.arange(len(aims)) + aims[0].time,
        model.coordinate_names,
        np.array([each["q"].sel(coordinate=list(model.coordinate_names)).values[0] for each in found]),
    )
    moved = _moved(model, aims, pose)
    seen = {name for aim in aims for name in aim.names}
    placed = _with_places(model, moved, seen, keep_absent)
    if set_default_pose:
        placed = _standing(placed, pose.q[0])
    report = _report(model, placed, aims, pose, found, weights)
    return PlacedMarkers(placed, pose, report)


def _targets(trial: xr.DataArray, time_range: tuple[float, float] | None, mode: str) -> _Targets:
    time, position = trial["time"].values, trial.transpose("time", "marker", "axis").values
    names = tuple(map(str, trial["marker"].values))
    if mode == "default":
        rows = all_instants(time) if time_range is None else within(time, *time_range)
        mean = mean_of_seen(position[rows])
        return _Targets(names, mean, mean, float(time[rows][0]))
    first, last = _clipped(time, *(time_range or (-1.0, -1.0)))
    strict = within(time, first, last)
    return _Targets(
        names,
        mean_of_whole(position[strict]),
        mean_of_seen(position[opensim_instants(time, first, last)]),
        first,
    )


def _clipped(time: np.ndarray, first: float, last: float) -> tuple[float, float]:
    """Return a range of time inside the recording; -1 stands for its ends."""
    first = max(first, float(time[0]))
    return first, float(time[-1]) if last < first else min(last, float(time[-1]))


def _posture(
    model: Model,
    aim: _Targets,
    weights: Mapping[str, float] | None,
    tasks: Mapping[str, tuple[float, Any]] | None,
) -> xr.Dataset:
    markers = xr.DataArray(
        aim.followed[None],
        dims=("time", "marker", "axis"),
        coords={"time": [aim.time], "marker": list(aim.names), "axis": list(AXES)},
        attrs={"units": "m"},
    )
    found = inverse_kinematics(model, markers, weights=weights, tasks=tasks)
    if not np.isfinite(found["q"].values).all():
        raise InvalidValueError(
            f"No posture fits the static trial at {aim.time:g} s.",
            where=f"model {model.name!r}",
            remedy="check that the recording and the model name their markers alike",
        )
    return found


def _moved(model: Model, aims: Sequence[_Targets], pose: Motion) -> dict[str, np.ndarray]:
    """Return where each marker that may move was seen, in the frame that carries it (m)."""
    poses = body_poses(model, pose)
    rotation = dict(zip(model.body_names, poses["rotation"].values.swapaxes(0, 1), strict=True))
    origin = dict(zip(model.body_names, poses["origin"].values.swapaxes(0, 1), strict=True))
    places: dict[str, np.ndarray] = {}
    for marker in model.markers:
        if marker.fixed:
            continue
        body, place = model.place(marker.frame)
        turn, shift = np.array(place.rotation, float), np.array(place.translation, float)
        own = []
        for number, aim in enumerate(aims):
            if marker.name not in aim.names:
                continue
            target = aim.placed[aim.names.index(marker.name)]
            if np.isfinite(target).all():
                if body != GROUND:
                    target = rotation[body][number].T @ (target - origin[body][number])
                own.append(turn.T @ (target - shift))
        if own:
            places[marker.name] = np.mean(own, axis=0)
    return places


def _with_places(model: Model, places: Mapping[str, np.ndarray], seen: set[str], keep_absent: bool) -> Model:
    markers = [
        replace(marker, location=tuple(places[marker.name].tolist())) if marker.name in places else marker
        for marker in model.markers
        if keep_absent or marker.name in seen
    ]
    unseen = [m.name for m in markers if m.name in seen and not m.fixed and m.name not in places]
    if unseen:
        warn(
            f"model {model.name!r}: markers that no instant shows stay where they were: {', '.join(unseen)}."
        )
    return replace(model, markers=markers)  # type: ignore[arg-type]


def _standing(model: Model, q: np.ndarray) -> Model:
    """Return the model whose default values are a posture."""
    value = dict(zip(model.coordinate_names, q.tolist(), strict=True))
    joints = [
        replace(
            joint,
            coordinates=tuple(replace(c, default_value=value[c.name]) for c in joint.coordinates),
        )
        for joint in model.joints
    ]
    return replace(model, joints=joints)  # type: ignore[arg-type]


def _report(
    model: Model,
    placed: Model,
    aims: Sequence[_Targets],
    pose: Motion,
    found: Sequence[xr.Dataset],
    weights: Mapping[str, float] | None,
) -> xr.Dataset:
    names = placed.marker_names
    target = np.full((len(aims), len(names), 3), np.nan)
    for number, aim in enumerate(aims):
        for index, name in enumerate(names):
            if name in aim.names:
                target[number, index] = aim.placed[aim.names.index(name)]

    def errors(which: Model) -> np.ndarray:
        here = marker_positions(which, pose).sel(marker=list(names)).values
        distance: np.ndarray = np.linalg.norm(here - target, axis=2)
        return distance

    location = np.array([placed.markers[name].location for name in names], float).reshape(-1, 3)
    old = np.array([model.markers[name].location for name in names], float).reshape(-1, 3)
    default = 1.0 if weights is None else 0.0
    weight = np.array([float((weights or {}).get(name, default)) for name in names])
    trial = ("trial", "marker")
    return dataset(
        {
            "before": labelled(trial, errors(model), "m"),
            "after": labelled(trial, errors(placed), "m"),
            "moved": labelled(("marker",), np.linalg.norm(location - old, axis=1), "m"),
            "location": labelled(("marker", "axis"), location, "m", "the frame that carries the marker"),
            "weight": labelled(("marker",), weight, "1"),
            "objective": labelled(
                ("trial",), np.array([float(each["objective"][0]) for each in found]), "m²"
            ),
            "kkt_residual": labelled(
                ("trial",), np.array([float(each["kkt_residual"][0]) for each in found]), "m²/rad"
            ),
        },
        {"marker": list(names), "axis": list(AXES)},
        {"analysis": "place_markers", "model": model.name},
    )
