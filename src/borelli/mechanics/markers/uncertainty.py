"""How sharply markers determine the coordinates, and what their noise does to them.

The posture q is where the gradient of the objective vanishes. Noise of the measured places moves it by
dq = H⁻¹ Σ w̄ Jᵀ dm, with H the exact second derivatives along the constraints, J the Jacobian of a marker and w̄ its
share of the weights; so noise of one standard deviation σ in every coordinate of every marker gives q the covariance
σ² H⁻¹ (Σ w̄² JᵀJ) H⁻¹. The inner sum is a matrix of Gauss and Newton with the squares of the shares for weights.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from borelli.kernels.markers.hessians import second_derivatives
from borelli.kernels.markers.layout import DEPENDENT
from borelli.kernels.markers.track import Recording
from borelli.mechanics.markers.problem import PostureProblem
from borelli.mechanics.markers.targets import instants
from borelli.records import dataclass

_RANK = 1e-9
"""Singular values of the loops below this part of the largest belong to redundant equations."""


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """What unit noise does, in n instants; coordinates in tree order.

    Parameters
    ----------
    covariance : (n, n_q, n_q) float
        Of the coordinates, for noise of one metre in every coordinate of every marker; zero for those that are held by
        bounds, locks or for lack of markers.
    singular_value : (n, n_q) float
        Of the weighted Jacobian of the markers along the free directions, descending, NaN beyond their number: root of
        the mean square that markers move by for a unit change of the coordinates in such a direction (m).
    """

    covariance: np.ndarray
    singular_value: np.ndarray


def reach_of_gradients(
    problem: PostureProblem, recording: Recording, q: np.ndarray, unseen: np.ndarray, gradient: float
) -> np.ndarray:
    """Return how postures move with a gradient that is left, to first order, (n, n_q, n_q).

    A solver that stops where no component of the gradient is larger than g is off by at most the sum over a row, of
    absolute values, times g, as long as that is well below a half turn. Coordinates at a bound that holds them with
    less than g count as free: such a solver need not be there.

    Parameters
    ----------
    q : (n, n_q) float
        Optima.
    unseen : (n, n_q) bool
    gradient : float
        g (m²/rad).
    """
    n, n_q = q.shape
    scratch = problem.scratch()
    exact, plain, pull = np.zeros((n, n_q, n_q)), np.zeros((n, n_q, n_q)), np.zeros((n, n_q))
    rows = np.zeros((n, *scratch.rows.shape))
    tables = (problem.tree, problem.functions, problem.ties)
    for t in range(n):
        # One at a time: the gradient of each stays in the scratch memory.
        one = slice(t, t + 1)
        second_derivatives(
            *tables, instants(recording, one), q[one], exact[one], plain[one], rows[one], scratch
        )
        pull[t] = scratch.gradient + scratch.multiplier @ rows[t]
    exact = _whole(exact)
    held = ((q <= problem.ties.low) | (q >= problem.ties.high)) & (np.abs(pull) > gradient)
    free = problem.free & ~unseen & ~held
    reach = np.zeros((n, n_q, n_q))
    for which, chosen, basis in _patterns(free, rows):
        grid = np.ix_(which, chosen, chosen)
        across = np.swapaxes(basis, 1, 2)
        # Beyond a half turn second derivatives tell nothing: what would go further is held as by a spring.
        spring = gradient / np.pi * np.eye(len(chosen))
        inverse = np.linalg.pinv(across @ (exact[grid] + spring) @ basis, hermitian=True)
        reach[grid] = basis @ inverse @ across
    follow = _following(problem, q)
    return follow @ reach


def uncertainty(
    problem: PostureProblem, recording: Recording, noise: Recording, q: np.ndarray, unseen: np.ndarray
) -> Uncertainty:
    """Return it for solved instants.

    Parameters
    ----------
    noise : Recording
        The same instants with the squares of the shares for weights, and nothing but markers.
    q : (n, n_q) float
    unseen : (n, n_q) bool
    """
    n, n_q = q.shape
    scratch = problem.scratch()
    exact, plain, inside, unused = (np.zeros((n, n_q, n_q)) for _ in range(4))
    rows = np.zeros((n, *scratch.rows.shape))
    tables = (problem.tree, problem.functions, problem.ties)
    second_derivatives(*tables, recording, q, exact, plain, rows, scratch)
    second_derivatives(*tables, noise, q, unused, inside, rows.copy(), scratch)
    exact, plain, inside = (_whole(matrix) for matrix in (exact, plain, inside))
    low, high = problem.ties.low, problem.ties.high
    free = problem.free & ~unseen & (q > low) & (q < high)
    covariance, singular = np.zeros((n, n_q, n_q)), np.full((n, n_q), np.nan)
    for which, chosen, basis in _patterns(free, rows):
        grid = np.ix_(which, chosen, chosen)
        h, b, g = (np.swapaxes(basis, 1, 2) @ matrix[grid] @ basis for matrix in (exact, inside, plain))
        answer = (
            basis @ np.linalg.solve(h, np.swapaxes(np.linalg.solve(h, b), 1, 2)) @ np.swapaxes(basis, 1, 2)
        )
        covariance[grid] = 0.5 * (answer + np.swapaxes(answer, 1, 2))
        size = np.linalg.eigvalsh(g)[:, ::-1]
        singular[which, : size.shape[1]] = np.sqrt(np.maximum(size, 0.0))
    follow = _following(problem, q)
    return Uncertainty(follow @ covariance @ np.swapaxes(follow, 1, 2), singular)


def _patterns(free: np.ndarray, rows: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield instants with the same free coordinates, these, and a basis of what the loops leave of them."""
    for pattern in np.unique(free, axis=0):
        which = np.flatnonzero((free == pattern).all(axis=1))
        chosen = np.flatnonzero(pattern)
        yield which, chosen, _tangents(rows[which][:, :, chosen])


def _whole(lower: np.ndarray) -> np.ndarray:
    """Return symmetric matrices of which the lower triangles are given."""
    below = np.tril(lower)
    return below + np.swapaxes(np.tril(lower, -1), 1, 2)


def _tangents(rows: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis of the directions that the loops leave free, (n, n_chosen, n_left).

    Parameters
    ----------
    rows : (n, n_rows, n_chosen) float
    """
    n, n_rows, width = rows.shape
    if not n_rows:
        return np.broadcast_to(np.eye(width), (n, width, width))
    _, size, right = np.linalg.svd(rows)
    # The number of independent equations is the same in all instants, but for singular postures.
    rank = int(np.median((size > _RANK * size.max(axis=1, keepdims=True)).sum(axis=1)))
    return np.swapaxes(right[:, rank:], 1, 2)


def _following(problem: PostureProblem, q: np.ndarray) -> np.ndarray:
    """Change of all coordinates with the free ones, (n, n_q, n_q): dependent coordinates follow theirs."""
    n, n_q = q.shape
    model_q = np.empty_like(q)
    model_q[:, problem.order] = q
    follow = np.tile(np.eye(n_q), (n, 1, 1))
    rows = {
        int(problem.place[row.coordinate]): row for row in (*problem.system.driven, *problem.system.mixed)
    }
    for d in problem.ties.dependent:
        assert problem.ties.role[d] == DEPENDENT
        row = rows[int(d)]
        values = [model_q[:, k] for k in row.arguments]
        follow[:, d] = 0.0
        for index, argument in enumerate(row.arguments):
            slope = row.scale * row.function.derivative(*values, by=index)
            follow[:, d] += slope[:, None] * follow[:, problem.place[argument]]
    return follow
