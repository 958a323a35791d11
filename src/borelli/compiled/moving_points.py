"""Moving points of paths → tables of polynomials, and which speeds guide them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from borelli.compiled.compile import Attachment, CompiledModel
from borelli.errors import UnsupportedError
from borelli.kernels.paths.moving_points import MovingTables
from borelli.model.functions.function import Function
from borelli.model.functions.piecewise import PiecewisePolynomial, single
from borelli.model.paths.path import MovingPathPoint
from borelli.records import dataclass


@dataclass(frozen=True)
class MovingPoint:
    """A moving point: its description, and where the frame that it moves in sits."""

    path: str
    point: MovingPathPoint
    frame: Attachment
    coordinates: tuple[int, int, int]
    """Position in q of the coordinate behind each component, -1 for a constant one."""
    ranges: tuple[tuple[float, float], ...]
    """Of these coordinates: beyond it a component keeps its value."""


def moving_tables(
    compiled: CompiledModel, moving: Sequence[MovingPoint], nodes: Sequence[int]
) -> tuple[MovingTables, tuple[tuple[int, int], ...]]:
    """Return the tables, and the points and components whose coordinate is no speed's own.

    Parameters
    ----------
    nodes : sequence of int
        Nodes of the mechanism in the order of the path tables.
    """
    every: list[PiecewisePolynomial] = []
    spans = np.zeros((len(moving), 3, 2), dtype=np.int64)
    guides: dict[tuple[int, int], list[int]] = {}
    mixed = []
    n_pieces = 0
    for index, point in enumerate(moving):
        for axis, coordinate in enumerate(point.coordinates):
            function = point.point.components[axis].function
            pieces = _pieces(function, coordinate < 0, point.ranges[axis])
            if pieces is not None:
                every.append(pieces)
                spans[index, axis] = n_pieces, n_pieces + pieces.n_pieces
                n_pieces += pieces.n_pieces
            speed = compiled.speed_of(coordinate) if coordinate >= 0 else None
            if speed is not None:
                guides.setdefault((index, speed), [0, 0, 0])[axis] = 1
            elif coordinate >= 0:
                mixed.append((index, axis))
    placements = [point.frame.placement for point in moving]
    tables = MovingTables(
        np.array([point.coordinates for point in moving], dtype=np.int64).reshape(-1, 3),
        spans,
        # The last piece of a function reaches to infinity.
        _joined([np.append(pieces.breaks, np.inf) for pieces in every]),
        _joined([pieces.origins for pieces in every]),
        _coefficients(every),
        np.array([placement.rotation for placement in placements], dtype=float).reshape(-1, 3, 3),
        np.array([placement.translation for placement in placements], dtype=float).reshape(-1, 3),
        np.array([nodes.index(point.frame.node) for point in moving], dtype=np.int64),
        np.array([[*key, *axes] for key, axes in guides.items()], dtype=np.int64).reshape(-1, 5),
    )
    return tables, tuple(mixed)


def _pieces(function: Function, is_constant: bool, span: tuple[float, float]) -> PiecewisePolynomial | None:
    if is_constant:
        return single([float(function.value(0.0))])
    try:
        return function.as_piecewise_polynomials().held_beyond(*span)
    except UnsupportedError:
        return None


def _joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.zeros(0), *parts])


def _coefficients(every: Sequence[PiecewisePolynomial]) -> np.ndarray:
    """Coefficients of all pieces; higher powers than a function has are zero."""
    degree = max((pieces.degree for pieces in every), default=0)
    rows = [np.pad(np.asarray(p.coefficients, dtype=float), ((0, 0), (0, degree - p.degree))) for p in every]
    return np.concatenate([np.zeros((0, degree + 1)), *rows])
