"""The recruitment solver: reference cases, laws, other solvers, hard problems."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from borelli.kernels.static_optimization.instants import Solutions, solve_instants
from borelli.kernels.static_optimization.status import INFEASIBLE, SOLVED
from tests.shared_data import reference

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())["cases"]


def solve(A, b, lower, upper, weight=None, power=2.0) -> Solutions:
    """One frame of unit strengths."""
    A = np.atleast_2d(np.asarray(A, dtype=float))
    n = A.shape[1]
    weight = np.ones(n) if weight is None else weight
    lower, upper = np.broadcast_to(lower, n), np.broadcast_to(upper, n)
    return solve_instants(A.T[None], np.ones((1, n)), np.atleast_2d(b), lower, upper, weight, power)


def random_problem(seed: int):
    """A solvable problem of random size: sparse arms, bounds, weights."""
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(1, 12)), int(rng.integers(1, 60))
    A = rng.normal(size=(m, n)) * (rng.random((m, n)) < 0.4)
    lower, upper = np.zeros(n), rng.uniform(0.5, 2.0, n)
    inside = rng.uniform(0.0, 1.0, n) * upper
    return A, A @ inside, lower, upper, rng.uniform(0.1, 10.0, n)


@pytest.mark.parametrize("name", CASES)
def test_reference_tensions_and_multipliers(name):
    case = CASES[name]
    found = solve(case["A"], case["b"], 0.0, case["upper"], 1.0 / np.array(case["weight"]))
    assert found.status[0] == SOLVED
    np.testing.assert_allclose(found.activation[0], case["tension"], rtol=1e-10, atol=1e-10)
    # The reference minimizes half the squares: its multipliers are half as high.
    np.testing.assert_allclose(0.5 * found.multiplier[0], case["multipliers"], rtol=1e-10)
    assert 0.5 * (found.activation[0] ** 2 / case["weight"]).sum() == pytest.approx(case["cost"], rel=1e-12)


@pytest.mark.parametrize("power", [1.5, 2.0, 3.0, 4.0])
def test_antagonists_of_one_joint_stay_silent(power):
    found = solve([[0.04, 0.025, -0.02, -0.03]], [6.0], 0.0, 1e4, power=power)
    assert (found.activation[0, :2] > 0.0).all()
    assert (found.activation[0, 2:] == 0.0).all()


@pytest.mark.parametrize("power", [1.5, 2.0, 3.0, 5.0])
def test_one_joint_shares_by_the_closed_form(power):
    # a_j is proportional to (r_j / w_j)^(1/(p-1)) where all muscles help.
    arms, weight = np.array([0.04, 0.025, 0.01]), np.array([1.0, 2.0, 0.5])
    ratio = (arms / weight) ** (1.0 / (power - 1.0))
    expected = 0.03 * ratio / (arms @ ratio)
    found = solve([arms], [0.03], 0.0, 100.0, weight, power)
    np.testing.assert_allclose(found.activation[0], expected, rtol=1e-9)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_random_problems_equal_quadprog(seed):
    solve_qp = pytest.importorskip("qpsolvers").solve_qp
    pytest.importorskip("quadprog")
    A, b, lower, upper, weight = random_problem(seed)
    # quadprog wants independent constraints and room inside the bounds.
    assume(np.linalg.matrix_rank(A) == len(A) < A.shape[1])
    found = solve(A, b, lower, upper, weight)
    assert found.status[0] == SOLVED
    expected = solve_qp(
        np.diag(2 * weight), np.zeros(len(weight)), A=A, b=b, lb=lower, ub=upper, solver="quadprog"
    )
    # quadprog's own balance is good to about 1e-13 of the largest arm.
    np.testing.assert_allclose(found.activation[0], expected, atol=1e-9)
    assert found.violation[0] < 1e-12


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_degenerate_random_problems_equal_clarabel(seed):
    solve_qp = pytest.importorskip("qpsolvers").solve_qp
    pytest.importorskip("clarabel")
    csc_matrix = pytest.importorskip("scipy.sparse").csc_matrix
    A, b, lower, upper, weight = random_problem(seed)
    # Two balances that say the same, and a muscle that is there twice.
    A, b = np.vstack([A, A[:1] - 2.0 * A[-1:]]), np.append(b, b[0] - 2.0 * b[-1])
    A = np.hstack([A, A[:, :1]])
    lower, upper, weight = (np.append(x, x[0]) for x in (lower, upper, weight))
    found = solve(A, b, lower, upper, weight)
    assert found.status[0] == SOLVED
    expected = solve_qp(
        csc_matrix(np.diag(2 * weight)),
        np.zeros(len(weight)),
        A=csc_matrix(A),
        b=b,
        lb=lower,
        ub=upper,
        solver="clarabel",
        **dict.fromkeys(("tol_feas", "tol_gap_abs", "tol_gap_rel"), 1e-12),
    )
    assume(expected is not None)  # it gives up on a few of these
    # An interior point stops about the square root of its tolerance away from a bound.
    np.testing.assert_allclose(found.activation[0], expected, atol=1e-5)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_solvable_problems_are_solved_to_round_off(seed):
    A, b, lower, upper, weight = random_problem(seed)
    found = solve(A, b, lower, upper, weight)
    assert found.status[0] == SOLVED
    assert np.abs(found.unmet[0]).max() <= 1e-11 * max(1.0, np.abs(A).max() * upper.sum())
    assert ((found.activation[0] >= lower) & (found.activation[0] <= upper)).all()
    assert found.violation[0] <= 1e-12


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
@example(seed=536)  # as many muscles between their bounds as balances, and high multipliers
def test_repeated_balances_do_no_harm(seed):
    A, b, lower, upper, weight = random_problem(seed)
    once = solve(A, b, lower, upper, weight)
    twice = solve(np.vstack([A, 2.0 * A[:1]]), np.append(b, 2.0 * b[0]), lower, upper, weight)
    assert twice.status[0] == SOLVED
    # The repeated constraint makes multipliers ambiguous, not activations; 1e-8 leaves room for the conditioning.
    np.testing.assert_allclose(twice.activation, once.activation, atol=1e-8)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), excess=st.floats(0.01, 5.0))
def test_what_no_muscle_can_do_is_proven_and_measured(seed, excess):
    rng = np.random.default_rng(seed)
    arms = rng.uniform(0.01, 0.05, 6)
    upper = rng.uniform(0.5, 1.0, 6)
    most = float(arms @ upper)
    found = solve([arms], [most * (1.0 + excess)], 0.0, upper)
    assert found.status[0] == INFEASIBLE
    np.testing.assert_allclose(found.activation[0], upper)
    assert found.unmet[0, 0] == pytest.approx(most * excess, rel=1e-9)


def test_a_balance_without_actuators_is_infeasible_unless_nothing_is_asked():
    A = [[0.04, 0.02], [0.0, 0.0]]
    assert solve(A, [0.03, 0.0], 0.0, 1.0).status[0] == SOLVED
    found = solve(A, [0.03, 5.0], 0.0, 1.0)
    assert found.status[0] == INFEASIBLE
    np.testing.assert_allclose(found.unmet[0], [0.0, 5.0], atol=1e-8)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_what_is_unmet_is_as_small_as_it_can_be(seed):
    lsq_linear = pytest.importorskip("scipy.optimize").lsq_linear
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(2, 8)), int(rng.integers(3, 25))
    A = rng.normal(size=(m, n)) * (rng.random((m, n)) < 0.5)
    A[-1] = 0.0
    b = 3.0 * A @ rng.uniform(0.0, 1.0, n) + rng.normal(size=m)
    found = solve(A, b, 0.0, 1.0)
    assert found.status[0] == INFEASIBLE
    # Balances are measured by what all actuators can do about them.
    size = np.linalg.norm(A, axis=1)
    size[size == 0] = 1.0
    least = lsq_linear(A / size[:, None], b / size, (0.0, 1.0), method="bvls", tol=1e-14)
    unmet = found.unmet[0] / size
    # Balances yield by 1e-8 in the last stage.
    assert np.linalg.norm(unmet) == pytest.approx(np.sqrt(2 * least.cost), rel=1e-5, abs=1e-5)


def test_muscles_balance_what_they_can_where_other_balances_have_no_actuator():
    rng = np.random.default_rng(2)
    m, n = 20, 90
    A = rng.normal(size=(m, n)) * (rng.random((m, n)) < 0.25)
    b = A @ rng.uniform(0.0, 0.6, n)
    apart = solve(A, b, 0.0, 1.0)
    together = solve(np.vstack([A, np.zeros((6, n))]), np.append(b, np.full(6, 70.0)), 0.0, 1.0)
    assert together.status[0] == INFEASIBLE
    np.testing.assert_allclose(together.unmet[0, m:], 70.0, rtol=1e-12)
    # Balances yield by 1e-8 in the last stage.
    np.testing.assert_allclose(together.unmet[0, :m], 0.0, atol=1e-6)
    np.testing.assert_allclose(together.activation, apart.activation, atol=1e-6)


@pytest.mark.parametrize("power", [1.5, 2.0, 3.0])
def test_the_multiplier_is_the_change_of_the_least_cost(power):
    A, b, lower, upper, weight = random_problem(5)
    step = 1e-5

    def cost(target):
        found = solve(A, target, lower, upper, weight, power)
        return (weight * np.abs(found.activation[0]) ** power).sum()

    multiplier = solve(A, b, lower, upper, weight, power).multiplier[0]
    for i in range(len(b)):
        change = np.eye(len(b))[i] * step
        slope = (cost(b + change) - cost(b - change)) / (2 * step)
        # Central differences of a cost that is only once smooth: error of the order of the step.
        assert multiplier[i] == pytest.approx(slope, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("seed", range(6))
def test_cubes_equal_scipy(seed):
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(seed)
    m, n = 3, 12
    A, upper = rng.normal(size=(m, n)), np.ones(n)
    b = A @ rng.uniform(0.2, 0.8, n)
    found = solve(A, b, 0.0, upper, power=3.0)
    answer = optimize.minimize(
        lambda a: (a**3).sum(),
        np.full(n, 0.5),
        jac=lambda a: 3 * a**2,
        bounds=[(0, 1)] * n,
        constraints={"type": "eq", "fun": lambda a: A @ a - b, "jac": lambda a: A},
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 500},
    )
    # SLSQP stops at about the square root of its tolerance.
    np.testing.assert_allclose(found.activation[0], answer.x, atol=2e-5)
    assert (found.activation[0] ** 3).sum() <= answer.fun + 1e-12
    assert found.violation[0] < 1e-9


@pytest.mark.parametrize("power", [2.0, 3.0])
def test_warm_and_cold_starts_give_the_same(power):
    rng = np.random.default_rng(3)
    frames, m, n = 40, 6, 30
    t = np.linspace(0, 1, frames)[:, None, None]
    arms = rng.normal(size=(1, n, m)) + 0.3 * np.sin(6 * t) * rng.normal(size=(1, n, m))
    inside = rng.uniform(0.0, 0.7, (frames, n))
    target = np.einsum("fnm,fn->fm", arms, inside)
    fixed = np.ones((frames, n)), target, np.zeros(n), np.ones(n), rng.uniform(0.5, 2, n), power
    warm, cold = solve_instants(arms, *fixed, True), solve_instants(arms, *fixed, False)
    assert (warm.status == SOLVED).all() and (cold.status == SOLVED).all()
    np.testing.assert_allclose(warm.activation, cold.activation, atol=1e-9)


def test_balances_without_a_common_muscle_are_independent():
    rng = np.random.default_rng(4)
    arms = np.zeros((2, 20, 6))
    arms[:, :8, [0, 3]] = rng.normal(size=(2, 8, 2))
    arms[:, 8:, [1, 2, 4, 5]] = rng.normal(size=(2, 12, 4))
    target = np.einsum("fnm,n->fm", arms, rng.uniform(0.1, 0.9, 20))
    fixed = np.zeros(20), np.ones(20), np.ones(20), 2.0
    whole = solve_instants(arms, np.ones((2, 20)), target, *fixed)
    for muscles, balances in ((slice(8), [0, 3]), (slice(8, 20), [1, 2, 4, 5])):
        part = arms[:, muscles][:, :, balances]
        lower, upper, weight = (x[muscles] for x in fixed[:3])
        alone = solve_instants(part, np.ones(part.shape[:2]), target[:, balances], lower, upper, weight, 2.0)
        np.testing.assert_allclose(whole.activation[:, muscles], alone.activation, atol=1e-12)


def test_an_arm_that_comes_into_play_later_counts():
    arms = np.array([[[0.05, 0.0], [0.0, 0.02]], [[0.05, 0.01], [0.0, 0.02]]])
    target = np.array([[0.02, 0.01], [0.02, 0.01]])
    found = solve_instants(arms, np.ones((2, 2)), target, np.zeros(2), np.ones(2), np.ones(2), 2.0)
    np.testing.assert_allclose(found.activation, [[0.4, 0.5], [0.4, 0.3]], atol=1e-12)


def test_hundreds_of_muscles():
    rng = np.random.default_rng(0)
    m, n = 40, 600
    A = rng.normal(size=(m, n)) * (rng.random((m, n)) < 0.1)
    b = A @ rng.uniform(0, 1, n)
    found = solve(A, b, 0.0, 1.0)
    assert found.status[0] == SOLVED
    assert np.abs(found.unmet).max() < 1e-10
    assert found.iterations[0] < 40


def test_a_reserve_with_high_weight_is_used_only_where_needed():
    arms = np.array([[0.05, 1.0]])
    weak = solve(arms, [0.04], [0.0, -np.inf], [1.0, np.inf], np.array([1.0, 1e6]))
    # Both have the same multiplier: a_muscle / 0.05 = 1e6 a_reserve.
    assert weak.activation[0, 1] == pytest.approx(weak.activation[0, 0] / 0.05 / 1e6)
    assert weak.activation[0, 0] == pytest.approx(0.8, abs=1e-3)
    strong = solve(arms, [0.08], [0.0, -np.inf], [1.0, np.inf], np.array([1.0, 1e6]))
    np.testing.assert_allclose(strong.activation[0], [1.0, 0.03], atol=1e-12)


@pytest.mark.parametrize("case", ["arm26", "gait10dof18musc", "gait2354", "gait2392", "gait2392_SO_tutorial"])
def test_problems_of_opensim_are_solved_as_by_an_exact_solver(case):
    data = np.load(reference(case, "so_ref.npz"))
    lower, upper = data["actuator_bounds"].T
    found = solve_instants(
        data["genforce_per_unit_force"].transpose(0, 2, 1),
        data["optimal_force"],
        data["tau_required"],
        lower,
        upper,
        np.ones(len(lower)),
        2.0,
    )
    assert (found.status == SOLVED).all()
    # The stored answers balance to about 1e-10.
    np.testing.assert_allclose(found.activation, data["activation_qp"], atol=1e-8)
    muscles = data["actuator_is_muscle"]
    # OpenSim's optimizer stops this far from the optimum.
    assert np.abs(found.activation - data["activation_opensim"])[:, muscles].max() < 0.008
