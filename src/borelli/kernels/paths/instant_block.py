"""A few instants of all that paths need, side by side: poses, surfaces, motions, and scratch memory."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.kernels.jit import lean
from borelli.kernels.own_lines import on_own_lines
from borelli.kernels.paths.columns import (
    AXES,
    END_POINT,
    END_WRAP,
    FIRST_POINT,
    FIRST_WRAP,
    OBJECT_NODE,
    ORIGIN,
)
from borelli.kernels.paths.lanes import WIDTH
from borelli.kernels.paths.tables import PathTables


class InstantBlock(NamedTuple):
    """``WIDTH`` instants; every quantity is ``WIDTH`` neighbours in a flat array."""

    pose: np.ndarray
    """12 for each node: rotation row by row, origin (m)"""
    axes: np.ndarray
    """12 for each wrap object, in ground"""
    screw: np.ndarray
    """6 for each speed: angular velocity, velocity of what is at the ground's origin"""
    rate: np.ndarray
    """1 for each speed: its value"""
    moving: np.ndarray
    """3 for each moving point: its place in its node (m)"""
    spot: np.ndarray
    """3 for each stop of a path: place in ground (m)"""
    local: np.ndarray
    """3 for each stop of a path: place in the axes of its surface (m)"""
    may: np.ndarray
    """1: whether a surface may be touched; 1 of scratch"""
    way: np.ndarray
    """1 for each wrap of a path: way over the surface (m)"""
    line: np.ndarray
    """6 for each straight piece of a path: moment and force of unit tension on its first end"""
    total: np.ndarray
    """3: length (m), power (W), generalized force of unit tension"""
    ends: np.ndarray
    """(most pieces, 2) int: local nodes at the ends of each piece"""
    listed: np.ndarray
    """(WIDTH, most stops + 1) int: stops of a path at each instant, their number first"""
    member: np.ndarray
    """(WIDTH,) int: 0 to come, 1 now, 2 done"""


def instant_block(tables: PathTables, n_nodes: int, n_speeds: int, n_moving: int) -> InstantBlock:
    """Return scratch memory for a block of instants."""
    most_wraps = int((tables.paths[:, END_WRAP] - tables.paths[:, FIRST_WRAP]).max(initial=0))
    most = int((tables.paths[:, END_POINT] - tables.paths[:, FIRST_POINT]).max(initial=0)) + 2 * most_wraps
    counts = (
        12 * n_nodes,
        12 * len(tables.objects),
        6 * n_speeds,
        n_speeds,
        3 * n_moving,
        3 * most,
        3 * most,
        2,
        most_wraps,
        6 * most,
        3,
    )
    lanes = [np.zeros(count * WIDTH) for count in counts]
    lists = (np.zeros((most, 2), np.int64), np.zeros((WIDTH, most + 1), np.int64), np.zeros(WIDTH, np.int64))
    return on_own_lines(InstantBlock._make([*lanes, *lists]))


@lean
def place_surfaces(objects: np.ndarray, values: np.ndarray, pose: np.ndarray, axes: np.ndarray) -> None:
    """Frames of all wrap objects in ground, from the poses of their nodes."""
    for thing in range(len(objects)):
        own = pose[12 * objects[thing, OBJECT_NODE] * WIDTH : 12 * (objects[thing, OBJECT_NODE] + 1) * WIDTH]
        out = axes[12 * thing * WIDTH : 12 * (thing + 1) * WIDTH]
        for i in range(3):
            for j in range(3):
                s, t, r = values[thing, AXES + j], values[thing, AXES + 3 + j], values[thing, AXES + 6 + j]
                for f in range(WIDTH):
                    out[(3 * i + j) * WIDTH + f] = (
                        own[3 * i * WIDTH + f] * s
                        + own[(3 * i + 1) * WIDTH + f] * t
                        + own[(3 * i + 2) * WIDTH + f] * r
                    )
        for i in range(3):
            for f in range(WIDTH):
                out[(9 + i) * WIDTH + f] = (
                    own[(9 + i) * WIDTH + f]
                    + own[3 * i * WIDTH + f] * values[thing, ORIGIN]
                    + own[(3 * i + 1) * WIDTH + f] * values[thing, ORIGIN + 1]
                    + own[(3 * i + 2) * WIDTH + f] * values[thing, ORIGIN + 2]
                )
