"""Parameters of the four curves of [Millard et al. 2013]; names and defaults are OpenSim's.

Lengths are in optimal fibre lengths (of the tendon, in slack lengths), forces in maximum isometric forces, velocities
in the maximum velocity; slopes and stiffnesses are ratios of these, and a curviness goes from 0 (wide) to 1 (sharp).
"""

from __future__ import annotations

from borelli.records import dataclass


@dataclass(frozen=True, slots=True)
class ActiveForceLengthCurve:
    """Parameters of the active force–length curve of [Millard et al. 2013].

    Examples
    --------
    >>> bm.ActiveForceLengthCurve(minimum_value=0.0).max_norm_active_fiber_length  # in optimal fibre lengths
    1.8123
    """

    min_norm_active_fiber_length: float = 0.4441
    transition_norm_fiber_length: float = 0.73
    max_norm_active_fiber_length: float = 1.8123
    shallow_ascending_slope: float = 0.8616
    minimum_value: float = 0.1


@dataclass(frozen=True, slots=True)
class ForceVelocityCurve:
    """Parameters of the force–velocity curve of [Millard et al. 2013].

    Examples
    --------
    >>> bm.ForceVelocityCurve().max_eccentric_velocity_force_multiplier  # in maximum isometric forces
    1.4
    """

    concentric_slope_at_vmax: float = 0.0
    concentric_slope_near_vmax: float = 0.25
    isometric_slope: float = 5.0
    eccentric_slope_at_vmax: float = 0.0
    eccentric_slope_near_vmax: float = 0.15
    max_eccentric_velocity_force_multiplier: float = 1.4
    concentric_curviness: float = 0.6
    eccentric_curviness: float = 0.9


@dataclass(frozen=True, slots=True)
class FiberForceLengthCurve:
    """Parameters of the passive fibre curve of [Millard et al. 2013]; None: derived from the strain.

    Examples
    --------
    >>> bm.FiberForceLengthCurve(strain_at_one_norm_force=0.6).strain_at_zero_force
    0.0
    """

    strain_at_zero_force: float = 0.0
    strain_at_one_norm_force: float = 0.7
    stiffness_at_low_force: float | None = None
    stiffness_at_one_norm_force: float | None = None
    curviness: float | None = None


@dataclass(frozen=True, slots=True)
class TendonForceLengthCurve:
    """Parameters of the tendon curve of [Millard et al. 2013]; None: derived from the strain.

    Examples
    --------
    >>> bm.TendonForceLengthCurve().strain_at_one_norm_force
    0.049
    """

    strain_at_one_norm_force: float = 0.049
    stiffness_at_one_norm_force: float | None = None
    norm_force_at_toe_end: float | None = None
    curviness: float | None = None
