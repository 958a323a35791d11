"""Each kind of joint becomes one or two mobilizers: a joint map and the nodes that it drives.

A draft says how the nodes follow each other, starting in the joint's parent frame; the compiler adds where
that frame sits in the tree.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import field

from borelli.compiled.functions import compile_function
from borelli.compiled.placements import aligned, rotation_only, turned_about
from borelli.errors import UnsupportedError
from borelli.kernels.tree.arc import end_of_arc
from borelli.kernels.tree.functions import Constant, CoordinateFunction, Linear
from borelli.kernels.tree.joint_maps import AxesMap, BallMap, JointMap
from borelli.kernels.tree.node import BALL, HINGE, NONE
from borelli.kernels.tree.numbers import cos, sin
from borelli.model.joints.custom_joint import AxisFunction, CustomJoint
from borelli.model.joints.joint import (
    Attitude,
    BallJoint,
    ConstantCurvatureJoint,
    EllipsoidJoint,
    FreeJoint,
    GimbalJoint,
    Joint,
    PinJoint,
    PlanarJoint,
    ScapulothoracicJoint,
    SliderJoint,
    UniversalJoint,
    WeldJoint,
)
from borelli.model.placement import Placement
from borelli.model.values import Vector, is_concrete, transform, transpose
from borelli.records import dataclass

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class NodeDraft:
    """One node: its kind, where its frame sits in the one before, and its translation axes there."""

    kind: int
    placement: Placement = field(default_factory=Placement)
    axes: tuple[Vector, ...] = ()


@dataclass(frozen=True)
class MobilizerDraft:
    """One mobilizer: its map, the positions of its coordinates in the joint, its nodes."""

    map: JointMap
    nodes: tuple[NodeDraft, ...]
    coordinates: tuple[int, ...]
    speeds: tuple[int, ...]


@dataclass(frozen=True)
class JointDraft:
    """Mobilizers in turn, and where the joint's child frame sits in the last node."""

    mobilizers: tuple[MobilizerDraft, ...] = ()
    child_frame: Placement = field(default_factory=Placement)
    """For a weld, in the joint's parent frame."""


def draft_joint(joint: Joint) -> JointDraft:
    """Say how a joint is made of nodes."""
    builder = _BUILDERS.get(type(joint))
    if builder is None:
        raise UnsupportedError(
            f"joints of type {type(joint).__name__} have no equations in Borelli.",
            where=f"joint {joint.name!r}",
            remedy="describe its motion with a CustomJoint",
        )
    return builder(joint)


def draft_axes(
    n_coordinates: int,
    rotations: list[tuple[Vector, CoordinateFunction]],
    translations: list[tuple[Vector, CoordinateFunction]],
) -> JointDraft:
    """Rotations about axes in turn, after a translation along axes of the parent frame.

    Constant functions move no node: they become part of the constant placements.
    """
    start = Placement()
    sliding = []
    for axis, function in translations:
        if isinstance(function, Constant):
            if not (is_concrete(function.value) and function.value == 0.0):
                start = start.then(Placement(tuple(function.value * a for a in axis)))
        else:
            sliding.append((axis, function))
    axes = tuple(axis for axis, _ in sliding)
    between, nodes, hinges = start, [], []
    for axis, function in rotations:
        if isinstance(function, Constant):
            between = between.then(rotation_only(turned_about(axis, function.value)))
            continue
        align = aligned(axis)
        nodes.append(NodeDraft(HINGE, between.then(rotation_only(align)), axes))
        hinges.append(function)
        between, axes = rotation_only(transpose(align)), ()
    if not nodes:
        if not sliding:
            return JointDraft((), between)
        # Without a hinge the constant rotations stay behind the sliding node.
        nodes.append(NodeDraft(NONE, start, axes))
        between = Placement(rotation=between.rotation)
    every = tuple(range(n_coordinates))
    mapping = AxesMap(n_coordinates, tuple(hinges), tuple(function for _, function in sliding))
    return JointDraft((MobilizerDraft(mapping, tuple(nodes), every, every),), between)


