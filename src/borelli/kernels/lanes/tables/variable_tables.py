"""Tables of node variables: how hinge angles, rotations and translations follow from coordinates.

A node variable that *is* a coordinate shares that coordinate's rows. All others get rows of their own, filled
by the passes over functions, polynomials and balls, and are tied to the speeds: rate of variable = sum of slope
times speed, and therefore force on speed = sum of slope times force on variable.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from borelli.kernels.lanes.tables.function_tables import Monomials, function_data, monomials
from borelli.kernels.lanes.tables.record_types import (
    ARC,
    BALLS,
    COUPLING,
    FACTOR,
    FUNCTION,
    MONOMIAL,
    ON_ANGLES,
    ON_ELLIPSOID,
    ON_QUATERNION,
    POLYNOMIAL,
)
from borelli.kernels.lanes.tables.table_records import TABLE_INTEGER
from borelli.kernels.lanes.tables.variants import UnsupportedMechanism
from borelli.kernels.tree.arc import ArcEnd, arc_powers
from borelli.kernels.tree.functions import CoordinateFunction, Linear
from borelli.kernels.tree.joint_maps import AxesMap, BallMap
from borelli.kernels.tree.mechanism import Mechanism, Mobilizer

Variable: TypeAlias = tuple[int, str, int]
"""Node, ``"turn"`` or ``"shift"``, and which of these."""


@dataclass
class VariableRows:
    """Rows of one node variable, its time derivatives and the force conjugate to it."""

    value: int
    rate: int
    acceleration: int
    force: int


@dataclass
class NodeRows:
    """Rows of the variables of one node."""

    turn: int = 0
    turns: list[VariableRows] = field(default_factory=list)
    shifts: list[VariableRows] = field(default_factory=list)


class VariableTables:
    """Rows of coordinates, speeds and node variables, and the tables of what lies between them.

    Attributes
    ----------
    n_rows : int
        Rows of the workspace so far.
    q, u, udot, force, zeros, ones : int
        First rows of coordinates, speeds, accelerations and generalized forces; rows of constants.
    rows : list of NodeRows
        Rows of the variables of each node.
    ties : list of tuple
        Speed, row of the slope, row of the force on the variable, and the variable.
    functions, polynomials, monomials, factors, balls, arcs, uncoupled, couplings : (n, width) int32
    function_data, ball_data : float64
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.n_rows = 0
        self._functions: list[dict[str, int]] = []
        self._function_data: list[float] = []
        self._polynomials: list[dict[str, int]] = []
        self._monomials: list[dict[str, int]] = []
        self._factors: list[dict[str, int]] = []
        self._balls: list[dict[str, Any]] = []
        self._arcs: list[dict[str, Any]] = []
        self._radii: list[tuple[float, ...]] = []
        self._direct: set[int] = set()
        self.ties: list[tuple[int, int, int, Variable]] = []
        n_q, n_u = mechanism.n_coordinates, mechanism.n_speeds
        self.q, self.u, self.udot = (self.take(n) for n in (n_q, n_u, n_u))
        # Forces take the place of accelerations, which nobody needs any more by then (or not yet).
        self.force = self.udot
        self.zeros, self.ones = self.take(1), self.take(1)
        self.rows = [NodeRows() for _ in mechanism.nodes]
        for mobilizer in mechanism.mobilizers:
            try:
                self._add_mobilizer(mobilizer)
            except UnsupportedMechanism as error:
                raise UnsupportedMechanism(error.reason, mobilizer.coordinates) from error
        self._finish_variables(n_u)

    def take(self, count: int) -> int:
        """Return the first of so many new rows."""
        first = self.n_rows
        self.n_rows += count
        return first

    def _add_mobilizer(self, mobilizer: Mobilizer) -> None:
        joint = mobilizer.map
        if type(joint) is AxesMap:
            first = self.rows[mobilizer.nodes[0]]
            if joint.shifts and isinstance(joint.shifts[0], ArcEnd):
                self._add_arc(mobilizer, joint.shifts[0])
            for k, function in enumerate(joint.shifts):
                if isinstance(function, ArcEnd):
                    continue
                key = (mobilizer.nodes[0], "shift", k)
                first.shifts.append(self._variable(mobilizer, function, key))
            for node, function in zip(mobilizer.nodes, joint.hinges, strict=False):
                rows = self.rows[node]
                rows.turns.append(self._variable(mobilizer, function, (node, "turn", 0)))
                rows.turn = self.take(2)
        elif type(joint) is BallMap:
            self._add_ball(mobilizer, joint)
        else:
            raise UnsupportedMechanism(f"a joint map of type {type(joint).__name__}")

    def _variable(self, mobilizer: Mobilizer, function: CoordinateFunction, key: Variable) -> VariableRows:
        """Return the rows of a function of coordinates: those of the coordinate itself if that is all."""
        if isinstance(function, Linear) and function.is_identity:
            k = function.arguments[0]
            coordinate, speed = mobilizer.coordinates[k], mobilizer.speeds[k]
            if speed not in self._direct:
                self._direct.add(speed)
                rows = self._direct_rows(coordinate, speed)
                self.ties.append((speed, self.ones, rows.force, key))
                return rows
        return self._function(mobilizer, function, key)

    def _direct_rows(self, coordinate: int, speed: int) -> VariableRows:
        return VariableRows(self.q + coordinate, self.u + speed, self.udot + speed, self.force + speed)

    def _function(self, mobilizer: Mobilizer, function: CoordinateFunction, key: Variable) -> VariableRows:
        terms = monomials(function)
        if terms is not None:
            return self._add_polynomial(mobilizer, function.arguments, terms, key)
        value, rate, acceleration, slope, force = (self.take(1) for _ in range(5))
        code, intervals, data = function_data(function)
        record = {
            "code": code,
            "intervals": intervals,
            "data": len(self._function_data),
            "x": self.zeros,
            "u": self.zeros,
            "udot": self.zeros,
            "value": value,
            "rate": rate,
            "acceleration": acceleration,
            "slope": slope,
        }
        self._function_data += data
        if function.arguments:
            k = function.arguments[0]
            record["x"], record["u"], record["udot"] = self._rows_of_coordinate(mobilizer, k)
            self.ties.append((mobilizer.speeds[k], slope, force, key))
        self._functions.append(record)
        return VariableRows(value, rate, acceleration, force)

    def _rows_of_coordinate(self, mobilizer: Mobilizer, k: int) -> tuple[int, int, int]:
        speed = mobilizer.speeds[k]
        return self.q + mobilizer.coordinates[k], self.u + speed, self.udot + speed

    def _add_polynomial(
        self, mobilizer: Mobilizer, arguments: tuple[int, ...], terms: Monomials, key: Variable
    ) -> VariableRows:
        """Add a function of several coordinates, and its slope along each of them.

        The slope along a coordinate is the rate of the function if the speed of that coordinate is one and all
        others are zero: the same monomials, with other rows for the speeds.
        """
        own = [self._rows_of_coordinate(mobilizer, k) for k in arguments]
        value = self._add_monomials(terms, own)
        force = self.take(1)
        for position, k in enumerate(arguments):
            factors = [
                (x, self.ones if other == position else self.zeros, self.zeros)
                for other, (x, _, _) in enumerate(own)
            ]
            changing = [term for term in terms if term[1][position]]
            slope = self._add_monomials(changing, factors) + 1
            self.ties.append((mobilizer.speeds[k], slope, force, key))
        return VariableRows(value, value + 1, value + 2, force)

    def _add_monomials(self, terms: Monomials, factors: list[tuple[int, int, int]]) -> int:
        """Add a sum of monomials; return the first of the rows of its value, rate and acceleration."""
        target, first = self.take(3), len(self._monomials)
        for coefficient, exponents in terms:
            before = len(self._factors)
            for factor, exponent in zip(factors, exponents, strict=True):
                self._factors += [dict(zip(("x", "u", "udot"), factor, strict=True))] * exponent
            place = len(self._function_data)
            self._monomials.append({"coefficient": place, "first": before, "last": len(self._factors)})
            self._function_data.append(coefficient)
        self._polynomials.append({"target": target, "first": first, "last": len(self._monomials)})
        return target

    def _add_ball(self, mobilizer: Mobilizer, joint: BallMap) -> None:
        (node,) = mobilizer.nodes
        rows, speeds = self.rows[node], mobilizer.speeds
        rows.turn = self.take(9)
        n_angles = 4 if joint.quaternion else 3
        record: dict[str, Any] = {
            "kind": _kind_of_ball(joint),
            "q": [self.q + k for k in mobilizer.coordinates[:n_angles]],
            "u": [self.u + k for k in speeds[:3]],
            "udot": [self.udot + k for k in speeds[:3]],
            "turn": rows.turn,
        }
        if joint.quaternion:
            for k, speed in enumerate(speeds[:3]):
                rows.turns.append(VariableRows(0, self.u + speed, self.udot + speed, self.force + speed))
                self._direct.add(speed)
                self.ties.append((speed, self.ones, self.force + speed, (node, "turn", k)))
        else:
            record["rate"], record["acceleration"], force = self.take(3), self.take(3), self.take(3)
            for k in range(3):
                rows.turns.append(VariableRows(0, record["rate"] + k, record["acceleration"] + k, force + k))
                # The rate in child axes is R^T u.
                for j, speed in enumerate(speeds[:3]):
                    self.ties.append((speed, rows.turn + 3 * j + k, force + k, (node, "turn", k)))
        if joint.free:
            for k, (coordinate, speed) in enumerate(
                zip(mobilizer.coordinates[n_angles:], speeds[3:], strict=True)
            ):
                rows.shifts.append(self._direct_rows(coordinate, speed))
                self._direct.add(speed)
                self.ties.append((speed, self.ones, self.force + speed, (node, "shift", k)))
        elif joint.radii is not None:
            record["shift"], record["shift_slope"], force = self.take(9), self.take(9), self.take(3)
            for k in range(3):
                shift = record["shift"] + k
                rows.shifts.append(VariableRows(shift, shift + 3, shift + 6, force + k))
                for j, speed in enumerate(speeds[:3]):
                    self.ties.append(
                        (speed, record["shift_slope"] + 3 * j + k, force + k, (node, "shift", k))
                    )
        self._radii.append(tuple(float(r) for r in joint.radii or (0.0, 0.0, 0.0)))
        self._balls.append(record)

    def _add_arc(self, mobilizer: Mobilizer, end: ArcEnd) -> None:
        """Add the three translations of a segment that bends; all stand in one record."""
        node, shift, slope, force = mobilizer.nodes[0], self.take(9), self.take(6), self.take(3)
        own = [self._rows_of_coordinate(mobilizer, k) for k in end.arguments]
        names = {name: [rows[k] for rows in own] for k, name in enumerate(("q", "u", "udot"))}
        self._arcs.append({**names, "shift": shift, "slope": slope, "data": len(self._function_data)})
        f, g = arc_powers()
        self._function_data += [*map(float, end.neutral), float(end.length), *f, *g]
        for k in range(3):
            rows = VariableRows(shift + k, shift + 3 + k, shift + 6 + k, force + k)
            self.rows[node].shifts.append(rows)
            for j, argument in enumerate(end.arguments):
                speed = mobilizer.speeds[argument]
                self.ties.append((speed, slope + 3 * j + k, force + k, (node, "shift", k)))

    def _finish_variables(self, n_speeds: int) -> None:
        self.functions = FUNCTION.rows(self._functions, TABLE_INTEGER)
        self.polynomials = POLYNOMIAL.rows(self._polynomials, TABLE_INTEGER)
        self.monomials = MONOMIAL.rows(self._monomials, TABLE_INTEGER)
        self.factors = FACTOR.rows(self._factors, TABLE_INTEGER)
        self.function_data = np.array(self._function_data or [0.0])
        self.balls = BALLS.rows(self._balls, TABLE_INTEGER)
        self.arcs = ARC.rows(self._arcs, TABLE_INTEGER)
        self.ball_data = np.array(self._radii or [(0.0, 0.0, 0.0)])
        uncoupled = [self.force + k for k in range(n_speeds) if k not in self._direct]
        self.uncoupled = np.array(uncoupled or [0], dtype=TABLE_INTEGER)
        couplings = [
            {"source": force, "slope": slope, "target": self.force + speed}
            for speed, slope, force, _ in self.ties
            if force != self.force + speed
        ]
        self.couplings = COUPLING.rows(couplings, TABLE_INTEGER)
        self.counts = {
            "n_functions": len(self._functions),
            "n_polynomials": len(self._polynomials),
            "n_balls": len(self._balls),
            "n_arcs": len(self._arcs),
            "n_uncoupled": len(uncoupled),
            "n_couplings": len(couplings),
        }


def _kind_of_ball(joint: BallMap) -> int:
    if joint.radii is None:
        return ON_QUATERNION if joint.quaternion else ON_ANGLES
    if joint.quaternion:
        raise UnsupportedMechanism("an ellipsoid joint on a quaternion")
    return ON_ELLIPSOID
