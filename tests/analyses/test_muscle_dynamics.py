"""Fibres followed through a motion: equilibrium, order of the method, OpenSim's forward integration."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

import borelli as bo
from borelli import Motion
from borelli import model as bm
from borelli.analyses.muscles.muscle_dynamics import muscle_dynamics
from borelli.analyses.muscles.muscle_strength import muscle_equilibrium
from borelli.errors import InvalidValueError, UnknownNameError, UnsupportedError

CLASSES = (
    bm.Thelen2003Muscle,
    bm.Millard2012EquilibriumMuscle,
    bm.DeGrooteFregly2016Muscle,
    bm.Schutte1993Muscle,
)
PENNATION = 0.2


def slider(kind=bm.Millard2012EquilibriumMuscle, **values) -> bm.Model:
    """A muscle from the ground to a body on rails: the coordinate is its length."""
    path = bm.Path((bm.PathPoint("p", "ground", (0, 0, 0)), bm.PathPoint("q", "b", (0, 0, 0))))
    muscle = kind(
        name="m",
        path=path,
        max_isometric_force=1000.0,
        optimal_fiber_length=0.1,
        tendon_slack_length=0.2,
        pennation_angle_at_optimal=PENNATION,
        **values,
    )
    rails = bm.SliderJoint(name="s", parent="ground", child="b")
    return bm.Model(
        name="rails", bodies=[bm.Body("b", 1.0, (0, 0, 0), (1, 1, 1))], joints=[rails], muscles=[muscle]
    )


def swing(n: int = 101) -> Motion:
    time = np.linspace(0.0, 0.5, n)
    q = 0.3 + 0.015 * np.sin(12.0 * time)
    return Motion(time, slider().coordinate_names, q[:, None], (0.18 * np.cos(12.0 * time))[:, None])


@pytest.mark.parametrize("kind", CLASSES)
def test_held_still_fibres_settle_in_equilibrium(kind):
    model, time = slider(kind), np.linspace(0.0, 2.0, 41)
    still = Motion(time, model.coordinate_names, np.full((41, 1), 0.305), np.zeros((41, 1)))
    # De Groote's fibres have no velocity that balances them so far from equilibrium: they snap to it, and it is told.
    snap = pytest.warns(
        bo.BorelliWarning, match=r"no velocity balances the fibres of 'm' and its tendon at 0 s \(1 such"
    )
    with snap if kind is bm.DeGrooteFregly2016Muscle else nullcontext():
        found = muscle_dynamics(model, still, 0.4, fiber_length={"m": 0.085})
    known = np.isfinite(found["fiber_velocity"]).values[:, 0]
    assert known[1:].all() and known[0] == (kind is not bm.DeGrooteFregly2016Muscle)
    assert np.isfinite(found["tendon_force"]).all()
    settled = muscle_equilibrium(model, still, 0.4)
    assert abs(found["fiber_length"][0] - settled["fiber_length"][0]).item() > 1e-3
    for name in ("fiber_length", "tendon_force"):
        # Fibres settle within some tenths of a second; forces of hundreds of newtons, stiffness 1e5 N/m.
        np.testing.assert_allclose(found[name][-1], settled[name][-1], rtol=1e-6)
    assert abs(found["fiber_velocity"][-1]).item() < 1e-6


@pytest.mark.parametrize("kind", CLASSES)
def test_the_velocity_is_the_slope_of_the_length(kind):
    motion = swing(501)
    found = muscle_dynamics(slider(kind), motion, 0.5)
    slope = np.gradient(found["fiber_length"].values[:, 0], motion.time, edge_order=2)
    # Central differences over 1 ms, away from the start, where fibres at rest come into motion; curves have kinks.
    np.testing.assert_allclose(found["fiber_velocity"].values[20:-1, 0], slope[20:-1], atol=5e-4)


@pytest.mark.parametrize("kind", CLASSES)
def test_the_error_falls_with_the_square_of_the_step(kind):
    coarse, middle, fine = (
        muscle_dynamics(slider(kind), swing(), 0.5, step_s=step)["fiber_length"].values
        for step in (5e-3, 2.5e-3, 1.25e-3)
    )
    # Away from the start: the first moments of a stiff system are not yet in the range of the order.
    ratio = np.abs(coarse - middle)[30:].max() / np.abs(middle - fine)[30:].max()
    assert 3.0 < ratio < 6.0


@pytest.mark.parametrize("name", ["Millard2012EquilibriumMuscle", "Thelen2003Muscle"])
def test_lengths_and_forces_equal_opensims_forward_integration(name):
    osim = pytest.importorskip("opensim")
    osim.Logger.setLevelString("off")
    model = osim.Model()
    model.setGravity(osim.Vec3(0))
    body = osim.Body("b", 1, osim.Vec3(0), osim.Inertia(1))
    model.addBody(body)
    joint = osim.SliderJoint("s", model.getGround(), body)
    model.addJoint(joint)
    coordinate = joint.updCoordinate()
    coordinate.setPrescribedFunction(osim.Sine(0.015, 12.0, 0.0, 0.3))
    coordinate.setDefaultIsPrescribed(True)
    peer = getattr(osim, name)("m", 1000.0, 0.1, 0.2, PENNATION)
    peer.addNewPathPoint("p", model.getGround(), osim.Vec3(0))
    peer.addNewPathPoint("q", body, osim.Vec3(0))
    peer.setDefaultActivation(0.5)
    model.addForce(peer)
    brain = osim.PrescribedController()
    brain.addActuator(peer)
    brain.prescribeControlForActuator("m", osim.Constant(0.5))
    model.addController(brain)
    state = model.initSystem()
    start = swing()
    peer.setActivation(state, 0.5)
    model.realizeVelocity(state)
    peer.setFiberLength(state, 0.095)
    manager = osim.Manager(model)
    manager.setIntegratorAccuracy(1e-9)
    manager.initialize(state)
    found = muscle_dynamics(
        slider(getattr(bm, name)), start, 0.5, fiber_length={"m": 0.095}, step_s=1e-4
    ).isel(muscle=0)
    for frame in (10, 40, 70, 100):
        state = manager.integrate(float(start.time[frame]))
        model.realizeDynamics(state)
        # Steps of 0.1 ms leave 1e-7 m, and 1e5 N/m of tendon make that 0.01 N.
        assert found["fiber_length"][frame].item() == pytest.approx(peer.getFiberLength(state), abs=1e-6)
        assert found["tendon_force"][frame].item() == pytest.approx(peer.getTendonForce(state), abs=0.1)
        assert found["fiber_velocity"][frame].item() == pytest.approx(peer.getFiberVelocity(state), abs=1e-3)


@pytest.mark.parametrize("fiber", [0.094, 0.096, 0.098])
def test_schuttes_fibres_move_as_in_opensim(fiber):
    osim = pytest.importorskip("opensim")
    osim.Logger.setLevelString("off")
    model = osim.Model()
    body = osim.Body("b", 1, osim.Vec3(0), osim.Inertia(1))
    model.addBody(body)
    model.addJoint(osim.SliderJoint("s", model.getGround(), body))
    peer = osim.Muscle.safeDownCast(osim.OpenSimObject.newInstanceOfType("Schutte1993Muscle_Deprecated"))
    peer.thisown = False
    peer.setName("m")
    peer.set_max_isometric_force(1000.0)
    peer.set_optimal_fiber_length(0.1)
    peer.set_tendon_slack_length(0.2)
    peer.set_pennation_angle_at_optimal(PENNATION)
    peer.addNewPathPoint("p", model.getGround(), osim.Vec3(0))
    peer.addNewPathPoint("q", body, osim.Vec3(0))
    model.addForce(peer)
    state = model.initSystem()
    model.getCoordinateSet().get(0).setValue(state, 0.297, False)
    model.setStateVariableValue(state, "/forceset/m/activation", 0.6)
    model.setStateVariableValue(state, "/forceset/m/fiber_length", fiber)
    model.realizeDynamics(state)
    own = slider(bm.Schutte1993Muscle)
    still = Motion(np.arange(2.0) / 1e3, own.coordinate_names, np.full((2, 1), 0.297), *np.zeros((2, 2, 1)))
    found = muscle_dynamics(own, still, 0.6, fiber_length={"m": fiber}).isel(time=0, muscle=0)
    assert found["fiber_velocity"].item() == pytest.approx(peer.getFiberVelocity(state), rel=1e-9)
    assert found["tendon_force"].item() == pytest.approx(peer.getTendonForce(state), rel=1e-9)


def test_powers_of_fibres_and_tendon_are_the_power_of_the_path():
    model, motion = slider(), swing()
    found = muscle_dynamics(model, motion, 0.5)
    power = found["fiber_active_power"] + found["fiber_passive_power"] + found["tendon_power"]
    speed = bo.paths(model, motion)["speed"].values
    np.testing.assert_allclose(power, -found["tendon_force"].values * speed, atol=1e-6)


def test_a_rigid_tendon_needs_no_equilibrium():
    time = np.linspace(0.0, 1.0, 3)
    still = Motion(time, slider().coordinate_names, np.array([[0.19], [0.28], [0.31]]), *np.zeros((2, 3, 1)))
    for model in (
        slider(bm.RigidTendonMuscle),
        slider(bm.Thelen2003Muscle, ignore_tendon_compliance=True),
    ):
        found = muscle_equilibrium(model, still, 0.3)
        strength = bo.muscle_strength(model, still)
        expected = 0.3 * strength["active_force"] + strength["passive_force"]
        np.testing.assert_allclose(found["tendon_force"], expected, atol=1e-12)
        np.testing.assert_allclose(found["tendon_length"][1:], 0.2, atol=1e-12)
        assert found["state"].values[:, 0].tolist() == [1, 0, 0]


def test_fibres_on_a_rigid_tendon_follow_the_path_and_give_their_strength():
    motion = swing()
    for model in (
        slider(bm.RigidTendonMuscle),
        slider(bm.Thelen2003Muscle, ignore_tendon_compliance=True),
    ):
        found = muscle_dynamics(model, motion, 1.0)
        along = motion.q - 0.2
        fiber = np.hypot(along, 0.1 * np.sin(PENNATION))
        np.testing.assert_allclose(found["fiber_length"], fiber, rtol=1e-12)
        np.testing.assert_allclose(found["fiber_velocity"], motion.u * along / fiber, rtol=1e-12)
        strength = bo.muscle_strength(model, motion)
        expected = strength["active_force"] + strength["passive_force"]
        np.testing.assert_allclose(found["tendon_force"], expected, rtol=1e-10)


def test_fibres_that_would_tear_at_rest_are_named():
    # A tendon without length: the fibres are as long as the whole path.
    whole, motion = slider(bm.Thelen2003Muscle), swing()
    torn = replace(whole, muscles=[replace(whole.muscles[0], tendon_slack_length=0.0)])
    name = torn.muscles[0].name
    with pytest.warns(
        bo.BorelliWarning, match=rf"^{name} would bear up to .* times the maximum force .* while they rest"
    ):
        found = bo.muscle_strength(torn, motion)
    assert found["passive_force"].max() > 10.0 * torn.muscles[0].max_isometric_force
    # As it should be, nothing is said: warnings are errors here.
    bo.muscle_strength(whole, motion)


def test_what_makes_no_sense_is_refused():
    model, motion = slider(), swing()
    with pytest.raises(InvalidValueError, match="step_s must be more than zero"):
        muscle_dynamics(model, motion, 0.5, step_s=0.0)
    with pytest.raises(UnknownNameError, match="'n' is not a muscle of model 'rails'"):
        muscle_dynamics(model, motion, 0.5, fiber_length={"n": 0.1})
    with pytest.raises(InvalidValueError, match="activation must be between 0 and 1"):
        muscle_dynamics(model, motion, 1.5)
    with pytest.raises(UnsupportedError, match="the curves of muscle class 'Delp1990Muscle' are not known"):
        muscle_dynamics(slider(bm.OtherMuscle, class_name="Delp1990Muscle"), motion, 0.5)
    q = motion.q.copy()
    q[3] = np.nan
    with (
        pytest.warns(bo.BorelliWarning, match="1 of 101 instants contain NaN"),
        pytest.raises(InvalidValueError, match="cannot be computed across missing instants"),
    ):
        muscle_dynamics(model, replace(motion, q=q), 0.5)


def test_a_motion_of_endless_steps_is_refused_at_once():
    motion = swing(7)
    late = Motion(motion.time * 1e8, motion.coordinates, motion.q, motion.u)
    with pytest.raises(
        InvalidValueError, match=r"would take 5\.0e\+10 steps of 0\.001 s(.|\n)*times in seconds"
    ):
        muscle_dynamics(slider(), late, 0.5)
