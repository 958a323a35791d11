"""A criterion that spares joints: optimal by its conditions and by another solver, and what it does."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from tests.analyses.muscle_arms import arm, curl

FULL = 1000.0


def parts(model, motion, joint):
    """Moment arms, strengths, needed torques, net reaction and unit pulls, each by public functions alone."""
    base = bo.muscle_forces(model, motion, strength="isometric")
    arms = bo.moment_arms(model, motion).values
    needed = bo.inverse_dynamics(model, motion)["generalized_force"].values
    net = bo.joint_reactions(model, motion, joints=[joint])["force"].values[:, 0]
    pulls = []
    for name in model.muscle_names:
        pulled = bo.joint_reactions(model, motion, tensions={name: 1.0}, joints=[joint])["force"].values[:, 0]
        pulls.append(net - pulled)
    return base["strength"].values, arms, needed, net, np.stack(pulls, axis=1)


def cost(activation, strength, net, pulls, weight):
    reaction = net - np.einsum("m,mx->x", activation * strength, pulls)
    return float((activation**2).sum() + weight * ((reaction / FULL) ** 2).sum())


@pytest.mark.parametrize("joint", ["shoulder", "elbow"])
def test_the_answer_is_that_of_a_general_quadratic_solver(joint):
    qpsolvers = pytest.importorskip("qpsolvers")
    if "quadprog" not in qpsolvers.available_solvers:
        pytest.skip("quadprog is not installed")
    model, motion, weight = arm(), curl(7), 3.0
    strength, arms, needed, net, pulls = parts(model, motion, joint)
    found = bo.muscle_forces(
        model, motion, criterion=bo.Criterion(joints={joint: weight}), strength="isometric"
    )
    for frame in range(motion.n_times):
        s = strength[frame]
        b = (pulls[frame] * s[:, None]).T / FULL
        p = 2 * (np.eye(len(s)) + weight * b.T @ b)
        linear = -2 * weight * b.T @ (net[frame] / FULL)
        balance = (arms[frame] * s[:, None]).T
        best = qpsolvers.solve_qp(
            p, linear, A=balance, b=needed[frame], lb=np.zeros(len(s)), ub=np.ones(len(s)), solver="quadprog"
        )
        # quadprog is accurate to some 1e-10 of the numbers here.
        np.testing.assert_allclose(found["activation"].values[frame], best, atol=1e-8)


def test_optimality_conditions_hold_for_the_whole_problem():
    """KKT: 2 a - 2 W Bᵀ r - λᵀ A is zero where free, not negative at 0, not positive at 1."""
    model, motion, weight, joint = arm(), curl(5), 2.0, "elbow"
    strength, arms, needed, net, pulls = parts(model, motion, joint)
    found = bo.muscle_forces(
        model, motion, criterion=bo.Criterion(joints={joint: weight}), strength="isometric"
    )
    activation = found["activation"].values
    for frame in range(motion.n_times):
        s, a = strength[frame], activation[frame]
        reaction = net[frame] - (a * s) @ pulls[frame]
        slope = 2 * a - 2 * weight * (pulls[frame] @ reaction) * s / FULL**2
        balance = arms[frame] * s[:, None]
        np.testing.assert_allclose(a @ balance, needed[frame], atol=1e-8)
        free = (a > 1e-9) & (a < 1 - 1e-9)
        multipliers, *_ = np.linalg.lstsq(balance[free], slope[free], rcond=None)
        rest = slope - balance @ multipliers
        np.testing.assert_allclose(rest[free], 0.0, atol=1e-8)
        assert (rest[a <= 1e-9] >= -1e-8).all()
    assert float(found["kkt_residual"].max()) < 1e-8


def test_a_spared_joint_bears_less_and_the_muscles_pay():
    model, motion = arm(), curl(9)
    plain = bo.muscle_forces(model, motion)
    spared = bo.muscle_forces(model, motion, criterion=bo.Criterion(joints={"elbow": 50.0}))
    borne = [
        np.linalg.norm(
            bo.joint_reactions(model, motion, tensions=each, joints=["elbow"])["force"].values, axis=-1
        )
        for each in (plain, spared)
    ]
    assert (borne[1] < borne[0]).all()
    effort = [float((each["activation"] ** 2).sum()) for each in (plain, spared)]
    assert effort[1] > effort[0]
    assert spared.attrs["spared_joints"] == ["elbow"]


def test_weight_zero_changes_nothing():
    model, motion = arm(), curl(5)
    plain = bo.muscle_forces(model, motion)
    zero = bo.muscle_forces(model, motion, criterion=bo.Criterion(joints={"elbow": 0.0}))
    np.testing.assert_array_equal(plain["activation"], zero["activation"])


def test_the_cost_is_least_on_the_way_to_the_plain_answer():
    """Both balance the load, and so does everything between: the cost rises from one to the other."""
    model, motion, weight, joint = arm(), curl(3), 5.0, "shoulder"
    strength, _, _, net, pulls = parts(model, motion, joint)
    criterion = bo.Criterion(joints={joint: weight})
    spared = bo.muscle_forces(model, motion, criterion=criterion, strength="isometric")["activation"].values[
        1
    ]
    plain = bo.muscle_forces(model, motion, strength="isometric")["activation"].values[1]
    assert np.abs(plain - spared).max() > 1e-3
    costs = [
        cost(spared + way * (plain - spared), strength[1], net[1], pulls[1], weight)
        for way in np.linspace(0, 1, 9)
    ]
    assert (np.diff(costs) > 0).all()


def test_reserves_and_threads_go_along():
    model, motion = arm(), curl(9)
    criterion = bo.Criterion(joints={"elbow": 5.0, "shoulder": 1.0})
    one = bo.muscle_forces(model, motion, criterion=criterion, reserves=10.0)
    two = bo.muscle_forces(model, motion, criterion=criterion, reserves=10.0, threads=2)
    np.testing.assert_array_equal(one["activation"], two["activation"])
    assert float(np.abs(one["residual"]).max()) < 1e-8


def test_wrong_joints_are_named():
    model, motion = arm(), curl(3)
    with pytest.raises(bo.BorelliError, match="'elbw' is not a joint") as caught:
        bo.muscle_forces(model, motion, criterion=bo.Criterion(joints={"elbw": 1.0}))
    assert "'elbow'" in str(caught.value)
    with pytest.raises(bo.BorelliError, match="must be zero or more"):
        bo.muscle_forces(model, motion, criterion=bo.Criterion(joints={"elbow": -1.0}))
    with pytest.raises(bo.BorelliError, match="need the power 2, not 3"):
        bo.Criterion(power=3.0, joints={"elbow": 1.0})
