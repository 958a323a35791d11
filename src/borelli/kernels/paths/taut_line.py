"""The taut line between two points outside a surface: tangent, geodesic, tangent.

Newton's method on four unknowns (place and direction of touch-down, way over the surface) for four conditions:
at both ends the straight piece, as a vector (m), has no component along the normal nor across the geodesic. The
derivatives are exact, from the curvature of the surface at both ends and the Jacobi fields between them: the natural
geodesic variations of [Scholz et al. 2016].
"""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import jit, lean
from borelli.kernels.paths.contact import CERTAIN, LOST, Contact, no_contact
from borelli.kernels.paths.geodesic import FINE, follow, tangent
from borelli.kernels.paths.surface import bent, gradient, least_size, onto
from borelli.kernels.paths.vectors import Vector, along, cross, dot, norm, scale, subtract, unit

# Newton's method takes under ten from a good guess; a poor one is followed for a while and then given up.
_MOST_ITERATIONS = 50
_MOST_IN_VAIN = 8
"""Iterations without a new least miss after which there is no hope: there may be no taut line near the guess."""
_TOLERANCE = 1e-13
"""Largest miss of tangency (a cosine) that counts as none."""
_MOST_RETURNS = 5
"""How often a guess is mirrored that touches down behind the first point or lifts off beyond the second."""
_ACCEPTABLE = 1e-10
"""Largest miss that is accepted when rounding prevents a smaller one."""
_LAST_STEP = 2e-8
"""A step that is smaller than this, in radii of curvature and radians, needs no other: the next one is its square."""
_ROUGH = 1e-4
"""Tolerance of the first geodesics: the guess is worse. 1e-5 and 1e-3 pass the same tests of paths."""


@lean
def _frame(kind: int, size: Vector, x: Vector, t: Vector) -> tuple[Vector, Vector, float, float, float]:
    """Normal n, sideways b, and curvature along t, twist, curvature along b."""
    slope = gradient(kind, size, x)
    steepness = norm(slope)
    n = scale(1.0 / steepness, slope)
    b = cross(t, n)
    along_t = bent(kind, size, x, t)
    along_b = bent(kind, size, x, b)
    return n, b, dot(t, along_t) / steepness, dot(b, along_t) / steepness, dot(b, along_b) / steepness


@lean
def _solve(matrix: np.ndarray, n: int) -> bool:
    """Solve an n × (n + 1) system in place by elimination; the answer is in the last column."""
    for i in range(n):
        best = i
        for j in range(i + 1, n):
            if abs(matrix[j, i]) > abs(matrix[best, i]):
                best = j
        # Entries are of about one: less than this is the round-off of the rows above. 1e-13 and 1e-300 pass the same
        # tests.
        if abs(matrix[best, i]) < 1e-14:
            return False
        for k in range(n + 1):
            matrix[i, k], matrix[best, k] = matrix[best, k], matrix[i, k]
        for j in range(n):
            if j != i:
                factor = matrix[j, i] / matrix[i, i]
                for k in range(i, n + 1):
                    matrix[j, k] -= factor * matrix[i, k]
    for i in range(n):
        matrix[i, n] /= matrix[i, i]
    return True


@lean
def _equations(
    kind: int, size: Vector, a: Vector, b: Vector, first: Vector, t: Vector, y: np.ndarray, m: np.ndarray
) -> tuple[float, float, float]:
    """Fill the 4 × 5 system; return the largest miss, and the curvature at touch-down and lift-off (1/m).

    Unknowns: touch-down slides along the geodesic, touch-down moves sideways, direction turns, lift-off
    slides along the geodesic.
    """
    n1, b1, curve1, twist1, across1 = _frame(kind, size, first, t)
    d1 = subtract(first, a)
    l1 = norm(d1)
    d1 = scale(1.0 / l1, d1)
    e1, e2, c1 = dot(d1, n1), dot(d1, b1), dot(d1, t)
    last, t2 = (y[0], y[1], y[2]), (y[3], y[4], y[5])
    n2, b2, curve2, twist2, across2 = _frame(kind, size, last, t2)
    d2 = subtract(b, last)
    l2 = norm(d2)
    d2 = scale(1.0 / l2, d2)
    e3, e4, c2 = dot(d2, n2), dot(d2, b2), dot(d2, t2)
    m[:] = 0.0
    m[0, 0] = l1 * (curve1 * c1 + twist1 * e2)
    m[1, 0] = -l1 * twist1 * e1
    m[0, 1] = l1 * (twist1 * c1 + across1 * e2)
    m[1, 1] = 1.0 - l1 * across1 * e1
    m[1, 2] = -l1 * c1
    for column, shift, shift_rate in ((1, y[6], y[7]), (2, y[8], y[9])):
        m[2, column] = l2 * shift * (twist2 * c2 + across2 * e4)
        m[3, column] = -shift * (1.0 + l2 * across2 * e3) - l2 * shift_rate * c2
    m[2, 3] = l2 * (curve2 * c2 + twist2 * e4)
    m[3, 3] = -l2 * twist2 * e3
    m[0, 4], m[1, 4], m[2, 4], m[3, 4] = -l1 * e1, -l1 * e2, -l2 * e3, -l2 * e4
    bend1 = max(abs(curve1), abs(across1)) + abs(twist1)
    return max(abs(e1), abs(e2), abs(e3), abs(e4)), bend1, max(abs(curve2), abs(across2)) + abs(twist2)


