"""Points that move in their nodes with coordinates: where they are, and how each speed moves them."""

from __future__ import annotations

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.compiled.paths import CompiledPaths
from borelli.kernels.paths.moving_points import place_moving_points
from borelli.mechanics.motion.coordinate_rates import rate_row
from borelli.records import dataclass


@dataclass(frozen=True)
class Guides:
    """What speeds do to moving points.

    Parameters
    ----------
    point, speed : (n_guides,) int
        A moving point, and a speed that moves it.
    velocity : (n_guides, 3, n) float
        Of the point in its node, per unit of the speed.
    """

    point: np.ndarray
    speed: np.ndarray
    velocity: np.ndarray


def moving_points(compiled: CompiledModel, paths: CompiledPaths, q: np.ndarray) -> tuple[np.ndarray, Guides]:
    """Places of all moving points in their nodes, (n_moving, 3, n) m, and their guides, for postures (n, n_q)."""
    tables = paths.guidance
    shape = (len(tables.shift), 3, len(q))
    place, value, slope = np.empty(shape), np.empty(shape), np.zeros(shape)
    for index, axis in zip(*np.nonzero(tables.pieces[..., 0] == tables.pieces[..., 1]), strict=True):
        function = paths.moving[index].point.components[axis].function
        x = q[:, tables.coordinate[index, axis]]
        held = np.clip(x, *paths.moving[index].ranges[axis])
        value[index, axis] = function.value(held)
        slope[index, axis] = np.where(x == held, function.derivative(held), 0.0)
    velocity = np.empty((len(tables.guides), 3, len(q)))
    place_moving_points(tables, np.ascontiguousarray(q), value, slope, place, velocity)
    plain = Guides(tables.guides[:, 0], tables.guides[:, 1], velocity)
    return place, _with_mixtures(compiled, paths, q, slope, plain) if paths.mixed else plain


def _with_mixtures(
    compiled: CompiledModel, paths: CompiledPaths, q: np.ndarray, slope: np.ndarray, plain: Guides
) -> Guides:
    """Add what speeds do through coordinates that are no speed's own, such as the angles of a ball joint."""
    found = {
        (int(point), int(speed)): velocity
        for point, speed, velocity in zip(plain.point, plain.speed, plain.velocity, strict=True)
    }
    for index, axis in paths.mixed:
        row = rate_row(compiled, int(paths.guidance.coordinate[index, axis]), q)
        for own in map(int, np.flatnonzero(row.any(axis=0))):
            moved = paths.guidance.turn[index, :, axis, None] * (slope[index, axis] * row[:, own])
            known = found.get((index, own))
            found[index, own] = moved if known is None else known + moved
    point, speed = np.array(list(found), dtype=np.int64).reshape(-1, 2).T.copy()
    return Guides(point, speed, np.array(list(found.values())).reshape(-1, 3, len(q)))
