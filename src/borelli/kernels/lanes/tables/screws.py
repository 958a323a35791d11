"""Constant rotations in screw form: hinge frames turned about their own axes until little is left to do.

Any constant rotation is C = Rz(gamma) Rx(alpha) Rz(delta). Before a hinge (about z), delta is a phase of the
hinge angle. After a hinge, gamma can be undone by turning the frame of the parent node about its own z axis,
which changes that node's constants but no answer. What is left is Rx(alpha): four multiplications instead of
nine, and none at all for a right angle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from borelli.kernels.tree.algebra import Vector
from borelli.kernels.tree.node import GROUND, HINGE, Inertia, Node
from borelli.kernels.tree.numbers import Number
from borelli.records import dataclass

# Angles closer than this to a special value are that value: the difference is round-off of frame data.
_ROUND_OFF = 1e-14


@dataclass(frozen=True)
class Screw:
    """Rz(gamma) Rx(alpha), given by cosines and sines."""

    cos_gamma: Number
    sin_gamma: Number
    cos_alpha: Number
    sin_alpha: Number

    def rotate(self, x: Vector) -> Vector:
        """Components in the parent."""
        y = self.cos_alpha * x[1] - self.sin_alpha * x[2]
        z = self.sin_alpha * x[1] + self.cos_alpha * x[2]
        c, s = self.cos_gamma, self.sin_gamma
        return (c * x[0] - s * y, s * x[0] + c * y, z)

    def unrotate(self, x: Vector) -> Vector:
        """Components in the node."""
        c, s = self.cos_gamma, self.sin_gamma
        y = c * x[1] - s * x[0]
        return (
            c * x[0] + s * x[1],
            self.cos_alpha * y + self.sin_alpha * x[2],
            self.cos_alpha * x[2] - self.sin_alpha * y,
        )


@dataclass(frozen=True)
class ScrewNode:
    """A node whose own frame may be turned about its z axis by ``twist`` (rad)."""

    node: Node
    matrix: np.ndarray
    """(3, 3) constant rotation, after the twists of this node and of its parent"""
    gamma: float
    alpha: float
    delta: float
    """Screw angles of ``matrix`` (rad); of a hinge, ``delta`` is added to its angle."""
    twist: float
    """Untwisted axes = Rz(-twist) in the twisted ones: x_node = Rz(twist) x_twisted."""


def screw_angles(c: np.ndarray) -> tuple[float, float, float]:
    """Angles (gamma, alpha, delta) of a rotation matrix Rz(gamma) Rx(alpha) Rz(delta); alpha in [0, pi]."""
    sine = math.hypot(c[0, 2], c[1, 2])
    if sine < _ROUND_OFF:
        flip = 1.0 if c[2, 2] > 0 else -1.0
        return 0.0, 0.0 if flip > 0 else math.pi, math.atan2(flip * c[1, 0], c[0, 0])
    return math.atan2(c[0, 2], -c[1, 2]), math.atan2(sine, c[2, 2]), math.atan2(c[2, 0], c[2, 1])


def about_z(angle: float) -> np.ndarray:
    """Rotation matrix (3, 3) about z (rad)."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def screw_nodes(nodes: Sequence[Node]) -> list[ScrewNode]:
    """Choose a twist for every hinge so that its first hinged child needs no gamma; convert all constants."""
    matrices = [_matrix(node) for node in nodes]
    twists = [0.0] * len(nodes)
    for child, node in reversed(list(enumerate(nodes))):
        parent = node.parent
        if parent != GROUND and node.kind == HINGE and nodes[parent].kind == HINGE:
            gamma, alpha, _ = screw_angles(matrices[child])
            if _ROUND_OFF < alpha < math.pi - _ROUND_OFF:
                twists[parent] = gamma
    return [_twisted(node, matrices[i], twists, i) for i, node in enumerate(nodes)]


def _twisted(node: Node, matrix: np.ndarray, twists: list[float], index: int) -> ScrewNode:
    own, parents = twists[index], twists[node.parent] if node.parent != GROUND else 0.0
    back = about_z(-parents)
    matrix = back @ matrix
    gamma, alpha, delta = screw_angles(matrix)
    gamma = 0.0 if abs(gamma) < _ROUND_OFF else gamma
    turned = replace(
        node,
        offset=tuple((back @ np.array(node.offset, dtype=float)).tolist()),
        axes=tuple(tuple((back @ np.array(axis, dtype=float)).tolist()) for axis in node.axes),
        inertia=None if node.inertia is None else _turned_inertia(node.inertia, own),
    )
    # The twist follows the hinge's own turn about the same axis, so it is one more phase.
    return ScrewNode(turned, matrix, gamma, alpha, delta + own, own)


def _matrix(node: Node) -> np.ndarray:
    columns = [node.rotation.rotate(axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
    return np.array(columns, dtype=float).T


def _turned_inertia(inertia: Inertia, twist: float) -> Inertia:
    r = about_z(-twist)
    xx, yy, zz, xy, xz, yz = inertia.second_moment
    j = r @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=float) @ r.T
    h = r @ np.array(inertia.first_moment, dtype=float)
    second = (j[0, 0], j[1, 1], j[2, 2], j[0, 1], j[0, 2], j[1, 2])
    return Inertia(float(inertia.mass), (h[0], h[1], h[2]), second)
