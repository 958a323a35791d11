"""Ready-made models from published body-segment tables, each with a sample motion.

Models are scaled by body mass, height and sex: :func:`two_link_arm`, :func:`reaching_arm`, :func:`finger`,
:func:`spine` and :func:`leg_squat`. Motions are minimum-jerk: :func:`curl`, :func:`reach`,
:func:`finger_flexion`, :func:`spine_bend` and :func:`squat_to_stand`. Exercises come whole, with their motion and
what they work against: :func:`leg_extension`, :func:`leg_curl`, :func:`leg_press`, :func:`barbell_squat`,
:func:`bench_press`, :func:`biceps_curl`, :func:`gait_push_off`, :func:`spine_side_bend`. These are planar chains;
:mod:`borelli.library.lifting_arm` is an arm in space, at rest and in motion. :func:`neck` and :func:`composite_joint`
are models for moment arms about a joint that is made of several. :func:`sample_walk` is a whole trial as files.
"""

from __future__ import annotations

from borelli.lazy import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
__all__ = __dir__()  # noqa: PLE0605 (the list is in __init__.pyi)
