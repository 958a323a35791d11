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

import contextlib
from typing import Any, TypeAlias

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.errors import UnsupportedError
from borelli.kernels.backend import NodeLoad
from borelli.kernels.tree.algebra import add, cross, scale, subtract, times, transposed_times
from borelli.kernels.tree.node import GROUND, Inertia
from borelli.mechanics.engine import engine
from borelli.model.functions.function import Constant
from borelli.model.joints.custom_joint import AxisFunction, AxisRates, CustomJoint

# Three or nine numbers of many instants, each an array of its own: the algebra of the kernels on whole blocks.
Vectors: TypeAlias = Any
Matrices: TypeAlias = Any

# So many instants that what is computed of them stays in the processor's cache.
_INSTANTS_AT_ONCE = 2048


def has_fictitious_loads(compiled: CompiledModel) -> bool:
    """Tell whether some joint moves as OpenSim has it."""
    return bool(_as_opensim(compiled))


def _as_opensim(compiled: CompiledModel) -> list[CustomJoint]:
    return [
        joint
        for joint in compiled.model.joints
        if isinstance(joint, CustomJoint) and joint.axis_rates is AxisRates.SIMBODY
    ]


def fictitious_loads(compiled: CompiledModel, q: np.ndarray, u: np.ndarray) -> list[NodeLoad]:
    """Return the loads that stand for OpenSim's angular accelerations; none for joints with exact rates.

    Parameters
    ----------
    compiled : CompiledModel
    q, u : (n_instants, n_coordinates), (n_instants, n_speeds) float
    """
    joints = _as_opensim(compiled)
    if not joints or not len(q):
        return []
    carried = {joint.name: _carried(compiled, compiled.joints[joint.name].node) for joint in joints}
    ends = [compiled.joints[joint.name] for joint in joints]
    wanted = {node for nodes in carried.values() for node, _ in nodes}
    wanted |= {frame.node for end in ends for frame in (end.parent_frame, end.child_frame)}
    poses = _Poses(compiled, q, sorted(wanted - {GROUND}))
    return [
        load for joint in joints for load in _loads_beyond(compiled, joint, carried[joint.name], poses, q, u)
    ]


class _Poses:
    """Rotations and origins of some nodes, as tuples of arrays."""

    def __init__(self, compiled: CompiledModel, q: np.ndarray, nodes: list[int]) -> None:
        rotations, origins = engine().poses(compiled.mechanism, q, nodes)
        self.origins = origins
        self._column = {node: index for index, node in enumerate(nodes)}
        self._rotations = rotations.reshape(len(q), len(nodes), 9)

    def rotation(self, node: int, instants: slice) -> Matrices:
        return tuple(np.ascontiguousarray(self._rotations[instants, self._column[node]].T))

    def origin(self, node: int, instants: slice) -> Vectors:
        return tuple(np.ascontiguousarray(self.origins[instants, self._column[node]].T))

    def all_origins(self, node: int) -> np.ndarray:
        return np.asarray(self.origins[:, self._column[node]])


def _loads_beyond(
    compiled: CompiledModel,
    joint: CustomJoint,
    carried: list[tuple[int, Inertia]],
    poses: _Poses,
    q: np.ndarray,
    u: np.ndarray,
) -> list[NodeLoad]:
    forces = np.zeros((2, len(carried), len(q), 3))
    for start in range(0, len(q), _INSTANTS_AT_ONCE):
        instants = slice(start, start + _INSTANTS_AT_ONCE)
        alpha, centre = _turning(compiled, joint, poses, q, u, instants)
        for k, (node, inertia) in enumerate(carried):
            offset = subtract(poses.origin(node, instants), centre)
            pair = _opposing(inertia, poses.rotation(node, instants), offset, alpha)
            for kind in range(2):
                for axis in range(3):
                    forces[kind, k, instants, axis] = pair[kind][axis]
    return [
        NodeLoad(node, forces[0, k], poses.all_origins(node), forces[1, k])
        for k, (node, _) in enumerate(carried)
    ]


