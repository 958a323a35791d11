"""The columns of all tables that describe a mechanism to the emitted code.

Numbers of rows point into the workspace, which holds one quantity of a block of instants a row.
"""

from __future__ import annotations

from borelli.kernels.lanes.tables.table_records import RecordType

HEADER = RecordType(
    n_steps=1,
    n_coordinates=1,
    n_speeds=1,
    q=1,
    u=1,
    udot=1,
    force=1,
    zeros=1,
    ones=1,
    ground_motion=1,
    ground_pose=1,
    ground_wrench=1,
    n_hinges=1,
    n_functions=1,
    n_polynomials=1,
    n_balls=1,
    n_arcs=1,
    n_uncoupled=1,
    n_couplings=1,
)
STEP = RecordType(chain=1, node=1)
"""What a pass visits at a time: the code of a chain and its first node; the others follow."""
NODE = RecordType(
    root_origin=1,
    motion=1,
    parent_motion=1,
    pose=1,
    parent_pose=1,
    wrench=1,
    parent_wrench=1,
    turn=1,
    turn_rate=3,
    turn_acceleration=3,
    turn_force=3,
    shift=3,
    shift_rate=3,
    shift_acceleration=3,
    shift_force=3,
)
"""A node; ``root_origin``: the three rows where the root of a tree leaves its place in ground, -1 for other nodes."""
HINGES = RecordType(angle=1, turn=1, node=1)
FUNCTION = RecordType(code=1, intervals=1, data=1, x=1, u=1, udot=1, value=1, rate=1, acceleration=1, slope=1)
"""A function of one coordinate; ``code`` is one of DEGREES or SINE, ``data`` where its constants begin."""
POLYNOMIAL = RecordType(target=1, first=1, last=1)
"""A sum of monomials of several coordinates: three rows for value, rate and acceleration."""
MONOMIAL = RecordType(coefficient=1, first=1, last=1)
"""A coefficient (its place in the data of the functions) and the factors to multiply it by."""
FACTOR = RecordType(x=1, u=1, udot=1)
BALLS = RecordType(kind=1, q=4, u=3, udot=3, turn=1, rate=1, acceleration=1, shift=1, shift_slope=1)
ON_ANGLES, ON_QUATERNION, ON_ELLIPSOID = 0, 1, 2
"""Kinds of balls: those on an ellipsoid turn by angles."""
ARC = RecordType(q=2, u=2, udot=2, shift=1, slope=1, data=1)
"""A segment that bends: nine rows of its end's place, rate and acceleration, six of slopes (by a, then by b).

Its constants are two neutral angles, its length, and the coefficients of the two functions.
"""
COUPLING = RecordType(source=1, slope=1, target=1)

WANTED = RecordType(first=1, second=1)
"""For each node, the rows that receive the two parts of what is asked about it; -1 for nothing."""
LOADED = RecordType(pose=1, wrench=1, rows=1)
"""A node under a load, and the nine rows of force, point and moment."""
LOADED_LINK = RecordType(root_origin=1, first_pair=1, last_pair=1, rows=1)
"""The same of a link, with the speeds that carry it."""

NO_ROW = -1
"""In place of a row that nobody needs."""

DEGREES = (1, 3, 5, 9)
"""Polynomial degrees that have code of their own; a function is padded to the next one."""
SINE = 0
"""Code of a sine; its constants are amplitude, frequency, phase and offset."""
