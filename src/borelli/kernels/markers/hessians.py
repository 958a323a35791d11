"""Second derivatives at the postures found: how sharply each coordinate is determined."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import jit
from borelli.kernels.markers.closing import bend, rows_at
from borelli.kernels.markers.layout import Functions, Ties, Tree, Work
from borelli.kernels.markers.objective import gauss_newton_at, gradient_at, newton_at
from borelli.kernels.markers.solve import residual, start
from borelli.kernels.markers.track import Recording, aim_at


@jit
def second_derivatives(
    tree: Tree,
    functions: Functions,
    ties: Ties,
    recording: Recording,
    postures: np.ndarray,
    exact: np.ndarray,
    plain: np.ndarray,
    rows: np.ndarray,
    work: Work,
) -> None:
    """Fill second derivatives by all coordinates but the dependent ones, and the Jacobian of the loops.

    Parameters
    ----------
    postures : (n, n_q) float
    exact, plain : (n, n_q, n_q) float
        With the curvature of misfit and loops, and those of Gauss and Newton; their lower triangles.
    rows : (n, n_rows, n_q) float
    """
    q = np.zeros(postures.shape[1])
    for t in range(len(postures)):
        q[:] = postures[t]
        aim = aim_at(recording, t)
        start(ties, functions, q, work)
        if len(work.rows):
            rows_at(tree, functions, ties, q, aim.centre, work)
            gradient_at(tree, functions, ties, aim, q, work)
            residual(ties, q, work)
            rows[t] = work.rows
            bend(tree, functions, ties, aim, q, work)
        gradient_at(tree, functions, ties, aim, q, work)
        newton_at(tree, functions, ties, aim, work)
        exact[t] = work.hessian
        if len(work.rows):
            # Row by row: whole matrices are left to Numba, which compiles this kernel seven times as long.
            for row in range(len(work.bent)):
                exact[t, row] += work.bent[row]
        gauss_newton_at(tree, functions, ties, aim, work)
        plain[t] = work.gauss_newton
