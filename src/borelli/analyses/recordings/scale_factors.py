"""How much larger is each segment of a subject than that of the model, by markers of a static trial?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import xarray as xr

from borelli.analyses.movement.body_poses import marker_positions
from borelli.analyses.postures.default_posture import default_posture
from borelli.analyses.postures.static_trials import static_trials
from borelli.errors import InvalidValueError, UnknownNameError, warn
from borelli.mechanics.scaling.static_trial import all_instants, opensim_instants, within
from borelli.model.body import GROUND
from borelli.model.model import Model
from borelli.records import dataclass

MODES = ("default", "opensim")


@dataclass(frozen=True)
class Measurement:
    """A length between markers that scales bodies.

    Parameters
    ----------
    name : str
    pairs : sequence of (marker, marker)
        The factor is the mean over these pairs of measured over modelled distance.
    bodies : mapping of body to axes, or sequence of bodies
        Which axes of which bodies follow, such as ``{"femur_r": "y"}``; all three where only bodies are named.

    Examples
    --------
    >>> thigh = bo.Measurement("thigh", [("RASI", "RKNL")], ["femur_r"])
    >>> thigh.name
    'thigh'
    """

    name: str
    pairs: Sequence[tuple[str, str]]
    bodies: Mapping[str, str] | Sequence[str]

    def axes_of(self) -> dict[str, str]:
        """Axes by body, in lower case."""
        bodies = self.bodies
        named = dict(bodies) if isinstance(bodies, Mapping) else dict.fromkeys(bodies, "xyz")
        for body, axes in named.items():
            if not set(axes.lower()) <= set("xyz "):
                raise InvalidValueError(
                    f"Measurement {self.name!r} scales the axes {axes!r} of {body!r}.",
                    remedy="use x, y and z",
                )
        return {body: axes.lower() for body, axes in named.items()}


@dataclass(frozen=True)
class Measured:
    """What a measurement found: the factor, and the two distances of every pair (m)."""

    name: str
    factor: float
    pairs: tuple[tuple[str, str, float, float], ...]
    """First and second marker, distance in the model, distance of the subject."""


class ScaleFactors(dict[str, np.ndarray]):
    """Three factors by body, ground included; with what was measured, and what could not be.

    Attributes
    ----------
    measured : list of Measured
    notes : list of str

    Examples
    --------
    >>> static = bo.load_markers(walk.standing)
    >>> factors = bo.scale_factors(model, static, [bo.Measurement("shank", [("RKNL", "RANL")], ["tibia_r"])])
    >>> factors["tibia_r"].shape
    (3,)
    """

    def __init__(self, factors: Mapping[str, np.ndarray]) -> None:
        super().__init__(factors)
        self.measured: list[Measured] = []
        self.notes: list[str] = []


def scale_factors(
    model: Model,
    static: xr.DataArray | Sequence[xr.DataArray],
    measurements: Iterable[Measurement],
    *,
    time_range: tuple[float, float] | None = None,
    mode: str = "default",
) -> ScaleFactors:
    """Measure the segments of a subject.

    Parameters
    ----------
    model : Model
        Its markers, in the default posture, give the lengths to compare with.
    static : DataArray (time, marker, axis), or several
        Static trials (m), see :func:`borelli.load_markers`.
    measurements : iterable of Measurement
        In order: the later overwrites the earlier on the axes that both scale.
    time_range : (float, float), optional
        First and last time (s); the whole trial by default.
    mode : {"default", "opensim"}
        By default a distance is the mean over the instants that see both markers, and a pair that is never seen is left
        out with a warning. ``"opensim"`` drops the whole measurement for one missing value, and takes the instants
        that OpenSim takes: the first alone where no time is given, up to one beyond each end of the range elsewhere.

    Returns
    -------
    ScaleFactors
        A mapping of body to (3,) factors; ``measured`` lists every distance, ``notes`` what could not be measured.

    Examples
    --------
    >>> static = bo.load_markers(walk.standing)
    >>> factors = bo.scale_factors(model, static, [bo.Measurement("shank", [("RKNL", "RANL")], ["tibia_r"])])
    >>> bool(abs(factors["tibia_r"] - 1.0).max() < 0.005)
    True
    """
    if mode not in MODES:
        raise UnknownNameError.among(mode, "mode of scaling", MODES)
    rows = [_instants(trial, time_range, mode) for trial in static_trials(static)]
    at_rest = marker_positions(model, default_posture(model))
    modelled = dict(zip(model.marker_names, at_rest.values[0], strict=True))
    factors = ScaleFactors({name: np.ones(3) for name in (GROUND, *model.body_names)})
    for measurement in measurements:
        _apply(factors, measurement, model, modelled, rows, mode)
    if factors.notes:
        lines = "".join(f"\n  - {note}" for note in factors.notes)
        warn(f"model {model.name!r}, measured:{lines}")
    return factors


def _instants(trial: xr.DataArray, time_range: tuple[float, float] | None, mode: str) -> xr.DataArray:
    time = trial["time"].values
    if mode == "opensim":
        return trial.isel(time=opensim_instants(time, *(time_range or (-1.0, -1.0))))
    rows = all_instants(time) if time_range is None else within(time, *time_range)
    return trial.isel(time=rows)


def _apply(
    factors: ScaleFactors,
    measurement: Measurement,
    model: Model,
    modelled: Mapping[str, np.ndarray],
    rows: Sequence[xr.DataArray],
    mode: str,
) -> None:
    """Measure one length, and let its bodies follow."""
    found: list[tuple[str, str, float, float]] = []
    lacking: list[str] = []
    for first, second in measurement.pairs:
        try:
            here = _distance_in_model(modelled, first, second)
            there = _distance_in_trials(rows, first, second, mode)
        except _Unseen as missing:
            lacking.append(str(missing))
            continue
        found.append((first, second, here, there))
    # OpenSim drops a measurement that lacks a pair; the mean of the others is still one of the subject.
    if lacking and (mode == "opensim" or not found):
        factors.notes.append(f"measurement {measurement.name!r} is dropped: {'; '.join(lacking)}")
        return
    if lacking:
        factors.notes.append(f"measurement {measurement.name!r} goes without a pair: {'; '.join(lacking)}")
    if not found:
        factors.notes.append(f"measurement {measurement.name!r} is dropped: it has no pair of markers")
        return
    # The mean of ratios, not the ratio of means: a long pair counts no more than a short one.
    factor = float(np.mean([there / here for _, _, here, there in found]))
    factors.measured.append(Measured(measurement.name, factor, tuple(found)))
    for body, axes in measurement.axes_of().items():
        if body not in factors:
            factors.notes.append(f"measurement {measurement.name!r} names {body!r}, which is not a body")
            continue
        for axis in axes.replace(" ", ""):
            factors[body]["xyz".index(axis)] = factor


class _Unseen(Exception):
    """A distance that cannot be measured, in words."""


def _distance_in_model(modelled: Mapping[str, np.ndarray], first: str, second: str) -> float:
    for name in (first, second):
        if name not in modelled:
            raise _Unseen(f"the model has no marker {name!r}")
    distance = float(np.linalg.norm(modelled[first] - modelled[second]))
    if distance == 0.0:
        raise _Unseen(f"{first!r} and {second!r} are one point of the model")
    return distance


def _distance_in_trials(rows: Sequence[xr.DataArray], first: str, second: str, mode: str) -> float:
    distances: list[np.ndarray] = []
    for trial in rows:
        known = set(trial["marker"].values.tolist())
        if first in known and second in known:
            gap = trial.sel(marker=first).values - trial.sel(marker=second).values
            distances.append(np.linalg.norm(gap, axis=1))
        elif mode == "opensim" or len(rows) == 1:
            missing = next(name for name in (first, second) if name not in known)
            raise _Unseen(f"the recording has no marker {missing!r}")
    every = np.concatenate(distances) if distances else np.zeros(0)
    seen = every[np.isfinite(every)]
    if not seen.size or (mode == "opensim" and seen.size < every.size):
        raise _Unseen(
            f"{first!r} or {second!r} is missing in {every.size - seen.size} of {every.size} instants"
        )
    # Of distances, not of places: a subject who sways is as large as one who stands still.
    return float(seen.mean())
