"""M x = b solved by articulated bodies, against the dense matrix and against the recursion of wrenches."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from borelli.errors import InvalidValueError, ShapeError, UnsolvableError
from tests.random_trees import ALL, random_model, random_motion


@pytest.fixture(scope="module")
def tree() -> tuple[bo.Model, bo.Motion]:
    model = random_model(5, 6, ALL)
    return model, random_motion(model, 6, n_times=7)


def test_the_solution_is_that_of_the_dense_matrix(tree) -> None:
    model, motion = tree
    b = np.random.default_rng(1).normal(size=(motion.n_times, len(model.speed_names), 3))
    x = bo.mass_matrix_solve(model, motion, b)
    assert x.dims == ("time", "coordinate", "column")
    dense = np.linalg.solve(bo.mass_matrix(model, motion).values, b)
    # Condition numbers of such trees reach 1e4: eleven digits are left.
    np.testing.assert_allclose(x.values, dense, rtol=0, atol=1e-10 * np.abs(dense).max())
    one = bo.mass_matrix_solve(model, motion, b[:, :, 1])
    np.testing.assert_array_equal(one.values, x.values[:, :, 1])


def test_weight_and_speed_have_no_part_in_it(tree) -> None:
    """Forward dynamics, the negative control, has both against the same forces."""
    model, motion = tree
    b = np.random.default_rng(2).normal(size=(motion.n_times, len(model.speed_names)))
    x = bo.mass_matrix_solve(model, motion, b).values
    faster = dataclasses.replace(motion, u=3.0 * motion.u)
    np.testing.assert_array_equal(bo.mass_matrix_solve(model, faster, b).values, x)
    np.testing.assert_array_equal(bo.mass_matrix_solve(model, motion, b, threads=2).values, x)
    assert np.abs(bo.forward_dynamics(model, motion, b)["acceleration"].values - x).max() > 0.1


def test_what_cannot_be_solved_is_refused(tree) -> None:
    model, motion = tree
    n = len(model.speed_names)
    with pytest.raises(ShapeError, match=rf"right_hand_side needs the shape \({motion.n_times}, {n}\)"):
        bo.mass_matrix_solve(model, motion, np.zeros((motion.n_times, n + 1)))
    gap = np.zeros((motion.n_times, n))
    gap[2, 1] = np.nan
    with pytest.raises(InvalidValueError, match=r"right_hand_side is nan at (.|\n)*instant 2"):
        bo.mass_matrix_solve(model, motion, gap)
    joint = bm.PinJoint(name="hinge", parent="ground", child="light", coordinates=(bm.Coordinate("turn"),))
    light = bo.Model(bodies=(bm.Body("light", 0.0),), joints=(joint,))
    with pytest.raises(UnsolvableError, match="joint 'hinge' carries no mass"):
        bo.mass_matrix_solve(light, bo.Motion([0.0], ["turn"], [[0.0]]), np.zeros((1, 1)))
