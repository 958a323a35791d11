"""Passive fibres and velocities of [Schutte, Rodgers, Zajac & Glaser 1993].

"Improving the efficacy of electrical stimulation-induced leg cycle ergometry: an analysis based on a dynamic
musculoskeletal model", IEEE Trans Rehabil Eng 1:109–125. Active fibres and tendon are those of
:mod:`borelli.kernels.muscle.delp1990`.

Lengths are in optimal fibre lengths, forces in maximum isometric forces, velocities in optimal lengths per time
scale (lengthening is positive).
"""

from __future__ import annotations

import math

from borelli.kernels.jit import jit

# Hill's a over the isometric force; bend of lengthening, whose slope at rest is (1.4 - 1) / 0.13 times that of
# shortening; its limit.
_HILL, _SLOPE, _LARGEST = 0.15, 0.13, 1.4
_STIFF, _LENGTH_AT_ONE = 8.0, 1.5


@jit
def passive_force_length(length: float) -> float:
    """Exponential that is nowhere zero and one at 1.5 optimal lengths: no tendon hangs loose."""
    return math.exp(_STIFF * (length - _LENGTH_AT_ONE))


@jit
def force_velocity(velocity: float) -> float:
    """Hill's hyperbola of shortening, and its counterpart of lengthening up to 1.4, without damping."""
    if velocity <= -1.0:
        return 0.0
    if velocity <= 0.0:
        return _HILL * (1.0 + velocity) / (_HILL - velocity)
    bend = _SLOPE * _HILL / (_HILL + 1.0)
    return (_LARGEST * velocity + bend) / (velocity + bend)