def _turning(
    compiled: CompiledModel,
    joint: CustomJoint,
    poses: _Poses,
    q: np.ndarray,
    u: np.ndarray,
    instants: slice,
) -> tuple[Vectors, Vectors]:
    """Return the angular acceleration that OpenSim adds at a joint, and what it turns about, in ground."""
    place = compiled.joints[joint.name]
    parent, child = place.parent_frame, place.child_frame
    in_parent: Matrices = tuple(float(x) for row in parent.placement.rotation for x in row)
    in_child: Vectors = tuple(float(x) for x in child.placement.translation)
    alpha = times(in_parent, _excess(joint, q[instants, place.coordinates], u[instants, place.speeds]))
    if parent.node != GROUND:
        alpha = times(poses.rotation(parent.node, instants), alpha)
    shift = times(poses.rotation(child.node, instants), in_child)
    return alpha, add(poses.origin(child.node, instants), shift)


def added_turns(
    compiled: CompiledModel, q: np.ndarray, u: np.ndarray
) -> list[tuple[set[int], np.ndarray, np.ndarray]]:
    """Return what OpenSim's accelerations of bodies have beside the true ones.

    Parameters
    ----------
    compiled : CompiledModel
    q, u : (n_instants, n_coordinates), (n_instants, n_speeds) float

    Returns
    -------
    list of (nodes, alpha, centre)
        For each joint with OpenSim's rates the nodes that it carries, the angular acceleration (rad/s²) added to
        them, and the place (m) that it turns them about; (n_instants, 3) in ground axes.
    """
    joints = _as_opensim(compiled)
    if not joints or not len(q):
        return []
    ends = [compiled.joints[joint.name] for joint in joints]
    wanted = {frame.node for end in ends for frame in (end.parent_frame, end.child_frame)}
    poses, found = _Poses(compiled, q, sorted(wanted - {GROUND})), []
    for joint, end in zip(joints, ends, strict=True):
        pair = _turning(compiled, joint, poses, q, u, slice(None))
        alpha, centre = (np.stack(np.broadcast_arrays(*part), axis=1) for part in pair)
        found.append((_beyond(compiled, end.node), alpha, centre))
    return found


def _beyond(compiled: CompiledModel, root: int) -> set[int]:
    """Return the nodes that a node carries, itself included."""
    inside = {root}
    for index, node in enumerate(compiled.mechanism.nodes):
        if node.parent in inside:
            inside.add(index)
    return inside


def _carried(compiled: CompiledModel, root: int) -> list[tuple[int, Inertia]]:
    """Return the nodes with mass that a node carries, itself included."""
    nodes, found = compiled.mechanism.nodes, []
    for index in sorted(_beyond(compiled, root)):
        inertia = nodes[index].inertia
        if inertia is not None:
            found.append((index, inertia))
    return found


def _opposing(
    inertia: Inertia, rotation: Matrices, offset: Vectors, alpha: Vectors
) -> tuple[Vectors, Vectors]:
    """Return minus the force and moment that turn a node's mass about a centre with an angular acceleration.

    Parameters
    ----------
    offset : Vectors
        From the centre to the node's origin, in ground (m); the moment is about that origin.
    """
    mass = float(inertia.mass)
    in_node: Vectors = tuple(float(x) for x in inertia.first_moment)
    first = times(rotation, in_node)
    force = cross(alpha, add(scale(mass, offset), first))
    x, y, z = transposed_times(rotation, alpha)
    xx, yy, zz, xy, xz, yz = (float(value) for value in inertia.second_moment)
    # The inertia tensor is trace(J) E - J.
    spin = (
        (yy + zz) * x - xy * y - xz * z,
        (xx + zz) * y - xy * x - yz * z,
        (xx + yy) * z - xz * x - yz * y,
    )
    moment = add(cross(first, cross(alpha, offset)), times(rotation, spin))
    return scale(-1.0, force), scale(-1.0, moment)


