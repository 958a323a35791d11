"""What is measured, as sums over the markers of every part and instant."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from borelli.compiled.compile import Attachment
from borelli.kernels.markers.fit import N_SUMS
from borelli.kernels.markers.track import Recording
from borelli.mechanics.markers.problem import PostureProblem


@dataclass(frozen=True, eq=False)
class Markers:
    """Measured markers.

    Parameters
    ----------
    frames : tuple of Attachment
        What carries each marker; the origin of the placement is the marker.
    weight : (n_markers,) float
    measured : (n, n_markers, 3) float
        m, in ground; NaN where a marker was not seen.
    """

    frames: tuple[Attachment, ...]
    weight: np.ndarray
    measured: np.ndarray

    @cached_property
    def seen(self) -> np.ndarray:
        """Markers with all three coordinates and a weight, (n, n_markers) bool."""
        return np.isfinite(self.measured).all(axis=2) & (self.weight > 0.0)

    @cached_property
    def shares(self) -> np.ndarray:
        """Weights over their sum in each instant; zero where a marker is not seen, (n, n_markers)."""
        weight = np.where(self.seen, self.weight, 0.0)
        total = weight.sum(axis=1, keepdims=True)
        return np.divide(weight, total, out=np.zeros_like(weight), where=total > 0.0)


@dataclass(frozen=True, eq=False)
class Sensors:
    """Measured orientations.

    Parameters
    ----------
    frames : tuple of Attachment
    weight : (n_sensors,) float
    measured : (n, n_sensors, 3, 3) float
        Axes of the sensors as columns, in ground; NaN where there are none.
    importance : float
        What the mean squared angle counts beside the mean squared distance of markers (m²/rad²).
    """

    frames: tuple[Attachment, ...]
    weight: np.ndarray
    measured: np.ndarray
    importance: float = 1.0

    @property
    def seen(self) -> np.ndarray:
        """Sensors with a measurement and a weight, (n, n_sensors) bool."""
        return np.isfinite(self.measured).all(axis=(2, 3)) & (self.weight > 0.0)

    @property
    def shares(self) -> np.ndarray:
        """Weights over their sum in each instant, times the importance of orientations, (n, n_sensors)."""
        weight = np.where(self.seen, self.weight, 0.0)
        total = weight.sum(axis=1, keepdims=True)
        return self.importance * np.divide(weight, total, out=np.zeros_like(weight), where=total > 0.0)


def no_sensors(n: int) -> Sensors:
    """Return the orientations of no sensor in n instants."""
    return Sensors((), np.zeros(0), np.zeros((n, 0, 3, 3)))


@dataclass(frozen=True, eq=False)
class Tasks:
    """Coordinates that are wanted near values: weights and values, each (n, n_q) in tree order."""

    weight: np.ndarray
    value: np.ndarray


def recording(
    problem: PostureProblem,
    time: np.ndarray,
    markers: Markers,
    tasks: Tasks,
    sensors: Sensors,
    power: int = 1,
) -> Recording:
    """Put everything that is measured into the form of the kernels.

    Parameters
    ----------
    power : int
        Of the markers' shares, for what noise does: see uncertainty.py.
    """
    n = len(time)
    shares, seen = markers.shares**power, markers.seen
    measured = np.where(seen[..., None], markers.measured, 0.0)
    count = np.maximum(seen.sum(axis=1), 1)[:, None]
    centre = measured.sum(axis=1) / count
    measured = np.where(seen[..., None], measured - centre[:, None], 0.0)
    joints = np.array([problem.carrier(frame) for frame in markers.frames], dtype=np.int64)
    carrier = np.unique(joints[joints >= 0])
    sums = np.zeros((n, len(carrier), N_SUMS))
    place = np.array([frame.placement.translation for frame in markers.frames], dtype=float).reshape(-1, 3)
    for part, joint in enumerate(carrier):
        own = np.flatnonzero(joints == joint)
        w, p = shares[:, own], place[own]
        weighted = w[..., None] * measured[:, own]
        sums[:, part, 0] = w.sum(axis=1)
        sums[:, part, 1:4] = w @ p
        sums[:, part, 4:13] = w @ (p[:, :, None] * p[:, None]).reshape(-1, 9)
        sums[:, part, 13:16] = weighted.sum(axis=1)
        sums[:, part, 16:25] = np.swapaxes(np.tensordot(weighted, p, axes=(1, 0)), 1, 2).reshape(n, 9)
    moving = joints >= 0
    constant = 0.5 * (shares[:, moving] * (measured[:, moving] ** 2).sum(axis=2)).sum(axis=1)
    return Recording(
        centre,
        carrier,
        sums,
        constant,
        *_orientations(problem, n, sensors),
        tasks.weight,
        tasks.value,
        problem.fixed_values(time),
        np.asarray(seen.any(axis=1) | sensors.seen.any(axis=1)),
    )


@dataclass(frozen=True, eq=False)
class Parts:
    """What every part with markers has in each instant.

    Parameters
    ----------
    count : (n, n_parts) int
        Markers seen.
    constant : (n, n_parts) float
        Its share of the objective's constant, Σ w |m|² / 2.
    """

    count: np.ndarray
    constant: np.ndarray


def parts_of(problem: PostureProblem, markers: Markers, whole: Recording) -> Parts:
    """Tell the parts of a recording apart."""
    joints = np.array([problem.carrier(frame) for frame in markers.frames], dtype=np.int64)
    belongs = (joints[:, None] == whole.carrier[None, :]).astype(float)
    gap = np.where(markers.seen[..., None], markers.measured - whole.centre[:, None], 0.0)
    square = 0.5 * markers.shares * (gap**2).sum(axis=2)
    return Parts((markers.seen @ belongs).astype(int), square @ belongs)


def instants(whole: Recording, which: slice | np.ndarray) -> Recording:
    """Return some instants, as often and in the order that is asked for."""
    shared = ("carrier", "sensor_carrier")
    return whole._replace(
        **{name: getattr(whole, name)[which] for name in whole._fields if name not in shared}
    )


def _orientations(
    problem: PostureProblem, n: int, sensors: Sensors
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Carriers, weights and wanted axes of the carrying parts."""
    carrier = np.array([problem.carrier(frame) for frame in sensors.frames], dtype=np.int64)
    moving = np.flatnonzero(carrier >= 0)
    own = np.array([frame.placement.rotation for frame in sensors.frames], dtype=float).reshape(-1, 3, 3)
    target = np.einsum("tsij,skj->tsik", sensors.measured, own)
    target = np.where(sensors.seen[..., None, None], target, 0.0)
    return carrier[moving], sensors.shares[:, moving].copy(), np.ascontiguousarray(target[:, moving])
