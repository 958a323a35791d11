"""The arm as a model of the spatial engine: the same segments, weights and muscles, ready to move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from borelli import attitude
from borelli.library.lifting_arm.muscles import ArmMuscle
from borelli.library.lifting_arm.segments import BASE, Segment, SegmentTree
from borelli.library.lifting_arm.wrenches import GRAVITY, Weight
from borelli.model.body import GROUND, Body
from borelli.model.forces.force import PathActuator
from borelli.model.joints.joint import BallJoint, Joint, WeldJoint
from borelli.model.model import Model
from borelli.model.parts import Parts
from borelli.model.paths.path import Path, PathPoint
from borelli.model.placement import Placement
from borelli.model.values import ZERO
from borelli.records import dataclass


@dataclass(frozen=True, slots=True)
class LiftingArm:
    """An arm that can move: segments with weights and muscles on them, and the model made of these.

    Parameters
    ----------
    tree : SegmentTree
    weights : sequence of Weight
        Carried along, with their inertia.
    muscles : sequence of ArmMuscle
    fixed : mapping of segment to (4,) float
        Segments that do not move against the one that carries them, with their attitude relative to it: the digits
        in a grip.
    gravity : float
        m/s², along -z.
    model : Model
        A ball joint for every segment that is not fixed; the base is ground.

    Examples
    --------
    >>> curler = la.LiftingArm(arm.tree, muscles=arm.du_muscles())
    >>> curler.model.joint_names
    ('shoulder', 'elbow', 'wrist')
    """

    tree: SegmentTree
    weights: tuple[Weight, ...] = ()
    muscles: tuple[ArmMuscle, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    gravity: float = GRAVITY
    model: Model = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("weights", "muscles"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        for name in self.fixed:
            self.tree.index(name, "fixed")
        object.__setattr__(self, "model", arm_model(self))

    @property
    def moving(self) -> tuple[Segment, ...]:
        """Segments that turn against the one that carries them."""
        return tuple(segment for segment in self.tree.segments if segment.name not in self.fixed)


def arm_model(arm: LiftingArm) -> Model:
    """Model of an arm: bodies are its segments and weights, and every muscle is a path that can pull.

    Parameters
    ----------
    arm : LiftingArm

    Returns
    -------
    Model
        Joints are called as in the tree. Ball joints have quaternions for coordinates (``elbow_qs``, …) and
        angular velocities in the axes of the distal segment for speeds (``elbow_wx``, …).

    Examples
    --------
    >>> la.arm_model(la.LiftingArm(arm.tree)).body_names
    ('upper_arm', 'forearm', 'hand')
    """
    for weight in arm.weights:
        arm.tree.index(weight.segment, f"weight {weight.name!r}")
    bodies = [Body(part.name, part.mass, part.com, (*part.inertia, *ZERO)) for part in arm.tree.segments]
    bodies += [Body(weight.name, weight.mass, inertia=(*weight.inertia, *ZERO)) for weight in arm.weights]
    joints = [_joint(arm, segment) for segment in arm.tree.segments]
    joints += [
        WeldJoint(
            name=f"{weight.name}_hold",
            parent=weight.segment,
            child=weight.name,
            parent_placement=Placement(weight.at),
        )
        for weight in arm.weights
    ]
    return Model(
        name="lifting_arm",
        bodies=Parts(bodies),
        joints=Parts(joints),
        forces=Parts(_pulling(arm.tree, muscle) for muscle in arm.muscles),
        gravity=(0.0, 0.0, -arm.gravity),
    )


def _joint(arm: LiftingArm, segment: Segment) -> Joint:
    parent = GROUND if segment.parent == BASE else segment.parent
    if segment.name not in arm.fixed:
        return BallJoint(
            name=segment.joint, parent=parent, child=segment.name, parent_placement=Placement(segment.at)
        )
    turned = attitude.rotation_matrix(arm.fixed[segment.name]).tolist()
    return WeldJoint(
        name=segment.joint, parent=parent, child=segment.name, parent_placement=Placement(segment.at, turned)
    )


def _pulling(tree: SegmentTree, muscle: ArmMuscle) -> PathActuator:
    ends = (muscle.origin_on, muscle.origin), *muscle.via, (muscle.insertion_on, muscle.insertion)
    points = []
    for number, (segment, at) in enumerate(ends, start=1):
        if segment != BASE:
            tree.index(segment, f"point {number} of muscle {muscle.name!r}")
        body = GROUND if segment == BASE else segment
        points.append(PathPoint(f"{muscle.name}_P{number}", body, at))
    path = Path(tuple(points))
    return PathActuator(
        name=muscle.name, path=path, optimal_force=muscle.strength, min_control=0.0, max_control=1.0
    )
