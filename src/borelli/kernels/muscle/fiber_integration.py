"""Fibres followed through a motion: their length, integrated from the balance of fibres and elastic tendon.

The balance

    (a f_active(l) f_velocity(l') + f_passive(l) + d l') cos(pennation) = f_tendon(path - x),   x = l cos(pennation),

is a stiff equation for x. Both stages of an implicit Runge–Kutta method of second order [Alexander 1977] say
x' = (x - c) / (γ h), which is put into the balance and solved for x as it stands: no velocity is ever found from a
force, so that neither a slack tendon nor a silent muscle is a special case.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.muscle.bracket import MOST, Bracket, guess, narrowed
from borelli.kernels.muscle.compliant_tendon import balance
from borelli.kernels.muscle.curves import active_force, passive_force, tendon_force, velocity_force
from borelli.kernels.muscle.tables import MuscleTables

# The one value below one that makes two diagonally implicit stages of second order L-stable [Alexander 1977]: what
# decays fast in the muscle decays in the numbers, too, however long the step.
_GAMMA = 1.0 - math.sqrt(0.5)


@jit
def integrate_fibers(
    tables: MuscleTables,
    strain: np.ndarray,
    damping: np.ndarray,
    rigid: np.ndarray,
    time: np.ndarray,
    length: np.ndarray,
    speed: np.ndarray,
    activation: np.ndarray,
    step: float,
    fiber: np.ndarray,
) -> None:
    """Fill fibre lengths, from those in the first row; rows with NaN there start from equilibrium at rest.

    Parameters
    ----------
    strain, damping : (n_muscles,) float
        Tendon strain at maximum isometric force; damping in maximum forces per maximum velocity.
    rigid : (n_muscles,) bool
        Whether the tendon keeps its slack length; the fibres of such a muscle are left as they are.
    time : (n_instants,) float
        s.
    length, speed, activation : (n_instants, n_muscles) float
        Path length (m), lengthening speed (m/s), activation. Between instants lengths follow cubics, activations
        straight lines.
    step : float
        Longest step (s).
    fiber : (n_instants, n_muscles) float
        m; the first row on entry, all rows on return.
    """
    for muscle in range(length.shape[1]):
        if rigid[muscle]:
            continue
        height = tables.height[muscle]
        if math.isnan(fiber[0, muscle]):
            x, _ = balance(tables, muscle, strain[muscle], length[0, muscle], activation[0, muscle])
        else:
            x = math.sqrt(max(fiber[0, muscle] ** 2 - height * height, 0.0))
        fiber[0, muscle] = math.hypot(x, height)
        for instant in range(1, len(time)):
            span = time[instant] - time[instant - 1]
            # A span of a whole number of steps, but for round-off of decimal times, is not cut once more.
            count = max(math.ceil(span / step - 1e-9), 1)
            h = span / count
            for part in range(count):
                middle, end = (part + _GAMMA) / count, (part + 1.0) / count
                first = _advanced(
                    tables, muscle, strain, damping, instant, middle, length, speed, span, activation, x, h
                )
                rate = (first - x) / (_GAMMA * h)
                base = x + (1.0 - _GAMMA) * h * rate
                x = _advanced(
                    tables, muscle, strain, damping, instant, end, length, speed, span, activation, base, h
                )
            fiber[instant, muscle] = math.hypot(x, height)


@jit
def _advanced(
    tables: MuscleTables,
    muscle: int,
    strain: np.ndarray,
    damping: np.ndarray,
    instant: int,
    place: float,
    length: np.ndarray,
    speed: np.ndarray,
    span: float,
    activation: np.ndarray,
    base: float,
    h: float,
) -> float:
    """Solve one stage, ``place`` of the way from the instant before to this one."""
    p, q = place * place, place * place * place
    path = (1.0 - 3.0 * p + 2.0 * q) * length[instant - 1, muscle] + (3.0 * p - 2.0 * q) * length[
        instant, muscle
    ]
    path += (
        span * (place - 2.0 * p + q) * speed[instant - 1, muscle] + span * (q - p) * speed[instant, muscle]
    )
    level = (1.0 - place) * activation[instant - 1, muscle] + place * activation[instant, muscle]
    s, d, wait = strain[muscle], damping[muscle], _GAMMA * h
    low = tables.shortest_along[muscle]
    high = max(path - tables.tendon[muscle], base, low) + tables.fastest[muscle] * wait
    below = _surplus(tables, muscle, s, d, path, level, base, wait, low)
    above = _surplus(tables, muscle, s, d, path, level, base, wait, high)
    if below >= 0.0:
        return low
    if above <= 0.0:
        return high
    bracket, middle = Bracket(low, below, high, above), low
    for step in range(MOST):
        middle = guess(bracket, step)
        value = _surplus(tables, muscle, s, d, path, level, base, wait, middle)
        bracket = narrowed(bracket, middle, value)
        # A stage is the sum of some ten products: finer than their round-off there is nothing.
        if value == 0.0 or bracket.high - bracket.low <= 1e-14 * path:
            break
    return middle


@jit
def _surplus(
    tables: MuscleTables,
    muscle: int,
    strain: float,
    damping: float,
    path: float,
    level: float,
    base: float,
    wait: float,
    x: float,
) -> float:
    """Force of the fibres along the tendon less that of the tendon, over the maximum force; rises with x."""
    own = math.hypot(x, tables.height[muscle])
    cosine, norm = x / own, own / tables.fiber[muscle]
    v = (x - base) / wait * cosine / tables.fastest[muscle]
    total = (
        level * active_force(tables.curves, muscle, norm) * velocity_force(tables.curves, muscle, v, level)
    )
    total += passive_force(tables.curves, muscle, norm) + damping * v
    return total * cosine - tendon_force(tables.curves, muscle, (path - x) / tables.tendon[muscle], strain)
