"""The frame of a wrap object in ground, as twelve floats: its matrix row by row, then its origin."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from borelli.kernels.jit import inlined, lean
from borelli.kernels.paths.columns import AXES, OBJECT_NODE, ORIGIN
from borelli.kernels.paths.vectors import Vector

Frame: TypeAlias = tuple[float, ...]


@lean
def place_objects(
    objects: np.ndarray, values: np.ndarray, pose: np.ndarray, instant: int, axes: np.ndarray
) -> None:
    """Frames of all wrap objects in ground, (n_objects, 12), from the poses of their nodes."""
    for thing in range(len(objects)):
        node = objects[thing, OBJECT_NODE]
        for i in range(3):
            x, y, z = (
                pose[node, 3 * i, instant],
                pose[node, 3 * i + 1, instant],
                pose[node, 3 * i + 2, instant],
            )
            for j in range(3):
                axes[thing, 3 * i + j] = (
                    x * values[thing, AXES + j]
                    + y * values[thing, AXES + 3 + j]
                    + z * values[thing, AXES + 6 + j]
                )
            axes[thing, 9 + i] = (
                pose[node, 9 + i, instant]
                + x * values[thing, ORIGIN]
                + y * values[thing, ORIGIN + 1]
                + z * values[thing, ORIGIN + 2]
            )


@inlined
def object_frame(axes: np.ndarray, thing: int) -> Frame:
    """Frame of a wrap object as floats."""
    return (
        axes[thing, 0],
        axes[thing, 1],
        axes[thing, 2],
        axes[thing, 3],
        axes[thing, 4],
        axes[thing, 5],
        axes[thing, 6],
        axes[thing, 7],
        axes[thing, 8],
        axes[thing, 9],
        axes[thing, 10],
        axes[thing, 11],
    )


@lean
def into(f: Frame, x: float, y: float, z: float) -> Vector:
    """From ground to the frame."""
    dx, dy, dz = x - f[9], y - f[10], z - f[11]
    return (
        f[0] * dx + f[3] * dy + f[6] * dz,
        f[1] * dx + f[4] * dy + f[7] * dz,
        f[2] * dx + f[5] * dy + f[8] * dz,
    )


@lean
def out_of(f: Frame, x: Vector) -> Vector:
    """From the frame to ground."""
    return (
        f[9] + f[0] * x[0] + f[1] * x[1] + f[2] * x[2],
        f[10] + f[3] * x[0] + f[4] * x[1] + f[5] * x[2],
        f[11] + f[6] * x[0] + f[7] * x[1] + f[8] * x[2],
    )
