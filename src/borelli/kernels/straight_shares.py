"""Shares of the tensions of straight paths: what each takes from every joint that it spans."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.kernels.jit import jit, lean
from borelli.kernels.paths.block_pulls import add_pulls
from borelli.kernels.paths.columns import (
    END_LOCAL,
    END_POINT,
    FIRST_LOCAL,
    FIRST_POINT,
    POINT_LOCAL,
)
from borelli.kernels.paths.lanes import WIDTH, load_rows


class Spans(NamedTuple):
    """Which joints each path spans."""

    starts: np.ndarray
    """(n_paths + 1,) int: where the joints of each path begin in ``joints``"""
    joints: np.ndarray
    """(n_pairs, 3) int: joint, and the first and last + 1 entry of ``carried``"""
    carried: np.ndarray
    """(…,) int: nodes that a joint carries and a path pulls on, counted within the path"""


@lean
def _borne(wrench: np.ndarray, joint: np.ndarray, own: np.ndarray) -> None:
    """Turn the pull on all that a joint carries, about the ground's origin, into what the joint bears of it."""
    for f in range(WIDTH):
        x, y, z = joint[f], joint[WIDTH + f], joint[2 * WIDTH + f]
        a, b, c = -wrench[3 * WIDTH + f], -wrench[4 * WIDTH + f], -wrench[5 * WIDTH + f]
        own[f] = -wrench[f] - (y * c - z * b)
        own[WIDTH + f] = -wrench[WIDTH + f] - (z * a - x * c)
        own[2 * WIDTH + f] = -wrench[2 * WIDTH + f] - (x * b - y * a)
        own[3 * WIDTH + f] = a
        own[4 * WIDTH + f] = b
        own[5 * WIDTH + f] = c


@lean
def _add_lanes(amount: np.ndarray, total: np.ndarray) -> None:
    for f in range(6 * WIDTH):
        total[f] += amount[f]


@lean
def _bear(
    spans: Spans,
    path: int,
    start: int,
    n: int,
    wrench: np.ndarray,
    joint: np.ndarray,
    own: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write what every joint that a path spans bears for it."""
    carried, borne = own[: 6 * WIDTH], own[6 * WIDTH :]
    for pair in range(spans.starts[path], spans.starts[path + 1]):
        place = spans.joints[pair, 0]
        carried[:] = 0.0
        for k in range(spans.joints[pair, 1], spans.joints[pair, 2]):
            local = spans.carried[k]
            _add_lanes(wrench[6 * local * WIDTH : 6 * (local + 1) * WIDTH], carried)
        _borne(carried, joint[3 * place * WIDTH : 3 * (place + 1) * WIDTH], borne)
        for k in range(6):
            row = out[pair, k, start : start + n]
            for f in range(n):
                row[f] = borne[k * WIDTH + f]


@jit
def straight_shares(
    paths: np.ndarray,
    points: np.ndarray,
    values: np.ndarray,
    locals_: np.ndarray,
    spans: Spans,
    q: np.ndarray,
    pose: np.ndarray,
    moving: np.ndarray,
    joint: np.ndarray,
    tension: np.ndarray,
    out: np.ndarray,
    together: np.ndarray,
) -> None:
    """What each joint bears for each straight path that spans it, and the pull of all paths on the nodes.

    Parameters
    ----------
    paths, points, values, locals_ : arrays of :class:`~borelli.kernels.paths.tables.PathTables`
    q : (n, n_q)
    pose : (n_nodes, 12, n)
        Rotation row by row, origin (m); ground axes.
    moving : (n_moving, 3, n)
        Moving points in their nodes (m).
    joint : (n_joints, 3, n)
        Joint points in ground (m).
    tension : (n_paths, n)
        N.
    out : (n_pairs, 6, n)
        Filled: moment about the joint point (N m), force (N); on the child by the parent.
    together : (n_nodes, 6, n)
        Filled: moment about the ground's origin (N m), force (N).
    """
    n, n_nodes, n_joints = len(q), pose.shape[0], joint.shape[0]
    poses, places = pose.reshape((12 * n_nodes, n)), moving.reshape((3 * moving.shape[0], n))
    joints = joint.reshape((3 * n_joints, n))
    most, most_local = 1, 1
    for path in range(len(paths)):
        most = max(most, paths[path, END_POINT] - paths[path, FIRST_POINT])
        most_local = max(most_local, paths[path, END_LOCAL] - paths[path, FIRST_LOCAL])
    frame, shift = np.empty(12 * n_nodes * WIDTH), np.empty(3 * moving.shape[0] * WIDTH)
    at_joint, amount = np.empty(3 * n_joints * WIDTH), np.empty(WIDTH)
    spot, scratch, own = np.empty(3 * most * WIDTH), np.zeros(7 * WIDTH), np.empty(12 * WIDTH)
    wrench, total = np.empty(6 * most_local * WIDTH), np.empty(6 * n_nodes * WIDTH)
    member, state = np.empty(WIDTH, np.int64), np.empty(WIDTH, np.int64)
    listed = np.empty((WIDTH, most + 1), np.int64)
    for start in range(0, n, WIDTH):
        here = min(WIDTH, n - start)
        load_rows(poses, start, frame)
        load_rows(places, start, shift)
        load_rows(joints, start, at_joint)
        total[:] = 0.0
        for path in range(len(paths)):
            row = paths[path]
            wrench[:] = 0.0
            add_pulls(
                points,
                values,
                row,
                POINT_LOCAL,
                q,
                start,
                here,
                frame,
                shift,
                tension[path],
                spot,
                listed,
                state,
                member,
                amount,
                scratch,
                wrench,
            )
            _bear(spans, path, start, here, wrench, at_joint, own, out)
            for local in range(row[END_LOCAL] - row[FIRST_LOCAL]):
                node = locals_[row[FIRST_LOCAL] + local]
                _add_lanes(
                    wrench[6 * local * WIDTH : 6 * (local + 1) * WIDTH],
                    total[6 * node * WIDTH : 6 * (node + 1) * WIDTH],
                )
        for row_of in range(6 * n_nodes):
            for f in range(here):
                together[row_of // 6, row_of % 6, start + f] = total[row_of * WIDTH + f]
