"""Springs, ligaments, stops and bushings do what their laws say, and what OpenSim says that they do."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.errors import UnsupportedError
from borelli.mechanics.forces.passive_forces import passive_forces, passive_generalized_forces
from borelli.mechanics.forces.passive_laws import coordinate_force, path_tension, smooth_step
from borelli.model import (
    BallJoint,
    Blankevoort1991Ligament,
    Body,
    BushingForce,
    CoordinateLimitForce,
    CoordinateSpring,
    FreeJoint,
    Ligament,
    Model,
    OtherComponent,
    PathSpring,
    PinJoint,
    PointToPointSpring,
)
from borelli.model.functions.tabulated import SimmSpline
from borelli.model.joints.joint import Attitude
from tests.analyses.three_bodies import (
    OTHER_TURN,
    PATH,
    TURN,
    bodies_with,
    forces_in_opensim,
    swinging,
)

CURVE = SimmSpline((0.5, 1.0, 1.2, 1.5, 2.0), (0.0, 0.0, 0.3, 1.0, 2.0))
FORCES = (
    PathSpring(name="band", path=PATH, resting_length=0.9, stiffness=300.0, dissipation=0.2),
    Ligament(name="ligament", path=PATH, resting_length=0.8, pcsa_force=250.0, force_length_curve=CURVE),
    Ligament(name="plain", path=PATH, resting_length=0.9, pcsa_force=250.0),
    Blankevoort1991Ligament(name="cruciate", path=PATH, slack_length=0.95, linear_stiffness=2000.0),
    CoordinateSpring(name="torsion", coordinate="knee", stiffness=40.0, rest=0.2, viscosity=1.5),
    CoordinateLimitForce(
        name="stop",
        coordinate="knee",
        upper_limit=0.3,
        upper_stiffness=50.0,
        lower_limit=-0.4,
        lower_stiffness=30.0,
        damping=2.0,
        transition=0.5,
    ),
    CoordinateLimitForce(
        name="end",
        coordinate="slide",
        upper_limit=0.05,
        upper_stiffness=500.0,
        lower_limit=-0.05,
        lower_stiffness=300.0,
        damping=20.0,
        transition=0.1,
    ),
    PointToPointSpring(
        name="rod",
        first="ground",
        second="lower",
        first_location=(0.4, 0.2, 0.1),
        second_location=(0.1, -0.3, 0.0),
        stiffness=70.0,
        rest_length=0.6,
    ),
    BushingForce(
        name="cuff",
        first="upper",
        second="lower",
        first_placement=TURN,
        second_placement=OTHER_TURN,
        rotational_stiffness=(10.0, 20.0, 30.0),
        translational_stiffness=(100.0, 200.0, 300.0),
        rotational_damping=(1.0, 2.0, 3.0),
        translational_damping=(4.0, 5.0, 6.0),
    ),
    BushingForce(
        name="strap",
        first="ground",
        second="box",
        rotational_stiffness=(1.0, 2.0, 3.0),
        translational_stiffness=(10.0, 20.0, 30.0),
        translational_damping=(0.4, 0.5, 0.6),
    ),
)


def three_bodies(forces=FORCES):
    return bodies_with(forces)


@pytest.fixture(scope="module")
def opensim_says(tmp_path_factory):
    osim = pytest.importorskip("opensim")
    model = three_bodies()
    motion = swinging(model)
    return model, motion, forces_in_opensim(osim, model, motion, tmp_path_factory.mktemp("model"))


@pytest.mark.parametrize("name", [force.name for force in FORCES])
def test_each_force_is_that_of_opensim(opensim_says, name):
    model, motion, expected = opensim_says
    own = passive_generalized_forces(model, motion)[name]
    assert np.abs(own).max() > 0.1
    # Differences of two inverse dynamics of some hundred N m in double precision.
    np.testing.assert_allclose(own, expected[name], atol=1e-9)


def test_forces_between_bodies_add_up_to_nothing():
    model = three_bodies()
    for one, other in passive_forces(model, swinging(model)).loads.values():
        np.testing.assert_array_equal(one.force, -other.force)
        np.testing.assert_array_equal(one.moment, -other.moment)
        np.testing.assert_array_equal(one.point, other.point)


def test_a_bushing_that_is_not_deflected_does_nothing():
    cuff = BushingForce(name="cuff", first="ground", second="upper", rotational_stiffness=(9.0, 9.0, 9.0))
    model = Model(
        bodies=[Body("upper", 1.0)],
        joints=[PinJoint(name="hip", parent="ground", child="upper")],
        forces=(cuff,),
    )
    motion = bo.Motion(np.arange(2.0), ("hip",), [[0.0], [0.2]], np.zeros((2, 1)), np.zeros((2, 1)))
    np.testing.assert_allclose(passive_generalized_forces(model, motion)["cuff"], [[0.0], [-1.8]], atol=1e-15)


def test_tensions_of_springs_and_ligaments_follow_their_laws():
    length, still = np.array([0.9, 1.03, 1.2]), np.zeros(3)
    spring = PathSpring(name="s", path=PATH, resting_length=1.0, stiffness=100.0)
    np.testing.assert_allclose(path_tension(spring, length, still), [0, 3, 20])
    band = Blankevoort1991Ligament(name="l", path=PATH, slack_length=1.0, linear_stiffness=1000.0)
    # Toe: k e²/(2 e_t); line: k (e - e_t/2).
    np.testing.assert_allclose(path_tension(band, length, still), [0, 1000 * 0.03**2 / 0.12, 1000 * 0.17])


def test_a_stop_is_soft_at_its_limit_and_stiff_beyond():
    stop = FORCES[5]
    q = np.array([0.0, 0.3, 0.55, 0.8, 1.0, -1.4])
    step = smooth_step(q - 0.3, 0.5)
    np.testing.assert_allclose(step, [0, 0, 0.5, 1, 1, 0], atol=1e-15)
    still = coordinate_force(stop, q, np.zeros(6))
    np.testing.assert_allclose(still, [0, 0, -25 * 0.25, -25, -35, 30], atol=1e-12)
    moving = coordinate_force(stop, q, np.ones(6))
    np.testing.assert_allclose(still - moving, [0, 0, 1, 2, 2, 2], atol=1e-12)


def test_a_stop_without_transition_acts_from_its_limit_on():
    np.testing.assert_array_equal(smooth_step(np.array([-0.1, 0.0, 1e-9]), 0.0), [0, 0, 1])


def test_points_that_coincide_are_not_pulled():
    rod = PointToPointSpring(name="rod", first="ground", second="upper", stiffness=5.0, rest_length=1.0)
    model = Model(
        bodies=[Body("upper", 1.0)],
        joints=[PinJoint(name="hip", parent="ground", child="upper")],
        forces=(rod,),
    )
    motion = bo.Motion(np.zeros(1), ("hip",), [[0.3]], [[0.0]], [[0.0]])
    assert not passive_forces(model, motion).loads["rod"][0].force.any()


def test_instants_with_nan_stay_nan():
    model = three_bodies()
    motion = swinging(model, 4)
    q = motion.q.copy()
    q[2, 0] = np.nan
    with pytest.warns(bo.BorelliWarning, match="1 of 4 instants contain NaN"):
        found = passive_forces(model, bo.Motion(motion.time, motion.coordinates, q, motion.u, motion.udot))
    for values in (found.tensions["band"], found.generalized["stop"][1], found.loads["cuff"][0].force[:, 0]):
        assert np.isnan(values).tolist() == [False, False, True, False]


def test_a_spring_on_a_quaternion_is_refused():
    ball = BallJoint(name="ball", parent="ground", child="upper")
    spring = CoordinateSpring(name="s", coordinate=ball.coordinates[0].name, stiffness=1.0)
    model = Model(bodies=[Body("upper", 1.0)], joints=[ball], forces=(spring,))
    motion = bo.Motion(np.arange(8.0), model.coordinate_names, np.tile([1.0, 0, 0, 0], (8, 1)))
    with pytest.raises(
        UnsupportedError, match=r"coordinate spring 's' acts on .*, which is a part of a quat"
    ):
        passive_forces(model, motion)


def test_a_bushing_on_a_free_body_does_the_work_of_its_generalized_force():
    """Power of the two loads on the moving body is the generalized force times the speeds."""
    free = FreeJoint(name="free", parent="ground", child="box", attitude=Attitude.ANGLES)
    strap = FORCES[-1]
    model = Model(bodies=[Body("box", 1.0)], joints=[free], forces=(strap,))
    rng = np.random.default_rng(2)
    q, u = rng.uniform(-0.8, 0.8, (6, 6)), rng.normal(size=(6, 6))
    motion = bo.Motion(np.arange(6.0), model.coordinate_names, q, u, np.zeros((6, 6)), model.speed_names)
    load = passive_forces(model, motion).loads["strap"][0]
    jacobian = bo.jacobian(model, motion, "box")
    velocity = np.einsum("nak,nk->na", jacobian["linear"].values, u)
    spin = np.einsum("nak,nk->na", jacobian["angular"].values, u)
    power = (load.force * velocity + load.moment * spin).sum(axis=1)
    np.testing.assert_allclose(
        (passive_generalized_forces(model, motion)["strap"] * u).sum(axis=1), power, rtol=1e-12
    )


def test_what_is_driven_does_nothing_until_its_tension_is_given():
    clutch = OtherComponent(name="clutch", kind="ClutchedPathSpring", role="force", path=PATH)
    model = bodies_with((), others=(clutch,))
    motion = swinging(model)
    assert passive_forces(model, motion).left_out == ()
    found = bo.contributions(model, motion, tensions={"clutch": 50.0})
    arms = bo.moment_arms(model, motion).sel(path="clutch")
    share = found["generalized_force"].sel(source="passive:clutch")
    np.testing.assert_allclose(share, -50.0 * arms, atol=1e-10)
    assert not [source for source in bo.contributions(model, motion)["source"].values if "clutch" in source]


def test_what_is_not_evaluated_is_named():
    contact = OtherComponent(name="sole", kind="ElasticFoundationForce", role="force")
    model = Model(
        bodies=[Body("upper", 1.0)],
        joints=[PinJoint(name="hip", parent="ground", child="upper")],
        others=(contact,),
    )
    motion = bo.Motion(np.zeros(1), ("hip",), [[0.3]], [[0.0]], [[0.0]])
    assert passive_forces(model, motion).left_out == ("sole",)
