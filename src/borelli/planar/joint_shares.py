"""Shares in joint angles: one for each relative acceleration and each product of relative velocities.

With ``theta_p = alpha_1 + … + alpha_p`` the factor of ``alphadd_j`` is the sum of the factors of ``thetadd_p`` over
p ≥ j: in a torque it is M_kj of Cesari et al. (2001, (24)). Squared absolute velocities become products: the factor
of ``alphad_i alphad_j`` is the sum of the factors of ``thetad_p²`` over p ≥ max(i, j), twice that for i ≠ j.
"""

from __future__ import annotations

import numpy as np

from borelli.planar.checks import Array
from borelli.planar.shares import Sources, products


def fold(
    factor: Array, segment: Sources, joint: Sources, velocity: Array, acceleration: Array, share: Array
) -> None:
    """Fill shares in joint angles from factors in absolute ones.

    Parameters
    ----------
    factor : (..., n_segment_sources, n_times)
        Shares in absolute angles at unit velocities and unit accelerations.
    velocity, acceleration : (n_joints, n_times)
        Rates of the joint angles (rad/s, rad/s²).
    share : (..., n_joint_sources, n_times)
        Filled; what has to do with no rate is copied.
    """
    for name in ("weight", "load", "support", "base", "muscle"):
        share[..., getattr(joint, name), :] = factor[..., getattr(segment, name), :]
    share[..., joint.acceleration, :] = _beyond(factor[..., segment.acceleration, :]) * acceleration
    swing = _beyond(factor[..., segment.velocity, :])
    for column, (i, j) in enumerate(products(len(velocity)), start=joint.velocity.start):
        count = 1.0 if i == j else 2.0
        share[..., column, :] = count * velocity[i] * velocity[j] * swing[..., j, :]


def _beyond(factor: Array) -> Array:
    """Sum over each link and all links beyond it; links are the last axis but one."""
    return np.flip(np.cumsum(np.flip(factor, -2), axis=-2), -2)
