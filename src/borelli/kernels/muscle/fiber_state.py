"""Fibres in motion: how fast they lengthen, and with which forces, when activation and length are known.

Fibres and tendon pull with the same force along the tendon,

    f_tendon(l_t) = (a f_active(l) f_velocity(v) + f_passive(l) + d v) cos(pennation),

which is solved for the velocity v. Where the length is not known either, it follows from the same equation
and an assumption about the velocity: none at all, that of the path, or a part of it as if fibres and tendon
were two springs in series, each with its stiffness, so that both forces change alike.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.muscle import bezier, degrootefregly2016, thelen2003
from borelli.kernels.muscle.bracket import MOST, Bracket, guess, narrowed
from borelli.kernels.muscle.curves import (
    DEGROOTEFREGLY2016,
    MILLARD2012,
    SCHUTTE1993,
    THELEN2003,
    active_force,
    passive_force,
    tendon_force,
    velocity_force,
)
from borelli.kernels.muscle.tables import VELOCITY, MuscleTables

_bezier = bezier.value
_thelen_velocity = thelen2003.force_velocity
_degroote_velocity = degrootefregly2016.force_velocity
RESTING, SHARED, ALL = 0, 1, 2
"""What the fibres take of the path's velocity in equilibrium: nothing, a part by stiffness, all of it."""
_FASTEST = 1e30
"""Maximum velocities. Far beyond any muscle, so that fibres at a senseless length balance their tendon, as OpenSim's
do; whether such a velocity makes sense is judged where a table is written."""
# Step of the central differences that give stiffnesses, in optimal fibre or slack lengths.
_STEP = 1e-6


@jit
def _velocity_force(tables: MuscleTables, muscle: int, velocity: float, activation: float) -> float:
    """Force–velocity multiplier with its straight ends, which may be negative."""
    kind, values, ranges, corners = tables.curves
    if kind[muscle] == THELEN2003:
        return _thelen_velocity(velocity, activation, values[muscle, 3], values[muscle, 4], values[muscle, 5])
    if kind[muscle] == MILLARD2012:
        return _bezier(corners, ranges[muscle, VELOCITY, 0], ranges[muscle, VELOCITY, 1], velocity)
    if kind[muscle] == DEGROOTEFREGLY2016:
        return _degroote_velocity(velocity)
    return velocity_force(tables.curves, muscle, velocity, activation)


@jit
def _surplus(
    tables: MuscleTables, muscle: int, damping: float, level: float, act: float, rest: float, v: float
) -> float:
    """Force of the fibres beyond what is asked for; rises with the velocity."""
    return act * _velocity_force(tables, muscle, v, level) + damping * v - rest


@jit
def _velocity(
    tables: MuscleTables, muscle: int, damping: float, level: float, act: float, rest: float
) -> float:
    """Velocity at which act * f_velocity + damping * v is ``rest``, in maximum velocities."""
    low, high = -1.0, 1.0
    below = _surplus(tables, muscle, damping, level, act, rest, low)
    above = _surplus(tables, muscle, damping, level, act, rest, high)
    while below > 0.0 and low > -_FASTEST:
        low *= 2.0
        below = _surplus(tables, muscle, damping, level, act, rest, low)
    while above < 0.0 and high < _FASTEST:
        high *= 2.0
        above = _surplus(tables, muscle, damping, level, act, rest, high)
    if below > 0.0 or above < 0.0:
        return low if below > 0.0 else high
    bracket, middle = Bracket(low, below, high, above), 0.0
    for step in range(MOST):
        middle = guess(bracket, step)
        value = _surplus(tables, muscle, damping, level, act, rest, middle)
        bracket = narrowed(bracket, middle, value)
        # Of velocities of about one, and of larger ones: a few units of their last digit.
        if value == 0.0 or bracket.high - bracket.low <= 1e-15 * (1.0 + abs(middle)):
            break
    return middle


