"""Locks, prescribed motions, couplers, bounds and loops of a model as the fit of a posture reads them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from borelli.compiled.functions import compile_function
from borelli.errors import unhandled
from borelli.kernels.markers.layout import (
    COORDINATE,
    DEPENDENT,
    DISTANCE,
    FIXED,
    FREE,
    LINE,
    PLANE,
    POINT,
    WELD,
    Ties,
)
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.constraints.constraint_rows import CoordinateRow, two_normals
from borelli.mechanics.constraints.system import LOCK, PRESCRIBED, ConstraintSystem
from borelli.mechanics.markers.function_tables import FunctionTables
from borelli.mechanics.markers.tree_tables import TreeTables
from borelli.model import (
    ConstantDistanceConstraint,
    Constraint,
    CoordinateCoupler,
    PointConstraint,
    PointOnLineConstraint,
    RollingConstraint,
    WeldConstraint,
)
from borelli.model.placement import Placement


@dataclass
class _Loop:
    kind: int
    first: int
    second: int
    points: np.ndarray
    axes: np.ndarray
    size: float = 0.0


def tie_tables(
    system: ConstraintSystem, tree: TreeTables, functions: FunctionTables
) -> tuple[Ties, list[CoordinateRow]]:
    """Return the ties, and the rows of fixed coordinates, whose values are functions of time."""
    model = system.compiled.model
    n_q = len(model.coordinates)
    role = np.full(n_q, FREE, dtype=np.int64)
    low, high = np.full(n_q, -np.inf), np.full(n_q, np.inf)
    for index, coordinate in enumerate(model.coordinates):
        if coordinate.clamped:
            low[tree.place[index]], high[tree.place[index]] = coordinate.range
    rows = (*system.driven, *system.mixed)
    fixed = [row for row in rows if row.name.partition(":")[0] in (LOCK, PRESCRIBED) and not row.arguments]
    role[[tree.place[row.coordinate] for row in fixed]] = FIXED
    couplers = [row for row in rows if row not in fixed]
    chosen, left = _in_order(couplers, role, tree, low, high)
    role[[tree.place[row.coordinate] for row in chosen]] = DEPENDENT
    low[role != FREE], high[role != FREE] = -np.inf, np.inf

    def function_of(row: CoordinateRow) -> int:
        arguments = tuple(range(len(row.arguments)))
        compiled = compile_function(row.function, arguments, f"constraint {row.name!r}")
        return functions.add(compiled, [int(tree.place[k]) for k in row.arguments])

    of_chosen = [function_of(row) for row in chosen]
    loops = [_coupled(row, function_of(row), tree) for row in left]
    for constraint in model.constraints:
        if constraint.enforced and not isinstance(constraint, CoordinateCoupler):
            loops.append(_loop(system, tree, constraint))
    ties = Ties(
        role=role,
        dependent=np.array([tree.place[row.coordinate] for row in chosen], dtype=np.int64),
        dependent_function=np.array(of_chosen, dtype=np.int64),
        dependent_scale=np.array([row.scale for row in chosen], dtype=float),
        low=low,
        high=high,
        kind=np.array([loop.kind for loop in loops], dtype=np.int64),
        first=np.array([loop.first for loop in loops], dtype=np.int64),
        second=np.array([loop.second for loop in loops], dtype=np.int64),
        points=np.array([loop.points for loop in loops], dtype=float).reshape(-1, 2, 3),
        axes=np.array([loop.axes for loop in loops], dtype=float).reshape(-1, 2, 3, 3),
        size=np.array([loop.size for loop in loops], dtype=float),
    )
    return ties, fixed


def _in_order(
    couplers: list[CoordinateRow], role: np.ndarray, tree: TreeTables, low: np.ndarray, high: np.ndarray
) -> tuple[list[CoordinateRow], list[CoordinateRow]]:
    """Couplers that can be solved for their coordinate, each after those it needs; and the others.

    A coordinate that is bounded stays an unknown, so that its bounds are bounds of an unknown.
    """
    chosen: list[CoordinateRow] = []
    left: list[CoordinateRow] = []
    waiting: list[CoordinateRow] = []
    taken: set[int] = set()
    for row in couplers:
        at = tree.place[row.coordinate]
        bounded = np.isfinite(low[at]) or np.isfinite(high[at])
        if role[at] == FIXED or row.coordinate in taken or bounded:
            left.append(row)
        else:
            waiting.append(row)
            taken.add(row.coordinate)
    while waiting:
        pending = {row.coordinate for row in waiting}
        ready = [row for row in waiting if not pending & set(row.arguments)]
        if not ready:
            # A circle: one of its couplers becomes an equation of its own.
            left.append(waiting.pop(0))
            continue
        chosen += ready
        waiting = [row for row in waiting if row not in ready]
    return chosen, left


def _coupled(row: CoordinateRow, function: int, tree: TreeTables) -> _Loop:
    points = np.zeros((2, 3))
    points[0, 0] = row.scale
    return _Loop(COORDINATE, int(tree.place[row.coordinate]), function, points, np.zeros((2, 3, 3)))


def _loop(system: ConstraintSystem, tree: TreeTables, constraint: Constraint) -> _Loop:
    """Return a constraint between two parts, with points and axes in the parts."""
    compiled, axes = system.compiled, np.zeros((2, 3, 3))

    def part(name: str, placement: Placement | None = None) -> tuple[int, Placement]:
        frame = compiled.attachment(name, placement)
        return (-1 if frame.node == GROUND else tree.joint_of_node[frame.node]), frame.placement

    if isinstance(constraint, WeldConstraint):
        first, one = part(constraint.first, constraint.first_placement)
        second, two = part(constraint.second, constraint.second_placement)
        axes[0], axes[1] = np.array(one.rotation, dtype=float).T, np.array(two.rotation, dtype=float).T
        points = np.array([one.translation, two.translation], dtype=float)
        return _Loop(WELD, first, second, points, axes)
    if isinstance(constraint, PointOnLineConstraint):
        first, one = part(constraint.line_frame)
        second, two = part(constraint.follower)
        normals = two_normals(np.array(constraint.line_direction, dtype=float))
        axes[0, :2] = normals @ np.array(one.rotation, dtype=float).T
        places = (one.of_point(constraint.line_point), two.of_point(constraint.follower_location))
        return _Loop(LINE, first, second, np.array(places, dtype=float), axes)
    if isinstance(constraint, RollingConstraint):
        # Only its height is an equation between coordinates; that it does not slip speaks of speeds.
        first, one = part(constraint.surface_frame)
        second, two = part(constraint.roller)
        normal = np.array(one.rotation, dtype=float) @ np.array(constraint.normal, dtype=float)
        axes[0, 0] = normal / np.linalg.norm(normal)
        places = (one.of_point(constraint.plane_point), two.of_point(constraint.centre))
        return _Loop(PLANE, first, second, np.array(places, dtype=float), axes, float(constraint.radius))
    if not isinstance(constraint, PointConstraint | ConstantDistanceConstraint):
        raise unhandled(constraint, "has no equations between coordinates")
    first, one = part(constraint.first)
    second, two = part(constraint.second)
    places = (one.of_point(constraint.first_location), two.of_point(constraint.second_location))
    if isinstance(constraint, PointConstraint):
        return _Loop(POINT, first, second, np.array(places, dtype=float), axes)
    return _Loop(DISTANCE, first, second, np.array(places, dtype=float), axes, float(constraint.distance))
