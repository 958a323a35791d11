"""Forces under the feet that are exactly what a motion asks for: the whole-body wrench, split between the feet.

In single support the wrench is the force on one foot. In double support the vertical force and what is left over
are split by a smooth share; each foot pushes along the line to the mass centre, as measured forces nearly do; both
centres of pressure are shifted by as much as it takes to make the sum exact.
"""

from __future__ import annotations

import numpy as np

import borelli as bo


def wrench(model, motion):
    """What must act on the body from outside, at the ground's origin: force (N), moment (N m), (n_times, 3) each."""
    root = bo.joint_reactions(model, motion).sel(joint="ground_pelvis")
    force, point = root["force"].values, root["point"].values
    return force, root["moment"].values + np.cross(point, force)


def pressure(force, moment):
    """Point of the ground about which only a vertical moment is left, and this moment."""
    x, z = moment[:, 2] / force[:, 1], -moment[:, 0] / force[:, 1]
    free = moment[:, 1] - (z * force[:, 0] - x * force[:, 2])
    return np.stack([x, 0 * x, z], 1), free


def mass_centre(model, motion):
    poses = bo.body_poses(model, motion)
    mass = np.array([float(model.bodies[str(name)].mass) for name in poses["body"].values])
    return np.einsum("tbi,b->ti", poses["com"].values, mass) / mass.sum()


def split(force, moment, centre, right_share, wished):
    """Force, point and free moment on each foot: mapping of side to three (n_times, 3) arrays.

    Parameters
    ----------
    force, moment : (n_times, 3)
        What the ground must give, about its origin.
    centre : (n_times, 3)
        Mass centre of the body.
    right_share : (n_times,)
        Share of the vertical force on the right foot.
    wished : two (n_times, 3)
        Where the centres of pressure of right and left foot should be.
    """
    total, _ = pressure(force, moment)
    shares = (right_share, 1.0 - right_share)
    shift = total - sum(s[:, None] * p for s, p in zip(shares, wished, strict=True))
    points = [p + shift for p in wished]
    level = []
    for share, point in zip(shares, points, strict=True):
        aim = (centre - point) / centre[:, 1:2]
        level.append(share[:, None] * force[:, 1:2] * aim * [1.0, 0.0, 1.0])
    rest = force * [1.0, 0.0, 1.0] - sum(level)
    made = {}
    for side, share, point, pushed in zip("rl", shares, points, level, strict=True):
        on = pushed + share[:, None] * rest
        on[:, 1] = share * force[:, 1]
        made[side] = [on, point, None]
    # Vertical moment: what the two forces at their points do not give.
    given = sum(np.cross(point, on)[:, 1] for on, point, _ in made.values())
    for side, share in zip("rl", shares, strict=True):
        twist = np.zeros_like(force)
        twist[:, 1] = share * (moment[:, 1] - given)
        made[side][2] = twist
    return made


def as_loads(made, time):
    return [
        bo.Load(f"ground_{side}", f"foot_{side}", force, point, twist, time)
        for side, (force, point, twist) in made.items()
    ]
