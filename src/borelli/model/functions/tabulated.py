"""Functions given by data points: splines, straight pieces, steps.

What happens outside the data is part of each function and follows OpenSim: straight lines for
:class:`SimmSpline`, :class:`NaturalCubicSpline` and :class:`PiecewiseLinear`, the natural polynomial of lower
degree for :class:`GCVSpline`, the end values for :class:`PiecewiseConstant` and :class:`Step`.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache
from typing import Any

import numpy as np

from borelli.errors import InvalidValueError, ShapeError
from borelli.model.functions.function import Function
from borelli.model.functions.piecewise import PiecewisePolynomial, with_tails
from borelli.model.functions.spline_fit import gap, natural_cubic, natural_odd_degree, simm_cubic
from borelli.model.values import all_concrete, number, numbers
from borelli.records import dataclass


class PiecewiseFunction(Function):
    """Base of the functions that are polynomials between breaks."""

    __slots__ = ()

    @abstractmethod
    def _fit(self) -> PiecewisePolynomial:
        """Work out the pieces."""

    def as_piecewise_polynomials(self) -> PiecewisePolynomial:
        """Return the pieces; they are worked out once."""
        return _fit_once(self)

    def evaluate(self, *arguments: Any, by: tuple[int, ...] = ()) -> np.ndarray:
        """Return the value or a derivative."""
        (x,) = arguments
        return self.as_piecewise_polynomials().evaluate(x, len(by))


@lru_cache(maxsize=2048)
def _fit_once(function: PiecewiseFunction) -> PiecewisePolynomial:
    return function._fit()


@dataclass(frozen=True, slots=True)
class TabulatedFunction(PiecewiseFunction):
    """Base of the functions through data points.

    Parameters
    ----------
    x, y : tuples of float
        Increasing abscissas and their values. Some kinds let an abscissa repeat, as published models do.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]

    def __post_init__(self) -> None:
        kind = type(self).__name__
        for name in ("x", "y"):
            values = numbers(getattr(self, name), f"the {name} values of a {kind}")
            if not all_concrete(values) or not np.all(np.isfinite(values)):
                raise InvalidValueError(f"the {name} values of a {kind} must be finite plain numbers.")
            object.__setattr__(self, name, values)
        if len(self.x) != len(self.y):
            raise ShapeError(
                f"a {kind} needs as many y as x values, but has {len(self.x)} x and {len(self.y)} y."
            )
        if len(self.x) < self._fewest_points():
            raise ShapeError(
                f"a {kind} needs at least {self._fewest_points()} points, but has {len(self.x)}."
            )
        steps = np.diff(self.x)
        wrong = steps < 0 if self._may_repeat() else steps <= 0
        if np.any(wrong):
            at = int(np.argmax(wrong)) + 1
            fault = "is below" if self._may_repeat() else "does not exceed"
            raise InvalidValueError(
                f"the x values of a {kind} must increase, but value {at + 1} ({self.x[at]:g}) "
                f"{fault} the one before it ({self.x[at - 1]:g})."
            )

    def _fewest_points(self) -> int:
        return 2

    def _may_repeat(self) -> bool:
        return False

    def _arrays(self) -> tuple[np.ndarray, np.ndarray]:
        return np.array(self.x), np.array(self.y)


@dataclass(frozen=True, slots=True)
class SimmSpline(TabulatedFunction):
    """The cubic spline of SIMM and OpenSim.

    Its third derivatives at the two ends are those of the cubics through the four end points
    [Forsythe, Malcolm & Moler 1977, ch. 4]; outside it continues as a straight line. An abscissa may repeat: its
    two points then count as 1e-7 apart, as in OpenSim.

    Examples
    --------
    >>> curve = bm.SimmSpline((0.0, 1.0, 2.0, 3.0), (0.0, 1.0, 0.0, -1.0))
    >>> curve.evaluate([2.0]).round(12) + 0.0
    array([0.])
    """

    def _may_repeat(self) -> bool:
        return True

    def _fit(self) -> PiecewisePolynomial:
        x, y = self._arrays()
        return _straight_outside(x, *simm_cubic(x, y))


@dataclass(frozen=True, slots=True)
class NaturalCubicSpline(TabulatedFunction):
    """The cubic spline without curvature at its ends, straight outside.

    Examples
    --------
    >>> curve = bm.NaturalCubicSpline((0.0, 1.0, 2.0), (0.0, 1.0, 0.0))
    >>> curve.evaluate([0.5, 1.0]).round(6), curve.second_derivative([0.0]).round(6)
    (array([0.6875, 1.    ]), array([0.]))
    """

    def _fit(self) -> PiecewisePolynomial:
        x, y = self._arrays()
        return _straight_outside(x, *natural_cubic(x, y))


