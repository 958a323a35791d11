"""The lifting arm of Du (2021), from its three static models to what it proposes: digits, motion, biarticular muscles.

World: the shoulder is the origin, x points forward, y to the left, z up. Start with :class:`Arm`, then ask

- :func:`model_1`, :func:`model_2`, :func:`model_3`: what the joints bear while a weight is held;
- :func:`static_wrenches`: the same for any tree of segments, with weights and contacts anywhere;
- :class:`LiftingArm` and :func:`arm_dynamics`: the arm in motion, by the spatial engine;
- :func:`hand_with_digits` and :func:`grip`: a hand of sixteen segments, holding something;
- :func:`choose_grip`: which preset holds it best;
- :func:`joint_angles`, :func:`natural_roll`: bend and twist at any joint, and the roll that twists the arm least.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from borelli.lazy import lazily

_HOME: dict[str, str] = {
    "Arm": "parameters",
    "ArmMuscle": "muscles",
    "opposing_tensions": "elbow_tensions",
    "elbow_tensions": "elbow_tensions",
    "hinge_tensions": "elbow_tensions",
    "Segment": "segments",
    "SegmentTree": "segments",
    "TreePose": "segments",
    "Weight": "wrenches",
    "Contact": "wrenches",
    "static_wrenches": "wrenches",
    "Locus": "arm_pose",
    "elbow_circle": "arm_pose",
    "elbow_by_swivel": "arm_pose",
    "elbow_of_least_wrist_bend": "arm_pose",
    "elbow_flexion": "arm_pose",
    "wrist_bend": "arm_pose",
    "joint_angles": "angles",
    "natural_roll": "angles",
    "choose_grip": "choose_grip",
    "posture_by_swivel": "postures",
    "posture_of_hand": "postures",
    "arm_plane_attitudes": "postures",
    "model_1": "static_arm",
    "model_2": "static_arm",
    "model_3": "static_arm",
    "held_still": "static_arm",
    "hand_with_digits": "hand",
    "arm_with_digits": "hand",
    "contact_point": "hand",
    "GRIPS": "grips",
    "TOUCHING": "grips",
    "grip": "grips",
    "holding_contacts": "grips",
    "LiftingArm": "model",
    "arm_model": "model",
    "postures_at_rest": "motion",
    "recorded_motion": "motion",
    "minimum_jerk_motion": "motion",
    "straight_path": "motion",
    "hand_motion": "motion",
    "arm_dynamics": "dynamics",
    "in_sagittal_axes": "dynamics",
    "dumbbell": "exercises",
    "exercising_arm": "exercises",
    "curl_motion": "exercises",
    "extension_motion": "exercises",
    "sagittal_posture": "exercises",
}

if TYPE_CHECKING:
    from borelli.library.lifting_arm.angles import joint_angles as joint_angles
    from borelli.library.lifting_arm.angles import natural_roll as natural_roll
    from borelli.library.lifting_arm.arm_pose import Locus as Locus
    from borelli.library.lifting_arm.arm_pose import elbow_by_swivel as elbow_by_swivel
    from borelli.library.lifting_arm.arm_pose import elbow_circle as elbow_circle
    from borelli.library.lifting_arm.arm_pose import elbow_flexion as elbow_flexion
    from borelli.library.lifting_arm.arm_pose import elbow_of_least_wrist_bend as elbow_of_least_wrist_bend
    from borelli.library.lifting_arm.arm_pose import wrist_bend as wrist_bend
    from borelli.library.lifting_arm.choose_grip import choose_grip as choose_grip
    from borelli.library.lifting_arm.dynamics import arm_dynamics as arm_dynamics
    from borelli.library.lifting_arm.dynamics import in_sagittal_axes as in_sagittal_axes
    from borelli.library.lifting_arm.elbow_tensions import elbow_tensions as elbow_tensions
    from borelli.library.lifting_arm.elbow_tensions import hinge_tensions as hinge_tensions
    from borelli.library.lifting_arm.elbow_tensions import opposing_tensions as opposing_tensions
    from borelli.library.lifting_arm.exercises import curl_motion as curl_motion
    from borelli.library.lifting_arm.exercises import dumbbell as dumbbell
    from borelli.library.lifting_arm.exercises import exercising_arm as exercising_arm
    from borelli.library.lifting_arm.exercises import extension_motion as extension_motion
    from borelli.library.lifting_arm.exercises import sagittal_posture as sagittal_posture
    from borelli.library.lifting_arm.grips import GRIPS as GRIPS
    from borelli.library.lifting_arm.grips import TOUCHING as TOUCHING
    from borelli.library.lifting_arm.grips import grip as grip
    from borelli.library.lifting_arm.grips import holding_contacts as holding_contacts
    from borelli.library.lifting_arm.hand import arm_with_digits as arm_with_digits
    from borelli.library.lifting_arm.hand import contact_point as contact_point
    from borelli.library.lifting_arm.hand import hand_with_digits as hand_with_digits
    from borelli.library.lifting_arm.model import LiftingArm as LiftingArm
    from borelli.library.lifting_arm.model import arm_model as arm_model
    from borelli.library.lifting_arm.motion import hand_motion as hand_motion
    from borelli.library.lifting_arm.motion import minimum_jerk_motion as minimum_jerk_motion
    from borelli.library.lifting_arm.motion import postures_at_rest as postures_at_rest
    from borelli.library.lifting_arm.motion import recorded_motion as recorded_motion
    from borelli.library.lifting_arm.motion import straight_path as straight_path
    from borelli.library.lifting_arm.muscles import ArmMuscle as ArmMuscle
    from borelli.library.lifting_arm.parameters import Arm as Arm
    from borelli.library.lifting_arm.postures import arm_plane_attitudes as arm_plane_attitudes
    from borelli.library.lifting_arm.postures import posture_by_swivel as posture_by_swivel
    from borelli.library.lifting_arm.postures import posture_of_hand as posture_of_hand
    from borelli.library.lifting_arm.segments import Segment as Segment
    from borelli.library.lifting_arm.segments import SegmentTree as SegmentTree
    from borelli.library.lifting_arm.segments import TreePose as TreePose
    from borelli.library.lifting_arm.static_arm import held_still as held_still
    from borelli.library.lifting_arm.static_arm import model_1 as model_1
    from borelli.library.lifting_arm.static_arm import model_2 as model_2
    from borelli.library.lifting_arm.static_arm import model_3 as model_3
    from borelli.library.lifting_arm.wrenches import Contact as Contact
    from borelli.library.lifting_arm.wrenches import Weight as Weight
    from borelli.library.lifting_arm.wrenches import static_wrenches as static_wrenches

__all__ = [*_HOME]  # noqa: PLE0604 (the table above is the list)

__getattr__, __dir__ = lazily(__name__, _HOME)
