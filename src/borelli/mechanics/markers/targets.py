"""What is measured, as sums over the markers of every part and instant."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from borelli.compiled.compile import Attachment
from borelli.kernels.markers.fit import N_SUMS
from borelli.kernels.markers.measured import sum_markers, weigh_markers
from borelli.kernels.markers.track import Recording
from borelli.mechanics.markers.problem import PostureProblem
from borelli.records import dataclass


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
    seen : (n, n_markers) bool
        Markers with all three coordinates and a weight.
    shares : (n, n_markers) float
        Weights over their sum in each instant; zero where a marker is not seen.
    """

    frames: tuple[Attachment, ...]
    weight: np.ndarray
    measured: np.ndarray
    seen: np.ndarray
    shares: np.ndarray

    def at(self, some: slice | np.ndarray) -> Markers:
        """Return some of the instants."""
        return Markers(self.frames, self.weight, self.measured[some], self.seen[some], self.shares[some])


def weighed(frames: tuple[Attachment, ...], weight: np.ndarray, measured: np.ndarray) -> Markers:
    """Return measured markers, with what each counts in every instant."""
    seen = np.empty(measured.shape[:2], dtype=np.bool_)
    shares = np.empty(seen.shape)
    weigh_markers(measured, weight, seen, shares)
    return Markers(frames, weight, measured, seen, shares)


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


@dataclass(frozen=True, eq=False)
class Measured:
    """All that is measured and wanted in n instants, and what the kernels make of it as soon as it is asked for.

    Parameters
    ----------
    time : (n,) float
        s
    """

    problem: PostureProblem
    time: np.ndarray
    markers: Markers
    tasks: Tasks
    sensors: Sensors

    @cached_property
    def usable(self) -> np.ndarray:
        """Instants in which something is seen, (n,) bool."""
        return np.asarray(self.markers.seen.any(axis=1) | self.sensors.seen.any(axis=1))

    @cached_property
    def aims(self) -> Recording:
        """All instants in the form of the kernels: 25 numbers for each part in each instant."""
        return recording(self.problem, self.time, self.markers, self.tasks, self.sensors)

    @cached_property
    def parts(self) -> Parts:
        """The parts that carry markers."""
        return parts_of(self.problem, self.markers, self.aims)

    def at(self, some: slice | np.ndarray) -> Measured:
        """Return some of the instants."""
        return Measured(
            self.problem,
            self.time[some],
            self.markers.at(some),
            Tasks(self.tasks.weight[some], self.tasks.value[some]),
            replace(self.sensors, measured=self.sensors.measured[some]),
        )


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
    n, seen = len(time), markers.seen
    shares = markers.shares if power == 1 else markers.shares**power
    joints = np.array([problem.carrier(frame) for frame in markers.frames], dtype=np.int64)
    carrier = np.unique(joints[joints >= 0])
    part = np.where(joints >= 0, np.searchsorted(carrier, joints), -1)
    place = np.array([frame.placement.translation for frame in markers.frames], dtype=float).reshape(-1, 3)
    centre, sums, constant = np.empty((n, 3)), np.zeros((n, len(carrier), N_SUMS)), np.empty(n)
    sum_markers(markers.measured, shares, place, part, centre, sums, constant)
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
    """What every part with markers has in one instant; few of all instants are asked for.

    Parameters
    ----------
    belongs : (n_markers, n_parts) float
        1 where a part carries a marker.
    centre : (n, 3) float
        As of the recording.
    """

    markers: Markers
    belongs: np.ndarray
    centre: np.ndarray

    def count(self, t: int) -> np.ndarray:
        """Markers seen of each part, (n_parts,) int."""
        return (self.markers.seen[t].astype(float) @ self.belongs).astype(int)

    def constant(self, t: int) -> np.ndarray:
        """Share of each part of the objective's constant, Σ w |m|² / 2, (n_parts,)."""
        gap = np.where(self.markers.seen[t, :, None], self.markers.measured[t] - self.centre[t], 0.0)
        return np.asarray((0.5 * self.markers.shares[t] * (gap**2).sum(axis=1)) @ self.belongs)


def parts_of(problem: PostureProblem, markers: Markers, whole: Recording) -> Parts:
    """Tell the parts of a recording apart."""
    joints = np.array([problem.carrier(frame) for frame in markers.frames], dtype=np.int64)
    return Parts(markers, (joints[:, None] == whole.carrier[None, :]).astype(float), whole.centre)


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