@jit
def fiber_motions(
    tables: MuscleTables,
    strain: np.ndarray,
    damping: np.ndarray,
    rigid: np.ndarray,
    length: np.ndarray,
    speed: np.ndarray,
    activation: np.ndarray,
    fiber: np.ndarray,
    velocity: np.ndarray,
    active: np.ndarray,
    passive: np.ndarray,
    tendon: np.ndarray,
) -> None:
    """Velocities and forces of fibres whose activation and length are known, at every instant.

    Parameters
    ----------
    strain, damping : (n_muscles,) float
        Tendon strain at maximum isometric force; damping in maximum forces per maximum velocity.
    rigid : (n_muscles,) bool
        Whether the tendon keeps its slack length.
    length, speed, activation, fiber : (n_instants, n_muscles) float
        Path length (m) and lengthening speed (m/s), activation, fibre length (m).
    velocity, active, passive, tendon : (n_instants, n_muscles) float
        Filled: fibre velocity (m/s), active and passive force along the fibres, damping being passive (active
        with Schutte's muscles), and force along the tendon (N).
    """
    for instant in range(len(length)):
        for muscle in range(length.shape[1]):
            most, level, own = tables.force[muscle], activation[instant, muscle], fiber[instant, muscle]
            along = math.sqrt(max(own * own - tables.height[muscle] ** 2, 0.0))
            cosine, norm = along / own, own / tables.fiber[muscle]
            act = level * active_force(tables.curves, muscle, norm)
            elastic = passive_force(tables.curves, muscle, norm)
            # Fibres at their bound come from a root of squares, with its round-off.
            short = own <= tables.shortest[muscle] * (1.0 + 1e-12)
            if rigid[muscle]:
                v = 0.0 if short else speed[instant, muscle] * cosine / tables.fastest[muscle]
                factor = max(_velocity_force(tables, muscle, v, level), 0.0)
                act *= factor
                elastic += damping[muscle] * v
                if short or act + elastic < 0.0:
                    act, elastic = 0.0, 0.0
                pull = (act + elastic) * cosine
            else:
                stretched = (length[instant, muscle] - along) / tables.tendon[muscle]
                pull = tendon_force(tables.curves, muscle, stretched, strain[muscle])
                # Fibres across the tendon: not divided by zero.
                rest = pull / max(cosine, 1e-9) - elastic
                whole = tables.curves.kind[muscle] == SCHUTTE1993
                asked = rest
                if whole:
                    # OpenSim's fibres of this class are not made faster by a force that only pushing could give.
                    rest = max(rest, 0.0)
                # OpenSim's De Groote muscles find their velocity without damping and are damped all the same.
                undamped = tables.curves.kind[muscle] == DEGROOTEFREGLY2016
                v = _velocity(tables, muscle, 0.0 if undamped else damping[muscle], level, act, rest)
                act *= _velocity_force(tables, muscle, v, level)
                if short and v < 0.0:
                    # Fibres that cannot shorten any more give what the tendon takes.
                    v, act = 0.0, max(rest, 0.0)
                if whole:
                    # Nor does it part what is not elastic: damping is active, and the tendon is always balanced.
                    act = asked
                else:
                    elastic += damping[muscle] * v
            velocity[instant, muscle] = v * tables.fastest[muscle]
            active[instant, muscle], passive[instant, muscle] = most * act, most * elastic
            tendon[instant, muscle] = most * pull


@jit
def _slope(tables: MuscleTables, muscle: int, norm: float, level: float, factor: float) -> float:
    """Stiffness of the fibres at a velocity multiplier, in maximum forces per optimal length."""
    up = level * factor * active_force(tables.curves, muscle, norm + _STEP)
    up += passive_force(tables.curves, muscle, norm + _STEP)
    down = level * factor * active_force(tables.curves, muscle, norm - _STEP)
    down += passive_force(tables.curves, muscle, norm - _STEP)
    return (up - down) / (2.0 * _STEP)


