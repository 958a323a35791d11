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

from borelli.lazy import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
__all__ = __dir__()  # noqa: PLE0605 (the list is in __init__.pyi)
