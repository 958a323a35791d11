"""The curves of a muscle of any kind, at one length or velocity: the one registry of muscle models.

A model has a number, a name (``Muscle.kind``) and a branch in each of the four functions. A number that no branch
knows gives NaN, never the curves of another model.
"""

from __future__ import annotations

import math

from borelli.kernels.jit import jit
from borelli.kernels.muscle import bezier, degrootefregly2016, geyer2010, schutte1993, splines, thelen2003
from borelli.kernels.muscle.tables import ACTIVE, PASSIVE, TENDON, VELOCITY, Curves

ISOMETRIC, THELEN2003, MILLARD2012, DEGROOTEFREGLY2016, SCHUTTE1993, RIGID_TENDON, GEYER2010 = range(7)
MODELS = (
    "isometric",
    "Thelen2003",
    "Millard2012Equilibrium",
    "DeGrooteFregly2016",
    "Schutte1993",
    "RigidTendon",
    "Geyer2010",
)
"""Models by their numbers; the first has no curves and is always as strong as it can be."""

_bezier = bezier.value
_thelen_active = thelen2003.active_force_length
_thelen_velocity = thelen2003.force_velocity
_thelen_passive = thelen2003.passive_force_length
_thelen_tendon = thelen2003.tendon_force_length
_degroote_active = degrootefregly2016.active_force_length
_degroote_velocity = degrootefregly2016.force_velocity
_degroote_passive = degrootefregly2016.passive_force_length
_degroote_tendon = degrootefregly2016.tendon_force_length
_schutte_velocity = schutte1993.force_velocity
_schutte_passive = schutte1993.passive_force_length
_spline = splines.value
_geyer_active = geyer2010.active_force_length
_geyer_velocity = geyer2010.force_velocity
_geyer_passive = geyer2010.passive_force_length
_geyer_tendon = geyer2010.tendon_force_length


@jit
def active_force(curves: Curves, muscle: int, length: float) -> float:
    """Active force–length multiplier."""
    kind, values, ranges, corners = curves
    if kind[muscle] == THELEN2003:
        return _thelen_active(length, values[muscle, 0])
    if kind[muscle] == MILLARD2012:
        return _bezier(corners, ranges[muscle, ACTIVE, 0], ranges[muscle, ACTIVE, 1], length)
    if kind[muscle] == DEGROOTEFREGLY2016:
        return _degroote_active(length, values[muscle, 0])
    if kind[muscle] == SCHUTTE1993 or kind[muscle] == RIGID_TENDON:
        return max(_spline(corners, ranges[muscle, ACTIVE, 0], ranges[muscle, ACTIVE, 1], length), 0.0)
    if kind[muscle] == GEYER2010:
        return _geyer_active(length, values[muscle, 0])
    return 1.0 if kind[muscle] == ISOMETRIC else math.nan


@jit
def velocity_force(curves: Curves, muscle: int, velocity: float, activation: float) -> float:
    """Force–velocity multiplier; never negative, because fibres do not push."""
    kind, values, ranges, corners = curves
    factor = 1.0 if kind[muscle] == ISOMETRIC else math.nan
    if kind[muscle] == THELEN2003:
        factor = _thelen_velocity(
            velocity, activation, values[muscle, 3], values[muscle, 4], values[muscle, 5]
        )
    elif kind[muscle] == MILLARD2012:
        factor = _bezier(corners, ranges[muscle, VELOCITY, 0], ranges[muscle, VELOCITY, 1], velocity)
    elif kind[muscle] == DEGROOTEFREGLY2016:
        factor = _degroote_velocity(velocity)
    elif kind[muscle] == SCHUTTE1993:
        factor = _schutte_velocity(velocity)
    elif kind[muscle] == RIGID_TENDON:
        factor = _spline(corners, ranges[muscle, VELOCITY, 0], ranges[muscle, VELOCITY, 1], velocity)
    elif kind[muscle] == GEYER2010:
        factor = _geyer_velocity(velocity, values[muscle, 1], values[muscle, 2])
    return 0.0 if factor < 0.0 else factor


@jit
def passive_force(curves: Curves, muscle: int, length: float) -> float:
    """Elastic force of the fibres; never negative."""
    kind, values, ranges, corners = curves
    force = 0.0 if kind[muscle] == ISOMETRIC else math.nan
    if kind[muscle] == THELEN2003:
        force = _thelen_passive(length, values[muscle, 1], values[muscle, 2])
    elif kind[muscle] == MILLARD2012:
        force = _bezier(corners, ranges[muscle, PASSIVE, 0], ranges[muscle, PASSIVE, 1], length)
    elif kind[muscle] == DEGROOTEFREGLY2016:
        force = _degroote_passive(length, values[muscle, 1]) if values[muscle, 2] == 0.0 else 0.0
    elif kind[muscle] == SCHUTTE1993 or kind[muscle] == RIGID_TENDON:
        first, stop = ranges[muscle, PASSIVE, 0], ranges[muscle, PASSIVE, 1]
        force = _spline(corners, first, stop, length) if stop > first else _schutte_passive(length)
    elif kind[muscle] == GEYER2010:
        force = _geyer_passive(length, values[muscle, 0])
    return 0.0 if force < 0.0 else force


@jit
def tendon_force(curves: Curves, muscle: int, length: float, strain: float) -> float:
    """Tendon force at a length in slack lengths; never negative."""
    kind, _, ranges, corners = curves
    force = 0.0 if kind[muscle] == ISOMETRIC or kind[muscle] == RIGID_TENDON else math.nan
    if kind[muscle] == THELEN2003:
        force = _thelen_tendon(length, strain)
    elif kind[muscle] == MILLARD2012:
        force = _bezier(corners, ranges[muscle, TENDON, 0], ranges[muscle, TENDON, 1], length)
    elif kind[muscle] == DEGROOTEFREGLY2016:
        force = _degroote_tendon(length, strain)
    elif kind[muscle] == SCHUTTE1993:
        first, stop = ranges[muscle, TENDON, 0], ranges[muscle, TENDON, 1]
        force = _spline(corners, first, stop, length - 1.0) if length > 1.0 else 0.0
    elif kind[muscle] == GEYER2010:
        force = _geyer_tendon(length, strain)
    return 0.0 if force < 0.0 else force
