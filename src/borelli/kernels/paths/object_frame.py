"""The frame of a wrap object in ground, as twelve floats: its matrix row by row, then its origin."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from borelli.kernels.jit import inlined, jit
from borelli.kernels.paths.vectors import Vector

Frame: TypeAlias = tuple[float, ...]


@inlined
def object_frame(
    values: np.ndarray, thing: int, rotation: np.ndarray, origin: np.ndarray, frame: int, node: int
) -> Frame:
    """Frame of a wrap object whose node is placed in ground."""
    r0, r1, r2 = rotation[node, 0, frame], rotation[node, 1, frame], rotation[node, 2, frame]
    r3, r4, r5 = rotation[node, 3, frame], rotation[node, 4, frame], rotation[node, 5, frame]
    r6, r7, r8 = rotation[node, 6, frame], rotation[node, 7, frame], rotation[node, 8, frame]
    s0, s1, s2 = values[thing, 3], values[thing, 4], values[thing, 5]
    s3, s4, s5 = values[thing, 6], values[thing, 7], values[thing, 8]
    s6, s7, s8 = values[thing, 9], values[thing, 10], values[thing, 11]
    x, y, z = values[thing, 12], values[thing, 13], values[thing, 14]
    return (
        r0 * s0 + r1 * s3 + r2 * s6,
        r0 * s1 + r1 * s4 + r2 * s7,
        r0 * s2 + r1 * s5 + r2 * s8,
        r3 * s0 + r4 * s3 + r5 * s6,
        r3 * s1 + r4 * s4 + r5 * s7,
        r3 * s2 + r4 * s5 + r5 * s8,
        r6 * s0 + r7 * s3 + r8 * s6,
        r6 * s1 + r7 * s4 + r8 * s7,
        r6 * s2 + r7 * s5 + r8 * s8,
        origin[node, 0, frame] + r0 * x + r1 * y + r2 * z,
        origin[node, 1, frame] + r3 * x + r4 * y + r5 * z,
        origin[node, 2, frame] + r6 * x + r7 * y + r8 * z,
    )


@jit
def into(f: Frame, x: float, y: float, z: float) -> Vector:
    """From ground to the frame."""
    dx, dy, dz = x - f[9], y - f[10], z - f[11]
    return (
        f[0] * dx + f[3] * dy + f[6] * dz,
        f[1] * dx + f[4] * dy + f[7] * dz,
        f[2] * dx + f[5] * dy + f[8] * dz,
    )


@jit
def out_of(f: Frame, x: Vector) -> Vector:
    """From the frame to ground."""
    return (
        f[9] + f[0] * x[0] + f[1] * x[1] + f[2] * x[2],
        f[10] + f[3] * x[0] + f[4] * x[1] + f[5] * x[2],
        f[11] + f[6] * x[0] + f[7] * x[1] + f[8] * x[2],
    )
