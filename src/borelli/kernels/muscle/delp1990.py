"""Curves of [Delp 1990], as points of splines.

"Surgery simulation: a computer graphics system to analyze and design musculoskeletal reconstructions of the
lower limb", Stanford University; the curves that SIMM, and OpenSim's oldest muscles after it, have by default.

Lengths are in optimal fibre lengths, forces in maximum isometric forces, velocities in maximum contraction
velocities (lengthening is positive); tendons by their strain.
"""

from __future__ import annotations

ACTIVE = (
    (-5.307692, 0.012188),
    (-4.307692, 0.021899),
    (-1.923077, 0.036466),
    (-0.884615, 0.052493),
    (-0.269231, 0.075312),
    (0.230769, 0.114158),
    (0.461538, 0.157859),
    (0.52725, 0.226667),
    (0.62875, 0.636667),
    (0.71875, 0.856667),
    (0.86125, 0.95),
    (1.045, 0.993333),
    (1.2175, 0.77),
    (1.43875, 0.246667),
    (1.5, 0.193821),
    (1.615385, 0.133252),
    (2.0, 0.072683),
    (2.961538, 0.044417),
    (3.692308, 0.036341),
    (5.461538, 0.021899),
    (9.901902, 0.007332),
)
"""Active force by fibre length."""

PASSIVE = (
    (-5.0, 0.0),
    (0.998, 0.0),
    (0.999, 0.0),
    (1.0, 0.0),
    (1.1, 0.035),
    (1.2, 0.12),
    (1.3, 0.26),
    (1.4, 0.55),
    (1.5, 1.17),
    (1.6, 2.0),
    (1.601, 2.0),
    (1.602, 2.0),
    (5.0, 2.0),
)
"""Passive force by fibre length."""

TENDON = (
    (-10.0, 0.0),
    (-0.002, 0.0),
    (-0.001, 0.0),
    (0.0, 0.0),
    (0.00131, 0.0108),
    (0.00281, 0.0257),
    (0.00431, 0.0435),
    (0.00581, 0.0652),
    (0.00731, 0.0915),
    (0.00881, 0.123),
    (0.0103, 0.161),
    (0.0118, 0.208),
    (0.0123, 0.227),
    (9.2, 345.0),
    (9.201, 345.0),
    (9.202, 345.0),
    (20.0, 345.0),
)
"""Tendon force by strain."""

_SHORTENING = (
    *(0.0, 0.010417, 0.021739, 0.034091, 0.047619, 0.0625, 0.078947, 0.097222, 0.117647, 0.140625),
    *(0.166667, 0.196429, 0.230769, 0.270833, 0.318182, 0.375, 0.444444, 0.53125, 0.642857, 0.791667),
)
_LENGTHENING = (
    *(1.0, 1.482014, 1.601571, 1.655791, 1.686739, 1.706751, 1.720753, 1.731099, 1.739055, 1.745365),
    *(1.75049, 1.754736, 1.758312, 1.761364, 1.763999, 1.766298, 1.768321, 1.770115, 1.771717, 1.773155),
    1.774455,
)
VELOCITY = (
    (-1.001, 0.0),
    *((round(0.05 * index - 1.0, 2), force) for index, force in enumerate(_SHORTENING + _LENGTHENING)),
)
"""Force by velocity."""
