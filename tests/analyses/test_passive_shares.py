"""Springs, ligaments, stops and bushings as sources of torques, reactions and accelerations."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import borelli as bo
from borelli.compiled.compile import compile_model
from borelli.errors import UnsupportedError
from borelli.mechanics.forces.actuators import straight_forces
from borelli.mechanics.forces.passive_forces import passive_generalized_forces
from borelli.model import BallJoint, Body, CoordinateActuator, Model, PointActuator, TorqueActuator
from borelli.model.parts import Parts
from tests.analyses.test_passive_forces import FORCES, swinging, three_bodies
from tests.path_models import random_paths
from tests.random_trees import ELEMENTARY, random_motion

# Sums of some dozen terms of a few hundred newtons.
CLOSE = {"rtol": 1e-10, "atol": 1e-9}


@pytest.mark.parametrize("variables", ["body", "coordinates"])
def test_each_passive_force_has_the_share_of_its_work(variables):
    model = three_bodies()
    motion = swinging(model)
    found = bo.contributions(model, motion, variables=variables)
    assert float(found["closure"]) < 1e-12
    for name, own in passive_generalized_forces(model, motion).items():
        share = found["generalized_force"].sel(source=f"passive:{name}")
        np.testing.assert_allclose(share, -own, **CLOSE)


def test_totals_are_those_of_inverse_dynamics_without_them():
    model = three_bodies()
    motion = swinging(model)
    found = bo.contributions(model, motion)
    net = bo.inverse_dynamics(model, motion)["generalized_force"].values
    own = sum(passive_generalized_forces(model, motion).values())
    np.testing.assert_allclose(found["total_generalized_force"], net - own, **CLOSE)
    reactions = bo.joint_reactions(model, motion, passive=True)
    for kind in ("force", "moment"):
        np.testing.assert_allclose(found[f"total_reaction_{kind}"], reactions[kind], **CLOSE)
    alone = bo.contributions(model, motion, passive=False)
    np.testing.assert_allclose(alone["total_generalized_force"], net, **CLOSE)
    np.testing.assert_allclose(
        alone["total_reaction_force"], bo.joint_reactions(model, motion)["force"], **CLOSE
    )


def test_a_bushing_loads_only_the_joints_between_its_bodies():
    model = three_bodies()
    found = bo.contributions(model, swinging(model))
    cuff = found["reaction_force"].sel(source="passive:cuff")
    assert not cuff.sel(joint=["hip", "slide"]).values.any()
    assert np.abs(cuff.sel(joint="knee")).max() > 1.0
    stop = found.sel(source="passive:stop")
    assert not stop["reaction_force"].values.any()
    assert not stop["reaction_moment"].values.any()


def test_doubling_a_bushing_doubles_its_share_alone():
    model = three_bodies()
    motion = swinging(model)
    names = ("rotational_stiffness", "translational_stiffness", "rotational_damping", "translational_damping")
    cuff = FORCES[-2]
    twice = dataclasses.replace(cuff, **{name: tuple(2 * x for x in getattr(cuff, name)) for name in names})
    forces = Parts(twice if force is cuff else force for force in FORCES)
    one = bo.contributions(model, motion)["reaction_moment"]
    two = bo.contributions(dataclasses.replace(model, forces=forces), motion)["reaction_moment"]
    factor = 1.0 + (one["source"] == "passive:cuff").astype(float)
    np.testing.assert_allclose(two, one * factor, rtol=1e-12, atol=1e-12)


def test_induced_accelerations_add_up_with_every_passive_force():
    model = three_bodies()
    motion = swinging(model)
    found = bo.induced(model, motion)
    assert float(found["closure"]) < 1e-10
    np.testing.assert_allclose(found["acceleration"].sum("source"), 0.0, atol=1e-8)
    mass = bo.mass_matrix(model, motion).values
    for name, own in passive_generalized_forces(model, motion).items():
        caused = np.linalg.solve(mass, own[..., None])[..., 0]
        share = found["acceleration"].sel(source=f"passive:{name}")
        np.testing.assert_allclose(share, caused, rtol=1e-9, atol=1e-8)


def test_a_given_tension_takes_the_place_of_a_ligament_s_own():
    model = three_bodies()
    motion = swinging(model)
    own = bo.contributions(model, motion)["generalized_force"]
    found = bo.contributions(model, motion, tensions={"band": 0.0})["generalized_force"]
    assert not found.sel(source="passive:band").values.any()
    others = [str(name) for name in own["source"].values if name != "passive:band"]
    np.testing.assert_array_equal(found.sel(source=others), own.sel(source=others))


@pytest.mark.filterwarnings("ignore:points of paths move")
@pytest.mark.parametrize("seed", range(4))
def test_shares_of_tensions_are_their_work_also_over_moving_points(seed):
    """-dl/du includes what a tension does on the guides of points that move in their bodies."""
    model = random_paths(seed, moving=True, kinds=tuple(kind for kind in ELEMENTARY if kind != "weld"))
    motion = random_motion(model, seed)
    tensions = dict.fromkeys(model.path_names, 100.0)
    found = bo.contributions(model, motion, tensions=tensions)
    # Closed to round-off, though wrenches and work come from two different passes over the paths.
    assert float(found["closure"]) < 1e-11
    arms = bo.moment_arms(model, motion)
    for name in model.path_names:
        (source,) = [s for s in found["source"].values if s in (f"muscle:{name}", f"passive:{name}")]
        share = found["generalized_force"].sel(source=source)
        np.testing.assert_allclose(share, -100.0 * arms.sel(path=name), atol=1e-8)
    assert float(bo.induced(model, motion, tensions=tensions)["closure"]) < 1e-9


ACTUATORS = (
    CoordinateActuator(name="motor", coordinate="knee"),
    TorqueActuator(name="wheel", first="box", second="upper", axis=(0.0, 1.0, 2.0), axis_in_ground=False),
    PointActuator(name="jet", body="lower", point=(0.1, 0.2, 0.0), direction=(1.0, 0.0, 1.0)),
)


def test_actuators_with_given_forces_are_sources():
    """Against inverse dynamics with the same loads, and the work of unit forces."""
    model = three_bodies((*FORCES, *ACTUATORS))
    motion = swinging(model)
    given = {actuator.name: 10.0 + np.sin(motion.time + k) for k, actuator in enumerate(ACTUATORS)}
    found = bo.contributions(model, motion, tensions=given)
    assert float(found["closure"]) < 1e-12
    unit = straight_forces(compile_model(model), ACTUATORS, motion.q)
    for index, name in enumerate(given):
        share = found["generalized_force"].sel(source=f"actuator:{name}")
        np.testing.assert_allclose(share, -unit[:, index] * given[name][:, None], **CLOSE)
    without = bo.contributions(model, motion)
    work = sum(unit[:, index] * force[:, None] for index, force in enumerate(given.values()))
    np.testing.assert_allclose(
        found["total_generalized_force"], without["total_generalized_force"] - work, **CLOSE
    )
    wheel = found["reaction_moment"].sel(source="actuator:wheel")
    assert not wheel.sel(joint="hip").values.any()
    reactions = bo.joint_reactions(model, motion, tensions=given, passive=True)
    np.testing.assert_allclose(found["total_reaction_moment"], reactions["moment"], **CLOSE)
    assert float(bo.induced(model, motion, tensions=given)["closure"]) < 1e-10


def test_an_actuator_on_a_quaternion_is_refused():
    ball = BallJoint(name="ball", parent="ground", child="upper")
    motor = CoordinateActuator(name="motor", coordinate=ball.coordinates[0].name)
    model = Model(bodies=[Body("upper", 1.0)], joints=[ball], forces=(motor,))
    motion = bo.Motion(np.arange(8.0), model.coordinate_names, np.tile([1.0, 0, 0, 0], (8, 1)))
    with pytest.raises(
        UnsupportedError, match=r"actuator 'motor' acts on .*, which is a part of a quaternion"
    ):
        bo.contributions(model, motion, tensions={"motor": 1.0})
