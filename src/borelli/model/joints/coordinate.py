"""Coordinate: one freedom of a joint."""

from __future__ import annotations

import enum
import math

from borelli.errors import InvalidValueError
from borelli.model.functions.function import Function
from borelli.model.values import number, numbers
from borelli.records import dataclass


class MotionType(enum.Enum):
    """What a coordinate measures, which decides its unit and the unit of its generalized force.

    Examples
    --------
    >>> bm.Coordinate("tx", motion=bm.MotionType.TRANSLATIONAL).unit
    'm'
    """

    ROTATIONAL = "rotational"
    TRANSLATIONAL = "translational"
    COUPLED = "coupled"


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A generalized coordinate.

    Parameters
    ----------
    name : str
        Unique in the model.
    motion : MotionType
        Rotational (rad), translational (m), or coupled (the axis functions give it its meaning).
    default_value, default_speed : float
        Where a model rests when nothing else is said.
    range : (float, float)
        Lowest and highest value; infinite where there is no limit.
    clamped : bool
        Whether solvers must stay inside the range.
    locked : bool
        Held at its default value.
    prescribed_function : Function or None
        Value as a function of time.
    prescribed : bool
        Whether that function is in force.
    free_to_satisfy_constraints : bool
        Whether assembling may move it although it is given.

    Examples
    --------
    >>> knee = bm.Coordinate("knee_angle", range=(0.0, 2.0), clamped=True)
    >>> knee.unit
    'rad'
    """

    name: str
    motion: MotionType = MotionType.ROTATIONAL
    default_value: float = 0.0
    default_speed: float = 0.0
    range: tuple[float, float] = (-math.inf, math.inf)
    clamped: bool = False
    locked: bool = False
    prescribed_function: Function | None = None
    prescribed: bool = False
    free_to_satisfy_constraints: bool = False

    def __post_init__(self) -> None:
        what = f"coordinate {self.name!r}"
        object.__setattr__(self, "motion", MotionType(self.motion))
        object.__setattr__(self, "default_value", number(self.default_value, f"the default value of {what}"))
        object.__setattr__(self, "default_speed", number(self.default_speed, f"the default speed of {what}"))
        low, high = numbers(self.range, f"the range of {what}", 2)
        object.__setattr__(self, "range", (low, high))
        if self.prescribed and self.prescribed_function is None:
            raise InvalidValueError(
                f"{what} is prescribed, but no function of time is given.",
                remedy="give prescribed_function, or set prescribed to false",
            )

    @property
    def unit(self) -> str:
        """Unit of its value: ``rad``, ``m``, or ``1`` for a coupled coordinate."""
        return {MotionType.ROTATIONAL: "rad", MotionType.TRANSLATIONAL: "m"}.get(self.motion, "1")
