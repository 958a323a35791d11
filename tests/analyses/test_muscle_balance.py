"""What the motion demands, what muscles deliver of it, and what is missing."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.analyses.muscles.muscle_balance import muscle_balance
from tests.analyses.muscle_arms import arm, curl


@pytest.fixture(scope="module")
def pulls():
    model, motion = arm(), curl()
    rng = np.random.default_rng(4)
    return model, motion, {name: rng.uniform(10.0, 90.0, motion.n_times) for name in model.muscle_names}


def test_part_of_a_muscle_is_its_moment_arm_times_its_tension(pulls):
    model, motion, tensions = pulls
    found, arms = muscle_balance(model, motion, tensions=tensions), bo.moment_arms(model, motion)
    for name, tension in tensions.items():
        expected = arms.sel(path=name).values * tension[:, None]
        # The same products in another order.
        np.testing.assert_allclose(
            found["muscle_moment"].sel(source=f"muscle:{name}"), expected, rtol=1e-12, atol=1e-13
        )


def test_demand_is_inverse_dynamics_and_the_three_curves_add_up(pulls):
    model, motion, tensions = pulls
    found = muscle_balance(model, motion, tensions=tensions)
    net = bo.inverse_dynamics(model, motion)["generalized_force"]
    np.testing.assert_array_equal(found["demanded_moment"], net)
    total = found["muscle_moment"].sum("source")
    np.testing.assert_allclose(found["total_muscle_moment"], total, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(found["missing_moment"], net - total, rtol=1e-12, atol=1e-12)


def test_what_shared_muscles_miss_is_what_reserves_bear():
    model, motion = arm(), curl()
    shared = bo.muscle_forces(model, motion, reserves=5.0)
    found = muscle_balance(model, motion, tensions=shared)
    assert float(abs(shared["reserve"]).max()) > 1e-4  # something is left to compare
    np.testing.assert_allclose(
        found["missing_moment"], shared["reserve"], atol=1e-9
    )  # the solver's own tolerance


def test_a_spring_bears_its_part_before_muscles_do():
    from borelli import model as bm

    spring = bm.CoordinateSpring(name="cuff", coordinate="elbow", stiffness=4.0, rest=0.2)
    model, motion = arm(forces=[spring]), curl()
    shared = bo.muscle_forces(model, motion, reserves=5.0)
    found = muscle_balance(model, motion, tensions=shared)
    net = bo.inverse_dynamics(model, motion)["generalized_force"].sel(coordinate="elbow").values
    pull = -4.0 * (motion.q[:, list(motion.coordinates).index("elbow")] - 0.2)
    np.testing.assert_allclose(found["demanded_moment"].sel(coordinate="elbow"), net - pull, atol=1e-12)
    np.testing.assert_allclose(
        found["missing_moment"], shared["reserve"], atol=1e-9
    )  # the solver's own tolerance
    without = muscle_balance(model, motion, tensions=shared, passive=False)
    np.testing.assert_allclose(without["demanded_moment"].sel(coordinate="elbow"), net, atol=1e-12)


def test_a_driven_coordinate_has_nothing_to_balance_and_counts_for_its_driver(pulls):
    from borelli import model as bm

    _, motion, tensions = pulls
    # The elbow turns half as far as the shoulder.
    follow = bm.CoordinateCoupler(
        name="follow",
        independent=("shoulder",),
        dependent="elbow",
        function=bm.Linear(slopes=(0.5,)),
    )
    coupled = arm(constraints=[follow])
    q = np.column_stack([motion.q[:, 0], 0.5 * motion.q[:, 0]])
    moving = bo.Motion(motion.time, motion.coordinates, q)
    found = muscle_balance(coupled, moving, tensions=tensions)
    assert np.isnan(found["demanded_moment"].sel(coordinate="elbow")).all()
    net = bo.inverse_dynamics(coupled, moving)["generalized_force"]
    expected = net.sel(coordinate="shoulder") + 0.5 * net.sel(coordinate="elbow")
    np.testing.assert_allclose(found["demanded_moment"].sel(coordinate="shoulder"), expected, rtol=1e-12)