def simbody_excess(joint: CustomJoint, q: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Return Simbody's angular acceleration of a custom joint less the true one, in its parent frame.

    Parameters
    ----------
    q, u : (n_instants, n_coordinates of the joint) float

    Returns
    -------
    (n_instants, 3) float, rad/s²
    """
    return np.column_stack([np.broadcast_to(x, (len(q),)) for x in _excess(joint, q, u)])


def _excess(joint: CustomJoint, q: np.ndarray, u: np.ndarray) -> Vectors:
    names = joint.coordinate_names
    columns = [np.ascontiguousarray(column) for column in q.T]
    speeds = [np.ascontiguousarray(column) for column in u.T]
    # Angle of each rotation, and its rates due to each coordinate.
    angles, rates = [], []
    for axis in joint.rotations:
        angle, slopes = _angle_and_slopes(axis, [columns[names.index(name)] for name in axis.coordinates])
        due: dict[int, Any] = {}
        for name, slope in zip(axis.coordinates, slopes, strict=True):
            place = names.index(name)
            due[place] = due.get(place, 0.0) + slope * speeds[place]
        angles.append(angle)
        rates.append(due)
    total = [sum(due.values(), 0.0) for due in rates]
    first = [due.get(0, 0.0) for due in rates]
    without_third = [sum((rate for place, rate in due.items() if place != 2), 0.0) for due in rates]
    a, b, c = _carried_axes(joint, angles)
    # Less what truly carries the second axis (the first rotation) and the third (the first two).
    carrying_b = add(scale(first[0] - total[0], a), scale(first[2], c))
    carrying_c = add(scale(without_third[0] - total[0], a), scale(without_third[1] - total[1], b))
    return add(scale(total[1], cross(carrying_b, b)), scale(total[2], cross(carrying_c, c)))


def _angle_and_slopes(axis: AxisFunction, arguments: list[np.ndarray]) -> tuple[Any, list[Any]]:
    """Return a rotation's angle and its derivatives by its coordinates."""
    function = axis.function
    if isinstance(function, Constant):
        return float(function.number), [0.0] * len(arguments)
    if len(arguments) == 1:
        # Most are one polynomial, which is quicker by hand; a sine is none.
        with contextlib.suppress(UnsupportedError):
            table = function.as_piecewise_polynomials()
            if table.n_pieces == 1:
                return _polynomial(table.coefficients[0].tolist(), arguments[0] - table.origins[0])
    slopes = [function.evaluate(*arguments, by=(k,)) for k in range(len(arguments))]
    return function.evaluate(*arguments), slopes


def _polynomial(powers: list[float], x: np.ndarray) -> tuple[Any, list[Any]]:
    """Evaluate one polynomial and its slope by Horner's scheme."""
    value: Any = powers[-1]
    slope: Any = 0.0
    for coefficient in reversed(powers[:-1]):
        slope = slope * x + value
        value = value * x + coefficient
    return value, [slope]


def _carried_axes(joint: CustomJoint, angles: list[Any]) -> tuple[Vectors, Vectors, Vectors]:
    """Return the three rotation axes in the parent frame: a1, R1 a2 and R1 R2 a3."""
    a, b, c = (tuple(float(x) for x in axis.axis) for axis in joint.rotations)
    return a, _turned(a, angles[0], b), _turned(a, angles[0], _turned(b, angles[1], c))


def _turned(axis: Vectors, angle: Any, vector: Vectors) -> Vectors:
    """Turn vectors about a unit axis [Rodrigues 1840]."""
    sine, cosine = np.sin(angle), np.cos(angle)
    along = axis[0] * vector[0] + axis[1] * vector[1] + axis[2] * vector[2]
    beside = add(scale(sine, cross(axis, vector)), scale(along * (1.0 - cosine), axis))
    return add(scale(cosine, vector), beside)
