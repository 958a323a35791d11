"""One model, ready for postures to be fitted."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from borelli.compiled.compile import Attachment
from borelli.kernels.markers.layout import (
    COORDINATE,
    FIXED,
    FREE,
    LINEAR,
    Functions,
    Ties,
    Tree,
    Work,
    workspace,
)
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.constraints.constraint_rows import CoordinateRow
from borelli.mechanics.constraints.system import ConstraintSystem, constraint_system
from borelli.mechanics.markers.function_tables import FunctionTables
from borelli.mechanics.markers.tie_tables import tie_tables
from borelli.mechanics.markers.tree_tables import TreeTables
from borelli.model.joints.coordinate import Coordinate, MotionType
from borelli.model.model import Model
from borelli.records import dataclass

_LONGEST_TURN = 1.0
"""Longest step of an angle (rad): beyond it a quadratic model of a rotation says nothing."""


_WIDEST = 1.2 * np.pi
"""Angles further from zero than this (rad) are expected of no joint."""


@dataclass(frozen=True, eq=False)
class PostureProblem:
    """Tables of a model for the kernels; coordinates in tree order.

    Parameters
    ----------
    order : (n_q,) int
        Coordinate of the model at each place.
    place : (n_q,) int
        Place of each coordinate of the model.
    fixed : tuple of CoordinateRow
        Locked and prescribed coordinates.
    longest : (n_q,) float
        Longest step of each coordinate (rad or m).
    default : (n_q,) float
        Default values.
    usual : (n_q, 2) float
        Ranges of the coordinates, clamped or not; for angles no wider than a turn and a bit.
    whole_turns : (n_q,) bool
        Angles that a whole turn leaves as they are: of an axis that follows them one for one, and of nothing else.
    """

    model: Model
    system: ConstraintSystem
    tree: Tree
    functions: Functions
    ties: Ties
    order: np.ndarray
    place: np.ndarray
    joint_of_node: tuple[int, ...]
    fixed: tuple[CoordinateRow, ...]
    longest: np.ndarray
    default: np.ndarray
    usual: np.ndarray
    whole_turns: np.ndarray

    @property
    def n_coordinates(self) -> int:
        """Number of coordinates."""
        return len(self.order)

    @property
    def same_roles(self) -> np.ndarray:
        """No other roles of the coordinates than the ties give them, (0, n_q) int."""
        return self.ties.role[None][:0]

    def scratch(self) -> Work:
        """Return scratch memory."""
        return workspace(self.tree, self.functions, self.ties)

    def carrier(self, frame: Attachment) -> int:
        """Return the joint that moves a frame; -1 for the ground."""
        return -1 if frame.node == GROUND else self.joint_of_node[frame.node]

    def fixed_values(self, time: np.ndarray) -> np.ndarray:
        """Values of fixed coordinates, defaults elsewhere, (n, n_q)."""
        values = np.tile(self.default, (len(time), 1))
        for row in self.fixed:
            values[:, self.place[row.coordinate]] = row.target(values, time)
        return values

    @property
    def free(self) -> np.ndarray:
        """Coordinates that are sought, (n_q,) bool."""
        return self.ties.role == FREE

    @property
    def is_fixed(self) -> np.ndarray:
        """Coordinates known in advance, (n_q,) bool."""
        return self.ties.role == FIXED


@lru_cache(maxsize=16)
def posture_problem(model: Model) -> PostureProblem:
    """Prepare a model; the last few are remembered."""
    system = constraint_system(model)
    functions = FunctionTables()
    tree = TreeTables(system.compiled.mechanism, functions)
    built = tree.tables()
    ties, fixed = tie_tables(system, tree, functions)
    coordinates = [model.coordinates[k] for k in tree.order]
    longest = [np.inf if c.motion is MotionType.TRANSLATIONAL else _LONGEST_TURN for c in coordinates]
    tables = functions.tables()
    return PostureProblem(
        model,
        system,
        built,
        tables,
        ties,
        tree.order,
        tree.place,
        tuple(tree.joint_of_node),
        tuple(fixed),
        np.array(longest),
        np.array([float(c.default_value) for c in coordinates]),
        np.array([_usual(c) for c in coordinates]).reshape(-1, 2),
        _whole_turns(built, tables, ties),
    )


def _whole_turns(tree: Tree, functions: Functions, ties: Ties) -> np.ndarray:
    uses, turns = np.zeros(len(ties.role), dtype=int), np.zeros(len(ties.role), dtype=bool)
    for arguments, count in zip(functions.arguments, functions.n_arguments, strict=True):
        np.add.at(uses, arguments[:count], 1)
    uses[ties.first[ties.kind == COORDINATE]] += 1
    for step in np.flatnonzero(tree.turn_axis >= 0):
        freedom = tree.turn[step]
        if functions.kind[freedom] == LINEAR and functions.n_arguments[freedom] == 1:
            slope = functions.data[functions.start[freedom]]
            turns[functions.arguments[freedom, 0]] |= abs(slope) == 1.0
    return turns & (uses == 1) & (ties.role == FREE)


def _usual(coordinate: Coordinate) -> tuple[float, float]:
    """Return the range in which a coordinate is expected."""
    low, high = coordinate.range
    if coordinate.motion is MotionType.TRANSLATIONAL:
        return low, high
    return max(low, -_WIDEST), min(high, _WIDEST)
