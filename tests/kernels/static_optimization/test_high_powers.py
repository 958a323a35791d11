"""Costs of high and of low powers: other solvers, the limit of the least largest activation, weak reserves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from borelli.kernels.static_optimization.instants import solve_instants
from borelli.kernels.static_optimization.status import INFEASIBLE, SOLVED
from tests.kernels.static_optimization.test_solve_instants import random_problem, solve
from tests.shared_data import reference

POWERS = (2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 20.0, 50.0)


def with_weak_reserves(seed: int):
    """A random problem whose load is many times what its muscles can do, and reserves of one unit."""
    A, b, lower, upper, weight = random_problem(seed)
    m, none = len(A), np.full(len(A), np.inf)
    load = np.random.default_rng(seed).uniform(50.0, 150.0)
    A = np.hstack([100.0 * A, np.eye(m)])
    return A, load * b, np.append(lower, -none), np.append(upper, none), np.append(weight, np.ones(m))


@pytest.mark.parametrize("power", POWERS)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_every_power_is_solved_whatever_the_reserves(power, seed):
    for A, b, lower, upper, weight in (random_problem(seed), with_weak_reserves(seed)):
        found = solve(A, b, lower, upper, weight, power)
        assert found.status[0] == SOLVED
        # Each actuator over its own largest term; the last step changed activations by 1e-10 at most.
        assert found.violation[0] < 1e-8
        assert np.abs(found.unmet).max() <= 1e-11 * max(1.0, np.abs(A).max() * np.abs(found.activation).sum())
        assert ((found.activation[0] >= lower) & (found.activation[0] <= upper)).all()


@pytest.mark.parametrize("power", [1.05, 1.2, 1.5])
def test_powers_close_to_one_are_solved_too(power):
    for seed in range(25):
        for A, b, lower, upper, weight in (random_problem(seed), with_weak_reserves(seed)):
            found = solve(A, b, lower, upper, weight, power)
            assert found.status[0] == SOLVED
            assert found.violation[0] < 1e-12


@pytest.mark.parametrize("power", [4.0, 6.0, 8.0])
@pytest.mark.parametrize("seed", range(4))
def test_high_powers_equal_scipy(power, seed):
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(seed)
    m, n = 3, 8
    A = rng.normal(size=(m, n))
    b = A @ rng.uniform(0.3, 0.8, n)
    found = solve(A, b, 0.0, 1.0, power=power)
    answer = optimize.minimize(
        lambda a: (a**power).sum(),
        np.full(n, 0.5),
        jac=lambda a: power * a ** (power - 1),
        bounds=[(0, 1)] * n,
        constraints={"type": "eq", "fun": lambda a: A @ a - b, "jac": lambda a: A},
        method="SLSQP",
        options={"ftol": 1e-16, "maxiter": 2000},
    )
    cost = (found.activation[0] ** power).sum()
    # SLSQP balances to about 1e-9, and may stop early but never below the least cost.
    assert cost <= answer.fun + 1e-8
    assert cost == pytest.approx(answer.fun, rel=1e-4)


def test_two_muscles_share_by_the_closed_form_up_to_a_power_of_hundred():
    arms, weight = np.array([0.05, 0.02]), np.array([1.0, 3.0])
    for power in (*POWERS[1:], 100.0):
        ratio = (arms / weight) ** (1.0 / (power - 1.0))
        expected = 0.03 * ratio / (arms @ ratio)
        found = solve([arms], [0.03], 0.0, 10.0, weight, power)
        np.testing.assert_allclose(found.activation[0], expected, rtol=1e-12)


def test_muscles_below_the_largest_are_optimal_too():
    # Two joints without a common muscle, one a thousand times as loaded: each is shared as if alone.
    power = 50.0
    A = np.array([[0.05, 0.03, 0.0, 0.0], [0.0, 0.0, 0.05, 0.03]])
    found = solve(A, [60.0, 0.04], 0.0, 1e4, power=power)
    ratio = np.array([0.05, 0.03]) ** (1.0 / (power - 1.0))
    share_of_one = ratio / (ratio @ [0.05, 0.03])
    np.testing.assert_allclose(found.activation[0, :2], 60.0 * share_of_one, rtol=1e-12)
    np.testing.assert_allclose(found.activation[0, 2:], 0.04 * share_of_one, rtol=1e-12)


def test_a_coupled_muscle_with_a_far_smaller_cost_is_optimal_too():
    # The third muscle helps at the light joint alone; its drive is 1e-37 of the heavy joint's.
    A = np.array([[0.05, 0.04, 0.0, 0.0], [0.01, 0.0, 0.05, 0.04]])
    b = A @ np.array([30.0, 30.0, 2.0, 1.0])
    found = solve(A, b, 0.0, 1e4, power=30.0)
    assert found.violation[0] < 1e-8
    a = found.activation[0]
    # Within the light joint both muscles have the same multiplier.
    assert (a[2] / a[3]) ** 29 == pytest.approx(0.05 / 0.04, rel=1e-8)


def test_the_limit_is_the_least_largest_activation():
    linprog = pytest.importorskip("scipy.optimize").linprog
    rng = np.random.default_rng(8)
    m, n = 3, 15
    A = rng.normal(size=(m, n))
    b = A @ rng.uniform(0.2, 0.8, n)
    # min t with a <= t, A a = b, 0 <= a <= 1
    bound = linprog(
        np.append(np.zeros(n), 1.0),
        A_ub=np.hstack([np.eye(n), -np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=np.hstack([A, np.zeros((m, 1))]),
        b_eq=b,
        bounds=[(0, 1)] * n + [(0, None)],
    ).x[-1]
    powers = np.array([2.0, 4.0, 8.0, 16.0, 64.0, 200.0, 1000.0])
    largest = np.array([solve(A, b, 0.0, 1.0, power=power).activation.max() for power in powers])
    assert (np.diff(largest) < 1e-12).all()
    # n activations at the bound cost no more than the optimum: largest^p <= n bound^p.
    assert (bound * (1 - 1e-9) <= largest).all() and (largest <= bound * n ** (1.0 / powers)).all()


def test_what_cannot_be_met_does_not_depend_on_the_power():
    rng = np.random.default_rng(5)
    A = rng.normal(size=(4, 12))
    b = 5.0 * A @ rng.uniform(0.0, 1.0, 12)
    squares, high = (solve(A, b, 0.0, 1.0, power=power) for power in (2.0, 8.0))
    assert squares.status[0] == high.status[0] == INFEASIBLE
    np.testing.assert_allclose(high.unmet, squares.unmet, atol=1e-9)


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("case", ["arm26", "gait10dof18musc", "gait2354", "gait2392", "gait2392_SO_tutorial"])
def test_problems_of_opensim_with_reserves_of_one_are_solved_for_every_power(case, power):
    data = np.load(reference(case, "so_ref.npz"))
    some = slice(0, None, 8)
    lower, upper = data["actuator_bounds"].T
    strength = np.where(data["actuator_is_muscle"], data["optimal_force"][some], 1.0)
    fixed = data["tau_required"][some], lower, upper, np.ones(len(lower)), power
    arms = data["genforce_per_unit_force"][some].transpose(0, 2, 1)
    cold, warm = solve_instants(arms, strength, *fixed, False), solve_instants(arms, strength, *fixed, True)
    for found in (cold, warm):
        assert (found.status == SOLVED).all()
        assert found.violation.max() < 1e-8
        assert np.abs(found.unmet).max() < 1e-8
    muscles = data["actuator_is_muscle"]
    np.testing.assert_allclose(cold.activation[:, muscles], warm.activation[:, muscles], atol=1e-8)
