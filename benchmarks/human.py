"""A human-like tree of 37 freedoms, described once and built for Borelli and for its peers.

A floating pelvis, three-axis back, hips and shoulders, and hinges about the anatomical axes elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from borelli.model.body import Body
from borelli.model.functions.function import Constant, Linear
from borelli.model.joints.coordinate import Coordinate
from borelli.model.joints.custom_joint import AxisFunction, CustomJoint
from borelli.model.joints.joint import FreeJoint
from borelli.model.model import Model
from borelli.model.placement import Placement

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
THREE_AXES = (Z, Y, X)
GRAVITY = (0.0, -9.81, 0.0)


@dataclass(frozen=True)
class Segment:
    """One body and the joint that carries it: hinges about axes in turn, or free for the root."""

    name: str
    parent: str
    offset: tuple[float, float, float]
    axes: tuple[tuple[float, float, float], ...]
    mass: float
    centre: tuple[float, float, float]
    moments: tuple[float, float, float]
    """Principal moments of inertia about the mass centre (kg m²)."""


def _unit(*axis: float) -> tuple[float, float, float]:
    x, y, z = np.array(axis) / np.linalg.norm(axis)
    return (float(x), float(y), float(z))


def _limb(side: str, sign: float) -> list[Segment]:
    def part(name: str, parent: str, *rest) -> Segment:
        owner = parent if parent in ("pelvis", "torso") else f"{parent}_{side}"
        return Segment(f"{name}_{side}", owner, *rest)

    return [
        part(
            "femur", "pelvis", (-0.07, -0.07, sign * 0.08), THREE_AXES, 9.3, (0, -0.17, 0), (0.13, 0.04, 0.14)
        ),
        part("tibia", "femur", (0, -0.4, 0), (Z,), 3.7, (0, -0.19, 0), (0.05, 0.005, 0.05)),
        part("talus", "tibia", (0, -0.43, 0), (_unit(-0.1, -0.17, 0.98),), 0.1, (0, 0, 0), (1e-3,) * 3),
        part(
            "foot",
            "talus",
            (-0.05, -0.04, 0),
            (_unit(0.78, 0.6, -0.12),),
            1.2,
            (0.1, 0.03, 0),
            (1e-3, 4e-3, 4e-3),
        ),
        part("toes", "foot", (0.18, 0, 0), (_unit(0.58, 0, -0.81),), 0.2, (0.03, 0, 0), (1e-4, 2e-4, 1e-4)),
        part(
            "humerus", "torso", (0, 0.37, sign * 0.17), THREE_AXES, 2.0, (0, -0.16, 0), (0.012, 0.004, 0.013)
        ),
        part(
            "ulna",
            "humerus",
            (0.01, -0.29, 0),
            (_unit(0.22, 0.02, 0.97),),
            0.6,
            (0, -0.12, 0),
            (3e-3, 6e-4, 3e-3),
        ),
        part(
            "radius",
            "ulna",
            (0, -0.01, 0.03),
            (_unit(0.05, 0.99, 0.05),),
            0.6,
            (0, -0.12, 0),
            (3e-3, 6e-4, 3e-3),
        ),
        part("hand", "radius", (0, -0.24, 0.01), (X, Z), 0.46, (0, -0.07, 0), (9e-4, 5e-4, 1e-3)),
    ]


SEGMENTS: tuple[Segment, ...] = (
    Segment("pelvis", "ground", (0, 0, 0), (), 11.8, (-0.07, 0, 0), (0.1, 0.09, 0.06)),
    Segment("torso", "pelvis", (-0.1, 0.08, 0), THREE_AXES, 26.8, (-0.03, 0.32, 0), (1.5, 0.76, 1.4)),
    *_limb("r", 1.0),
    *_limb("l", -1.0),
)


def first_segments(n_freedoms: int) -> tuple[Segment, ...]:
    """Return as many segments as have at most so many freedoms; the last may lose some of its axes."""
    chosen: list[Segment] = []
    left = n_freedoms - 6
    for segment in SEGMENTS:
        axes = segment.axes[:left] if segment.axes else ()
        if segment.axes and not axes:
            break
        left -= len(axes)
        chosen.append(Segment(**{**vars(segment), "axes": axes}))
    return tuple(chosen)


def borelli_model(segments: tuple[Segment, ...] = SEGMENTS) -> Model:
    """Build the tree for Borelli, with a quaternion at the root."""
    bodies, joints = [], []
    for segment in segments:
        bodies.append(Body(segment.name, segment.mass, segment.centre, segment.moments))
        place = Placement(segment.offset)
        if not segment.axes:
            joints.append(
                FreeJoint(name="root", parent=segment.parent, child=segment.name, parent_placement=place)
            )
            continue
        names = tuple(f"{segment.name}_{k}" for k in range(len(segment.axes)))
        rotations = [
            AxisFunction(axis, Linear(), (name,)) for axis, name in zip(segment.axes, names, strict=True)
        ]
        rotations += [AxisFunction(axis, Constant(0.0)) for axis in (X, Y, Z)[len(rotations) :]]
        joints.append(
            CustomJoint(
                name=f"{segment.name}_joint",
                parent=segment.parent,
                child=segment.name,
                parent_placement=place,
                coordinates=tuple(Coordinate(name) for name in names),
                rotations=tuple(rotations),
            )
        )
    return Model(name="human", bodies=bodies, joints=joints, gravity=GRAVITY)


def pinocchio_model(segments: tuple[Segment, ...] = SEGMENTS, hinges_only: bool = False):
    """Build the tree for Pinocchio, with its fastest joints (free flyer, ZYX angles) or hinges throughout."""
    import pinocchio as pin

    model = pin.Model()
    model.gravity.linear = np.array(GRAVITY)
    joints = {"ground": 0}
    simple = {X: pin.JointModelRX, Y: pin.JointModelRY, Z: pin.JointModelRZ}
    for segment in segments:
        joint, place = joints[segment.parent], pin.SE3(np.eye(3), np.array(segment.offset, dtype=float))
        kinds = [
            simple[a]() if a in simple else pin.JointModelRevoluteUnaligned(np.array(a)) for a in segment.axes
        ]
        if segment.axes == THREE_AXES and not hinges_only:
            kinds = [pin.JointModelSphericalZYX()]
        for kind in kinds or [pin.JointModelFreeFlyer()]:
            joint = model.addJoint(joint, kind, place, f"{segment.name}_{model.njoints}")
            place = pin.SE3.Identity()
        inertia = pin.Inertia(segment.mass, np.array(segment.centre, dtype=float), np.diag(segment.moments))
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
        joints[segment.name] = joint
    return model


def mujoco_model(segments: tuple[Segment, ...] = SEGMENTS):
    """Build the tree for MuJoCo, without contacts or limits."""
    import mujoco

    spec = mujoco.MjSpec()
    spec.option.gravity = GRAVITY
    spec.option.disableflags = int(
        mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    )
    bodies = {"ground": spec.worldbody}
    for segment in segments:
        body = bodies[segment.parent].add_body(
            name=segment.name,
            pos=segment.offset,
            mass=segment.mass,
            ipos=segment.centre,
            inertia=segment.moments,
            explicitinertial=True,
        )
        if segment.axes:
            for axis in segment.axes:
                body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
        else:
            body.add_freejoint()
        bodies[segment.name] = body
    return spec.compile()


def opensim_model(segments: tuple[Segment, ...] = SEGMENTS):
    """Build the tree for OpenSim, with custom joints (and a free joint at the root)."""
    import opensim as osim

    model = osim.Model()
    model.setGravity(osim.Vec3(*GRAVITY))
    bodies = {"ground": model.getGround()}
    for segment in segments:
        inertia = osim.Inertia(*segment.moments)
        body = osim.Body(segment.name, segment.mass, osim.Vec3(*segment.centre), inertia)
        frames = (
            bodies[segment.parent],
            osim.Vec3(*segment.offset),
            osim.Vec3(0),
            body,
            osim.Vec3(0),
            osim.Vec3(0),
        )
        if segment.axes:
            joint = osim.CustomJoint(f"{segment.name}_joint", *frames, _spatial_transform(osim, segment))
        else:
            joint = osim.FreeJoint("root", *frames)
        model.addBody(body)
        model.addJoint(joint)
        bodies[segment.name] = body
    return model, model.initSystem()


def _spatial_transform(osim, segment: Segment):
    transform = osim.SpatialTransform()
    others = [axis for axis in (X, Y, Z) if axis not in segment.axes]
    for k in range(3):
        axis = transform.updTransformAxis(k)
        if k < len(segment.axes):
            names = osim.ArrayStr()
            names.append(f"{segment.name}_{k}")
            axis.setCoordinateNames(names)
            function = osim.LinearFunction(1.0, 0.0)
            axis.setAxis(osim.Vec3(*segment.axes[k]))
        else:
            function = osim.Constant(0.0)
            axis.setAxis(osim.Vec3(*others[k - len(segment.axes)]))
        # The axis takes the function over without telling Python.
        function.thisown = False
        axis.setFunction(function)
    return transform
