"""What the fit of a posture reads: a tree of joints, functions of coordinates, constraints; and its scratch memory.

Coordinates are in *tree order*: those of a joint next to each other, after those of the joints that carry it. A
*joint* here is a mobilizer: the motions between two rigid parts. Its motions, *freedoms*, are turns about and
shifts along axes, each a function of the joint's coordinates.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from borelli.kernels.own_lines import on_own_lines

MOST_ARGUMENTS = 6
"""Coordinates that one function may depend on: a joint has no more."""

LINEAR, PIECEWISE, SINE, POLYNOMIAL, ROLL_X, ROLL_Y, ROLL_Z, ARC_X, ARC_Y, ARC_Z = range(10)
"""Kinds of functions; ROLL: components of a point that rolls over an ellipsoid; ARC: of the end of a bent segment."""

FREE, FIXED, DEPENDENT = range(3)
"""What becomes of a coordinate: it is sought, known in advance, or follows from others."""

COORDINATE, POINT, WELD, LINE, DISTANCE, PLANE = range(6)
"""Kinds of constraints that are not solved for one coordinate."""
ROWS_OF = (1, 3, 6, 2, 1, 1)
"""Equations of each kind."""


class Functions(NamedTuple):
    """Functions of coordinates; their constants lie one after the other in ``data``."""

    kind: np.ndarray
    """(n,) int"""
    n_arguments: np.ndarray
    """(n,) int"""
    arguments: np.ndarray
    """(n, MOST_ARGUMENTS) int: coordinates"""
    start: np.ndarray
    """(n,) int: where the constants begin"""
    data: np.ndarray


class Tree(NamedTuple):
    """Joints, from the ground outwards, and what they are made of."""

    parent: np.ndarray
    """(n_steps,) int: step from which each one starts; -1 for the ground"""
    offset: np.ndarray
    """(n_steps, 3) m, in the axes of the parent step"""
    rotation: np.ndarray
    """(n_steps, 3, 3): constant rotation after the offset"""
    turn_axis: np.ndarray
    """(n_steps,) int: own axis of the turn, 0 to 2; -1 for none"""
    turn: np.ndarray
    """(n_steps,) int: freedom of the turn"""
    first_shift: np.ndarray
    """(n_steps,) int: first freedom that shifts"""
    n_shifts: np.ndarray
    """(n_steps,) int"""
    shift_axis: np.ndarray
    """(n_freedoms, 3): in the axes of the parent step"""
    joint_freedoms: np.ndarray
    """(n_joints, 2) int: first freedom, and one past the last; the function of a freedom has its number"""
    joint_coordinates: np.ndarray
    """(n_joints, 2) int: first coordinate, and one past the last"""
    joint_step: np.ndarray
    """(n_joints,) int: step whose axes the carried part has"""
    joint_parent: np.ndarray
    """(n_joints,) int: joint that carries it; -1 for none"""


class Ties(NamedTuple):
    """What the coordinates owe each other."""

    role: np.ndarray
    """(n_q,) int: FREE, FIXED or DEPENDENT"""
    dependent: np.ndarray
    """(n_dependent,) int: coordinates, each after those it follows from"""
    dependent_function: np.ndarray
    """(n_dependent,) int: their functions"""
    dependent_scale: np.ndarray
    """(n_dependent,)"""
    low: np.ndarray
    """(n_q,) lower bounds, -inf for none"""
    high: np.ndarray
    """(n_q,)"""
    kind: np.ndarray
    """(n_constraints,) int: constraints that close loops"""
    first: np.ndarray
    """(n_constraints,) int: joint whose part holds the first point, -1 for the ground; of COORDINATE: the coordinate"""
    second: np.ndarray
    """(n_constraints,) int: the same of the second; of COORDINATE: the function"""
    points: np.ndarray
    """(n_constraints, 2, 3) m: points in these parts; of COORDINATE the first number is the scale"""
    axes: np.ndarray
    """(n_constraints, 2, 3, 3): WELD: axes of the two frames as rows; LINE, PLANE: normals as first rows"""
    size: np.ndarray
    """(n_constraints,) m: DISTANCE; of PLANE the height above it"""


class Aim(NamedTuple):
    """What one instant asks for; weights add up to one."""

    centre: np.ndarray
    """(3,) m: point of the ground from which everything is seen, near the markers"""
    carrier: np.ndarray
    """(n_parts,) int: joint that carries each part with markers"""
    sums: np.ndarray
    """(n_parts, N_SUMS): see fit.py"""
    constant: float
    """Σ w |m|² / 2"""
    sensor_carrier: np.ndarray
    """(n_sensors,) int"""
    sensor_weight: np.ndarray
    """(n_sensors,)"""
    sensor_target: np.ndarray
    """(n_sensors, 3, 3): axes that the carrying part should have"""
    task_weight: np.ndarray
    """(n_q,): zero for none"""
    task_value: np.ndarray
    """(n_q,)"""


class Work(NamedTuple):
    """Scratch memory for one instant; see :func:`workspace`."""

    value: np.ndarray
    """(n_functions,)"""
    slope: np.ndarray
    """(n_functions, MOST_ARGUMENTS)"""
    curve: np.ndarray
    """(n_functions, MOST_ARGUMENTS, MOST_ARGUMENTS)"""
    turned: np.ndarray
    """(n_steps, 3, 3): axes of each step in ground"""
    origin: np.ndarray
    """(n_steps, 3)"""
    screw: np.ndarray
    """(n_freedoms, 6): angular velocity, and velocity of the point at the origin, per unit of rate"""
    twist: np.ndarray
    """(n_q, 6): the same of each coordinate"""
    moments: np.ndarray
    """(n_joints, 28): see fit.py"""
    gradient: np.ndarray
    """(n_q,)"""
    hessian: np.ndarray
    """(n_q, n_q)"""
    gauss_newton: np.ndarray
    """(n_q, n_q)"""
    factor: np.ndarray
    """(n_q, n_q)"""
    step: np.ndarray
    """(n_q,)"""
    tried: np.ndarray
    """(n_q,)"""
    state: np.ndarray
    """(n_q,) int: see active_set.py"""
    rows: np.ndarray
    """(n_rows, n_q): Jacobian of the constraints"""
    error: np.ndarray
    """(n_rows,)"""
    multiplier: np.ndarray
    """(n_rows,)"""
    scratch: np.ndarray
    """(n_rows + 4, at least n_q): the last three rows are for points and directions"""
    square: np.ndarray
    """(n_rows, n_rows)"""
    column: np.ndarray
    """(n_rows,)"""
    bent: np.ndarray
    """(n_q, n_q): curvature of the constraints times their multipliers"""


def workspace(tree: Tree, functions: Functions, ties: Ties) -> Work:
    """Return scratch memory for a tree and its constraints."""
    n_f, n_q, n_s = len(functions.kind), len(ties.role), len(tree.parent)
    n_r = sum(ROWS_OF[kind] for kind in ties.kind)
    shapes = {
        "value": (n_f,),
        "slope": (n_f, MOST_ARGUMENTS),
        "curve": (n_f, MOST_ARGUMENTS, MOST_ARGUMENTS),
        "turned": (n_s, 3, 3),
        "origin": (n_s, 3),
        "screw": (len(tree.shift_axis), 6),
        "twist": (n_q, 6),
        "moments": (len(tree.joint_step), 28),
        "gradient": (n_q,),
        "hessian": (n_q, n_q),
        "gauss_newton": (n_q, n_q),
        "factor": (n_q, n_q),
        "step": (n_q,),
        "tried": (n_q,),
        "rows": (n_r, n_q),
        "error": (n_r,),
        "multiplier": (n_r,),
        "scratch": (n_r + 4, max(n_q, 3)),
        "square": (n_r, n_r),
        "column": (n_r,),
        "bent": (n_q, n_q),
    }
    scratch = {name: np.zeros(shape) for name, shape in shapes.items()}
    return on_own_lines(Work(state=np.zeros(n_q, dtype=np.int64), **scratch))
