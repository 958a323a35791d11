"""A mechanism as the tree that the fit of a posture reads: three angles of a ball joint become turns in their order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from borelli.errors import UnsupportedError
from borelli.kernels.markers.layout import ROLL_X, Tree
from borelli.kernels.tree.functions import Linear
from borelli.kernels.tree.joint_maps import AxesMap, BallMap
from borelli.kernels.tree.mechanism import Mechanism, Mobilizer
from borelli.kernels.tree.node import GROUND, HINGE, Node
from borelli.mechanics.markers.function_tables import FunctionTables
from borelli.model.values import IDENTITY

_X, _Y, _Z = range(3)


@dataclass
class _Step:
    parent: int
    offset: tuple[float, ...]
    rotation: np.ndarray
    turn_axis: int = -1
    turn: int = 0
    first_shift: int = 0
    n_shifts: int = 0


class TreeTables:
    """Builds the tree.

    Attributes
    ----------
    order : (n_q,) int
        Coordinate of the mechanism at each place in tree order.
    place : (n_q,) int
        Place in tree order of each coordinate of the mechanism.
    joint_of_node : list of int
        Joint that moves each node of the mechanism.
    """

    def __init__(self, mechanism: Mechanism, functions: FunctionTables) -> None:
        self.functions = functions
        self._steps: list[_Step] = []
        self._axes: list[tuple[float, ...]] = []
        self._freedoms: list[tuple[int, int]] = []
        self._coordinates: list[tuple[int, int]] = []
        self._last: list[int] = []
        self._parents: list[int] = []
        driven = [k for m in mechanism.mobilizers for k in m.coordinates]
        idle = sorted(set(range(mechanism.n_coordinates)) - set(driven))
        self.order = np.array([*driven, *idle], dtype=np.int64)
        self.place = np.argsort(self.order)
        self.joint_of_node: list[int] = [-1] * len(mechanism.nodes)
        self._step_of_node: list[int] = [-1] * len(mechanism.nodes)
        first = {m.nodes[0]: m for m in mechanism.mobilizers}
        inside = {node for m in mechanism.mobilizers for node in m.nodes}
        for index, node in enumerate(mechanism.nodes):
            if index in first:
                self._add_mobilizer(mechanism, first[index])
            elif index not in inside:
                self._begin(node.parent)
                self._add_step(index, node, -1)
                self._end((index,), (0, 0))

    def _begin(self, parent_node: int) -> None:
        self._parents.append(-1 if parent_node == GROUND else self.joint_of_node[parent_node])
        self._freedoms.append((len(self._axes), len(self._axes)))

    def _end(self, nodes: tuple[int, ...], coordinates: tuple[int, int]) -> None:
        joint = len(self._last)
        self._last.append(len(self._steps) - 1)
        self._coordinates.append(coordinates)
        self._freedoms[joint] = (self._freedoms[joint][0], len(self._axes))
        for node in nodes:
            self.joint_of_node[node] = joint

    def _add_mobilizer(self, mechanism: Mechanism, mobilizer: Mobilizer) -> None:
        places = [int(self.place[k]) for k in mobilizer.coordinates]
        self._begin(mechanism.nodes[mobilizer.nodes[0]].parent)
        if isinstance(mobilizer.map, BallMap):
            self._add_ball(mechanism, mobilizer, mobilizer.map, places)
        else:
            assert isinstance(mobilizer.map, AxesMap)
            hinges, shifts = iter(mobilizer.map.hinges), mobilizer.map.shifts
            for index in mobilizer.nodes:
                node = mechanism.nodes[index]
                first = self._add_shifts(node, [self.functions.add(f, places) for f in shifts])
                turn = self._add_turn(self.functions.add(next(hinges), places)) if node.kind == HINGE else -1
                self._add_step(index, node, _Z if turn >= 0 else -1, turn, first, len(shifts))
                shifts = ()
        self._end(mobilizer.nodes, (places[0], places[-1] + 1) if places else (0, 0))

    def _add_ball(self, mechanism: Mechanism, mobilizer: Mobilizer, ball: BallMap, places: list[int]) -> None:
        if ball.quaternion:
            raise UnsupportedError(
                "inverse kinematics has no code for joints on quaternions.",
                remedy="give the joint attitude=Attitude.ANGLES",
            )
        (index,) = mobilizer.nodes
        shifts: list[int] = []
        if ball.free:
            shifts = [self.functions.add(Linear((k,)), places) for k in (3, 4, 5)]
        elif ball.radii is not None:
            angles = (places[0], places[1])
            shifts = [
                self.functions.add_raw(ROLL_X + k, angles, [float(radius)])
                for k, radius in enumerate(ball.radii)
            ]
        node = mechanism.nodes[index]
        first = self._add_shifts(node, shifts)
        for axis in (_X, _Y, _Z):
            turn = self._add_turn(self.functions.add(Linear((axis,)), places))
            if axis == _X:
                self._add_step(index, node, axis, turn, first, len(shifts))
            else:
                self._steps.append(_Step(len(self._steps) - 1, (0.0,) * 3, np.eye(3), axis, turn))
        self._step_of_node[index] = len(self._steps) - 1

    def _add_shifts(self, node: Node, functions: list[int]) -> int:
        first = len(self._axes)
        if functions:
            self._axes += [tuple(float(x) for x in axis) for axis in node.axes]
            assert functions == list(range(first, len(self._axes)))
        return first

    def _add_turn(self, function: int) -> int:
        self._axes.append((0.0, 0.0, 0.0))
        assert function == len(self._axes) - 1
        return function

    def _add_step(
        self, index: int, node: Node, axis: int, turn: int = 0, first: int = 0, n_shifts: int = 0
    ) -> None:
        parent = -1 if node.parent == GROUND else self._step_of_node[node.parent]
        rotation = np.column_stack([node.rotation.rotate(unit) for unit in IDENTITY]).astype(float)
        offset = tuple(float(x) for x in node.offset)
        self._steps.append(_Step(parent, offset, rotation, axis, max(turn, 0), first, n_shifts))
        self._step_of_node[index] = len(self._steps) - 1

    def tables(self) -> Tree:
        """Return the tree."""

        def whole(values: list) -> np.ndarray:
            return np.array(values, dtype=np.int64)

        steps = self._steps
        return Tree(
            parent=whole([step.parent for step in steps]),
            offset=np.array([step.offset for step in steps], dtype=float).reshape(-1, 3),
            rotation=np.array([step.rotation for step in steps], dtype=float).reshape(-1, 3, 3),
            turn_axis=whole([step.turn_axis for step in steps]),
            turn=whole([step.turn for step in steps]),
            first_shift=whole([step.first_shift for step in steps]),
            n_shifts=whole([step.n_shifts for step in steps]),
            shift_axis=np.array(self._axes, dtype=float).reshape(-1, 3),
            joint_freedoms=whole(self._freedoms).reshape(-1, 2),
            joint_coordinates=whole(self._coordinates).reshape(-1, 2),
            joint_step=whole(self._last),
            joint_parent=whole(self._parents),
        )
