"""A segment that bends into an arc of constant length: where its end goes as its end turns.

The segment starts along the parent's y axis. Its end is turned by body-fixed angles a about x and b about z (a
third, about y, is twist alone), so that its last element points along R e_y = (-sin b, cos a cos b, sin a cos b).
An arc of constant curvature that turns by θ = arccos c, c = cos a cos b, ends at

    d (-sin b · f(c), g(c), sin a cos b · f(c)),   f = tan(θ/2) / θ,   g = sin θ / θ

for a length d. Both functions are analytic at c = 1, where the segment is straight, although θ is not: they are
polynomials of c here, so that every kind of number can evaluate and differentiate them.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from borelli.kernels.tree.functions import Derivatives, PiecewisePolynomial
from borelli.kernels.tree.numbers import Number, cos, sin
from borelli.records import dataclass

DEGREE = 18
"""Both series are then within 2e-15 of their functions from 0° to 90° of bend."""
_PARTS = 3
Curve: TypeAlias = tuple[Number, Number, Number]
"""A function of c with its first and second derivative."""


@functools.cache
def arc_powers() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Coefficients of f and g, in ascending powers of 2 c - 1."""

    def half(c: np.ndarray) -> np.ndarray:
        return np.arcsin(np.sqrt(0.5 * (1.0 - c)))

    def along(function: object) -> tuple[float, ...]:
        series = np.polynomial.chebyshev.chebinterpolate(lambda x: function(half(0.5 * (x + 1.0))), DEGREE)  # type: ignore[operator]
        return tuple(np.polynomial.chebyshev.cheb2poly(series).tolist())

    return along(lambda h: np.tan(h) / (2.0 * h)), along(lambda h: np.sin(2.0 * h) / (2.0 * h))


def by_cosine(found: Derivatives) -> Curve:
    """Value, slope and curvature over c of a polynomial in 2 c - 1."""
    value, (slope,), (curvature,) = found
    return value, 2.0 * slope, 4.0 * curvature


def arc_ends(a: Number, b: Number, length: Number, f: Curve, g: Curve) -> list[Derivatives]:
    """Place of the end (m) along x, y and z, each with its derivatives by a and b.

    Parameters
    ----------
    a, b : numbers
        Bend about x, then about z (rad).
    length : number
        m.
    f, g : three numbers each
        The functions of the module's text at c = cos a cos b, and their derivatives by c.
    """
    sa, ca, sb, cb = sin(a), cos(a), sin(b), cos(b)
    c = ca * cb
    bend = (c, (-(sa * cb), -(ca * sb)), (-c, sa * sb, -c))
    x: Derivatives = (-sb, (0.0, -cb), (0.0, 0.0, sb))
    z: Derivatives = (sa * cb, (c, -(sa * sb)), (-(sa * cb), -(ca * sb), -(sa * cb)))
    one: Derivatives = (1.0, (0.0, 0.0), (0.0, 0.0, 0.0))
    return [
        _scaled(length, _product(x, _composed(f, bend))),
        _scaled(length, _product(one, _composed(g, bend))),
        _scaled(length, _product(z, _composed(f, bend))),
    ]


def _composed(outer: Curve, inner: Derivatives) -> Derivatives:
    value, slope, curvature = outer
    _, (p, q), (pp, pq, qq) = inner
    second = (
        curvature * (p * p) + slope * pp,
        curvature * (p * q) + slope * pq,
        curvature * (q * q) + slope * qq,
    )
    return value, (slope * p, slope * q), second


def _product(one: Derivatives, two: Derivatives) -> Derivatives:
    u, (up, uq), (upp, upq, uqq) = one
    v, (vp, vq), (vpp, vpq, vqq) = two
    second = (
        upp * v + 2.0 * (up * vp) + u * vpp,
        upq * v + up * vq + uq * vp + u * vpq,
        uqq * v + 2.0 * (uq * vq) + u * vqq,
    )
    return u * v, (up * v + u * vp, uq * v + u * vq), second


def _scaled(factor: Number, found: Derivatives) -> Derivatives:
    value, first, second = found
    return factor * value, tuple(factor * each for each in first), tuple(factor * each for each in second)


@dataclass(frozen=True)
class ArcEnd:
    """Where the end of a bent segment lies along one axis of its start, as a function of its two bends.

    Parameters
    ----------
    arguments : (int, int)
        Positions of the bends about x and z.
    part : int
        Axis: 0, 1 or 2.
    neutral : two numbers
        Bends at zero coordinates (rad).
    length : number
        m.
    """

    arguments: tuple[int, ...]
    part: int
    neutral: tuple[Number, Number]
    length: Number

    def derivatives(self, coordinates: tuple[Number, ...]) -> Derivatives:
        """Evaluate the arc."""
        a, b = (coordinates[k] + zero for k, zero in zip(self.arguments, self.neutral, strict=True))
        step = 2.0 * (cos(a) * cos(b)) - 1.0
        f, g = (by_cosine(PiecewisePolynomial.polynomial(step, list(powers))) for powers in arc_powers())
        return arc_ends(a, b, self.length, f, g)[self.part]


def end_of_arc(arguments: tuple[int, int], neutral: Sequence[Number], length: Number) -> list[ArcEnd]:
    """Return the end of an arc along x, y and z."""
    x, z = neutral
    return [ArcEnd(arguments, part, (x, z), length) for part in range(_PARTS)]
