"""Rigid and compliant tendons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from borelli.compiled.muscles import compile_muscles
from borelli.errors import UnsupportedError
from borelli.io.load_model import load_model
from borelli.kernels.muscle.compliant_tendon import BALANCED, SLACK, compliant_tendon
from borelli.mechanics.muscles.strength import Strength, strengths
from borelli.model import (
    DeGrooteFregly2016Muscle,
    Millard2012EquilibriumMuscle,
    OtherMuscle,
    PathPoint,
    Polynomial,
    RigidTendonMuscle,
    Schutte1993Muscle,
    SimmSpline,
    Thelen2003Muscle,
)
from borelli.model import (
    Path as MusclePath,
)
from tests.shared_data import CASES, each_of, needs_data, reference

CLASSES = (Thelen2003Muscle, Millard2012EquilibriumMuscle, DeGrooteFregly2016Muscle)
OLD = {Schutte1993Muscle: "Schutte1993Muscle_Deprecated", RigidTendonMuscle: "RigidTendonMuscle"}
PATH = MusclePath((PathPoint("a", "ground", (0, 0, 0)), PathPoint("b", "ground", (1, 0, 0))))


def muscle(kind, **values):
    return kind(
        name="m",
        path=PATH,
        max_isometric_force=1000.0,
        optimal_fiber_length=0.1,
        tendon_slack_length=0.2,
        **values,
    )


def at(own, length, speed=0.0, kind=Strength.RIGID_TENDON):
    length = np.atleast_2d(np.asarray(length, dtype=float)).T
    return strengths(compile_muscles([own]), length, np.full(length.shape, float(speed)), kind, True)


def equilibrium(own, length, activation):
    muscles = compile_muscles([own])
    length = np.atleast_2d(np.asarray(length, dtype=float)).T
    level = np.broadcast_to(np.asarray(activation, dtype=float), length.shape).copy()
    force, fiber, gap = (np.empty(length.shape) for _ in range(3))
    state = np.empty(length.shape, np.int64)
    compliant_tendon(muscles.tables, muscles.tendon_strain, length, level, force, fiber, gap, state)
    return force[:, 0], fiber[:, 0], gap[:, 0], state[:, 0]


@pytest.mark.parametrize("kind", CLASSES)
def test_at_optimal_length_a_resting_muscle_gives_its_maximum_along_the_tendon(kind):
    angle = 0.3
    own = muscle(kind, pennation_angle_at_optimal=angle)
    found = at(own, 0.2 + 0.1 * np.cos(angle))
    assert found.fiber[0, 0] == pytest.approx(0.1)
    assert found.active[0, 0] == pytest.approx(1000.0 * np.cos(angle), rel=1e-12)


@pytest.mark.parametrize("kind", CLASSES)
def test_shortening_weakens_and_lengthening_strengthens(kind):
    own = muscle(kind)
    still, shortening, lengthening = (at(own, 0.3, v).active[0, 0] for v in (0.0, -0.3, 0.3))
    assert shortening < still < lengthening
    assert at(own, 0.3, -5.0).active[0, 0] == 0.0


@pytest.mark.parametrize("kind", CLASSES)
def test_a_path_shorter_than_its_tendon_gives_nothing(kind):
    found = at(muscle(kind, pennation_angle_at_optimal=0.2), [0.15, 0.2])
    assert (found.active == 0.0).all() and (found.passive == 0.0).all()


@pytest.mark.parametrize("kind", CLASSES)
def test_long_fibres_resist_passively(kind):
    found = at(muscle(kind), [0.26, 0.34, 0.36])
    assert found.passive[0, 0] < 0.05 * 1000
    assert found.passive[2, 0] > found.passive[1, 0] > 100.0


@pytest.mark.parametrize("kind", CLASSES)
def test_tendon_and_fibres_balance(kind):
    own = muscle(kind, pennation_angle_at_optimal=0.2)
    length = np.linspace(0.25, 0.36, 30)
    for activation in (0.05, 0.5, 1.0):
        force, fiber, gap, state = equilibrium(own, length, activation)
        assert (state == BALANCED).all()
        # Forces of some hundred newtons, tendon stiffness of 1e5 N/m, lengths to 1e-16 m.
        assert np.abs(gap).max() < 1e-6
        along = np.sqrt(fiber**2 - (0.1 * np.sin(0.2)) ** 2)
        assert (length - along >= 0.2 - 1e-12).all()
        assert (force >= 0).all()


@pytest.mark.parametrize("kind", CLASSES)
def test_a_stiff_tendon_gives_the_force_of_a_rigid_one(kind):
    if kind is Thelen2003Muscle:
        own = muscle(kind, max_tendon_strain=1e-7)
    elif kind is DeGrooteFregly2016Muscle:
        own = muscle(kind, tendon_strain_at_one_norm_force=1e-7)
    else:
        soft = muscle(kind)
        stiff = replace(soft.tendon_force_length_curve, strain_at_one_norm_force=1e-7)
        own = replace(soft, tendon_force_length_curve=stiff)
    length = np.array([0.27, 0.3, 0.33])
    rigid = at(own, length)
    force, *_ = equilibrium(own, length, 0.7)
    # The tendon still yields by 1e-7 of its length.
    np.testing.assert_allclose(force, 0.7 * rigid.active[:, 0] + rigid.passive[:, 0], rtol=1e-4)


@pytest.mark.parametrize("kind", CLASSES)
def test_more_activation_gives_more_force(kind):
    force, *_ = equilibrium(muscle(kind), np.full(20, 0.3), np.linspace(0, 1, 20)[:, None])
    assert (np.diff(force) > 0).all()


def test_a_short_path_leaves_the_tendon_slack():
    force, _, _, state = equilibrium(muscle(Thelen2003Muscle), [0.19], 1.0)
    assert state[0] == SLACK and force[0] == 0.0


def test_equilibrium_equals_opensim():
    osim = pytest.importorskip("opensim")
    model = osim.Model()
    body = osim.Body("b", 1, osim.Vec3(0), osim.Inertia(1))
    model.addBody(body)
    model.addJoint(osim.SliderJoint("s", model.getGround(), body))
    peer = osim.Millard2012EquilibriumMuscle("m", 1000.0, 0.1, 0.2, 0.2)
    peer.addNewPathPoint("p", model.getGround(), osim.Vec3(0))
    peer.addNewPathPoint("q", body, osim.Vec3(0))
    model.addForce(peer)
    state = model.initSystem()
    own = muscle(Millard2012EquilibriumMuscle, pennation_angle_at_optimal=0.2)
    for length in (0.28, 0.3, 0.33):
        model.getCoordinateSet().get(0).setValue(state, length, False)
        peer.setActivation(state, 0.5)
        model.equilibrateMuscles(state)
        model.realizeDynamics(state)
        force, fiber, *_ = equilibrium(own, [length], 0.5)
        # OpenSim equilibrates to 1e-8 of the maximum force.
        assert force[0] == pytest.approx(peer.getTendonForce(state), abs=1e-3)
        assert fiber[0] == pytest.approx(peer.getFiberLength(state), abs=1e-6)


def opensim_muscle(name):
    """A muscle of OpenSim along a slider: the model, the muscle, its state and the coordinate that is its length."""
    osim = pytest.importorskip("opensim")
    model = osim.Model()
    body = osim.Body("b", 1, osim.Vec3(0), osim.Inertia(1))
    model.addBody(body)
    model.addJoint(osim.SliderJoint("s", model.getGround(), body))
    # A registered instance has the <defaults> of whatever file was read before in this process; a new one has none.
    new = getattr(osim, name, None)
    peer = osim.Muscle.safeDownCast(osim.OpenSimObject.newInstanceOfType(name)) if new is None else new()
    peer.thisown = False
    peer.set_max_isometric_force(1000.0)
    peer.set_optimal_fiber_length(0.1)
    peer.set_tendon_slack_length(0.2)
    peer.set_pennation_angle_at_optimal(0.3)
    peer.addNewPathPoint("p", model.getGround(), osim.Vec3(0))
    peer.addNewPathPoint("q", body, osim.Vec3(0))
    model.addForce(peer)
    return model, peer, model.initSystem(), model.getCoordinateSet().get(0)


@pytest.mark.parametrize("kind", [*CLASSES, *OLD])
def test_strengths_equal_opensim_for_any_posture_and_speed(kind):
    model, peer, state, coordinate = opensim_muscle(OLD.get(kind, kind.__name__))
    own = muscle(kind, pennation_angle_at_optimal=0.3)
    # OpenSim finds Thelen's velocity factor by iteration, to about 1e-7, and stops Schutte's balance at 0.01 N.
    tolerance = 0.02 if kind is Schutte1993Muscle else 1e-3
    for length in (0.22, 0.26, 0.3, 0.34):
        for speed in (-0.6, 0.0, 0.4):
            coordinate.setValue(state, length, False)
            coordinate.setSpeedValue(state, speed)
            model.realizeVelocity(state)
            expected = peer.calcInextensibleTendonActiveFiberForce(state, 1.0)
            found = at(own, length, speed, Strength.OPENSIM).active[0, 0]
            assert found == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize("kind", OLD)
def test_old_muscles_give_their_force_along_the_tendon(kind):
    own = muscle(kind, pennation_angle_at_optimal=0.3)
    still = at(own, 0.2 + 0.1 * np.cos(0.3))
    # Delp's active curve is a spline through points around one: it reaches 0.998 at the optimal length.
    assert still.active[0, 0] == pytest.approx(1000.0 * np.cos(0.3), rel=5e-3)
    shortening, lengthening = (at(own, 0.3, v).active[0, 0] for v in (-0.3, 0.3))
    assert shortening < still.active[0, 0] < lengthening
    assert at(own, [0.15, 0.2]).active.max() == 0.0


def test_schuttes_fibres_never_hang_loose():
    passive = at(muscle(Schutte1993Muscle), [0.26, 0.3, 0.35]).passive[:, 0]
    np.testing.assert_allclose(passive, 1000.0 * np.exp(8.0 * (np.array([0.6, 1.0, 1.5]) - 1.5)))


def test_schuttes_velocities_are_those_of_opensim():
    own, damping = muscle(Schutte1993Muscle, pennation_angle_at_optimal=0.3), 0.1
    for fiber in (0.094, 0.096, 0.098):
        # OpenSim keeps what it once computed of this class, also in another state: a new model each time.
        model, peer, state, coordinate = opensim_muscle("Schutte1993Muscle_Deprecated")
        coordinate.setValue(state, 0.297, False)
        model.setStateVariableValue(state, "/forceset/" + peer.getName() + "/activation", 1.0)
        model.setStateVariableValue(state, "/forceset/" + peer.getName() + "/fiber_length", fiber)
        model.realizeDynamics(state)
        velocity = peer.getFiberVelocity(state)
        path = 0.2 + np.sqrt(fiber**2 - (0.1 * np.sin(0.3)) ** 2)
        along = path - 0.2
        # The same fibre on a rigid tendon whose path moves as fast as OpenSim's fibres do.
        found = at(own, path, velocity * fiber / along)
        force = found.active + found.passive + 1000.0 * damping * velocity / (0.1 / 0.1) * along / fiber
        assert force[0, 0] == pytest.approx(peer.getTendonForce(state), rel=1e-9)


def test_curves_given_by_a_model_are_used():
    flat = SimmSpline((0.0, 0.5, 1.0, 2.0), (0.5, 0.5, 0.5, 0.5))
    for kind in OLD:
        own = muscle(kind, active_force_length_curve=flat, passive_force_length_curve=flat)
        found = at(own, [0.27, 0.33])
        np.testing.assert_allclose(found.active[:, 0], 500.0)
        np.testing.assert_allclose(found.passive[:, 0], 500.0)


def test_a_curve_of_too_high_a_degree_is_refused():
    own = muscle(RigidTendonMuscle, active_force_length_curve=Polynomial((1.0,) * 9))
    with pytest.raises(UnsupportedError, match="curve of muscle 'm' has degree 8; 7 is the highest"):
        compile_muscles([own])


def test_a_class_without_curves_is_refused_by_name():
    own = OtherMuscle(name="odd", path=PATH, class_name="OddMuscle")
    with pytest.raises(UnsupportedError, match="curves of muscle class 'OddMuscle' are not known") as error:
        compile_muscles([own])
    assert "muscle 'odd'" in str(error.value) and 'strength="isometric"' in str(error.value)
    assert compile_muscles([own], curves=False).tables.force[0] == 1000.0


@needs_data
@pytest.mark.parametrize("case", each_of(CASES))
@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_rigid_tendon_strengths_of_every_reference_model(case):
    data = np.load(reference(case, "ref.npz"))
    model = load_model(next(reference(case).glob("*.osim")))
    paths = list(data["path_names"])
    columns = [paths.index(name) for name in data["muscle_names"]]
    muscles = compile_muscles([model.muscles[str(name)] for name in data["muscle_names"]])
    length, speed = data["path_length"][:, columns], data["path_speed"][:, columns]
    found = strengths(muscles, length, speed, Strength.OPENSIM, passive=False)
    expected = data["muscle_rigid_tendon_active_force"]
    # OpenSim finds the velocity factor of Thelen's muscle by iteration.
    assert (np.abs(found.active - expected) < 1e-9 * data["muscle_fmax"]).all()
