"""Joint maps: from the coordinates of one joint to the variables of its nodes, and back for forces.

The tree passes never see coordinates: they see hinge angles, rotation matrices and translations. A joint map
gives these as functions of coordinates q, speeds u and accelerations udot, and carries generalized forces of
the nodes back to generalized forces conjugate to u. Where q and u differ (ball joints) it also gives qdot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from borelli.kernels.tree.algebra import Matrix, Vector, add, cross, scale, times, transposed_times
from borelli.kernels.tree.attitude_maps import (
    quaternion_matrix,
    quaternion_rates,
    quaternion_spin,
    xyz_matrix,
    xyz_rates,
    xyz_spin,
)
from borelli.kernels.tree.functions import CoordinateFunction, Numbers, total_rates
from borelli.kernels.tree.node import NodeVariables
from borelli.kernels.tree.node_force import NodeForce
from borelli.kernels.tree.numbers import Number, cos, sin
from borelli.records import dataclass


class NodeRate(NamedTuple):
    """Rates of one node: of its turn (None, number or vector in its own axes) and along its axes."""

    turn: Any
    shift: Numbers


class JointMap(Protocol):
    """What the engine asks of a joint."""

    @property
    def n_coordinates(self) -> int:
        """Number of coordinates it reads."""
        ...

    @property
    def n_speeds(self) -> int:
        """Number of speeds it reads."""
        ...

    def variables(self, q: Numbers, u: Numbers | None, udot: Numbers | None) -> list[NodeVariables]:
        """Variables of the joint's nodes; without u or udot, for a joint at rest."""
        ...

    def unit_rates(self, q: Numbers) -> list[list[NodeRate]]:
        """Rates of the joint's nodes when each speed in turn is one: the columns of the map."""
        ...

    def generalized_force(self, q: Numbers, forces: Sequence[NodeForce]) -> Numbers:
        """Generalized forces conjugate to u from those of the nodes: the transposed map."""
        ...

    def coordinate_rates(self, q: Numbers, u: Numbers) -> Numbers:
        """Rates of the coordinates: qdot = N(q) u."""
        ...

    def speeds(self, q: Numbers, qdot: Numbers, qddot: Numbers) -> tuple[Numbers, Numbers]:
        """Speeds and accelerations u, udot from time derivatives of the coordinates."""
        ...


@dataclass(frozen=True)
class AxesMap:
    """Hinges and translations that are functions of the coordinates; u = qdot.

    Parameters
    ----------
    n_coordinates : int
    hinges : tuple of functions
        Angle of each hinge node in turn (rad); empty for a joint that only slides.
    shifts : tuple of functions
        Translation along each axis of the first node (m).
    """

    n_coordinates: int
    hinges: tuple[CoordinateFunction, ...]
    shifts: tuple[CoordinateFunction, ...] = ()

    @property
    def n_speeds(self) -> int:
        """As many as coordinates."""
        return self.n_coordinates

    def variables(self, q: Numbers, u: Numbers | None, udot: Numbers | None) -> list[NodeVariables]:
        """Evaluate the functions; the first node carries the translations."""
        shifts = [total_rates(function, q, u, udot) for function in self.shifts]
        shift, rate, acceleration = zip(*shifts, strict=True) if shifts else ((), (), ())
        if not self.hinges:
            return [NodeVariables(None, None, None, shift, rate, acceleration)]
        nodes = []
        for function in self.hinges:
            theta, theta_rate, theta_acceleration = total_rates(function, q, u, udot)
            turn = (sin(theta), cos(theta))
            nodes.append(NodeVariables(turn, theta_rate, theta_acceleration, shift, rate, acceleration))
            shift, rate, acceleration = (), (), ()
        return nodes

    def unit_rates(self, q: Numbers) -> list[list[NodeRate]]:
        """Gradients of the functions; exactly 0.0 where a function does not depend on a coordinate."""
        hinges = [_slopes(function, q, self.n_coordinates) for function in self.hinges]
        shifts = [_slopes(function, q, self.n_coordinates) for function in self.shifts]
        columns = []
        for k in range(self.n_coordinates):
            shift = tuple(slopes[k] for slopes in shifts)
            turns = [slopes[k] for slopes in hinges] or [None]
            columns.append([NodeRate(turn, () if node else shift) for node, turn in enumerate(turns)])
        return columns

    def generalized_force(self, q: Numbers, forces: Sequence[NodeForce]) -> Numbers:
        """Sum over the functions of gradient times force."""
        total: list[Number] = [0.0] * self.n_coordinates
        pairs = list(zip(self.shifts, forces[0].shift, strict=True))
        if self.hinges:
            pairs += [(f, force.turn) for f, force in zip(self.hinges, forces, strict=True)]
        for function, force in pairs:
            _, gradient, _ = function.derivatives(q)
            for index, slope in zip(function.arguments, gradient, strict=True):
                total[index] = total[index] + slope * force
        return tuple(total)

    def coordinate_rates(self, q: Numbers, u: Numbers) -> Numbers:
        """Return the speeds themselves."""
        return u

    def speeds(self, q: Numbers, qdot: Numbers, qddot: Numbers) -> tuple[Numbers, Numbers]:
        """Return the rates themselves."""
        return qdot, qddot


