"""The custom joint: six axis functions of the coordinates (OpenSim's SpatialTransform)."""

from __future__ import annotations

import enum
from dataclasses import field
from typing import ClassVar

import numpy as np

from borelli.errors import InvalidValueError, ShapeError
from borelli.model.functions.function import Constant, Function
from borelli.model.joints.coordinate import Coordinate
from borelli.model.joints.joint import Joint
from borelli.model.values import Vector, all_concrete, vector
from borelli.records import dataclass


@dataclass(frozen=True, slots=True)
class AxisFunction:
    """Motion along or about one axis as a function of coordinates.

    Parameters
    ----------
    axis : 3 numbers
        Direction in the parent frame at zero rotation; made a unit vector.
    function : Function
        The angle (rad) or distance (m).
    coordinates : tuple of str
        Names of the coordinates it depends on, in the order of the function's arguments.

    Examples
    --------
    >>> flexion = bm.AxisFunction(axis=(0.0, 0.0, 1.0), function=bm.Linear((1.0,)), coordinates=("knee_angle",))
    >>> flexion.function.derivative([0.3])  # rad of rotation for each rad of the coordinate
    array([1.])
    """

    axis: Vector
    function: Function = field(default_factory=Constant)
    coordinates: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        axis = vector(self.axis, "the axis of a custom joint")
        if all_concrete(axis):
            length = float(np.linalg.norm(axis))
            if length == 0.0:
                raise InvalidValueError("an axis of a custom joint has zero length.")
            # An axis of unit length but for its last digit stays as it was given.
            if abs(length - 1) > 1e-15:
                axis = (axis[0] / length, axis[1] / length, axis[2] / length)
        object.__setattr__(self, "axis", axis)
        names = (self.coordinates,) if isinstance(self.coordinates, str) else tuple(self.coordinates)
        object.__setattr__(self, "coordinates", names)
        needed = self.function.n_arguments
        if needed is not None and needed != len(names):
            raise ShapeError(
                f"an axis function of {needed} arguments ({type(self.function).__name__}) "
                f"was given {len(names)} coordinates: {', '.join(names) or 'none'}."
            )


class AxisRates(enum.Enum):
    """How fast the rotation axes of a custom joint turn, which decides its angular acceleration.

    EXACT
        Each axis is carried by the rotations before it.
    SIMBODY
        As Simbody, OpenSim's engine, computes it. The two differ where one coordinate drives several of the
        rotations; there Simbody's accelerations do not fit its own velocities and the power of the joint is
        not the growth of energy. Models read from OpenSim files have this, so that they give OpenSim's
        numbers.

    Examples
    --------
    >>> bm.AxisRates("exact") is bm.AxisRates.EXACT
    True
    """

    EXACT = "exact"
    SIMBODY = "simbody"


def _still(*axes: Vector) -> tuple[AxisFunction, ...]:
    return tuple(AxisFunction(axis) for axis in axes)


_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomJoint(Joint):
    """Three rotations in turn, and a translation, each a function of the joint's coordinates.

    q are the joint's own coordinates, up to six (rad or m), and u their rates: knees that roll and glide, coupled
    spines. OpenSim's CustomJoint, whose SpatialTransform lists the same six functions.

    The child frame has the rotation ``R(a1, θ1) R(a2, θ2) R(a3, θ3)`` and the origin ``Σ b_k d_k`` in the
    parent frame. The axes need not be orthogonal; three rotation axes must be independent wherever more
    than one of them moves.

    Parameters
    ----------
    rotations : 3 AxisFunction
        Angles θ about a1, a2, a3 (rad).
    translations : 3 AxisFunction
        Distances d along b1, b2, b3 (m).
    axis_rates : AxisRates
        Exact, or as Simbody has it.

    Examples
    --------
    >>> bend = bm.AxisFunction((0.0, 0.0, 1.0), bm.Linear((1.0,)), ("q",))
    >>> still = [bm.AxisFunction(axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
    >>> slide = bm.AxisFunction((1.0, 0.0, 0.0), bm.Polynomial((0.0, 0.01)), ("q",))
    >>> knee = bm.CustomJoint(
    ...     name="knee",
    ...     parent="thigh",
    ...     child="shank",
    ...     coordinates=(bm.Coordinate("q"),),
    ...     rotations=(bend, still[0], still[1]),
    ...     translations=(slide, still[1], still[2]),
    ... )
    >>> knee.translations[0].function.evaluate([2.0])  # m, at 2 rad
    array([0.02])
    """

    kind: ClassVar[str] = "custom"
    rotations: tuple[AxisFunction, ...] = field(default_factory=lambda: _still(_X, _Y, _Z))
    translations: tuple[AxisFunction, ...] = field(default_factory=lambda: _still(_X, _Y, _Z))
    axis_rates: AxisRates = AxisRates.EXACT

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis_rates", AxisRates(self.axis_rates))
        for name in ("rotations", "translations"):
            axes = tuple(getattr(self, name))
            object.__setattr__(self, name, axes)
            if len(axes) != 3:
                raise ShapeError(
                    f"custom joint {self.name!r} needs three {name}, but {len(axes)} were given."
                )
        coordinates: tuple[Coordinate, ...] = tuple(self.coordinates)
        object.__setattr__(self, "coordinates", coordinates)

    @property
    def axes(self) -> tuple[AxisFunction, ...]:
        """All six axis functions, rotations first."""
        return self.rotations + self.translations
