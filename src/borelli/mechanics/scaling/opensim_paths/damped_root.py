"""The root of one equation in one unknown by Levenberg and Marquardt's method, with OpenSim's settings.

OpenSim uses MINPACK's lmdif (Moré 1978) with tolerances of 1e-4 and differences of 1e-5. It stops far from the root,
and its paths depend on where: so the steps are the same here.
"""

from __future__ import annotations

import math
from collections.abc import Callable

# ftol and xtol, step_factor and max_iter of OpenSim's WrapTorus.
_TOLERANCE = 1e-4
_DIFFERENCE = 1e-5
_FACTOR = 0.2
_MOST_CALLS = 500
# MACHEP and DWARF, precision and smallest number of MINPACK in C.
_ROUNDING = 1.2e-16
_DWARF = 1e-38


def damped_root(residual: Callable[[float], float]) -> float:
    """Return where the search begun at zero ends."""
    x, par, delta, scale, size = 0.0, 0.0, _FACTOR, 0.0, 0.0
    f = residual(x)
    calls, first = 1, True
    while True:
        slope = (residual(x + _DIFFERENCE) - f) / _DIFFERENCE
        if first:
            scale = abs(slope) or 1.0
        # The gradient, relative: one wherever there is any.
        if f == 0.0 or slope == 0.0 or math.isnan(f) or math.isnan(slope):
            return x
        scale = max(scale, abs(slope))
        while True:
            step, par = _step(f, slope, scale, delta, par)
            step = -step
            reach = abs(scale * step)
            if first:
                delta = min(delta, reach)
            tried = residual(x + step)
            calls += 1
            actual = 1.0 - (tried / f) ** 2 if 0.1 * abs(tried) < abs(f) else -1.0
            linear = abs(slope * step) / abs(f)
            damped = math.sqrt(par) * reach / abs(f)
            predicted = linear * linear + 2.0 * damped * damped
            slope_along = -(linear * linear + damped * damped)
            ratio = actual / predicted if predicted != 0.0 else 0.0
            if ratio <= 0.25:
                cut = 0.5 if actual >= 0.0 else 0.5 * slope_along / (slope_along + 0.5 * actual)
                if 0.1 * abs(tried) >= abs(f) or cut < 0.1:
                    cut = 0.1
                delta = cut * min(delta, reach / 0.1)
                par /= cut
            elif par == 0.0 or ratio >= 0.75:
                delta = reach / 0.5
                par *= 0.5
            if ratio >= 1e-4:
                x += step
                f = tried
                size = abs(scale * x)
                first = False
            small = abs(actual) <= _TOLERANCE and predicted <= _TOLERANCE and 0.5 * ratio <= 1.0
            if small or delta <= _TOLERANCE * size or calls >= _MOST_CALLS or math.isnan(tried):
                return x
            if ratio >= 1e-4:
                break


def _step(f: float, slope: float, scale: float, delta: float, par: float) -> tuple[float, float]:
    """The step (its sign reversed) within the bound delta, and the damping that it took."""
    step = f / slope
    reach = abs(scale * step)
    excess = reach - delta
    if excess <= 0.1 * delta:
        return step, 0.0
    low = (excess / delta) / (scale / slope) ** 2
    pull = abs(slope * f) / scale
    high = pull / delta or _DWARF / min(delta, 0.1)
    par = min(max(par, low), high) or pull / reach
    for count in range(1, 11):
        par = par or max(_DWARF, 0.001 * high)
        square = slope * slope + par * scale * scale
        step = slope * f / square
        reach = abs(scale * step)
        earlier, excess = excess, reach - delta
        if abs(excess) <= 0.1 * delta or (low == 0.0 and excess <= earlier < 0.0) or count == 10:
            break
        correction = (excess / delta) * square / (scale * scale)
        if excess > 0.0:
            low = max(low, par)
        elif excess < 0.0:
            high = min(high, par)
        par = max(low, par + correction)
    return step, par