def _identity(*axes: Vector, start: int = 0) -> list[tuple[Vector, CoordinateFunction]]:
    return [(axis, Linear((start + index,))) for index, axis in enumerate(axes)]


def _custom(joint: CustomJoint) -> JointDraft:
    names = joint.coordinate_names

    def compiled(part: AxisFunction) -> tuple[Vector, CoordinateFunction]:
        arguments = tuple(names.index(name) for name in part.coordinates)
        return part.axis, compile_function(part.function, arguments, f"joint {joint.name!r}")

    rotations = [compiled(part) for part in joint.rotations]
    return draft_axes(len(names), rotations, [compiled(part) for part in joint.translations])


def _ball(mapping: BallMap) -> MobilizerDraft:
    shifts = mapping.free or mapping.radii is not None
    node = NodeDraft(BALL, Placement(), (X, Y, Z) if shifts else ())
    return MobilizerDraft(
        mapping, (node,), tuple(range(mapping.n_coordinates)), tuple(range(mapping.n_speeds))
    )


def _ball_joint(joint: BallJoint) -> JointDraft:
    return JointDraft((_ball(BallMap(joint.attitude is Attitude.QUATERNION)),))


def _free_joint(joint: FreeJoint) -> JointDraft:
    return JointDraft((_ball(BallMap(joint.attitude is Attitude.QUATERNION, free=True)),))


def _ellipsoid(joint: EllipsoidJoint) -> JointDraft:
    return JointDraft((_ball(BallMap(False, radii=joint.radii)),))


def _scapulothoracic(joint: ScapulothoracicJoint) -> JointDraft:
    """Shoulder blade gliding on the thorax and winging about an axis of its own [Seth et al. 2010].

    The ellipsoid's frame is turned a quarter about z, so that abduction and elevation come first; the radii
    are given in the thorax's axes and exchange places.
    """
    quarter = rotation_only(turned_about(Z, math.pi / 2))
    rx, ry, rz = joint.radii
    glide = _ball(BallMap(False, radii=(ry, rx, rz)))
    node = NodeDraft(BALL, quarter, tuple(transform(quarter.rotation, axis) for axis in (X, Y, Z)))
    glide = MobilizerDraft(glide.map, (node,), glide.coordinates, glide.speeds)
    direction = joint.winging_direction
    axis = (-sin(direction), cos(direction), 0.0)
    if all(is_concrete(value) for value in axis):
        axis = (float(axis[0]), float(axis[1]), 0.0)
    winging = Placement((*joint.winging_origin, 0.0), aligned(axis))
    pin = NodeDraft(HINGE, quarter.inverse().then(winging))
    wing = MobilizerDraft(AxesMap(1, (Linear((0,)),)), (pin,), (3,), (3,))
    return JointDraft((glide, wing), winging.inverse())


def _constant_curvature(joint: ConstantCurvatureJoint) -> JointDraft:
    """The start of the segment carries the translations, and its end turns."""
    turns = [Linear((k,), 1.0, zero) for k, zero in enumerate(joint.neutral)]
    ends = end_of_arc((0, 1), joint.neutral[:2], joint.length)
    return draft_axes(3, list(zip((X, Z, Y), turns, strict=True)), list(zip((X, Y, Z), ends, strict=True)))


_BUILDERS: dict[type[Joint], Callable[..., JointDraft]] = {
    WeldJoint: lambda joint: JointDraft(),
    PinJoint: lambda joint: draft_axes(1, _identity(Z), []),
    SliderJoint: lambda joint: draft_axes(1, [], _identity(X)),
    UniversalJoint: lambda joint: draft_axes(2, _identity(X, Y), []),
    GimbalJoint: lambda joint: draft_axes(3, _identity(X, Y, Z), []),
    PlanarJoint: lambda joint: draft_axes(3, _identity(Z), _identity(X, Y, start=1)),
    BallJoint: _ball_joint,
    FreeJoint: _free_joint,
    EllipsoidJoint: _ellipsoid,
    ScapulothoracicJoint: _scapulothoracic,
    ConstantCurvatureJoint: _constant_curvature,
    CustomJoint: _custom,
}
