"""What a node of the kinematic tree is: its constants, and its variables at one instant of the motion.

A joint becomes one to three nodes. Passing from the parent node to a node means, in this order:

1. a constant ``offset`` in the axes of the parent node, plus a variable translation
   ``sum_k axes[k] * shift[k]`` (zero to three axes, also in the axes of the parent node);
2. a constant ``rotation`` C: ``x_parent = C x``;
3. one variable rotation, the *turn*: none, a hinge about the own z axis, or a ball.

The numbers of a node are abstract (see ``numbers``): the kernels branch on ``kind``, on the number of
translation axes and on the presence of an inertia, and on nothing else.

======  ========================  ==========================  =================================
kind    turn                      turn_rate, turn_acceleration  generalized force of the turn
======  ========================  ==========================  =================================
NONE    None                      None                        None
HINGE   (sine, cosine) of theta   theta', theta''             z component of the moment
BALL    matrix R (9 numbers):     w, dw/dt relative to the    moment in the node's own axes
        x_before = R x            parent, in the node's own
                                  axes
======  ========================  ==========================  =================================
"""

from __future__ import annotations

from typing import Any, NamedTuple

from borelli.kernels.tree.algebra import Symmetric, Vector
from borelli.kernels.tree.numbers import Number
from borelli.kernels.tree.rotation import ConstantRotation
from borelli.records import dataclass

NONE, HINGE, BALL = 0, 1, 2
GROUND = -1


class Inertia(NamedTuple):
    """Mass distribution of what is rigidly attached to a node, about the node's origin, in its axes."""

    mass: Number
    """kg"""
    first_moment: Vector
    """h = m c (kg m)"""
    second_moment: Symmetric
    """J = sum of m r r^T (kg m^2): not the inertia tensor, which is trace(J) E - J"""


@dataclass(frozen=True)
class Node:
    """Constants of one node."""

    parent: int
    """Index of the parent node, smaller than the own; GROUND for none."""
    kind: int
    offset: Vector
    """m, in the axes of the parent node"""
    rotation: ConstantRotation
    axes: tuple[Vector, ...] = ()
    """Translation axes, in the axes of the parent node."""
    inertia: Inertia | None = None


class NodeVariables(NamedTuple):
    """Variables of one node (see the table in the module's description)."""

    turn: Any = None
    turn_rate: Any = None
    turn_acceleration: Any = None
    shift: tuple[Number, ...] = ()
    """Amount of translation along each axis (m), then its two time derivatives."""
    shift_rate: tuple[Number, ...] = ()
    shift_acceleration: tuple[Number, ...] = ()