@dataclass(frozen=True)
class BallMap:
    """Three rotations, alone, with a free translation, or rolling over an ellipsoid.

    Parameters
    ----------
    quaternion : bool
        Coordinates are a unit quaternion, scalar first, and u is the angular velocity in *child* axes;
        otherwise body-fixed XYZ angles, and u is the angular velocity in *parent* axes (OpenSim's way).
    free : bool
        Three more coordinates and speeds: the translation in the axes of the joint's parent frame.
    radii : Vector or None
        Semi-axes (m) of an ellipsoid on which the origin moves so that the child's z axis gives the direction
        of the scaled normal: t = radii * (R z), component by component (Seth et al. 2010).
    """

    quaternion: bool
    free: bool = False
    radii: Vector | None = None

    @property
    def n_coordinates(self) -> int:
        """Four or three for the rotation, and three for a free translation."""
        return (4 if self.quaternion else 3) + (3 if self.free else 0)

    @property
    def n_speeds(self) -> int:
        """Three, or six with a free translation."""
        return 6 if self.free else 3

    def matrix(self, q: Numbers) -> Matrix:
        """Rotation matrix of the coordinates."""
        return quaternion_matrix(q[:4]) if self.quaternion else xyz_matrix(q[:3])

    def variables(self, q: Numbers, u: Numbers | None, udot: Numbers | None) -> list[NodeVariables]:
        """Rotation matrix, relative angular velocity in child axes, and translation."""
        still = (0.0,) * self.n_speeds
        u = still if u is None else u
        udot = still if udot is None else udot
        turn = self.matrix(q)
        omega, alpha = _vector(u), _vector(udot)
        # The components of w in child and parent axes have the same derivative up to the rotation,
        # because w x w = 0.
        rate = omega if self.quaternion else transposed_times(turn, omega)
        acceleration = alpha if self.quaternion else transposed_times(turn, alpha)
        shift: Any = ((), (), ())
        if self.free:
            shift = (q[-3:], u[3:], udot[3:])
        elif self.radii is not None:
            shift = self._rolling(turn, rate, acceleration)
        return [NodeVariables(turn, rate, acceleration, *shift)]

    def _rolling(self, turn: Matrix, rate: Vector, acceleration: Vector) -> tuple[Vector, Vector, Vector]:
        """Return the translation over the ellipsoid and its time derivatives."""
        normal = (turn[2], turn[5], turn[8])
        omega, alpha = times(turn, rate), times(turn, acceleration)
        normal_rate = cross(omega, normal)
        normal_acceleration = add(cross(alpha, normal), cross(omega, normal_rate))
        return self._stretch(normal), self._stretch(normal_rate), self._stretch(normal_acceleration)

    def _stretch(self, x: Vector) -> Vector:
        assert self.radii is not None
        return (self.radii[0] * x[0], self.radii[1] * x[1], self.radii[2] * x[2])

    def unit_rates(self, q: Numbers) -> list[list[NodeRate]]:
        """Unit angular velocities in child axes, with the translation that goes with them."""
        turn = self.matrix(q)
        normal = (turn[2], turn[5], turn[8])
        columns = []
        for k, axis in enumerate(_AXES):
            # Row k of R is the parent's axis k in child axes.
            rate = axis if self.quaternion else turn[3 * k : 3 * k + 3]
            shift: Numbers = (0.0, 0.0, 0.0) if self.free else ()
            if self.radii is not None:
                shift = self._stretch(cross(times(turn, axis) if self.quaternion else axis, normal))
            columns.append([NodeRate(rate, shift)])
        if self.free:
            columns += [[NodeRate((0.0, 0.0, 0.0), axis)] for axis in _AXES]
        return columns

    def generalized_force(self, q: Numbers, forces: Sequence[NodeForce]) -> Numbers:
        """Moment in the axes of u, then the force of a free translation."""
        moment: Vector = forces[0].turn
        turn = self.matrix(q)
        if not self.quaternion:
            moment = times(turn, moment)
        if self.free:
            return (*moment, *forces[0].shift)
        if self.radii is not None:
            # t' = radii * (w x n) works with f as w . (n x radii * f).
            more = cross((turn[2], turn[5], turn[8]), self._stretch(_vector(forces[0].shift)))
            moment = add(moment, transposed_times(turn, more) if self.quaternion else more)
        return moment

    def coordinate_rates(self, q: Numbers, u: Numbers) -> Numbers:
        """Rates of quaternion or angles, then of the translation."""
        omega = _vector(u)
        rates = quaternion_rates(q[:4], omega) if self.quaternion else xyz_rates(q[:3], omega)
        return (*rates, *u[3:])

    def speeds(self, q: Numbers, qdot: Numbers, qddot: Numbers) -> tuple[Numbers, Numbers]:
        """Angular velocity and acceleration in the axes of u, then those of the translation."""
        if self.quaternion:
            # 2 vec(q* q'') is the angular acceleration for any length of q whose rate follows the unit
            # sphere; a change of length adds a multiple of w, which is taken out.
            k = sum(a * b for a, b in zip(q[:4], qdot[:4], strict=True)) * 2.0
            k = k / sum(a * a for a in q[:4])
            omega = quaternion_spin(q[:4], qdot[:4])
            alpha = add(quaternion_spin(q[:4], qddot[:4]), scale(-k, omega))
        else:
            omega, alpha = xyz_spin(q[:3], qdot[:3], qddot[:3])
        n = 4 if self.quaternion else 3
        return (*omega, *qdot[n:]), (*alpha, *qddot[n:])


_AXES: tuple[Vector, Vector, Vector] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def _slopes(function: CoordinateFunction, q: Numbers, count: int) -> list[Number]:
    """Derivatives of a function by all coordinates of its joint."""
    slopes: list[Number] = [0.0] * count
    _, gradient, _ = function.derivatives(q)
    for index, slope in zip(function.arguments, gradient, strict=True):
        slopes[index] = slopes[index] + slope
    return slopes


def _vector(x: Sequence[Number]) -> Vector:
    return (x[0], x[1], x[2])
