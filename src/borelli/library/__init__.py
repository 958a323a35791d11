"""Ready-made models from published body-segment tables, each with a sample motion.

Models are scaled by body mass, height and sex: :func:`two_link_arm`, :func:`reaching_arm`, :func:`finger`,
:func:`spine` and :func:`leg_squat`. Motions are minimum-jerk: :func:`curl`, :func:`reach`,
:func:`finger_flexion`, :func:`spine_bend` and :func:`squat_to_stand`. These are planar chains;
:mod:`borelli.library.lifting_arm` is an arm in space, at rest and in motion. :func:`neck` and :func:`composite_joint`
are models for moment arms about a joint that is made of several.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from borelli.lazy import lazily

_HOME: dict[str, str] = {
    "Person": "anthropometry",
    "two_link_arm": "arm",
    "reaching_arm": "arm",
    "curl": "arm",
    "reach": "arm",
    "hand_spring": "arm",
    "finger": "finger",
    "finger_flexion": "finger",
    "spine": "spine",
    "spine_bend": "spine",
    "leg_squat": "leg",
    "squat_to_stand": "leg",
    "foot_span": "leg",
    "composite_joint": "composite_joint",
    "composite_angle": "composite_joint",
    "neck": "neck",
    "neck_angle": "neck",
    "neck_angle_per_driver": "neck",
    "minimum_jerk": "trajectories",
    "posture_sequence": "trajectories",
}
_PACKAGES = ("lifting_arm",)

if TYPE_CHECKING:
    from borelli.library import lifting_arm as lifting_arm
    from borelli.library.anthropometry import Person as Person
    from borelli.library.arm import curl as curl
    from borelli.library.arm import hand_spring as hand_spring
    from borelli.library.arm import reach as reach
    from borelli.library.arm import reaching_arm as reaching_arm
    from borelli.library.arm import two_link_arm as two_link_arm
    from borelli.library.composite_joint import composite_angle as composite_angle
    from borelli.library.composite_joint import composite_joint as composite_joint
    from borelli.library.finger import finger as finger
    from borelli.library.finger import finger_flexion as finger_flexion
    from borelli.library.leg import foot_span as foot_span
    from borelli.library.leg import leg_squat as leg_squat
    from borelli.library.leg import squat_to_stand as squat_to_stand
    from borelli.library.neck import neck as neck
    from borelli.library.neck import neck_angle as neck_angle
    from borelli.library.neck import neck_angle_per_driver as neck_angle_per_driver
    from borelli.library.spine import spine as spine
    from borelli.library.spine import spine_bend as spine_bend
    from borelli.library.trajectories import minimum_jerk as minimum_jerk
    from borelli.library.trajectories import posture_sequence as posture_sequence

__all__ = [*_HOME, *_PACKAGES]  # noqa: PLE0604 (the table above is the list)

__getattr__, __dir__ = lazily(__name__, _HOME, _PACKAGES)