@jit
def _imbalance(
    tables: MuscleTables,
    muscle: int,
    strain: float,
    damping: float,
    taking: int,
    length: float,
    speed: float,
    level: float,
    along: float,
) -> float:
    """Force of the fibres along the tendon less that of the tendon, over the maximum force."""
    own = math.sqrt(along * along + tables.height[muscle] ** 2)
    cosine, norm = along / own, own / tables.fiber[muscle]
    act, elastic = (
        level * active_force(tables.curves, muscle, norm),
        passive_force(tables.curves, muscle, norm),
    )
    stretched, slack = (length - along) / tables.tendon[muscle], tables.tendon[muscle]
    pull = tendon_force(tables.curves, muscle, stretched, strain)
    up = tendon_force(tables.curves, muscle, stretched + _STEP, strain)
    down = tendon_force(tables.curves, muscle, stretched - _STEP, strain)
    tendon_stiffness = (up - down) / (2.0 * _STEP * slack)
    v, factor = 0.0, 1.0
    if taking == ALL:
        v = speed * cosine / tables.fastest[muscle]
        factor = _velocity_force(tables, muscle, v, level)
    elif taking == SHARED and tendon_stiffness > 0.0:
        # The share of the velocity depends on the stiffness, which depends on the velocity: a few rounds.
        for _ in range(30):
            before = v
            stiffness = _slope(tables, muscle, norm, level, factor) / tables.fiber[muscle]
            total = act * factor + elastic + damping * v
            # d(F cos)/d(l cos) with a constant height between the aponeuroses.
            fibers = stiffness * cosine * cosine + total * (1.0 - cosine * cosine) / own
            if fibers + tendon_stiffness <= 0.0:
                break
            v = speed * tendon_stiffness / (fibers + tendon_stiffness) * cosine / tables.fastest[muscle]
            # Fibres that cannot keep up do not push.
            factor = max(_velocity_force(tables, muscle, v, level), 0.0)
            if abs(v - before) <= 1e-13 * (1.0 + abs(v)):
                break
    return (act * factor + elastic + damping * v) * cosine - pull


@jit
def moving_equilibrium(
    tables: MuscleTables,
    strain: np.ndarray,
    damping: np.ndarray,
    taking: np.ndarray,
    length: np.ndarray,
    speed: np.ndarray,
    activation: np.ndarray,
    fiber: np.ndarray,
) -> None:
    """Fill the fibre lengths (m) at which fibres and elastic tendon balance while the path moves.

    Parameters are those of :func:`fiber_motions`, and ``taking``, (n_muscles,) int: RESTING, SHARED or ALL. Where
    the tendon is slack the fibres are as short as they can be.
    """
    for instant in range(len(length)):
        for muscle in range(length.shape[1]):
            path, level, rate = length[instant, muscle], activation[instant, muscle], speed[instant, muscle]
            s, d, t = strain[muscle], damping[muscle], taking[muscle]
            low, high = tables.shortest_along[muscle], path - tables.tendon[muscle]
            if high <= low:
                fiber[instant, muscle] = tables.shortest[muscle]
                continue
            below = _imbalance(tables, muscle, s, d, t, path, rate, level, low)
            above = _imbalance(tables, muscle, s, d, t, path, rate, level, high)
            middle = low if below >= 0.0 else high
            if below < 0.0 < above:
                bracket = Bracket(low, below, high, above)
                for step in range(MOST):
                    middle = guess(bracket, step)
                    value = _imbalance(tables, muscle, s, d, t, path, rate, level, middle)
                    bracket = narrowed(bracket, middle, value)
                    # A few units of the last digit of the path, which the length along the tendon is taken from.
                    if value == 0.0 or bracket.high - bracket.low <= 1e-15 * path:
                        break
            fiber[instant, muscle] = math.sqrt(middle * middle + tables.height[muscle] ** 2)
