"""A model as a tree of single revolute and prismatic joints, placed in ground by matrix products.

Independent of the engine: nothing here uses nodes or recursion kernels. It serves the Lagrangian form, which
exists to check them.
"""

from __future__ import annotations

import numpy as np

from borelli.errors import UnsupportedError
from borelli.model.joints.joint import (
    GimbalJoint,
    Joint,
    PinJoint,
    PlanarJoint,
    SliderJoint,
    UniversalJoint,
    WeldJoint,
)
from borelli.model.model import Model
from borelli.model.placement import Placement
from borelli.records import dataclass

# Kind of joint -> its elementary joints in turn: (revolute?, axis, position among the coordinates).
PARTS: dict[type[Joint], tuple[tuple[bool, int, int], ...]] = {
    WeldJoint: (),
    PinJoint: ((True, 2, 0),),
    SliderJoint: ((False, 0, 0),),
    UniversalJoint: ((True, 0, 0), (True, 1, 1)),
    GimbalJoint: ((True, 0, 0), (True, 1, 1), (True, 2, 2)),
    PlanarJoint: ((False, 0, 1), (False, 1, 2), (True, 2, 0)),
}


@dataclass(frozen=True)
class ElementaryTree:
    """Axes and points of all elementary joints, and all bodies, in ground, over some instants."""

    axis: np.ndarray
    """(n_instants, n_coordinates, 3) unit axes e"""
    point: np.ndarray
    """(n_instants, n_coordinates, 3) a point J on each axis (m)"""
    revolute: np.ndarray
    """(n_coordinates,) bool"""
    origins: dict[str, np.ndarray]
    """Body -> place of its frame (n_instants, 3)"""
    rotations: dict[str, np.ndarray]
    """Body -> its axes as columns (n_instants, 3, 3)"""
    carriers: dict[str, list[int]]
    """Body -> coordinates that move it, from the ground outwards"""


def is_elementary(model: Model) -> bool:
    """Tell whether all joints are made of revolute and prismatic ones.

    Parameters
    ----------
    model : Model

    Examples
    --------
    >>> bo.is_elementary(bo.planar.to_model(bo.library.two_link_arm()))
    True
    """
    return all(type(joint) in PARTS for joint in model.joints)


def require_elementary(model: Model) -> None:
    """Refuse a model with joints that are not made of revolute and prismatic ones."""
    for joint in model.joints:
        if type(joint) not in PARTS:
            raise UnsupportedError(
                f"the Lagrangian form covers revolute and prismatic joints, not {joint.kind} joints.",
                where=f"joint {joint.name!r}",
                remedy="use inverse_dynamics, which covers all joints",
            )


def place_tree(model: Model, q: np.ndarray) -> ElementaryTree:
    """Place all joints and bodies in ground.

    Parameters
    ----------
    q : (n_instants, n_coordinates) float
    """
    n_instants, n = q.shape
    axis, point = np.zeros((n_instants, n, 3)), np.zeros((n_instants, n, 3))
    revolute = np.zeros(n, dtype=bool)
    eye = np.broadcast_to(np.eye(3), (n_instants, 3, 3))
    origins, rotations = {"ground": np.zeros((n_instants, 3))}, {"ground": eye}
    carriers: dict[str, list[int]] = {"ground": []}
    names = model.coordinate_names
    for joint in model.joints_from_ground():
        parent, before = model.parent_of(joint)
        child, after = model.child_of(joint)
        origin, rotation = _placed(origins[parent], rotations[parent], before)
        carried = list(carriers[parent])
        for turns, direction, position in PARTS[type(joint)]:
            index = names.index(joint.coordinate_names[position])
            axis[:, index], point[:, index], revolute[index] = rotation[:, :, direction], origin, turns
            carried.append(index)
            if turns:
                rotation = rotation @ _turn(direction, q[:, index])
            else:
                origin = origin + q[:, index, None] * axis[:, index]
        origins[child], rotations[child] = _placed(origin, rotation, after.inverse())
        carriers[child] = carried
    return ElementaryTree(axis, point, revolute, origins, rotations, carriers)


def _placed(origin: np.ndarray, rotation: np.ndarray, placement: Placement) -> tuple[np.ndarray, np.ndarray]:
    shift, turn = np.array(placement.translation, dtype=float), np.array(placement.rotation, dtype=float)
    return origin + rotation @ shift, rotation @ turn


def _turn(direction: int, angle: np.ndarray) -> np.ndarray:
    """Rotation matrices about a coordinate axis, (n_instants, 3, 3)."""
    i, j = (direction + 1) % 3, (direction + 2) % 3
    matrix = np.zeros((len(angle), 3, 3))
    matrix[:, direction, direction] = 1.0
    matrix[:, i, i] = matrix[:, j, j] = np.cos(angle)
    matrix[:, j, i] = np.sin(angle)
    matrix[:, i, j] = -np.sin(angle)
    return matrix
