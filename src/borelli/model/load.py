"""Load: a force and a moment from outside, on one body."""

from __future__ import annotations

import enum
from dataclasses import fields
from typing import Any

import numpy as np

from borelli.arrays import FARTHEST, all_plausible, plain_numbers, seconds
from borelli.errors import InvalidValueError, MissingInputError, ShapeError
from borelli.instants import distinct
from borelli.records import dataclass

# Loaded where needed: scipy, whose parts are slow to load and seldom needed.


class Interpolation(enum.Enum):
    """How a load is found between its samples.

    LINEAR never invents a force beyond the neighbouring samples; CUBIC is smoother (and OpenSim's way) but
    overshoots where a foot strikes.
    """

    LINEAR = "linear"
    CUBIC = "cubic"


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """An external load on a body, all of it in ground axes.

    A vector of shape (3,) stands for all times.

    Parameters
    ----------
    name : str
        Its label among the shares of a result: ``load:<name>``.
    body : str
        The body that feels it.
    force : (n_times, 3) float, optional
        N.
    point : (n_times, 3) float, optional
        Where the force acts, in ground (m); needed with a force. May be NaN where the force is zero.
    moment : (n_times, 3) float, optional
        Moment that acts besides the force (N m).
    time : (n_times,) float, optional
        Instants of the rows (s). Without it the rows are those of the motion.

    Examples
    --------
    >>> push = bo.Load("push", "pelvis", force=(50.0, 0.0, 0.0), point=(0.0, 1.0, 0.0))  # N, m, in ground
    >>> push.at(motion.time).force.shape
    (191, 3)
    """

    name: str
    body: str
    force: np.ndarray = None  # type: ignore[assignment]
    point: np.ndarray = None  # type: ignore[assignment]
    moment: np.ndarray = None  # type: ignore[assignment]
    time: np.ndarray | None = None

    def __post_init__(self) -> None:
        # Vectors left out are None only until here: a load that exists has all three.
        if self.force is None and self.moment is None:
            raise MissingInputError(f"load {self.name!r} has neither a force nor a moment.")
        if self.force is not None and self.point is None:
            raise MissingInputError(
                f"load {self.name!r} has a force but no point where it acts.",
                remedy="give point, in ground axes",
            )
        rows = {name: self._rows(name) for name in ("force", "point", "moment")}
        n = max(row.shape[0] for row in rows.values())
        for name, row in rows.items():
            if row.shape[0] not in (1, n):
                raise ShapeError(
                    f"{name} of load {self.name!r} has {row.shape[0]} rows where others have {n}."
                )
            rows[name] = np.broadcast_to(row, (n, 3))
        rows["point"] = _known_where_it_matters(rows["force"], rows["point"], self.name)
        for name, row in rows.items():
            object.__setattr__(self, name, row)
        if self.time is not None:
            object.__setattr__(self, "time", self._instants(n))

    def _rows(self, name: str) -> np.ndarray:
        given = getattr(self, name)
        if given is None:
            return np.zeros((1, 3))
        array = plain_numbers(given, f"{name} of load {self.name!r}")
        if array.shape[-1:] != (3,) or array.ndim not in (1, 2) or array.shape[0] == 0:
            raise ShapeError(
                f"{name} of load {self.name!r} needs the shape (n_times, 3) or (3,), but has {array.shape}."
            )
        if all_plausible(array):
            return np.atleast_2d(array)
        if np.isinf(array).any():
            raise InvalidValueError(f"{name} of load {self.name!r} has infinite values.")
        if (np.abs(array) > FARTHEST).any():
            raise InvalidValueError(
                f"{name} of load {self.name!r} reaches {np.nanmax(np.abs(array)):.1e}, which no load on a body does.",
                remedy="look for a damaged number or a wrong unit; NaN marks what is not known",
            )
        return np.atleast_2d(array)

    def _instants(self, n_rows: int) -> np.ndarray:
        time = seconds(self.time, f"time of load {self.name!r}")
        if time.shape != (n_rows,):
            raise ShapeError(
                f"time of load {self.name!r} has shape {time.shape}, but there are {n_rows} rows."
            )
        _require_instants(time, self.name)
        return time

    def at(self, time: Any, interpolation: Interpolation = Interpolation.LINEAR) -> Load:
        """Return the load at the instants of a motion.

        Parameters
        ----------
        time : (n,) float
            Instants (s). They may leave the span of the load's own time by half a step, of the load or of the
            instants, whichever is longer: times are printed with few digits.
        interpolation : Interpolation

        Returns
        -------
        Load
            With exactly n rows.
        """
        return self._at(seconds(time, "time"), interpolation, _is_known(self))

    def _at(self, instants: np.ndarray, interpolation: Interpolation, is_known: bool) -> Load:
        if self.time is None:
            return self._spread(instants, is_known)
        if self.time.shape == instants.shape and np.array_equal(self.time, instants):
            return self
        self._require_cover(instants)
        rows = [
            _resample(self.time, row, instants, interpolation)
            for row in (self.force, self.point, self.moment)
        ]
        return Load(self.name, self.body, rows[0], rows[1], rows[2], instants)

    def _spread(self, instants: np.ndarray, is_known: bool) -> Load:
        n = self.force.shape[0]
        if n not in (1, instants.size):
            raise ShapeError(
                f"load {self.name!r} has {n} rows, but the motion has {instants.size} instants.",
                remedy="give one row for each instant, a single vector, or the load's own time",
            )
        rows = [np.broadcast_to(row, (instants.size, 3)) for row in (self.force, self.point, self.moment)]
        if not is_known or instants.ndim != 1:
            return Load(self.name, self.body, rows[0], rows[1], rows[2], instants)
        # What a load is made of was looked at: there is nothing to find in it a second time.
        _require_instants(instants, self.name)
        found = object.__new__(Load)
        for name, value in zip(_FIELDS, (self.name, self.body, *rows, instants), strict=True):
            object.__setattr__(found, name, value)
        return found

    def _require_cover(self, instants: np.ndarray) -> None:
        assert self.time is not None
        first, last = float(self.time[0]), float(self.time[-1])
        margin = half_step(self.time, instants)
        if instants.min() < first - margin or instants.max() > last + margin:
            raise InvalidValueError(
                f"load {self.name!r} is known from {first:g} to {last:g} s, "
                f"but the motion runs from {instants.min():g} to {instants.max():g} s.",
                remedy="cut the motion to the span of its loads: --from-s and --to-s, in Python motion.instants(…)",
            )


