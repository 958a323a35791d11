"""Shares of a block of instants, written where they stay: what every wrench does on every speed, and as a reaction.

A few instants of one share at a time pass through the first cache; the result is written once. Rows that would be all
zero are not touched, so that they take no memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.kernels.jit import jit, lean
from borelli.kernels.paths.lanes import WIDTH, load_rows

LINK, COLUMN, KIND, NUMBER, ORIGIN, IS_FIRST, SHARE_WIDTH = 0, 1, 2, 3, 4, 5, 6
"""``shares``: link, column of the source, of what kind it is, its number among those, the link about whose joint
point a wrench is given, and whether the column holds nothing yet there."""
GIVEN, MOVED, PUSHED = 0, 1, 2
"""Kinds: a wrench, one about the joint point of another link, an acceleration of the link with all that hangs on it."""
FIRST_SPEED, END_SPEED, ROW, HAS_OFFSET, HAS_ROTATION, IS_OPPOSITE, LINK_WIDTH = 0, 1, 2, 3, 4, 5, 6
"""``links``: the span of its speeds, the row of its reaction (-1 for none), and how the reaction is told."""


class LinkTables(NamedTuple):
    """What becomes of a wrench on a link, in n instants."""

    links: np.ndarray
    """(n_links, LINK_WIDTH) int"""
    speeds: np.ndarray
    """(…,) int: speeds of the links one after the other"""
    twist: np.ndarray
    """(n_u, 6, n): of each speed: angular velocity, velocity of the joint point"""
    frame: np.ndarray
    """(n_links, 12, n): rotation of the reaction's axes row by row, place of its point from the joint point (m)"""
    joint: np.ndarray
    """(n_links, 3, n): joint point in ground (m)"""
    mass: np.ndarray
    """(n_links,): of the link and all that hangs on it (kg)"""
    first_moment: np.ndarray
    """(n_links, 3, n): of the same about the joint point (kg m)"""


class Written(NamedTuple):
    """Where shares of generalized forces, reaction forces and moments go."""

    generalized: np.ndarray
    """(n_u, n_columns, n_all)"""
    force: np.ndarray
    """(n_rows, 3, n_columns, n_all)"""
    moment: np.ndarray
    """(n_rows, 3, n_columns, n_all)"""


class Sums(NamedTuple):
    """What shares add up to; zeros at first."""

    generalized: np.ndarray
    """(n_u, n)"""
    force: np.ndarray
    """(n_rows, 3, n)"""
    moment: np.ndarray
    """(n_rows, 3, n)"""


@lean
def _work(screw: np.ndarray, wrench: np.ndarray, value: np.ndarray) -> None:
    """Work of a wrench on a unit of speed."""
    for f in range(WIDTH):
        turning = (
            screw[f] * wrench[f]
            + screw[WIDTH + f] * wrench[WIDTH + f]
            + screw[2 * WIDTH + f] * wrench[2 * WIDTH + f]
        )
        value[f] = turning + (
            screw[3 * WIDTH + f] * wrench[3 * WIDTH + f]
            + screw[4 * WIDTH + f] * wrench[4 * WIDTH + f]
            + screw[5 * WIDTH + f] * wrench[5 * WIDTH + f]
        )


@lean
def _keep(
    value: np.ndarray, n: int, out: np.ndarray, total: np.ndarray, most: np.ndarray, is_first: bool
) -> None:
    """Write a share, or add it to others, and to the total; note the largest."""
    something = 0
    for f in range(WIDTH):
        something |= 1 if value[f] != 0.0 else 0
    if something == 0:
        return
    if is_first:
        for f in range(n):
            out[f] = value[f]
    else:
        for f in range(n):
            out[f] += value[f]
    for f in range(n):
        total[f] += value[f]
    for f in range(WIDTH):
        most[f] = max(most[f], abs(value[f]))


@lean
def _about(offset: np.ndarray, wrench: np.ndarray) -> None:
    """Take the moment about another point, at the offset from the old one."""
    for f in range(WIDTH):
        x, y, z = offset[f], offset[WIDTH + f], offset[2 * WIDTH + f]
        a, b, c = wrench[3 * WIDTH + f], wrench[4 * WIDTH + f], wrench[5 * WIDTH + f]
        wrench[f] -= y * c - z * b
        wrench[WIDTH + f] -= z * a - x * c
        wrench[2 * WIDTH + f] -= x * b - y * a


@lean
def _turned(rotation: np.ndarray, vector: np.ndarray) -> None:
    """Components of a vector along the columns of a matrix."""
    for f in range(WIDTH):
        x, y, z = vector[f], vector[WIDTH + f], vector[2 * WIDTH + f]
        for k in range(3):
            vector[k * WIDTH + f] = (
                rotation[k * WIDTH + f] * x
                + rotation[(3 + k) * WIDTH + f] * y
                + rotation[(6 + k) * WIDTH + f] * z
            )


@lean
def _express(link: np.ndarray, frame: np.ndarray, wrench: np.ndarray) -> None:
    """Bring a wrench to the point, the side and the axes asked for."""
    # The point first: its offset is in ground axes, as the wrench is until it is turned.
    if link[HAS_OFFSET] == 1:
        _about(frame[9 * WIDTH : 12 * WIDTH], wrench)
    if link[IS_OPPOSITE] == 1:
        for f in range(6 * WIDTH):
            wrench[f] = -wrench[f]
    if link[HAS_ROTATION] == 1:
        _turned(frame[: 9 * WIDTH], wrench[: 3 * WIDTH])
        _turned(frame[: 9 * WIDTH], wrench[3 * WIDTH :])


