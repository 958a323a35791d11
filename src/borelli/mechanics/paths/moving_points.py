"""Points that move in their nodes with coordinates: where they are, and how each speed moves them."""

from __future__ import annotations

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.compiled.paths import CompiledPaths
from borelli.mechanics.motion.coordinate_rates import rate_row
from borelli.records import dataclass


@dataclass(frozen=True)
class Guides:
    """What speeds do to moving points.

    Parameters
    ----------
    point, speed : (n_guides,) int
        A moving point, and a speed that moves it.
    felt : (n_guides, 2) int
        The path of the point, and the speed.
    velocity : (n_guides, 3, n) float
        Of the point in its node, per unit of the speed.
    """

    point: np.ndarray
    speed: np.ndarray
    felt: np.ndarray
    velocity: np.ndarray


def rows_for_moving_points(paths: CompiledPaths) -> int:
    """Return how many numbers :func:`moving_points` needs memory for, in each instant."""
    return 9 * len(paths.moving) + 3 * len(paths.guidance.guides)


def moving_points(
    compiled: CompiledModel, paths: CompiledPaths, q: np.ndarray, memory: np.ndarray | None = None
) -> tuple[np.ndarray, Guides]:
    """Places of all moving points in their nodes, (n_moving, 3, n) m, and their guides, for postures (n, n_q).

    Parameters
    ----------
    memory : (at least n :func:`rows_for_moving_points`,) float, optional
        Memory for the answer, with whatever it holds.
    """
    n, n_rows = len(q), rows_for_moving_points(paths)
    rows = (np.empty(n_rows * n) if memory is None else memory)[: n_rows * n].reshape(-1, 3, n)
    n_moving = len(paths.moving)
    place, value, slope = rows[:n_moving], rows[n_moving : 2 * n_moving], rows[2 * n_moving : 3 * n_moving]
    velocity = rows[3 * n_moving :]
    for index, axis in paths.by_functions:
        function = paths.moving[index].point.components[axis].function
        x = q[:, paths.guidance.coordinate[index, axis]]
        held = np.clip(x, *paths.moving[index].ranges[axis])
        value[index, axis] = function.value(held)
        slope[index, axis] = np.where(x == held, function.derivative(held), 0.0)
    paths.place_moving_points(np.ascontiguousarray(q), value, slope, place, velocity)
    plain = Guides(*paths.guided, velocity)
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
    felt = np.stack((paths.owners[point], speed), axis=1)
    return Guides(point, speed, felt, np.array(list(found.values())).reshape(-1, 3, len(q)))
