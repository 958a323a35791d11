"""Curves of [Millard, Uchida, Seth & Delp 2013], built of Bézier corners from their parameters.

"Flexing computational muscle: modeling and simulation of musculotendon dynamics", J Biomech Eng 135:021005.

Lengths are in optimal fibre lengths or tendon slack lengths, forces in maximum isometric forces, velocities in
maximum contraction velocities (lengthening is positive). Each function returns the corners of a curve,
(n, 12), for :func:`borelli.kernels.muscle.bezier.value`.
"""

from __future__ import annotations

import numpy as np

from borelli.kernels.muscle.bezier import corner

_PLATEAU = 0.05
"""Half the width of the plateau, wider than that of one sarcomere (0.0259) to fit measured muscles."""
_STEEPNESS = 1.25
"""Slope of the steep limb over that of its chord."""
_ACTIVE_CURVINESS = 1.0
"""Corners as sharp as they may be, as in OpenSim's ActiveForceLengthCurve."""
_NEAR = 0.9
"""Part of the largest velocity up to which the velocity curve bends."""
# As in OpenSim's FiberForceLengthCurve and TendonForceLengthCurve, where a model says nothing else; the last over the
# strain at maximum force.
_LOW_STIFFNESS, _PASSIVE_CURVINESS = 0.2, 0.75
_TENDON_TOE, _TENDON_CURVINESS, _TENDON_STIFFNESS = 2.0 / 3.0, 0.5, 1.375


def active_force_length(
    shortest: float, shoulder: float, longest: float, slope: float, least: float
) -> np.ndarray:
    """Five corners: steep limb, shallow limb of the given slope, plateau at one, descending limb.

    Parameters
    ----------
    shortest, shoulder, longest : float
        Lengths where force begins, where the steep limb becomes shallow, where force ends.
    least : float
        Force outside.
    """
    c = _ACTIVE_CURVINESS
    top = 1.0 - _PLATEAU
    height = 1.0 - slope * (top - shoulder)
    steep = _STEEPNESS * height / (shoulder - shortest)
    x_steep, y_steep = 0.5 * (shortest + shoulder), 0.5 * height
    x_shallow, y_shallow = 0.5 * (shoulder + top), 0.5 * (height + 1.0)
    left = 1.0 + _PLATEAU
    x_fall, y_fall, fall = 0.5 * (left + longest), 0.5, -1.0 / (longest - _PLATEAU - left)
    return np.array(
        [
            corner(shortest, least, 0.0, x_steep, y_steep, steep, c),
            corner(x_steep, y_steep, steep, x_shallow, y_shallow, slope, c),
            corner(x_shallow, y_shallow, slope, 1.0, 1.0, 0.0, c),
            corner(1.0, 1.0, 0.0, x_fall, y_fall, fall, c),
            corner(x_fall, y_fall, fall, longest, least, 0.0, c),
        ]
    )


def force_velocity(
    largest: float,
    slope_shortest: float,
    slope_near_shortest: float,
    slope_isometric: float,
    slope_longest: float,
    slope_near_longest: float,
    shortening_curviness: float,
    lengthening_curviness: float,
) -> np.ndarray:
    """Four corners through (-1, 0), (0, 1) and (1, ``largest``)."""
    c, d, gap = shortening_curviness, lengthening_curviness, 1.0 - _NEAR
    low = 0.5 * gap * (slope_near_shortest + slope_shortest)
    high = largest - 0.5 * gap * (slope_near_longest + slope_longest)
    return np.array(
        [
            corner(-1.0, 0.0, slope_shortest, -_NEAR, low, slope_near_shortest, c),
            corner(-_NEAR, low, slope_near_shortest, 0.0, 1.0, slope_isometric, c),
            corner(0.0, 1.0, slope_isometric, _NEAR, high, slope_near_longest, d),
            corner(_NEAR, high, slope_near_longest, 1.0, largest, slope_longest, d),
        ]
    )


def passive_force_length(
    strain_at_zero: float,
    strain_at_one: float,
    stiffness_low: float | None = None,
    stiffness_at_one: float | None = None,
    curviness: float | None = None,
) -> np.ndarray:
    """Two corners: a toe of low stiffness, then a rise to one; None stands for the paper's own value."""
    stiff = 2.0 / (strain_at_one - strain_at_zero) if stiffness_at_one is None else stiffness_at_one
    low = _LOW_STIFFNESS if stiffness_low is None else stiffness_low
    c = _PASSIVE_CURVINESS if curviness is None else curviness
    x0, x1 = 1.0 + strain_at_zero, 1.0 + strain_at_one
    toe = x0 + min(0.1 / stiff, 0.1 * (x1 - x0))
    height = low * 0.5 * (toe - x0)
    return np.array([corner(x0, 0.0, 0.0, toe, height, low, c), corner(toe, height, low, x1, 1.0, stiff, c)])


def tendon_force_length(
    strain_at_one: float,
    stiffness_at_one: float | None = None,
    force_at_toe_end: float | None = None,
    curviness: float | None = None,
) -> np.ndarray:
    """Two corners of a toe, after which the curve is straight; None stands for the paper's own value."""
    stiff = _TENDON_STIFFNESS / strain_at_one if stiffness_at_one is None else stiffness_at_one
    y_toe = _TENDON_TOE if force_at_toe_end is None else force_at_toe_end
    c = _TENDON_CURVINESS if curviness is None else curviness
    x_one = 1.0 + strain_at_one
    x_toe = (y_toe - 1.0) / stiff + x_one
    x_foot = 1.0 + (x_toe - 1.0) / 10.0
    y_middle = 0.5 * y_toe
    x_middle = (y_middle - 1.0) / stiff + x_one
    slope = y_middle / (x_middle - x_foot)
    x_bend = x_foot + 0.5 * (x_middle - x_foot)
    y_bend = slope * (x_bend - x_foot)
    return np.array(
        [
            corner(1.0, 0.0, 0.0, x_bend, y_bend, slope, c),
            corner(x_bend, y_bend, slope, x_toe, y_toe, stiff, c),
        ]
    )