@lean
def _move(origin: np.ndarray, joint: np.ndarray, wrench: np.ndarray) -> None:
    """Take the moment about another joint point."""
    for f in range(WIDTH):
        x = origin[f] - joint[f]
        y = origin[WIDTH + f] - joint[WIDTH + f]
        z = origin[2 * WIDTH + f] - joint[2 * WIDTH + f]
        a, b, c = wrench[3 * WIDTH + f], wrench[4 * WIDTH + f], wrench[5 * WIDTH + f]
        wrench[f] += y * c - z * b
        wrench[WIDTH + f] += z * a - x * c
        wrench[2 * WIDTH + f] += x * b - y * a


@lean
def _push(mass: float, first: np.ndarray, push: np.ndarray, wrench: np.ndarray) -> None:
    """Wrench that a mass with a first moment needs for an acceleration without turning."""
    for f in range(WIDTH):
        x, y, z = first[f], first[WIDTH + f], first[2 * WIDTH + f]
        a, b, c = push[f], push[WIDTH + f], push[2 * WIDTH + f]
        wrench[f] = y * c - z * b
        wrench[WIDTH + f] = z * a - x * c
        wrench[2 * WIDTH + f] = x * b - y * a
        wrench[3 * WIDTH + f] = mass * a
        wrench[4 * WIDTH + f] = mass * b
        wrench[5 * WIDTH + f] = mass * c


@lean
def _settle(
    wrench: np.ndarray,
    push: np.ndarray,
    share: np.ndarray,
    tables: LinkTables,
    start: int,
    pair: np.ndarray,
    own: np.ndarray,
) -> None:
    """Bring a few instants of a share, as a wrench about the joint point of its link, into lanes."""
    link, number = share[LINK], share[NUMBER]
    first, second = pair[: 3 * WIDTH], pair[3 * WIDTH :]
    if share[KIND] == PUSHED:
        load_rows(tables.first_moment[link], start, first)
        load_rows(push[number], start, second)
        _push(tables.mass[link], first, second, own)
        return
    load_rows(wrench[number], start, own)
    if share[KIND] == MOVED:
        load_rows(tables.joint[share[ORIGIN]], start, first)
        load_rows(tables.joint[link], start, second)
        _move(first, second, own)


@jit
def write_shares(
    wrench: np.ndarray,
    push: np.ndarray,
    shares: np.ndarray,
    tables: LinkTables,
    offset: int,
    written: Written,
    sums: Sums,
    largest: np.ndarray,
) -> None:
    """Write all shares of n instants.

    Parameters
    ----------
    wrench : (n_wrenches, 6, n)
        On a link by its parent: moment about the joint point (N m), force (N); ground axes.
    push : (n_accelerations, 3, n)
        m/s².
    shares : (n_shares, SHARE_WIDTH) int
    offset : int
        Where these instants begin among all in ``written``.
    written : Written
        Zeros where nothing was written.
    largest : (3,)
        Raised to the sizes of the largest shares.
    """
    n, largest_of = wrench.shape[2], np.zeros(3 * WIDTH)
    screw, frame, own, value = (
        np.empty(6 * WIDTH),
        np.empty(12 * WIDTH),
        np.empty(6 * WIDTH),
        np.empty(WIDTH),
    )
    # All instants of a share before the next one: a page of the result is written while it is at hand.
    for share in range(len(shares)):
        column, is_first, which = shares[share, COLUMN], shares[share, IS_FIRST] == 1, shares[share, LINK]
        link = tables.links[which]
        row, told = link[ROW], link[HAS_OFFSET] == 1 or link[HAS_ROTATION] == 1
        for start in range(0, n, WIDTH):
            here = min(WIDTH, n - start)
            at = offset + start
            _settle(wrench, push, shares[share], tables, start, screw, own)
            for k in range(link[FIRST_SPEED], link[END_SPEED]):
                speed = tables.speeds[k]
                load_rows(tables.twist[speed], start, screw)
                _work(screw, own, value)
                _keep(
                    value,
                    here,
                    written.generalized[speed, column, at : at + here],
                    sums.generalized[speed, start : start + here],
                    largest_of[:WIDTH],
                    is_first,
                )
            if row < 0:
                continue
            if told:
                load_rows(tables.frame[which], start, frame)
            _express(link, frame, own)
            for axis in range(3):
                _keep(
                    own[(3 + axis) * WIDTH : (4 + axis) * WIDTH],
                    here,
                    written.force[row, axis, column, at : at + here],
                    sums.force[row, axis, start : start + here],
                    largest_of[WIDTH : 2 * WIDTH],
                    is_first,
                )
                _keep(
                    own[axis * WIDTH : (axis + 1) * WIDTH],
                    here,
                    written.moment[row, axis, column, at : at + here],
                    sums.moment[row, axis, start : start + here],
                    largest_of[2 * WIDTH :],
                    is_first,
                )
    for kind in range(3):
        for f in range(WIDTH):
            largest[kind] = max(largest[kind], largest_of[kind * WIDTH + f])
