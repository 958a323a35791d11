"""Motion: coordinates over time, and their rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

from borelli.arrays import all_plausible, plain_numbers, seconds
from borelli.errors import (
    DuplicateNameError,
    InvalidValueError,
    MissingInputError,
    ShapeError,
    UnknownNameError,
)
from borelli.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Coordinates over time.

    The columns may be in any order; they are matched to a model by name. Instants in which a coordinate is NaN
    are allowed: results are NaN there and nowhere else.

    Parameters
    ----------
    time : (n_times,) float
        Strictly increasing (s).
    coordinates : sequence of str
        Names of the columns of ``q``.
    q : (n_times, n_coordinates) float
        Coordinates (rad or m; unit quaternions scalar first).
    u, udot : (n_times, n_speeds) float, optional
        Speeds and accelerations. If left out they are derivatives of the interpolating quintic spline
        through ``q``, turned into angular velocities where a joint has those for speeds.
    speeds : sequence of str, optional
        Names of the columns of ``u`` and ``udot``; needed only where they differ from ``coordinates``,
        that is with joints on quaternions.
    settings : mapping, optional
        How the motion was made (filter, splines, file), for the manifest of results.

    Examples
    --------
    >>> bend = bo.Motion([0.0, 0.5, 1.0], ["elbow"], [[0.0], [0.8], [1.2]])  # s, rad
    >>> bend.n_times, bo.Motion.at_rest(["elbow"], [0.5]).u.item()
    (3, 0.0)
    """

    time: np.ndarray
    coordinates: tuple[str, ...]
    q: np.ndarray
    u: np.ndarray | None = None
    udot: np.ndarray | None = None
    speeds: tuple[str, ...] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        time = _numbers(self.time, "time")
        if time.ndim != 1 or time.size == 0:
            raise ShapeError(f"time must be a vector of at least one instant, but has shape {time.shape}.")
        _require_increasing(time)
        coordinates = _names(self.coordinates, "coordinates")
        q = _table(self.q, "q", time.size, coordinates)
        speeds = coordinates if self.speeds is None else _names(self.speeds, "speeds")
        u = None if self.u is None else _table(self.u, "u", time.size, speeds)
        udot = None if self.udot is None else _table(self.udot, "udot", time.size, speeds)
        if udot is not None and u is None:
            raise MissingInputError("udot was given without u.", remedy="give both, or neither")
        values = {"time": time, "coordinates": coordinates, "q": q, "u": u, "udot": udot, "speeds": speeds}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def at_rest(cls, coordinates: Any, q: Any, time: Any = None) -> Motion:
        """Build postures without speed: ``q`` of shape (n_coordinates,) or (n_times, n_coordinates).

        Use it with models whose speeds are named like their coordinates; others need ``speeds``.
        """
        q = np.atleast_2d(_numbers(q, "q"))
        time = np.arange(float(q.shape[0])) if time is None else time
        return cls(time, coordinates, q, np.zeros_like(q), np.zeros_like(q))

    @property
    def n_times(self) -> int:
        """Number of instants."""
        return int(self.time.size)

    @property
    def missing(self) -> np.ndarray:
        """Instants in which something is NaN, (n_times,) bool."""
        missing = np.isnan(self.q).any(axis=1)
        for rates in (self.u, self.udot):
            if rates is not None:
                missing = missing | np.isnan(rates).any(axis=1)
        return missing

    def column(self, name: str) -> np.ndarray:
        """Return one coordinate over time, (n_times,)."""
        if name not in self.coordinates:
            raise UnknownNameError.among(name, "coordinate", self.coordinates, of="the motion")
        return self.q[:, self.coordinates.index(name)]

    def instants(self, selection: slice | np.ndarray) -> Motion:
        """Return some of the instants: a slice, or indices or flags that keep them in order."""
        u = None if self.u is None else self.u[selection]
        udot = None if self.udot is None else self.udot[selection]
        return Motion(
            self.time[selection], self.coordinates, self.q[selection], u, udot, self.speeds, self.settings
        )

    def frames(self, selection: slice | np.ndarray) -> Motion:
        """Return :meth:`instants`; its name in earlier versions."""
        return self.instants(selection)

    def __repr__(self) -> str:
        rates = " with speeds and accelerations" if self.udot is not None else ""
        span = f"{self.time[0]:g} to {self.time[-1]:g} s"
        return f"<Motion: {self.n_times} instants, {span}, {len(self.coordinates)} coordinates{rates}>"


def _numbers(values: Any, what: str) -> np.ndarray:
    convert = seconds if what == "time" else plain_numbers
    array = convert(values, f"{what} of a motion")
    if not all_plausible(array) and np.isinf(array).any():
        raise InvalidValueError(f"{what} of a motion has infinite values.")
    # A view that cannot be written to: the caller's own array stays as it is.
    view = array.view()
    view.flags.writeable = False
    return view


def _require_increasing(time: np.ndarray) -> None:
    if np.isnan(time).any():
        raise InvalidValueError(f"time is NaN in instant {int(np.argmax(np.isnan(time)))}.")
    steps = np.diff(time)
    if (steps <= 0).any():
        instant = int(np.argmax(steps <= 0)) + 1
        raise InvalidValueError(
            f"time must increase, but instant {instant} ({time[instant]:g} s) does not come after "
            f"instant {instant - 1} ({time[instant - 1]:g} s).",
            remedy="sort the instants and remove duplicated times",
        )


def _names(names: Any, what: str) -> tuple[str, ...]:
    names = (names,) if isinstance(names, str) else tuple(names)
    for name in names:
        if not isinstance(name, str):
            raise InvalidValueError(f"the {what} of a motion must be names, but {name!r} is not one.")
        if names.count(name) > 1:
            raise DuplicateNameError(f"{names.count(name)} columns of a motion are called {name!r}.")
    return names


def _table(values: Any, what: str, n_times: int, names: tuple[str, ...]) -> np.ndarray:
    table = _numbers(values, what)
    if table.shape != (n_times, len(names)):
        hint = ""
        if what != "q" and table.ndim == 2 and table.shape[0] == n_times:
            hint = "name the columns of u and udot with speeds=(…) if they differ from the coordinates"
        raise ShapeError(
            f"{what} of a motion needs the shape ({n_times}, {len(names)}), one row for each instant and one "
            f"column for each name, but has {table.shape}.",
            remedy=hint or None,
        )
    return table
