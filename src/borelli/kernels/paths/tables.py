"""What the path kernels read and write: flat arrays, no names."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.kernels.own_lines import on_own_lines
from borelli.kernels.paths.columns import (
    END_LOCAL,
    END_POINT,
    END_WRAP,
    FIRST_LOCAL,
    FIRST_POINT,
    FIRST_WRAP,
    OBJECT_KIND,
)
from borelli.kernels.paths.contact import CLOSED_FORM
from borelli.kernels.paths.geodesic import SCRATCH


class PathTables(NamedTuple):
    """All paths of a model.

    Nodes are counted among those that carry something, the ground first; within a path they are counted
    again (``local``), because a path touches few. Integers and reals of one thing share a row.
    """

    paths: np.ndarray
    """(n_paths, 9) int: first and last + 1 of its points, wraps, speeds and local nodes; conditional points."""
    points: np.ndarray
    """(n_points, 4) int: node, local node, position among moving points or -1, coordinate or -1."""
    point_values: np.ndarray
    """(n_points, 5): place in the node (m), range of the coordinate in which the point is there."""
    wraps: np.ndarray
    """(n_wraps, 4) int: object, local node, first and last point between which it may be touched."""
    objects: np.ndarray
    """(n_objects, 4) int: kind, node, axis and sign of the half that may be touched."""
    object_values: np.ndarray
    """(n_objects, 15): size (3), axes in the node as columns of a matrix (9), place in the node (3)."""
    speeds: np.ndarray
    """(n_entries,) int: speeds that can change the path's length."""
    moves: np.ndarray
    """(n_entries, most local nodes): 1 for those that the speed moves, 0 for the others."""
    locals: np.ndarray
    """Node behind each local one."""


class Placed(NamedTuple):
    """Where everything is, at n instants; ground axes.

    Instants come last where the tree's passes write them: whole rows at a time.
    """

    q: np.ndarray
    """(n, n_q)"""
    pose: np.ndarray
    """(n_nodes, 12, n): rotation row by row, origin (m)"""
    moving: np.ndarray
    """(n_moving, 3, n): moving points in their nodes (m)"""


class Stops(NamedTuple):
    """The points that a path runs through, in order, at one instant: path points and ends of contacts."""

    place: np.ndarray
    """(most, 3) in ground (m)"""
    marks: np.ndarray
    """(most, 4) int: local node, node, path point or -1, wrap whose contact begins or ends here or -1."""
    over: np.ndarray
    """(most, 4): way over the surface that ends here (m), tangent where it begins in axes of the surface."""
    touch: np.ndarray
    """(most wraps, STOPS_SEEN + 4 most): each contact of the sweep before, and the stops that it came of.

    Its ends in the axes of the surface, way, direction, and section; the stops as their places and wraps. A surface
    that meets the same stops again has the same contact.
    """
    outcome: np.ndarray
    """(most wraps,): what came of each wrap."""
    axes: np.ndarray
    """(n_objects, 12): frame of every surface in ground at this instant: rotation row by row, origin (m)."""


LOCAL, NODE, POINT, WRAP = 0, 1, 2, 3
"""Columns of ``Stops.marks``."""
LENGTH, DIRECTION, SECTION, SEEN, STOPS_SEEN = 6, 7, 10, 11, 12
"""Columns of ``Stops.touch`` after the ends: way, direction (3), section from the first stop, how many stops, stops."""


def workspace(tables: PathTables) -> Stops:
    """Return scratch memory for the longest path."""
    most_wraps = int((tables.paths[:, END_WRAP] - tables.paths[:, FIRST_WRAP]).max(initial=0))
    most = int((tables.paths[:, END_POINT] - tables.paths[:, FIRST_POINT]).max(initial=0)) + 2 * most_wraps
    stops = Stops(
        np.zeros((most, 3)),
        np.zeros((most, 4), dtype=np.int64),
        np.zeros((most, 4)),
        np.zeros((most_wraps, STOPS_SEEN + 4 * most)),
        np.zeros(most_wraps, dtype=np.int64),
        np.zeros((len(tables.objects), 12)),
    )
    return on_own_lines(stops)


def most_locals(tables: PathTables) -> int:
    """Return the largest number of nodes that a path touches."""
    return int((tables.paths[:, END_LOCAL] - tables.paths[:, FIRST_LOCAL]).max(initial=1))


def geodesic_scratch(tables: PathTables) -> np.ndarray | None:
    """Return scratch memory to follow geodesics in; None where every surface has them in closed form."""
    closed = np.isin(tables.objects[:, OBJECT_KIND], CLOSED_FORM)
    return None if closed.all() else np.zeros(SCRATCH)
