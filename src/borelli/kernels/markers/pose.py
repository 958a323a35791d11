"""Poses of all parts, and how each coordinate moves what it carries."""

from __future__ import annotations

import math

import numpy as np

from borelli.kernels.jit import inner
from borelli.kernels.markers.functions import evaluate_functions
from borelli.kernels.markers.layout import Functions, Tree, Work


@inner
def place_parts(tree: Tree, functions: Functions, q: np.ndarray, centre: np.ndarray, work: Work) -> None:
    """Fill poses and screws, seen from a point ``centre`` of the ground (m): near the body digits are not lost."""
    n_freedoms = len(tree.shift_axis)
    evaluate_functions(functions, 0, n_freedoms, q, work)
    turned, origin, screw = work.turned, work.origin, work.screw
    for s in range(len(tree.parent)):
        parent = tree.parent[s]
        x, y, z = tree.offset[s, 0], tree.offset[s, 1], tree.offset[s, 2]
        first = tree.first_shift[s]
        for e in range(first, first + tree.n_shifts[s]):
            x += tree.shift_axis[e, 0] * work.value[e]
            y += tree.shift_axis[e, 1] * work.value[e]
            z += tree.shift_axis[e, 2] * work.value[e]
        if parent < 0:
            for i in range(3):
                for j in range(3):
                    turned[s, i, j] = tree.rotation[s, i, j]
            origin[s, 0], origin[s, 1], origin[s, 2] = x - centre[0], y - centre[1], z - centre[2]
            for e in range(first, first + tree.n_shifts[s]):
                for i in range(3):
                    screw[e, i], screw[e, 3 + i] = 0.0, tree.shift_axis[e, i]
        else:
            for i in range(3):
                a, b, c = turned[parent, i, 0], turned[parent, i, 1], turned[parent, i, 2]
                origin[s, i] = origin[parent, i] + a * x + b * y + c * z
                for j in range(3):
                    turned[s, i, j] = (
                        a * tree.rotation[s, 0, j] + b * tree.rotation[s, 1, j] + c * tree.rotation[s, 2, j]
                    )
                for e in range(first, first + tree.n_shifts[s]):
                    screw[e, i] = 0.0
                    screw[e, 3 + i] = (
                        a * tree.shift_axis[e, 0] + b * tree.shift_axis[e, 1] + c * tree.shift_axis[e, 2]
                    )
        if tree.turn_axis[s] >= 0:
            _turn(tree, s, work)


@inner
def _turn(tree: Tree, s: int, work: Work) -> None:
    """Turn the axes of a step about one of them, and note the screw of this freedom."""
    e, axis, turned, screw = tree.turn[s], tree.turn_axis[s], work.turned, work.screw
    sine, cosine = math.sin(work.value[e]), math.cos(work.value[e])
    one, two = (axis + 1) % 3, (axis + 2) % 3
    for i in range(3):
        a, b = turned[s, i, one], turned[s, i, two]
        turned[s, i, one] = cosine * a + sine * b
        turned[s, i, two] = cosine * b - sine * a
        screw[e, i] = turned[s, i, axis]
    x, y, z = work.origin[s, 0], work.origin[s, 1], work.origin[s, 2]
    screw[e, 3] = y * screw[e, 2] - z * screw[e, 1]
    screw[e, 4] = z * screw[e, 0] - x * screw[e, 2]
    screw[e, 5] = x * screw[e, 1] - y * screw[e, 0]


@inner
def move_coordinates(tree: Tree, functions: Functions, work: Work) -> None:
    """Fill the twists of all coordinates from the screws of the freedoms that they drive."""
    for k in range(len(work.twist)):
        for i in range(6):
            work.twist[k, i] = 0.0
    for e in range(len(tree.shift_axis)):
        for a in range(functions.n_arguments[e]):
            k, slope = functions.arguments[e, a], work.slope[e, a]
            for i in range(6):
                work.twist[k, i] += slope * work.screw[e, i]
