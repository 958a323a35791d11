"""OpenSim's angular accelerations of custom joints, as fictitious loads on what the joint carries.

A custom joint has the angular velocity ω = Σ W_k θ_k', where W_1 = a_1, W_2 = R_1 a_2, W_3 = R_1 R_2 a_3. Its
angular acceleration needs the rates of these axes,

    W_2' = W_1 θ_1' × W_2,    W_3' = (W_1 θ_1' + W_2 θ_2') × W_3.

Simbody (MobilizedBody::FunctionBased) takes instead W_2' = ω_(1) × W_2 and W_3' = ω_(2) × W_3, where ω_(1)
is the part of ω due to the first coordinate of the joint, and ω_(2) the part due to all but the third. That
is the same as long as the first coordinate drives the first rotation only, the second the second and the
third the third; it is not for a knee whose three rotations follow one angle. The difference is an angular
acceleration of everything the joint carries about the origin of its child frame. It is handed to the
engine as the opposite of the forces that it would need, so that every analysis gives OpenSim's numbers and
the engine itself stays exact.
"""

from __future__ import annotations

import numpy as np

from borelli.analyses.engine import engine
from borelli.analyses.frame_motion import cross_rows
from borelli.compiled.compile import CompiledModel
from borelli.kernels.backend import NodeLoad
from borelli.kernels.node import GROUND, Inertia
from borelli.model.custom_joint import AxisRates, CustomJoint
from borelli.model.joint import Joint


def has_fictitious_loads(compiled: CompiledModel) -> bool:
    """Tell whether some joint moves as OpenSim has it."""
    return any(_as_opensim(joint) for joint in compiled.model.joints)


def _as_opensim(joint: Joint) -> bool:
    return isinstance(joint, CustomJoint) and joint.axis_rates is AxisRates.SIMBODY


def fictitious_loads(compiled: CompiledModel, q: np.ndarray, u: np.ndarray) -> list[NodeLoad]:
    """Return the loads that stand for OpenSim's angular accelerations; none for joints with exact rates.

    Parameters
    ----------
    compiled : CompiledModel
    q, u : (n_frames, n_coordinates), (n_frames, n_speeds) float
    """
    loads: list[NodeLoad] = []
    for joint in compiled.model.joints:
        if _as_opensim(joint) and len(q):
            loads.extend(_loads_beyond(compiled, joint, q, u))
    return loads


def _loads_beyond(compiled: CompiledModel, joint: Joint, q: np.ndarray, u: np.ndarray) -> list[NodeLoad]:
    place = compiled.joints[joint.name]
    excess = simbody_excess(joint, q[:, place.coordinates], u[:, place.speeds])  # type: ignore[arg-type]
    if not excess.any():
        return []
    heavy = _carried(compiled, place.node)
    parent, child = place.parent_frame, place.child_frame
    wanted = sorted({child.node, parent.node, *(node for node, _ in heavy)} - {GROUND})
    rotations, origins = engine().poses(compiled.mechanism, q, wanted)
    column = {node: index for index, node in enumerate(wanted)}
    base = np.eye(3) if parent.node == GROUND else rotations[:, column[parent.node]]
    turn = base @ np.array(parent.placement.rotation, dtype=float)
    alpha = np.einsum("...ij,...j->...i", turn, excess)
    shift = np.array(child.placement.translation, dtype=float)
    centre = origins[:, column[child.node]] + rotations[:, column[child.node]] @ shift
    return [
        _opposing(node, inertia, rotations[:, column[node]], origins[:, column[node]], alpha, centre)
        for node, inertia in heavy
    ]


def _carried(compiled: CompiledModel, root: int) -> list[tuple[int, Inertia]]:
    """Return the nodes with mass that a node carries, itself included."""
    nodes = compiled.mechanism.nodes
    inside = {root}
    for index, node in enumerate(nodes):
        if node.parent in inside:
            inside.add(index)
    found = []
    for index in sorted(inside):
        inertia = nodes[index].inertia
        if inertia is not None:
            found.append((index, inertia))
    return found


def _opposing(
    node: int,
    inertia: Inertia,
    rotation: np.ndarray,
    origin: np.ndarray,
    alpha: np.ndarray,
    centre: np.ndarray,
) -> NodeLoad:
    """Return minus the force and moment that turn a node's mass about a centre with an angular acceleration."""
    xx, yy, zz, xy, xz, yz = (float(x) for x in inertia.second_moment)
    second = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    tensor = np.trace(second) * np.eye(3) - second
    first = np.einsum("nij,j->ni", rotation, np.array(inertia.first_moment, dtype=float))
    mass = float(inertia.mass)
    lever = origin - centre
    force = cross_rows(alpha, mass * lever + first)
    in_node = np.einsum("nji,nj->ni", rotation, alpha)
    spin = np.einsum("nij,nj->ni", rotation, in_node @ tensor)
    moment = cross_rows(first, cross_rows(alpha, lever)) + spin
    return NodeLoad(node, -force, origin, -moment)


def simbody_excess(joint: CustomJoint, q: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Return Simbody's angular acceleration of a custom joint less the true one, in its parent frame.

    Parameters
    ----------
    q, u : (n_frames, n_coordinates of the joint) float

    Returns
    -------
    (n_frames, 3) float, rad/s²
    """
    names = joint.coordinate_names
    n_frames, count = u.shape
    angles: list[np.ndarray] = []
    slopes = np.zeros((3, n_frames, count))
    for k, axis in enumerate(joint.rotations):
        places = [names.index(name) for name in axis.coordinates]
        arguments = [q[:, place] for place in places]
        angles.append(np.broadcast_to(axis.function.evaluate(*arguments), (n_frames,)))
        for argument, place in enumerate(places):
            slopes[k, :, place] += axis.function.evaluate(*arguments, by=(argument,))
    axes = _carried_axes(joint, angles)
    first, without_third = np.zeros_like(u), u.copy()
    first[:, 0] = u[:, 0]
    without_third[:, 2:3] = 0.0

    def spin(speeds: np.ndarray) -> np.ndarray:
        return sum(axes[k] * np.sum(slopes[k] * speeds, axis=1)[:, None] for k in range(3))

    rates = [np.sum(slopes[k] * u, axis=1)[:, None] for k in range(3)]
    before_second = axes[0] * rates[0]
    before_third = before_second + axes[1] * rates[1]
    second = cross_rows(spin(first) - before_second, axes[1]) * rates[1]
    third = cross_rows(spin(without_third) - before_third, axes[2]) * rates[2]
    return np.asarray(second + third)


def _carried_axes(joint: CustomJoint, angles: list[np.ndarray]) -> list[np.ndarray]:
    """Return the three rotation axes in the parent frame, each (n_frames, 3)."""
    a = [np.broadcast_to(np.array(axis.axis, dtype=float), (len(angles[0]), 3)) for axis in joint.rotations]
    second = _turned(a[0], angles[0], a[1])
    third = _turned(a[0], angles[0], _turned(a[1], angles[1], a[2]))
    return [a[0], second, third]


def _turned(axis: np.ndarray, angle: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Turn vectors about unit axes [Rodrigues 1840]."""
    sine, cosine = np.sin(angle)[:, None], np.cos(angle)[:, None]
    along = np.sum(axis * vector, axis=1)[:, None]
    return vector * cosine + cross_rows(axis, vector) * sine + axis * along * (1 - cosine)
