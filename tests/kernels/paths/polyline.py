"""An independent judge of geodesics: a polyline that is pulled taut outside a surface, grid by grid.

Every vertex moves to the middle of its neighbours and is pushed out of the surface if it lies inside. The
result knows nothing of tangents, curvature or differential equations.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Level = Callable[[np.ndarray], np.ndarray]
Gradient = Callable[[np.ndarray], np.ndarray]

_STILL = 1e-14
"""A line that moves by no more than this in a sweep (m) is taut: what is still to come is round-off."""


def ellipsoid(size) -> tuple[Level, Gradient]:
    square = np.asarray(size, float) ** 2
    return (lambda x: (x * x / square).sum(-1) - 1), (lambda x: 2 * x / square)


def torus(tube, ring) -> tuple[Level, Gradient]:
    def level(x):
        off = np.hypot(x[:, 0], x[:, 1]) - ring
        return (off**2 + x[:, 2] ** 2) / tube**2 - 1

    def gradient(x):
        k = 2 * (1 - ring / np.hypot(x[:, 0], x[:, 1])) / tube**2
        return np.column_stack([k * x[:, 0], k * x[:, 1], 2 * x[:, 2] / tube**2])

    return level, gradient


def cylinder(radius) -> tuple[Level, Gradient]:
    """Endless, about z."""
    flat = np.array([1.0, 1.0, 0.0])
    return (lambda x: (x * x * flat).sum(-1) / radius**2 - 1), (lambda x: 2 * x * flat / radius**2)


def cone(slope) -> tuple[Level, Gradient]:
    """Endless towards +z, apex at the origin; below the apex everything is outside."""

    def level(x):
        return np.hypot(x[:, 0], x[:, 1]) - slope * x[:, 2]

    def gradient(x):
        across = np.maximum(np.hypot(x[:, 0], x[:, 1]), 1e-12)
        return np.column_stack([x[:, 0] / across, x[:, 1] / across, np.full(len(x), -slope)])

    return level, gradient


def placed(surface: tuple[Level, Gradient], rotation, origin) -> tuple[Level, Gradient]:
    """Surface whose own axes are the columns of a rotation."""
    level, gradient = surface
    return (lambda x: level((x - origin) @ rotation)), (
        lambda x: gradient((x - origin) @ rotation) @ rotation.T
    )


def union(*surfaces: tuple[Level, Gradient]) -> tuple[Level, Gradient]:
    """Inside if inside any of them; pushed out of the one that is deepest inside."""

    def gradient(x):
        deepest = np.argmin([level(x) for level, _ in surfaces], axis=0)
        return np.array([own(x) for _, own in surfaces])[deepest, np.arange(len(x))]

    return (lambda x: np.min([level(x) for level, _ in surfaces], axis=0)), gradient


def _pushed_out(x, level, gradient):
    value = level(x)
    inside = np.flatnonzero(value < 0)
    for _ in range(4):
        if not len(inside):
            break
        # Only what is inside moves, and only that is looked at again.
        at = x[inside]
        normal = gradient(at)
        x[inside] = at = at - (value[inside] / (normal * normal).sum(-1))[:, None] * normal
        value[inside] = level(at)
        inside = inside[value[inside] < 0]
    return x


def taut_length(a, b, over, level, gradient, grids=(16, 64, 256), sweeps=600) -> float:
    """Length (m) of the taut polyline from a to b that starts by way of the points ``over``, one or many."""
    line = np.vstack([a, over, b]).astype(float)
    for n in grids:
        way = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
        even = np.linspace(0, way[-1], n + 1)
        line = np.column_stack([np.interp(even, way, line[:, k]) for k in range(3)])
        for sweep in range(sweeps):
            before = line.copy() if sweep % 10 == 9 else None
            # Red and black vertices in turn, with over-relaxation.
            for first in (1, 2):
                own, middle = line[first:-1:2], 0.5 * (line[first - 1 : -2 : 2] + line[first + 1 :: 2])
                own[:] = _pushed_out(own + 1.8 * (middle - own), level, gradient)
            if before is not None and np.abs(line - before).max() < _STILL:
                break
    pieces = np.diff(line, axis=0)
    length = np.linalg.norm(pieces, axis=1)
    ahead = pieces / length[:, None]
    turn = np.linalg.norm(np.diff(ahead, axis=0), axis=1)
    # A chord of a curve that turns by an angle over it is shorter by its square / 24.
    return float(length.sum() + (turn**2 * 0.5 * (length[1:] + length[:-1])).sum() / 24)