_FIELDS = tuple(each.name for each in fields(Load))


def load_at(load: Load, time: np.ndarray, look: bool = True) -> tuple[Load, bool]:
    """Return a load at the instants of a motion, and whether all of it was found to be a number there.

    Where its rows are those of the motion, each number is looked at once; or not at all, if the caller will.

    Raises
    ------
    InvalidValueError
        If the load is NaN at every instant.
    """
    is_known = not (look or (load.time is not None and not np.array_equal(load.time, time))) or _is_known(
        load
    )
    if not is_known and any(np.isnan(part).any(axis=1).all() for part in (load.force, load.moment)):
        raise InvalidValueError(
            f"load {load.name!r} has no number at any instant.",
            remedy="leave it out if it is not known; zeros say that nothing acts",
        )
    found = load._at(seconds(time, "time"), Interpolation.LINEAR, is_known)
    return found, is_known if found is load or load.time is None else _is_known(found)


def _is_known(load: Load) -> bool:
    return all(map(all_plausible, (load.force, load.point, load.moment)))


def _require_instants(time: np.ndarray, name: str) -> None:
    # Between finite ends that increase everything is finite, and NaN does not increase.
    if not (np.isfinite(time[:1]).all() and np.isfinite(time[-1:]).all() and (time[1:] > time[:-1]).all()):
        raise InvalidValueError(f"time of load {name!r} must be finite and increasing.")


def half_step(*times: np.ndarray) -> float:
    """Half the longest mean step of several recordings (s): nearer than this the nearest row is meant."""
    steps = [float(time[-1] - time[0]) / (time.size - 1) for time in times if time.size > 1]
    # A nanosecond more: an end exactly half a step beyond must not depend on round-off.
    return 0.5 * max(steps, default=0.0) + 1e-9


def _known_where_it_matters(force: np.ndarray, point: np.ndarray, name: str) -> np.ndarray:
    """Put unknown points of zero forces at the origin, where they change nothing."""
    if all_plausible(point):
        return point
    unknown = np.isnan(point).any(axis=1)
    if not unknown.any():
        return point
    acting = unknown & (force != 0).any(axis=1) & ~np.isnan(force).any(axis=1)
    if acting.any():
        raise InvalidValueError(
            f"the point of load {name!r} is NaN in row {int(np.argmax(acting))}, where its force is not zero."
        )
    return np.where(unknown[:, None] & ~np.isnan(force).any(axis=1)[:, None], 0.0, point)


def _resample(
    time: np.ndarray, rows: np.ndarray, instants: np.ndarray, interpolation: Interpolation
) -> np.ndarray:
    if interpolation is Interpolation.CUBIC and time.size > 3:
        from scipy.interpolate import CubicSpline

        own = distinct(time, rows)
        spline = CubicSpline(time[own], rows[own], bc_type="natural")
        # Outside its span a natural spline is a straight line, and so is OpenSim's: nothing bends there.
        inside = np.clip(instants, time[own][0], time[own][-1])
        return np.asarray(spline(inside) + (instants - inside)[:, None] * spline(inside, 1))
    return np.column_stack([np.interp(instants, time, rows[:, axis]) for axis in range(3)])
