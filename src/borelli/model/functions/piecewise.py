"""The common form of functions of one coordinate: polynomials between breaks, and beyond them."""

from __future__ import annotations

from typing import Any

import numpy as np

from borelli.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class PiecewisePolynomial:
    """Polynomials that follow each other; the first and the last reach to infinity.

    Piece ``i`` holds where ``breaks[i-1] <= x < breaks[i]`` and equals
    ``sum_j coefficients[i, j] * (x - origins[i])**j``. Extrapolation is therefore nothing special: it is
    the first or last piece.

    Parameters
    ----------
    breaks : (n_pieces - 1,) float
        Increasing places where the pieces meet; empty for a single polynomial.
    origins : (n_pieces,) float
        Point about which each polynomial is written.
    coefficients : (n_pieces, degree + 1) float
        Ascending powers; an object array if a coefficient is abstract.

    Examples
    --------
    >>> pieces = bm.PiecewiseLinear((0.0, 1.0, 2.0), (0.0, 1.0, 4.0)).as_piecewise_polynomials()
    >>> pieces.n_pieces, pieces.degree
    (4, 1)
    """

    breaks: np.ndarray
    origins: np.ndarray
    coefficients: np.ndarray

    @property
    def n_pieces(self) -> int:
        """Number of polynomials, the two outer ones included."""
        return int(self.origins.shape[0])

    @property
    def degree(self) -> int:
        """Highest power that is stored."""
        return int(self.coefficients.shape[1]) - 1

    def evaluate(self, x: Any, derivative: int = 0) -> np.ndarray:
        """Return the function or one of its derivatives.

        Parameters
        ----------
        x : array of any shape
            Arguments.
        derivative : int
            0 for the value, 1 for the slope, and so on.

        Returns
        -------
        array of the shape of ``x``
        """
        x = np.asarray(x, dtype=float)
        piece = np.searchsorted(self.breaks, x, side="right")
        local = x - self.origins[piece]
        total: np.ndarray = np.zeros(x.shape)
        for power in range(self.degree, derivative - 1, -1):
            factor = float(np.prod(np.arange(power, power - derivative, -1)))
            total = total * local + factor * self.coefficients[piece, power]
        return total

    def held_beyond(self, low: float, high: float) -> PiecewisePolynomial:
        """Return the function that keeps its values at two places beyond them; infinite places change nothing.

        At the two places themselves its slope is that of the function.
        """
        inside = (self.breaks > low) & (self.breaks < high)
        # A break at one of the two places begins or ends the pieces between them.
        first, last = np.searchsorted(self.breaks, low, "right"), np.searchsorted(self.breaks, high, "left")
        used = slice(int(first), int(last) + 1)
        breaks, origins, rows = [self.breaks[inside]], [self.origins[used]], [self.coefficients[used]]
        for place, at_start in ((low, True), (high, False)):
            if not np.isfinite(place):
                continue
            where = 0 if at_start else len(breaks)
            row = np.zeros((1, self.degree + 1))
            row[0, 0] = float(self.evaluate(place))
            # A piece begins at its break: the upper place still belongs to the function.
            breaks.insert(where, np.array([place if at_start else np.nextafter(place, np.inf)]))
            origins.insert(where, np.array([place]))
            rows.insert(where, row)
        return PiecewisePolynomial(np.concatenate(breaks), np.concatenate(origins), np.concatenate(rows))

    def scaled(self, factor: Any) -> PiecewisePolynomial:
        """Return the function times a factor."""
        return PiecewisePolynomial(self.breaks, self.origins, self.coefficients * factor)


def single(coefficients: Any) -> PiecewisePolynomial:
    """Write one polynomial (ascending powers about zero) in the common form."""
    row = np.array([list(coefficients)])
    return PiecewisePolynomial(np.empty(0), np.zeros(1), row)


def with_tails(x: np.ndarray, inner: np.ndarray, left: np.ndarray, right: np.ndarray) -> PiecewisePolynomial:
    """Add the outer pieces to those between data points.

    Parameters
    ----------
    x : (n,) float
        Data points.
    inner : (n - 1, k) float
        Coefficients of each piece about its left data point.
    left, right : (up to k,) float
        Coefficients beyond the first and the last point, about that point.
    """
    width = max(inner.shape[1], len(left), len(right))
    coefficients = np.zeros((len(x) + 1, width))
    coefficients[0, : len(left)] = left
    coefficients[1:-1, : inner.shape[1]] = inner
    coefficients[-1, : len(right)] = right
    return PiecewisePolynomial(np.array(x), np.concatenate([x[:1], x]), coefficients)
