"""What is published about level walking at a natural speed, in round numbers.

Key points (per cent of the gait cycle from heel strike, degrees) were chosen by hand to follow the mean curves of
Winter DA (1991) "The Biomechanics and Motor Control of Human Gait", 2nd ed., of Kadaba MP et al. (1990) "Measurement
of lower extremity kinematics during level walking", J. Orthop. Res. 8:383-392, and for forces of Winter as well
(fractions of body weight). They are wishes, not data: the fit departs from them where dynamics and ground ask for it.
"""

from __future__ import annotations

import numpy as np
from scipy.interpolate import PchipInterpolator

SPEED = 1.3  # m/s
STRIDE_TIME = 1.1  # s
TOE_OFF = 0.62  # of the cycle
DOUBLE = TOE_OFF - 0.5

# Coordinate: key points, and how far the fit may stray (degrees).
ANGLES = {
    "hip_flexion": ([(0, 26), (12, 22), (30, 5), (50, -14), (62, -4), (75, 20), (86, 30), (95, 28)], 2.5),
    "hip_adduction": ([(0, 0), (15, 5), (35, 4), (50, 0), (62, -5), (80, -2)], 2.0),
    "hip_rotation": ([(0, 0), (25, 2), (50, 0), (75, -2)], 2.0),
    "knee_angle": (
        [(0, 5), (14, 18), (30, 9), (40, 6), (52, 16), (62, 40), (72, 61), (82, 45), (93, 8), (97, 3)],
        3.0,
    ),
    "ankle_angle": (
        [(0, 0), (7, -6), (20, 3), (44, 10), (54, 0), (63, -18), (74, -2), (85, 2), (95, 1)],
        2.5,
    ),
    "mtp_angle": ([(0, 5), (10, 0), (35, 0), (48, 10), (60, 30), (68, 10), (80, 5)], 4.0),
    "arm_flexion": ([(0, -22), (25, -8), (50, 12), (75, -4)], 2.5),
    "elbow_flexion": ([(0, 15), (25, 18), (50, 28), (75, 22)], 3.0),
    "pelvis_tilt": ([(0, -8), (50, -8)], 1.5),
    "pelvis_list": ([(0, 0), (15, 4), (35, 1), (50, 0), (65, -4), (85, -1)], 1.5),
    "pelvis_rotation": ([(0, 5), (25, 0), (50, -5), (75, 0)], 1.5),
    "lumbar_extension": ([(0, 5), (50, 5)], 1.5),
    "lumbar_bending": ([(0, 0), (15, -4), (35, -1), (50, 0), (65, 4), (85, 1)], 2.0),
    "lumbar_rotation": ([(0, -8), (25, 0), (50, 8), (75, 0)], 3.0),
}
# Vertical and forward force on one foot, and how far the centre of pressure is along the foot from the heel (0) to the
# joint of the toes (1), in per cent of the cycle.
VERTICAL = [(0, 0), (3, 0.3), (7, 0.75), (13, 1.08), (30, 0.78), (48, 1.08), (54, 0.75), (59, 0.25), (62, 0)]
FORWARD = [(0, 0), (9, -0.16), (30, 0), (51, 0.18), (62, 0)]
PRESSURE = [(0, 0.08), (8, 0.25), (20, 0.50), (40, 0.80), (50, 0.97), (62, 1.12)]
# Moments that the muscles of a leg give, in N m for each kg of body mass, in the sense of the coordinates; and how far
# the fit may stray.
MOMENTS = {
    "hip_flexion": [(0, -0.4), (8, -0.75), (27, 0), (50, 0.75), (62, 0.3), (75, 0.0), (93, -0.3)],
    "hip_adduction": [(0, 0), (13, -0.95), (30, -0.65), (46, -0.9), (60, 0), (80, 0.05)],
    "knee_angle": [
        (0, 0.25),
        (14, -0.55),
        (28, -0.05),
        (42, 0.25),
        (54, -0.15),
        (63, -0.1),
        (75, 0),
        (90, 0.25),
    ],
    "ankle_angle": [(0, 0), (4, 0.1), (20, -0.45), (47, -1.5), (62, 0), (80, 0)],
}
MOMENT_TOLERATED = 0.10


def periodic(points, phase):
    """A smooth periodic curve through key points."""
    at, value = np.array(points, dtype=float).T
    at = at / 100.0
    return PchipInterpolator(np.concatenate([at - 1, at, at + 1]), np.concatenate([value] * 3))(
        np.asarray(phase) % 1.0
    )


def once(points, phase):
    """A curve over stance; zero after it."""
    at, value = np.array(points, dtype=float).T
    phase = np.asarray(phase) % 1.0
    return np.where(
        phase <= at[-1] / 100, PchipInterpolator(at / 100.0, value)(np.minimum(phase, at[-1] / 100)), 0.0
    )


def loaded_share(phase):
    """Share of the load on the right foot: one while it stands alone, smooth to two derivatives when it takes over."""
    phase = np.asarray(phase) % 1.0

    def rise(x):
        x = np.clip(x, 0.0, 1.0)
        return x**3 * (10 - 15 * x + 6 * x**2)

    return np.where(phase < 0.5, rise(phase / DOUBLE), 1.0 - rise((phase - 0.5) / DOUBLE))
