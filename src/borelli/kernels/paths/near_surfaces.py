"""Which instants of a block may touch a surface at all: a quick test that errs on the side of yes."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import lean
from borelli.kernels.paths.contact import CYLINDER, ELLIPSOID, SPHERE
from borelli.kernels.paths.lanes import WIDTH

_SLACK = 1e-9
"""Relative doubt: what is closer to the border than this is left to the exact rules."""


@lean
def _cutting(a: np.ndarray, b: np.ndarray, sx: float, sy: float, sz: float, cuts: np.ndarray) -> None:
    """1 where a line may cut an ellipsoid (a cylinder: one factor is zero) of these inverse radii, -1 where inside."""
    for f in range(WIDTH):
        x1, y1, z1 = sx * a[f], sy * a[WIDTH + f], sz * a[2 * WIDTH + f]
        x2, y2, z2 = sx * b[f], sy * b[WIDTH + f], sz * b[2 * WIDTH + f]
        dx, dy, dz = x2 - x1, y2 - y1, z2 - z1
        along = dx * dx + dy * dy + dz * dz
        forward = -(x1 * dx + y1 * dy + z1 * dz)
        far1 = x1 * x1 + y1 * y1 + z1 * z1
        far2 = x2 * x2 + y2 * y2 + z2 * z2
        # Nearest to the centre between the ends, and closer than the radius: far1 - forward²/along < 1.
        between = (forward > -_SLACK * along) & (forward < (1.0 + _SLACK) * along)
        close = far1 * along - forward * forward < (1.0 + _SLACK) * along + _SLACK * far1 * along
        inside = (far1 < 1.0 - _SLACK) | (far2 < 1.0 - _SLACK)
        cuts[f] = -1.0 if inside else (1.0 if between & close else 0.0)


@lean
def _beside(a: np.ndarray, b: np.ndarray, axis: int, sign: int, cuts: np.ndarray, touch: np.ndarray) -> None:
    """Mark instants at which a line may go round a cylinder over its wanted half."""
    first, second = a[axis * WIDTH : (axis + 1) * WIDTH], b[axis * WIDTH : (axis + 1) * WIDTH]
    for f in range(WIDTH):
        x1, y1, x2, y2 = a[f], a[WIDTH + f], b[f], b[WIDTH + f]
        dx, dy = x2 - x1, y2 - y1
        square = dx * dx + dy * dy
        place = -(x1 * dx + y1 * dy) / square if square > 0.0 else 0.5
        v1, v2 = sign * first[f], sign * second[f]
        doubt = _SLACK * (abs(v1) + abs(v2))
        both = (v1 > doubt) & (v2 > doubt)
        one = ((v1 > doubt) | (v2 > doubt)) & (v1 + place * (v2 - v1) > doubt)
        passes = (cuts[f] == 0.0) & (both | one)
        touch[f] = touch[f] if passes | (cuts[f] < 0.0) else 1.0


@lean
def mark_touching(
    kind: int,
    size: np.ndarray,
    axis: int,
    sign: int,
    a: np.ndarray,
    b: np.ndarray,
    cuts: np.ndarray,
    touch: np.ndarray,
) -> None:
    """Set ``touch`` to 1 at the instants at which a line from a to b may touch a surface.

    Parameters
    ----------
    a, b : (3 WIDTH,)
        In the axes of the surface (m).
    cuts : (WIDTH,)
        Scratch memory.
    """
    if kind == CYLINDER:
        _cutting(a, b, 1.0 / size[0], 1.0 / size[0], 0.0, cuts)
        if sign != 0 and axis != 2:
            _beside(a, b, axis, sign, cuts, touch)
            return
    elif kind == SPHERE:
        _cutting(a, b, 1.0 / size[0], 1.0 / size[0], 1.0 / size[0], cuts)
    elif kind == ELLIPSOID:
        _cutting(a, b, 1.0 / size[0], 1.0 / size[1], 1.0 / size[2], cuts)
    else:
        # No quick test is known: the contact itself decides, and says so of a surface that it does not know.
        cuts[:] = 1.0
    for f in range(WIDTH):
        touch[f] = 1.0 if cuts[f] > 0.0 else touch[f]
