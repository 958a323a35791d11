"""OpenSim's stored numbers for models of our own, on every machine: paths, arms, elements, strengths, optima."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import borelli as bo
from borelli.compiled.muscles import compile_muscles
from borelli.mechanics.forces.passive_forces import passive_generalized_forces
from borelli.mechanics.muscles.strength import Strength, strengths
from tests.conformance.cases import OWN, Case, assert_close
from tests.reference.make_opensim_cases import RESERVE

pytestmark = pytest.mark.filterwarnings("ignore:points of paths move:borelli.errors.BorelliWarning")
BENT = {"triceps": (4e-7, 1e-5), "brachialis": (2e-7, 8e-6), "flexor": (2e-7, 3e-5)}
"""Over a cylinder, an ellipsoid and a ring OpenSim's line is not the taut one: length and arm to so many metres."""


@pytest.fixture(scope="module", params=OWN)
def case(request: pytest.FixtureRequest) -> Case:
    return Case(request.param)


def test_lengths_and_speeds_of_paths_are_opensims(case: Case) -> None:
    got = bo.paths(case.model, case.motion())
    for k, name in enumerate(map(str, case.ref["path_names"])):
        length, arm = BENT.get(name, (1e-15, 1e-15)) if case.name == "arm" else (1e-15, 1e-15)
        ours = got.sel(path=name)
        np.testing.assert_allclose(ours["length"], case.ref["path_length"][:, k], rtol=0, atol=length)
        # Several coordinates move the line, none of them much faster than one unit a second.
        np.testing.assert_allclose(ours["speed"], case.ref["path_speed"][:, k], rtol=0, atol=2 * arm)


def test_the_arm_lies_on_every_kind_of_surface() -> None:
    case = Case("arm")
    touched = (case.ref["path_n_wrap_points"] > 0).sum(axis=0)
    assert dict(zip(map(str, case.ref["path_names"]), touched.tolist(), strict=True)) == {
        "triceps": 6,
        "deltoid": 9,
        "brachialis": 9,
        "flexor": 9,
        "biceps": 0,
    }


def test_moment_arms_are_opensims(case: Case) -> None:
    # The dependent coordinate of a coupler has no arm of its own; OpenSim divides by its small slope.
    own = [name for name in case.names if name not in {c.dependent for c in case.model.constraints}]
    got = bo.moment_arms(case.model, case.motion())
    columns = [case.names.index(name) for name in own]
    for k, name in enumerate(map(str, case.ref["path_names"])):
        tolerance = BENT.get(name, (0.0, 1e-14))[1] if case.name == "arm" else 1e-14
        theirs = case.ref["moment_arm"][:, k, columns]
        np.testing.assert_allclose(got.sel(path=name, coordinate=own), theirs, rtol=0, atol=tolerance)


def test_a_surface_left_out_is_seen_in_lengths_and_arms() -> None:
    case = Case("arm")
    bare = replace(case.model, wrap_objects=[replace(w, active=False) for w in case.model.wrap_objects])
    names = list(map(str, case.ref["path_names"]))
    length = bo.paths(bare, case.motion()).sel(path=names)["length"].values
    arms = bo.moment_arms(bare, case.motion()).sel(path=names, coordinate=case.names).values
    for name in ("triceps", "deltoid", "brachialis", "flexor"):
        k = names.index(name)
        # A hundred times what is allowed where they count.
        assert np.abs(length[:, k] - case.ref["path_length"][:, k]).max() > 2e-4
        assert np.abs(arms[:, k] - case.ref["moment_arm"][:, k]).max() > 8e-4


def test_elements_of_the_model_bear_what_they_bear_in_opensim(case: Case) -> None:
    tau = bo.inverse_dynamics(case.model, case.motion(), case.loads())["generalized_force"]
    own = passive_generalized_forces(case.model, case.motion())
    left = tau.sel(coordinate=case.names).values - sum(own.values())
    assert_close(left, case.ref["tau_elements"], 1e-11, 1.0)
    if own:  # without them it would be noticed
        assert np.abs(case.ref["tau_elements"] - case.ref["tau"]).max() > 1.0


def test_muscles_are_as_strong_as_in_opensim(case: Case) -> None:
    names = [str(name) for name in case.ref["muscle_names"]]
    muscles = compile_muscles([case.model.muscles[name] for name in names])
    columns = [list(case.ref["path_names"]).index(name) for name in names]
    length, speed = case.ref["path_length"][:, columns], case.ref["path_speed"][:, columns]
    found = strengths(muscles, length, speed, Strength.OPENSIM, passive=False)
    most = np.array([case.model.muscles[name].max_isometric_force for name in names])
    # OpenSim finds the velocity factor of Thelen's muscle by iteration.
    assert (np.abs(found.active - case.ref["muscle_rigid_tendon_active_force"]) < 1e-9 * most).all()


@pytest.mark.parametrize(("name", "tolerance"), [("leg", 1e-9), ("arm", 2e-5)])
def test_static_optimization_finds_the_optimum_of_opensims_problem(name: str, tolerance: float) -> None:
    """The optimum is quadprog's, from OpenSim's arms, strengths and loads; over wraps the arms differ a little."""
    case = Case(name)
    found = bo.muscle_forces(case.model, case.motion(), case.loads(), reserves=RESERVE, mode="opensim")
    muscles = [str(muscle) for muscle in case.ref["muscle_names"]]
    n = len(muscles)
    ours = found["activation"].sel(muscle=muscles).values
    np.testing.assert_allclose(ours, case.ref["optimum"][:, :n], rtol=0, atol=tolerance)
    reserve = found["reserve"].sel(coordinate=case.names).values
    np.testing.assert_allclose(reserve / RESERVE, case.ref["optimum"][:, n:], rtol=0, atol=10 * tolerance)
    assert (ours > 0.02).any(axis=0).sum() >= 3  # muscles work, not the reserves alone


def test_static_optimization_with_another_criterion_is_far_off() -> None:
    case = Case("leg")
    other = bo.muscle_forces(
        case.model,
        case.motion(),
        case.loads(),
        reserves=RESERVE,
        mode="opensim",
        criterion=bo.Criterion(power=3.0),
    )
    muscles = [str(muscle) for muscle in case.ref["muscle_names"]]
    gap = other["activation"].sel(muscle=muscles).values - case.ref["optimum"][:, : len(muscles)]
    assert np.abs(gap).max() > 0.05


def test_a_heavier_foot_is_seen_in_every_number() -> None:
    case = Case("leg")
    foot = case.model.bodies["foot"]
    heavy = replace(
        case.model,
        bodies=[replace(foot, mass=1.01 * foot.mass) if b.name == "foot" else b for b in case.model.bodies],
    )
    tau = bo.inverse_dynamics(heavy, case.motion(), case.loads())["generalized_force"]
    reactions = bo.joint_reactions(heavy, case.motion(), case.loads(), tensions=case.tensions())
    assert np.abs(tau.sel(coordinate=case.names).values - case.ref["tau"]).max() > 0.01
    joints = [str(name) for name in case.ref["joint_names"]]
    assert np.abs(reactions["force"].sel(joint=joints).values - case.ref["rx_mus_force"]).max() > 0.01
