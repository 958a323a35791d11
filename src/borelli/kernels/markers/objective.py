"""The objective of one instant at one posture, with as many derivatives as are asked for."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import inner, lean
from borelli.kernels.markers.derivatives import add_gradient, add_second_derivatives
from borelli.kernels.markers.fit import (
    add_markers,
    add_orientations,
    add_plain,
    add_plain_orientations,
    clear_moments,
    gather_moments,
    marker_objective,
)
from borelli.kernels.markers.layout import Aim, Functions, Ties, Tree, Work
from borelli.kernels.markers.pose import move_coordinates, place_parts
from borelli.kernels.markers.ties import fold_matrix, fold_vector


@lean
def value_at(tree: Tree, functions: Functions, aim: Aim, q: np.ndarray, work: Work) -> float:
    """Return the objective alone; q obeys the couplers."""
    place_parts(tree, functions, q, aim.centre, work)
    total = aim.constant + marker_objective(tree, aim.carrier, aim.sums, work)
    if len(aim.sensor_carrier):
        total += add_orientations(
            tree, aim.sensor_carrier, aim.sensor_weight, aim.sensor_target, work, work.moments[:0]
        )
    return total + _tasks(aim, q)


@inner
def _tasks(aim: Aim, q: np.ndarray) -> float:
    total = 0.0
    for k in range(len(q)):
        if aim.task_weight[k] > 0.0:
            total += 0.5 * aim.task_weight[k] * (q[k] - aim.task_value[k]) ** 2
    return total


@lean
def gradient_at(tree: Tree, functions: Functions, ties: Ties, aim: Aim, q: np.ndarray, work: Work) -> float:
    """Return the objective; fill its gradient without the dependent coordinates.

    The entries of these are left as they come.
    """
    place_parts(tree, functions, q, aim.centre, work)
    move_coordinates(tree, functions, work)
    clear_moments(work)
    add_markers(tree, aim.carrier, aim.sums, work)
    total = aim.constant + marker_objective(tree, aim.carrier, aim.sums, work)
    if len(aim.sensor_carrier):
        total += add_orientations(
            tree, aim.sensor_carrier, aim.sensor_weight, aim.sensor_target, work, work.moments
        )
    gather_moments(tree, work, 0, 19)
    add_gradient(tree, work)
    for k in range(len(q)):
        if aim.task_weight[k] > 0.0:
            work.gradient[k] += aim.task_weight[k] * (q[k] - aim.task_value[k])
    fold_vector(ties, functions, work, work.gradient)
    return total + _tasks(aim, q)


@lean
def newton_at(tree: Tree, functions: Functions, ties: Ties, aim: Aim, work: Work) -> None:
    """Fill the exact second derivatives, where the gradient was taken last.

    The rows that belong to dependent coordinates are left as they come.
    """
    add_second_derivatives(tree, functions, work, work.hessian, 1.0)
    for k in range(len(work.gradient)):
        work.hessian[k, k] += aim.task_weight[k]
    fold_matrix(ties, functions, work, work.hessian, 1.0)


@lean
def gauss_newton_at(tree: Tree, functions: Functions, ties: Ties, aim: Aim, work: Work) -> None:
    """Fill the second derivatives without the misfit's curvature, where the gradient was taken last, once."""
    add_plain(tree, aim.carrier, aim.sums, work)
    add_plain_orientations(aim.sensor_carrier, aim.sensor_weight, work)
    gather_moments(tree, work, 19, 28)
    add_second_derivatives(tree, functions, work, work.gauss_newton, 0.0)
    for k in range(len(work.gradient)):
        work.gauss_newton[k, k] += aim.task_weight[k]
    fold_matrix(ties, functions, work, work.gauss_newton, 0.0)
