"""What a unit of tension in each muscle does: forces and torques at every joint it spans.

A straight piece of a muscle between links a < b pulls link b towards link a. It spans joints
a+1..b and acts on nothing else; pieces within one link change the length alone (Biscarini 2021).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from borelli.errors import InvalidValueError
from borelli.planar.checks import Array
from borelli.planar.pose import Pose
from borelli.records import dataclass

# Closer than this fraction of a millimetre the direction of a piece is decided by round-off.
_SHORTEST_PIECE = 1e-9


@dataclass(frozen=True, slots=True)
class MuscleAction:
    """Geometry of all muscles over instants.

    Attributes
    ----------
    length : (n_muscles, n_times)
        m.
    pull : (n_joints, n_muscles, n_times) complex
        Force across each joint on its distal side, per unit tension.
    arm : (n_joints, n_muscles, n_times)
        Moment arm: torque on the distal side per unit tension (m).
    """

    length: Array
    pull: Array
    arm: Array


def muscle_action(pose: Pose, first_instant: int = 0) -> MuscleAction:
    """Work out lengths, pulls and moment arms of a chain's muscles.

    Raises
    ------
    InvalidValueError
        Where two points of different links coincide, so that the pull has no direction; `first_instant`
        is added to the instant's number in the message.
    """
    muscles = pose.chain.muscles
    n_joints, n_times = len(pose.mass), pose.n_times
    length = np.zeros((len(muscles), n_times))
    pull = np.zeros((n_joints, len(muscles), n_times), dtype=complex)
    arm = np.zeros((n_joints, len(muscles), n_times))
    for index, muscle in enumerate(muscles):
        points = [(link, pose.point(link, complex(*local))) for link, local in muscle.path]
        for (link_a, a), (link_b, b) in pairwise(points):
            distance = np.abs(a - b)
            length[index] += distance
            if link_a == link_b:
                continue
            if np.any(distance < _SHORTEST_PIECE):
                raise InvalidValueError(
                    f"Two points of the path, on links {link_a} and {link_b}, coincide: the pull has no direction.",
                    where=f"muscle {muscle.name!r}, instant {first_instant + int(np.argmin(distance))}",
                    remedy="move one of the points, or drop the instant",
                )
            if link_a > link_b:
                link_a, a, link_b, b = link_b, b, link_a, a
            force = (a - b) / distance
            for joint in range(link_a, link_b):  # joint number joint + 1, counted from one
                pull[joint, index] += force
                arm[joint, index] += (np.conj(b - pose.joint[joint]) * force).imag
    return MuscleAction(length, pull, arm)
