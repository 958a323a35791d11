"""Angles of interest: what a moment arm is about, as any function of the coordinates [Sherman, Seth & Delp 2013]."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any, TypeAlias

import numpy as np

from borelli.arrays import listed
from borelli.errors import BorelliError, DuplicateNameError, InvalidValueError, ShapeError, UnknownNameError
from borelli.model.functions.expression import parse_expression
from borelli.model.model import Model
from borelli.records import dataclass

AngleFunction: TypeAlias = Callable[[Mapping[str, np.ndarray]], Any]
AngleSpec: TypeAlias = Mapping[str, float] | str | AngleFunction
"""Weights of coordinates, a formula of coordinates, or a function of them."""

_STEP = 1e-3
"""rad or m: with a five-point formula the error of a derivative is of order step⁴."""


@dataclass(frozen=True)
class Angle:
    """Something whose rate is a weighted sum of speeds or of rates of coordinates.

    Parameters
    ----------
    name : str
    weights : mapping of str to float
        Coordinate -> derivative of the angle by it. A plain coordinate has itself with 1.
    """

    name: str
    weights: Mapping[str, float]

    def value(self, model: Model, q: np.ndarray) -> np.ndarray:
        """Return the angle in postures (n, n_q), (n,)."""
        names = model.coordinate_names
        known = [(name, weight) for name, weight in self.weights.items() if name in names]
        if len(known) < len(self.weights):
            # A component of an angular velocity is the rate of nothing.
            return np.full(len(q), np.nan)
        return np.asarray(sum(weight * q[:, names.index(name)] for name, weight in known) + np.zeros(len(q)))

    def slopes(self, model: Model, q: np.ndarray) -> Mapping[str, Any]:
        """Return its derivative by every coordinate that it depends on, each a number or (n,)."""
        return self.weights


@dataclass(frozen=True)
class FunctionAngle(Angle):
    """An angle that is any smooth function of the coordinates.

    Parameters
    ----------
    function : function of a mapping of coordinate to (n,) values
        Returns the angle, (n,).
    """

    weights: Mapping[str, float] = field(default_factory=dict, init=False)
    function: AngleFunction

    def value(self, model: Model, q: np.ndarray) -> np.ndarray:
        """Return the angle in postures (n, n_q), (n,)."""
        return self._called(_Asked(model, q))

    def slopes(self, model: Model, q: np.ndarray) -> Mapping[str, np.ndarray]:
        """Differentiate by every coordinate that the function asks for, by a five-point formula."""
        asked = _Asked(model, q)
        self._called(asked)
        found: dict[str, np.ndarray] = {}
        for name in asked.names:
            column, slope = model.coordinate_names.index(name), np.zeros(len(q))
            for distance, weight in ((1, 8.0), (2, -1.0)):
                for sign in (1.0, -1.0):
                    moved = q.copy()
                    moved[:, column] += sign * distance * _STEP
                    slope += sign * weight * self._called(_Asked(model, moved))
            found[name] = slope / (12.0 * _STEP)
        return found

    def _called(self, asked: _Asked) -> np.ndarray:
        try:
            value = np.asarray(self.function(asked), dtype=float)
            whole = np.broadcast_to(value, (asked.n,))
        except BorelliError:
            raise
        except ValueError as error:
            raise ShapeError(
                f"the angle {self.name!r} must be {asked.n} numbers, one for each instant: {error}.",
                remedy="return a function of q['coordinate'] that works on arrays",
            ) from None
        if not np.isfinite(whole).all():
            raise InvalidValueError(
                f"the angle {self.name!r} is not finite in instant {int(np.argmin(np.isfinite(whole)))}.",
                remedy="give a function that is finite wherever the motion leads",
            )
        return whole


class _Asked(Mapping[str, np.ndarray]):
    """Coordinates by name, which remembers those that were asked for."""

    def __init__(self, model: Model, q: np.ndarray) -> None:
        self.model, self.q, self.n = model, q, len(q)
        self.names: dict[str, None] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        known = self.model.coordinate_names
        if name not in known:
            raise UnknownNameError.among(name, "coordinate", known, of=f"model {self.model.name!r}")
        self.names[name] = None
        return self.q[:, known.index(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.model.coordinate_names)

    def __len__(self) -> int:
        return len(self.model.coordinate_names)


def angles_of(
    model: Model, coordinates: Iterable[str] | str | None, angles: Mapping[str, AngleSpec] | None
) -> tuple[Angle, ...]:
    """Put coordinates and angles of interest in one row; all speeds of the model where nothing is asked for.

    Raises
    ------
    UnknownNameError, DuplicateNameError, InvalidValueError
        If a name is not that of a coordinate, stands twice, or a formula cannot be read.
    """
    names = listed(coordinates)
    if names is None:
        names = () if angles else model.speed_names
    known = model.speed_names
    for name in names:
        if name not in known:
            raise UnknownNameError.among(name, "coordinate", known, of=f"model {model.name!r}")
    found = [Angle(name, {name: 1.0}) for name in names]
    for name, spec in (angles or {}).items():
        if name in names:
            raise DuplicateNameError(f"{name!r} is a coordinate and an angle of interest at once.")
        found.append(_angle(model, name, spec))
    return tuple(found)


def _angle(model: Model, name: str, spec: AngleSpec) -> Angle:
    if isinstance(spec, str):
        read = parse_expression(spec, model.coordinate_names)
        used = sorted(
            {str(step.push) for _, steps in read.statements for step in steps if step.apply is None}
        )
        mine = [known for known in used if known in model.coordinate_names]
        if not mine:
            raise InvalidValueError(
                f"the angle {name!r} = {spec!r} depends on no coordinate.",
                remedy="write it with names of coordinates",
            )
        return FunctionAngle(name, lambda q: read.evaluate({part: q[part] for part in mine}))
    if isinstance(spec, Mapping):
        for coordinate in spec:
            model.coordinates[coordinate]
        return Angle(name, {key: float(value) for key, value in spec.items()})
    return FunctionAngle(name, spec)