@jit
def taut_line(
    kind: int,
    size: Vector,
    a: Vector,
    b: Vector,
    first: Vector,
    direction: Vector,
    way: float,
    scratch: np.ndarray,
) -> tuple[bool, Contact]:
    """Find the taut line near a guess.

    Parameters
    ----------
    a, b : Vector
        Points outside the surface (m).
    first, direction, way
        Guess: touch-down, direction there, way over the surface (m).
    scratch : (SCRATCH,)
        Scratch memory to follow geodesics in.

    Returns
    -------
    found : bool
        Whether both ends are tangent and the line runs forwards.
    contact : Contact
    """
    y, m = scratch, np.empty((4, 5))
    flattest = 1.0 / least_size(kind, size)
    first = onto(kind, size, first)
    direction = tangent(kind, size, first, direction)
    miss, least, vain, turned_back, tolerance = 2.0, 2.0, 0, 0, _ROUGH
    for _ in range(_MOST_ITERATIONS):
        follow(kind, size, first, direction, way, tolerance, y)
        past = dot(subtract(a, first), direction)
        beyond = dot((y[0] - b[0], y[1] - b[1], y[2] - b[2]), (y[3], y[4], y[5]))
        # From an end close to the surface a second tangent runs backwards: begin again on the right side of it.
        if (past > 0.0 or beyond > 0.0) and turned_back < _MOST_RETURNS:
            turned_back += 1
            if past > 0.0:
                first = onto(kind, size, along(first, 2.0 * past, direction))
                direction = tangent(kind, size, first, direction)
            way -= 2.0 * (max(past, 0.0) + max(beyond, 0.0))
            continue
        before = miss
        miss, bend1, bend2 = _equations(kind, size, a, b, first, direction, y, m)
        exact = tolerance <= FINE
        if exact and (miss < _TOLERANCE or (miss < _ACCEPTABLE and miss >= before)):
            break
        vain = 0 if miss < least else vain + 1
        least = min(miss, least)
        # A miss is a cosine: three is more than any, and NaN is not less.
        if not (vain < _MOST_IN_VAIN and miss < 3.0 and _solve(m, 4)):
            return False, no_contact(LOST)
        slide, aside, turn, lift = m[0, 4], m[1, 4], m[2, 4], m[3, 4]
        bend1, bend2 = max(bend1, flattest), max(bend2, flattest)
        largest = max(max(abs(slide), abs(aside)) * bend1, abs(lift) * bend2, abs(turn))
        # No step is longer than half a radius of curvature, or half a radian: farther off a linear one says little.
        damping = min(1.0, 0.5 / max(largest, 1e-300))
        _, sideways, _, _, _ = _frame(kind, size, first, direction)
        moved = along(along(first, damping * slide, direction), damping * aside, sideways)
        first = onto(kind, size, moved)
        direction = tangent(kind, size, first, along(direction, damping * turn, sideways))
        way += damping * (lift - slide)
        # No way over a surface is as long: the search has run away. 4 and 400 pass the same tests of paths.
        if not abs(way) < 40.0 * (size[0] + size[1] + size[2]):
            return False, no_contact(LOST)
        if exact and largest < _LAST_STEP:
            _shift_end(kind, size, aside, turn, lift, y)
            miss = 0.0
            break
        # The next miss is about the square of this one: what is a hundredth of it is exact enough.
        tolerance = max(FINE, min(_ROUGH, 0.01 * miss * miss))
    last, arriving = (y[0], y[1], y[2]), (y[3], y[4], y[5])
    forwards = dot(subtract(first, a), direction) > 0.0 and dot(subtract(b, last), arriving) > 0.0
    # A line that grazes has a way of zero, give or take round-off.
    found = miss < _ACCEPTABLE and way > -1e-9 and forwards
    return found, Contact(CERTAIN, first, last, max(way, 0.0), unit(direction))


@lean
def _shift_end(kind: int, size: Vector, aside: float, turn: float, lift: float, y: np.ndarray) -> None:
    """Move the end of a geodesic by what its beginning moves aside and turns, and by what it grows longer."""
    x, t = (y[0], y[1], y[2]), (y[3], y[4], y[5])
    _, sideways, _, _, _ = _frame(kind, size, x, t)
    x = onto(kind, size, along(along(x, lift, t), y[6] * aside + y[8] * turn, sideways))
    y[0], y[1], y[2] = x
    y[3], y[4], y[5] = tangent(kind, size, x, along(t, y[7] * aside + y[9] * turn, sideways))
