"""Where the nodes and moving points of all paths are, and how each speed moves them: input of the path kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from borelli.analyses.coordinate_rates import rate_row, speed_of
from borelli.compiled.compile import CompiledModel
from borelli.compiled.paths import CompiledPaths, MovingPoint
from borelli.kernels.frames import columns
from borelli.kernels.jacobian import carrying_speeds, speed_motions
from borelli.kernels.node import GROUND
from borelli.kernels.paths.tables import Placed


@dataclass(frozen=True)
class Guide:
    """What one speed does to one moving point: its velocity in the node per unit of that speed, (n, 3)."""

    point: int
    speed: int
    velocity: np.ndarray


@dataclass(frozen=True)
class PathFrames:
    """One block of frames.

    Parameters
    ----------
    placed : Placed
    twist : (n_u, 6, n) float
        Motion in ground per unit of each speed: angular velocity, velocity of what is at the origin.
    guides : tuple of Guide
        How speeds move the moving points.
    """

    compiled: CompiledModel
    paths: CompiledPaths
    placed: Placed
    twist: np.ndarray
    guides: tuple[Guide, ...]

    def node_velocity(self, u: np.ndarray) -> np.ndarray:
        """Velocity of the nodes, (n, n_motions, n_nodes, 6), from speeds u (n, n_motions, n_u)."""
        out = np.zeros((*u.shape[:2], len(self.paths.nodes), 6))
        for index, node in enumerate(self.paths.nodes):
            if node != GROUND:
                carried = carrying_speeds(self.compiled.mechanism, node)
                out[:, :, index] = np.einsum("nmk,kxn->nmx", u[:, :, carried], self.twist[carried])
        return out

    def moving_rate(self, u: np.ndarray) -> np.ndarray:
        """Velocity of the moving points in their nodes, (n, n_motions, n_moving, 3)."""
        out = np.zeros((*u.shape[:2], len(self.paths.moving), 3))
        for guide in self.guides:
            out[:, :, guide.point] += u[:, :, guide.speed, None] * guide.velocity[:, None]
        return out


def path_frames(compiled: CompiledModel, paths: CompiledPaths, q: np.ndarray) -> PathFrames:
    """Place everything for a block of frames, q of shape (n, n_q)."""
    n = len(q)
    twists, poses = speed_motions(compiled.mechanism, columns(q))
    twist = np.empty((compiled.mechanism.n_speeds, 6, n))
    for speed, (angular, linear, origin) in enumerate(twists):
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            twist[speed, k] = angular[k]
            # Velocity of the ground's origin, carried along: v - w x o.
            twist[speed, 3 + k] = linear[k] - angular[i] * origin[j] + angular[j] * origin[i]
    rotation, place = np.empty((len(paths.nodes), 9, n)), np.zeros((len(paths.nodes), 3, n))
    rotation[0] = np.eye(3).reshape(9, 1)
    for index, node in enumerate(paths.nodes[1:], start=1):
        for k in range(9):
            rotation[index, k] = poses[node].rotation[k]
        for k in range(3):
            place[index, k] = poses[node].origin[k]
    moving = np.empty((n, len(paths.moving), 3))
    guides: list[Guide] = []
    for index, point in enumerate(paths.moving):
        moving[:, index] = _place(point, q)
        guides += _guides(compiled, index, point, q)
    placed = Placed(np.ascontiguousarray(q), rotation, place, moving)
    return PathFrames(compiled, paths, placed, twist, tuple(guides))


def _place(moving: MovingPoint, q: np.ndarray) -> np.ndarray:
    """Place of a moving point in its node, (n, 3) m."""
    value = np.empty((len(q), 3))
    for axis, (part, coordinate) in enumerate(zip(moving.point.components, moving.coordinates, strict=True)):
        value[:, axis] = part.function.value(q[:, max(coordinate, 0)])
    turn = np.array(moving.frame.placement.rotation, dtype=float)
    return np.array(moving.frame.placement.translation, dtype=float) + value @ turn.T


def _guides(compiled: CompiledModel, index: int, moving: MovingPoint, q: np.ndarray) -> list[Guide]:
    """How each speed that drives a moving point moves it."""
    turn = np.array(moving.frame.placement.rotation, dtype=float)
    found: dict[int, np.ndarray] = {}
    for axis, (part, coordinate) in enumerate(zip(moving.point.components, moving.coordinates, strict=True)):
        if coordinate < 0:
            continue
        slope = part.function.derivative(q[:, coordinate])
        speed = speed_of(compiled, coordinate)
        rates = {speed: 1.0} if speed is not None else _mixture(compiled, coordinate, q)
        for driver, rate in rates.items():
            velocity = (slope * rate)[:, None] * turn[:, axis]
            found[driver] = found[driver] + velocity if driver in found else velocity
    return [Guide(index, speed, velocity) for speed, velocity in found.items()]


def _mixture(compiled: CompiledModel, coordinate: int, q: np.ndarray) -> dict[int, np.ndarray]:
    """Rate of a coordinate per unit of each speed that it is a mixture of."""
    row = rate_row(compiled, coordinate, q)
    return {int(speed): row[:, speed] for speed in np.flatnonzero(row.any(axis=0))}