@dataclass(frozen=True, slots=True)
class GCVSpline(TabulatedFunction):
    """The interpolating natural spline of odd degree 2 m - 1 [Woltring 1986, zero error variance].

    Outside the data its natural end conditions leave a polynomial of degree m - 1: a straight line for the
    cubic, a parabola for the quintic.

    Parameters
    ----------
    degree : int
        1, 3, 5 or 7.

    Examples
    --------
    >>> curve = bm.GCVSpline((0.0, 1.0, 2.0, 3.0, 4.0, 5.0), (0.0, 1.0, 4.0, 9.0, 16.0, 25.0))
    >>> curve.evaluate([2.0, 3.0]).round(9)  # through its points
    array([4., 9.])
    """

    degree: int = 5

    def __post_init__(self) -> None:
        if self.degree not in (1, 3, 5, 7):
            raise InvalidValueError(f"a GCVSpline has degree 1, 3, 5 or 7, not {self.degree!r}.")
        TabulatedFunction.__post_init__(self)

    def _fewest_points(self) -> int:
        return self.degree + 1

    def _fit(self) -> PiecewisePolynomial:
        x, y = self._arrays()
        return natural_odd_degree(x, y, self.degree)


@dataclass(frozen=True, slots=True)
class PiecewiseLinear(TabulatedFunction):
    """Straight lines between the points; the outer two continue. Where an abscissa repeats, the value jumps.

    Examples
    --------
    >>> bm.PiecewiseLinear((0.0, 1.0, 2.0), (0.0, 1.0, 4.0)).evaluate([1.5])
    array([2.5])
    """

    def _may_repeat(self) -> bool:
        return True

    def _fit(self) -> PiecewisePolynomial:
        x, y = self._arrays()
        slope = np.diff(y) / gap(x[:-1], x[1:])
        left, right = np.array([y[0], slope[0]]), np.array([y[-1], slope[-1]])
        return with_tails(x, np.column_stack([y[:-1], slope]), left, right)


@dataclass(frozen=True, slots=True)
class PiecewiseConstant(TabulatedFunction):
    """Each value holds from its point to the next; the first also before, the last also after.

    Examples
    --------
    >>> bm.PiecewiseConstant((0.0, 1.0, 2.0), (5.0, 6.0, 7.0)).evaluate([1.5])
    array([6.])
    """

    def _fewest_points(self) -> int:
        return 1

    def _may_repeat(self) -> bool:
        return True

    def _fit(self) -> PiecewisePolynomial:
        x, y = self._arrays()
        return with_tails(x, y[:-1, None], y[:1], y[-1:])


@dataclass(frozen=True, slots=True)
class Step(PiecewiseFunction):
    """A smooth step: the quintic with no slope and no curvature at both ends, constant outside.

    Parameters
    ----------
    start, end : float
        Where the step begins and ends.
    start_value, end_value : float
        The levels before and after.

    Examples
    --------
    >>> rise = bm.Step(start=0.0, end=1.0)
    >>> rise.evaluate([-1.0]), rise.evaluate([0.5]), rise.evaluate([2.0])
    (array([0.]), array([0.5]), array([1.]))
    """

    start: float
    end: float
    start_value: float = 0.0
    end_value: float = 1.0

    def __post_init__(self) -> None:
        for name in ("start", "end", "start_value", "end_value"):
            object.__setattr__(self, name, number(getattr(self, name), f"the {name} of a step"))
        if not self.start < self.end:
            raise InvalidValueError(
                f"a step must end after it starts, but runs from {self.start:g} to {self.end:g}."
            )

    def _fit(self) -> PiecewisePolynomial:
        width, rise = self.end - self.start, self.end_value - self.start_value
        # 10 x³ - 15 x⁴ + 6 x⁵, as SimTK's step: slope and curvature vanish at both ends.
        shape = np.array([0.0, 0.0, 0.0, 10.0, -15.0, 6.0])
        inner = rise * shape / width ** np.arange(6)
        inner[0] = self.start_value
        ends = np.array([self.start, self.end])
        return with_tails(ends, inner[None, :], np.array([self.start_value]), np.array([self.end_value]))


def _straight_outside(
    x: np.ndarray, inner: np.ndarray, last_slope: float, last: float
) -> PiecewisePolynomial:
    return with_tails(x, inner, inner[0, :2], np.array([last, last_slope]))
