"""Two exercises with a dumbbell that Du (2021, 4.2) names: the biceps curl and the overhead triceps extension."""

from __future__ import annotations

import math

import numpy as np

from borelli import attitude
from borelli.library.anthropometry import Person
from borelli.library.lifting_arm.model import LiftingArm
from borelli.library.lifting_arm.motion import Posture, minimum_jerk_motion, quaternion_of
from borelli.library.lifting_arm.parameters import Arm
from borelli.library.lifting_arm.postures import require_hand
from borelli.library.lifting_arm.values import Array
from borelli.library.lifting_arm.wrenches import Weight
from borelli.model.motion import Motion

_PLATE_RADIUS = 0.06  # m
_HALF_HANDLE = 0.075  # m, from the middle of the dumbbell to that of a plate


def dumbbell(mass_kg: float, hand_length: float, fraction: float = 0.5) -> Weight:
    """Dumbbell across the hand: two discs of half its mass at the ends of a light handle.

    Parameters
    ----------
    mass_kg : float
        kg.
    hand_length : float
        m.
    fraction : float
        Where it is held, of the hand's length from the wrist.

    Examples
    --------
    >>> la.dumbbell(8.0, hand_length=0.19).at
    (0.095, 0.0, 0.0)
    """
    about_handle = 0.5 * mass_kg * _PLATE_RADIUS**2
    across = 0.25 * mass_kg * _PLATE_RADIUS**2 + mass_kg * _HALF_HANDLE**2
    return Weight(
        "dumbbell", "hand", mass_kg, (fraction * hand_length, 0.0, 0.0), (across, about_handle, across)
    )


def exercising_arm(mass_kg: float = 8.0, person: Person | None = None) -> LiftingArm:
    """Arm of a person with biarticular biceps and triceps and a dumbbell in the hand.

    Parameters
    ----------
    mass_kg : float
        Of the dumbbell (kg).
    person : Person, optional
        The average man of the table by default.

    Examples
    --------
    >>> [muscle.name for muscle in la.exercising_arm(mass_kg=5.0).muscles]
    ['biceps', 'triceps']
    """
    arm = Arm.of_person(person)
    held = dumbbell(mass_kg, require_hand(arm).length)
    return LiftingArm(arm.tree, (held,), arm.anatomical_muscles(person))


def curl_motion(
    arm: LiftingArm, *, duration_s: float = 1.0, rest_s: float = 0.1, rate_hz: float = 100.0
) -> Motion:
    """Biceps curl: palm up, the elbow bends from 20° to 125° with the upper arm hanging, and goes back.

    Parameters
    ----------
    arm : LiftingArm
        Of upper arm, forearm and hand.
    duration_s, rest_s : float
        Of each half, and at every turn (s).
    rate_hz : float
        Instants per second.

    Examples
    --------
    >>> la.curl_motion(la.exercising_arm(), rate_hz=50.0).n_times
    116
    """
    low, high = sagittal_posture(0.0, 20.0), sagittal_posture(8.0, 125.0)
    return minimum_jerk_motion(arm, (low, high, low), duration_s, rest_s=rest_s, rate_hz=rate_hz)


def extension_motion(
    arm: LiftingArm, *, duration_s: float = 1.0, rest_s: float = 0.1, rate_hz: float = 100.0
) -> Motion:
    """Overhead extension: the upper arm points up, the elbow opens from 120° to 25° and closes again.

    Parameters
    ----------
    arm, duration_s, rest_s, rate_hz
        As for :func:`curl_motion`.

    Examples
    --------
    >>> la.extension_motion(la.exercising_arm(), rate_hz=50.0).n_times
    116
    """
    low, high = sagittal_posture(165.0, 120.0), sagittal_posture(170.0, 25.0)
    return minimum_jerk_motion(arm, (low, high, low), duration_s, rest_s=rest_s, rate_hz=rate_hz)


def sagittal_posture(shoulder_deg: float, elbow_deg: float, wrist_deg: float = 0.0) -> Posture:
    """Posture in the sagittal plane, forearm supinated: the palm looks where the biceps is.

    Parameters
    ----------
    shoulder_deg, elbow_deg, wrist_deg : float
        Flexion from the hanging straight arm (degrees).

    Returns
    -------
    dict of (4,) float
        Segment → quaternion, scalar first, segment to world.

    Examples
    --------
    >>> list(la.sagittal_posture(shoulder_deg=20.0, elbow_deg=90.0))
    ['upper_arm', 'forearm', 'hand']
    """
    upper = _pitch(shoulder_deg)
    fore = _pitch(shoulder_deg + elbow_deg)
    # The hand's z axis is its back: half a turn about the forearm brings the palm to the front.
    supinated = np.array([0.0, 1.0, 0.0, 0.0])
    return {
        "upper_arm": upper,
        "forearm": fore,
        "hand": attitude.multiply(_pitch(shoulder_deg + elbow_deg + wrist_deg), supinated),
    }


def _pitch(flexion_deg: float) -> Array:
    """Attitude of a segment that is turned forward from hanging: x down, z forward at zero."""
    return quaternion_of([0.0, math.radians(90.0 - flexion_deg), 0.0])
