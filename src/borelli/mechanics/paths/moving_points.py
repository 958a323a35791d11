"""Points that move in their nodes with coordinates: where they are, and how each speed moves them."""

from __future__ import annotations

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.compiled.paths import CompiledPaths, MovingPoint
from borelli.kernels.paths.piecewise import piecewise
from borelli.mechanics.motion.coordinate_rates import rate_row, speed_of
from borelli.records import dataclass


@dataclass(frozen=True)
class Guide:
    """What one speed does to one moving point: its velocity in the node per unit of that speed, (3, n)."""

    point: int
    speed: int
    velocity: np.ndarray


def moving_points(
    compiled: CompiledModel, paths: CompiledPaths, q: np.ndarray
) -> tuple[np.ndarray, tuple[Guide, ...]]:
    """Places of all moving points in their nodes, (n_moving, 3, n) m, and their guides, for postures (n, n_q)."""
    place = np.empty((len(paths.moving), 3, len(q)))
    guides: list[Guide] = []
    for index, point in enumerate(paths.moving):
        value, slope = _components(point, q)
        turn = np.array(point.frame.placement.rotation, dtype=float)
        shift = np.array(point.frame.placement.translation, dtype=float)
        place[index] = shift[:, None] + turn @ value
        found: dict[int, np.ndarray] = {}
        for axis, coordinate in enumerate(point.coordinates):
            if coordinate < 0:
                continue
            for speed, rate in _rates(compiled, coordinate, q).items():
                velocity = turn[:, axis, None] * (slope[axis] * rate)
                found[speed] = found[speed] + velocity if speed in found else velocity
        guides += [Guide(index, speed, velocity) for speed, velocity in found.items()]
    return place, tuple(guides)


def _components(point: MovingPoint, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Components of a moving point in its frame and their slopes by their coordinates, (3, n) each."""
    value, slope = np.empty((3, len(q))), np.zeros((3, len(q)))
    for axis, (part, pieces) in enumerate(zip(point.point.components, point.pieces, strict=True)):
        coordinate = point.coordinates[axis]
        if coordinate < 0:
            value[axis] = part.function.value(q[:, 0])
        elif pieces is None:
            value[axis] = part.function.value(q[:, coordinate])
            slope[axis] = part.function.derivative(q[:, coordinate])
        else:
            x = np.ascontiguousarray(q[:, coordinate])
            piecewise(pieces.breaks, pieces.origins, pieces.coefficients, x, value[axis], slope[axis])
    return value, slope


def _rates(compiled: CompiledModel, coordinate: int, q: np.ndarray) -> dict[int, np.ndarray | float]:
    """Rate of a coordinate per unit of each speed that it is, or is a mixture of."""
    speed = speed_of(compiled, coordinate)
    if speed is not None:
        return {speed: 1.0}
    row = rate_row(compiled, coordinate, q)
    return {int(speed): row[:, speed] for speed in np.flatnonzero(row.any(axis=0))}
