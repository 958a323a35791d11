"""Coordinates that follow from others: their values, and derivatives without them."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import inner, lean
from borelli.kernels.markers.functions import evaluate_functions
from borelli.kernels.markers.layout import Functions, Ties, Work


@lean
def follow(ties: Ties, functions: Functions, q: np.ndarray, work: Work) -> None:
    """Give every dependent coordinate its value."""
    for index in range(len(ties.dependent)):
        f = ties.dependent_function[index]
        evaluate_functions(functions, f, f + 1, q, work)
        q[ties.dependent[index]] = ties.dependent_scale[index] * work.value[f]


@inner
def fold_vector(ties: Ties, functions: Functions, work: Work, vector: np.ndarray) -> None:
    """Carry derivatives by dependent coordinates over to those that they follow from."""
    for index in range(len(ties.dependent) - 1, -1, -1):
        d, f = ties.dependent[index], ties.dependent_function[index]
        for a in range(functions.n_arguments[f]):
            vector[functions.arguments[f, a]] += ties.dependent_scale[index] * work.slope[f, a] * vector[d]


@inner
def fold_matrix(ties: Ties, functions: Functions, work: Work, matrix: np.ndarray, curvature: float) -> None:
    """Do the same with second derivatives, of which the lower triangle is given; the gradient is folded already.

    Parameters
    ----------
    curvature : float
        1 if the curvature of the couplers counts, as in exact second derivatives; else 0.
    """
    n, gradient = len(matrix), work.gradient
    if not len(ties.dependent):
        return
    for k in range(n):
        for i in range(k):
            matrix[i, k] = matrix[k, i]
    for index in range(len(ties.dependent) - 1, -1, -1):
        d, f, scale = ties.dependent[index], ties.dependent_function[index], ties.dependent_scale[index]
        for a in range(functions.n_arguments[f]):
            k, slope = functions.arguments[f, a], scale * work.slope[f, a]
            for i in range(n):
                matrix[k, i] += slope * matrix[d, i]
        for a in range(functions.n_arguments[f]):
            k, slope = functions.arguments[f, a], scale * work.slope[f, a]
            for i in range(n):
                matrix[i, k] += slope * matrix[i, d]
        if curvature > 0.0:
            for a in range(functions.n_arguments[f]):
                for b in range(functions.n_arguments[f]):
                    k, i = functions.arguments[f, a], functions.arguments[f, b]
                    matrix[k, i] += gradient[d] * scale * work.curve[f, a, b]
