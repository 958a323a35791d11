"""Arithmetic on many instants at once: ``WIDTH`` lanes beside each other, one quantity after the other.

All arrays are flat, so that the distance between two quantities is a constant: that, and a fixed number of turns,
is what makes a compiler turn these loops into vector instructions.
"""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import lean

WIDTH = 64
"""Instants side by side: what a path needs then stays in the fastest cache."""


@lean
def place_point(pose: np.ndarray, x: float, y: float, z: float, out: np.ndarray) -> None:
    """Bring a point of a node to ground: pose as matrix row by row, then origin."""
    for f in range(WIDTH):
        for k in range(3):
            out[k * WIDTH + f] = (
                pose[(9 + k) * WIDTH + f]
                + pose[3 * k * WIDTH + f] * x
                + pose[(3 * k + 1) * WIDTH + f] * y
                + pose[(3 * k + 2) * WIDTH + f] * z
            )


@lean
def into_frame(pose: np.ndarray, point: np.ndarray, out: np.ndarray) -> None:
    """Bring a point from ground to the axes of a node or a surface."""
    for f in range(WIDTH):
        dx = point[f] - pose[9 * WIDTH + f]
        dy = point[WIDTH + f] - pose[10 * WIDTH + f]
        dz = point[2 * WIDTH + f] - pose[11 * WIDTH + f]
        for k in range(3):
            out[k * WIDTH + f] = (
                pose[k * WIDTH + f] * dx + pose[(3 + k) * WIDTH + f] * dy + pose[(6 + k) * WIDTH + f] * dz
            )


@lean
def out_of_frame(pose: np.ndarray, point: np.ndarray, out: np.ndarray) -> None:
    """Bring a point from the axes of a node, in which it may move, or of a surface to ground."""
    for f in range(WIDTH):
        x, y, z = point[f], point[WIDTH + f], point[2 * WIDTH + f]
        for k in range(3):
            out[k * WIDTH + f] = (
                pose[(9 + k) * WIDTH + f]
                + pose[3 * k * WIDTH + f] * x
                + pose[(3 * k + 1) * WIDTH + f] * y
                + pose[(3 * k + 2) * WIDTH + f] * z
            )


@lean
def pull(a: np.ndarray, b: np.ndarray, length: np.ndarray, line: np.ndarray) -> None:
    """Add the distance from a to b to the length; fill the unit force from a to b: moment, then force."""
    for f in range(WIDTH):
        ax, ay, az = a[f], a[WIDTH + f], a[2 * WIDTH + f]
        dx, dy, dz = b[f] - ax, b[WIDTH + f] - ay, b[2 * WIDTH + f] - az
        distance = math.sqrt(dx * dx + dy * dy + dz * dz)
        length[f] += distance
        inverse = 1.0 / distance if distance > 0.0 else 0.0
        dx, dy, dz = inverse * dx, inverse * dy, inverse * dz
        line[f] = ay * dz - az * dy
        line[WIDTH + f] = az * dx - ax * dz
        line[2 * WIDTH + f] = ax * dy - ay * dx
        line[3 * WIDTH + f] = dx
        line[4 * WIDTH + f] = dy
        line[5 * WIDTH + f] = dz


@lean
def add_power(screw: np.ndarray, line: np.ndarray, sign: float, total: np.ndarray) -> None:
    """Add the power of a force along a line in the motion of a screw, or take it away."""
    for f in range(WIDTH):
        total[f] += sign * (
            screw[f] * line[f]
            + screw[WIDTH + f] * line[WIDTH + f]
            + screw[2 * WIDTH + f] * line[2 * WIDTH + f]
            + screw[3 * WIDTH + f] * line[3 * WIDTH + f]
            + screw[4 * WIDTH + f] * line[4 * WIDTH + f]
            + screw[5 * WIDTH + f] * line[5 * WIDTH + f]
        )


@lean
def add_product(a: np.ndarray, b: np.ndarray, total: np.ndarray) -> None:
    """Add a times b."""
    for f in range(WIDTH):
        total[f] += a[f] * b[f]


@lean
def add_all(amount: np.ndarray, total: np.ndarray) -> None:
    """Add one quantity to another."""
    for f in range(WIDTH):
        total[f] += amount[f]


@lean
def add_number(amount: float, total: np.ndarray) -> None:
    """Add the same number in all lanes."""
    for f in range(WIDTH):
        total[f] += amount


@lean
def clear(total: np.ndarray) -> None:
    """Set to zero."""
    for f in range(WIDTH):
        total[f] = 0.0


@lean
def load_columns(table: np.ndarray, start: int, out: np.ndarray) -> None:
    """Copy WIDTH instants of (n, n_columns) into lanes, each column into its own; beyond the last it is repeated."""
    last = len(table) - 1
    for f in range(WIDTH):
        row = table[min(start + f, last)]
        for column in range(table.shape[1]):
            out[column * WIDTH + f] = row[column]


@lean
def load_rows(rows: np.ndarray, start: int, out: np.ndarray) -> None:
    """Copy WIDTH instants of (n_rows, n) into lanes; beyond the last instant it is repeated."""
    n = rows.shape[1]
    for row in range(rows.shape[0]):
        own = out[row * WIDTH : (row + 1) * WIDTH]
        if start + WIDTH <= n:
            block = rows[row, start : start + WIDTH]
            for f in range(WIDTH):
                own[f] = block[f]
        else:
            for f in range(WIDTH):
                own[f] = rows[row, min(start + f, n - 1)]
