"""Points that move with coordinates: the functions themselves, and differences of places, tell the same."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.kernels.jit import starting_with
from borelli.kernels.paths.moving_points import (
    MovingTables,
    add_work_of_guides,
    place_moving_points,
    work_of_guides,
)
from borelli.model.functions.tabulated import NaturalCubicSpline, PiecewiseLinear

SPLINE = NaturalCubicSpline((0.0, 0.3, 0.7, 1.5), (0.1, -0.2, 0.4, 0.3))
LINES = PiecewiseLinear((-0.5, 0.2, 1.1), (0.3, 0.1, 0.6))
CONSTANT = 0.07


def tables(rng: np.random.Generator) -> MovingTables:
    """One point: a spline of coordinate 1, lines of coordinate 0, and a component that stays."""
    functions = [SPLINE.as_piecewise_polynomials(), LINES.as_piecewise_polynomials()]
    ends = np.cumsum([0, *(pieces.n_pieces for pieces in functions), 1])
    rows = [np.pad(p.coefficients, ((0, 0), (0, 3 - p.degree))) for p in functions]
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return MovingTables(
        np.array([[1, 0, -1]]),
        np.stack([ends[:-1], ends[1:]], axis=1)[None],
        np.concatenate([np.append(p.breaks, np.inf) for p in functions] + [[np.inf]]),
        np.concatenate([p.origins for p in functions] + [[0.0]]),
        np.concatenate([*rows, [[CONSTANT, 0.0, 0.0, 0.0]]]),
        turn[None],
        rng.normal(size=(1, 3)),
        np.array([1]),
        np.array([[0, 4, 1, 0, 0], [0, 2, 0, 1, 0]]),
    )


def placed(table: MovingTables, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    shape = (1, 3, len(q))
    place, velocity = np.empty(shape), np.empty((2, 3, len(q)))
    place_moving_points(table, q, np.empty(shape), np.zeros(shape), place, velocity)
    return place[0], velocity


def test_components_are_those_of_the_functions_behind_them():
    rng = np.random.default_rng(0)
    table = tables(rng)
    # Back and forth, on the breaks, and beyond both ends.
    x = np.concatenate([rng.uniform(-1.0, 3.0, 50), [0.0, 1.5, 0.3, 0.7, -0.5, 0.2, 1.1, -5.0, 9.0]])
    q = np.stack([x[::-1], x], axis=1)
    place, velocity = placed(table, q)
    components = np.stack([SPLINE.value(q[:, 1]), LINES.value(q[:, 0]), np.full(len(q), CONSTANT)])
    # The same polynomials by the same scheme: rounding alone, of values up to a hundred.
    np.testing.assert_allclose(
        place, table.shift[0][:, None] + table.turn[0] @ components, rtol=1e-13, atol=1e-13
    )
    slopes = [SPLINE.derivative(q[:, 1]), LINES.derivative(q[:, 0])]
    for guide, slope in enumerate(slopes):
        expected = table.turn[0][:, guide, None] * slope
        np.testing.assert_allclose(velocity[guide], expected, rtol=1e-13, atol=1e-13)


def test_velocities_are_differences_of_places():
    rng = np.random.default_rng(1)
    table, q, step = tables(rng), rng.uniform(0.35, 0.65, (20, 2)), 1e-6
    velocity = placed(table, q)[1]
    for guide, coordinate in enumerate((1, 0)):
        ahead, behind = q.copy(), q.copy()
        ahead[:, coordinate] += step
        behind[:, coordinate] -= step
        slope = (placed(table, ahead)[0] - placed(table, behind)[0]) / (2.0 * step)
        # Round-off of places of a metre, over the step.
        np.testing.assert_allclose(velocity[guide], slope, atol=1e-9)


def test_work_of_guides_is_force_times_velocity_in_ground():
    rng = np.random.default_rng(2)
    n = 7
    pose, force, velocity = (
        rng.normal(size=(2, 12, n)),
        rng.normal(size=(3, 3, n)),
        rng.normal(size=(2, 3, n)),
    )
    point, node, work = np.array([2, 0]), np.array([1, 0, 1]), np.empty((2, n))
    work_of_guides(point, node, pose, force, velocity, work, 0)
    for guide, p in enumerate(point):
        turn = pose[node[p], :9].reshape(3, 3, n)
        expected = np.einsum("in,ijn,jn->n", force[p], turn, velocity[guide])
        np.testing.assert_allclose(work[guide], expected, atol=1e-14)


@pytest.mark.parametrize("bad", [None, np.nan, 1e13])
def test_work_of_guides_is_added_where_it_belongs_and_looked_at(bad: float | None) -> None:
    rng = np.random.default_rng(3)
    n_all, offset, n, n_paths, n_u, at = 11, 4, 5, 3, 4, 2
    here = slice(offset, offset + n)
    point, of_guide, node = np.array([1, 0]), np.array([[2, 1], [0, 3]]), np.array([1, 0])
    pose, moving_force, velocity = (rng.normal(size=(2, k, n)) for k in (12, 3, 3))
    if bad is not None:
        velocity[1, :, n - 1] = bad
    work = np.empty((2, n))
    work_of_guides(point, node, pose, moving_force, velocity, work, 0)
    u, speed, force = (rng.normal(size=(n_all, width)) for width in (n_u, n_paths, n_paths * n_u))
    force = force.reshape(n_all, n_paths, n_u)
    expected_force, expected_speed = force.copy(), speed.copy()
    for (path, driver), done in zip(of_guide, work, strict=True):
        expected_force[here, path, driver] += done
        expected_speed[here, path] -= done * u[here, driver]
    strides = tuple(force.strides[axis] // 8 for axis in (1, 2, 0))
    kept = np.full((2, n + at + 1), 7.0)
    add = starting_with(add_work_of_guides, node, u, speed, force.reshape(-1), strides, 1e12)
    near = add(point, of_guide, pose, moving_force, velocity, offset, kept, at)
    np.testing.assert_array_equal(kept[:, at : at + n], work)
    # Other blocks write there, in other threads.
    assert (kept[:, :at] == 7.0).all()
    assert (kept[:, at + n :] == 7.0).all()
    assert near == (bad is None)
    np.testing.assert_allclose(force, expected_force, rtol=1e-13, equal_nan=True)
    np.testing.assert_allclose(speed, expected_speed, rtol=1e-13, equal_nan=True)
