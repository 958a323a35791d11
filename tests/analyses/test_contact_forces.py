"""Contact of spheres and half spaces: OpenSim's numbers, Hertz's energy, Newton's third law."""

from __future__ import annotations

import dataclasses
import warnings

import numpy as np
import pytest

import borelli as bo
from borelli.errors import DuplicateNameError, InvalidValueError, UnknownNameError
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.forces.contact_forces import contact_pairs
from borelli.mechanics.forces.contact_laws import meyer_fregly
from borelli.mechanics.forces.passive_forces import passive_forces, passive_generalized_forces
from borelli.mechanics.muscles.passive_part import with_passive_part
from borelli.model import (
    Body,
    ContactHalfSpace,
    ContactMaterial,
    ContactSphere,
    HuntCrossleyForce,
    MeyerFregly2016Force,
    Model,
    Placement,
    SliderJoint,
    SmoothSphereHalfSpaceForce,
)
from tests.analyses.three_bodies import bodies_with, forces_in_opensim, swinging

FLOOR = Placement.from_angles((0.1, -0.4, 0.0), (0.2, 0.1, -1.4))
SURFACES = (
    ContactHalfSpace(name="floor", frame="ground", placement=FLOOR),
    ContactHalfSpace(
        name="wall", frame="upper", placement=Placement.from_angles((0.3, 0, 0), (0.1, 0.2, 0.3))
    ),
    ContactSphere(name="heel", frame="lower", placement=Placement((0.05, -0.5, 0.02)), radius=0.3),
    ContactSphere(name="toe", frame="lower", placement=Placement((0.2, -0.5, -0.1)), radius=0.2),
    ContactSphere(name="knob", frame="upper", placement=Placement((0.1, -0.4, 0.1)), radius=0.12),
    ContactSphere(name="ball", frame="box", radius=0.15),
)
RUBBER = {
    "stiffness": 4e4,
    "dissipation": 0.3,
    "static_friction": 0.8,
    "dynamic_friction": 0.4,
    "viscous_friction": 0.2,
}
STEEL = {
    "stiffness": 9e5,
    "dissipation": 0.1,
    "static_friction": 0.5,
    "dynamic_friction": 0.3,
    "viscous_friction": 0.1,
}
FORCES = (
    HuntCrossleyForce(
        name="sole",
        materials=(
            ContactMaterial(surfaces=("heel", "toe"), **RUBBER),
            ContactMaterial(surfaces=("floor",), **STEEL),
        ),
        transition_velocity=0.2,
    ),
    HuntCrossleyForce(
        name="collision",
        materials=(
            ContactMaterial(surfaces=("knob",), **STEEL),
            ContactMaterial(surfaces=("ball",), **RUBBER),
        ),
    ),
    HuntCrossleyForce(
        name="leaning",
        materials=(ContactMaterial(surfaces=("ball", "wall"), stiffness=1e5),),
    ),
    SmoothSphereHalfSpaceForce(name="smooth", sphere="heel", half_space="floor", **RUBBER),
    SmoothSphereHalfSpaceForce(
        name="padded",
        sphere="ball",
        half_space="wall",
        stiffness=2e5,
        static_friction=0.9,
        dynamic_friction=0.6,
        constant_contact_force=1e-3,
        hertz_smoothing=30.0,
        transition_velocity=0.3,
    ),
    MeyerFregly2016Force(
        name="level",
        body="lower",
        location=(0.1, -0.5, 0.05),
        stiffness=3e4,
        dissipation=0.2,
        resting_length=-0.3,
        dynamic_friction=0.6,
        viscous_friction=2.0,
    ),
)


def touching(forces=FORCES):
    return bodies_with(forces, contact_surfaces=SURFACES)


@pytest.fixture(scope="module")
def osim():
    return pytest.importorskip("opensim")


@pytest.fixture(scope="module")
def opensim_says(osim, tmp_path_factory):
    model = touching()
    motion = swinging(model)
    return model, motion, forces_in_opensim(osim, model, motion, tmp_path_factory.mktemp("model"))


@pytest.mark.parametrize("name", [force.name for force in FORCES])
def test_each_force_is_that_of_opensim(opensim_says, name):
    model, motion, expected = opensim_says
    own = passive_generalized_forces(model, motion)[name]
    assert np.abs(own).max() > 1.0
    # Differences of two inverse dynamics of some thousand N m in double precision.
    np.testing.assert_allclose(own, expected[name], rtol=1e-9, atol=1e-9)


def test_some_instants_touch_and_some_do_not():
    """Without this the comparison above could be one of zeros."""
    model = touching()
    for name, loads in passive_forces(model, swinging(model)).loads.items():
        pressed = np.abs(loads[0].force).max(axis=1) > 0.0
        assert pressed.any(), name
        if name in ("sole", "collision", "leaning"):
            assert not pressed.all(), name


def parting(force, dissipation):
    """The same contact of materials that resist speed more."""
    materials = (dataclasses.replace(each, dissipation=dissipation) for each in force.materials)
    return dataclasses.replace(force, materials=tuple(materials))


def test_opensim_forgets_the_surfaces_after_one_that_parts_fast(osim, tmp_path):
    """Negative control. Two spheres in one force: where the first parts faster than its material follows, OpenSim 4.6
    leaves out the second. Each sphere in a force of its own, OpenSim agrees with ours about the sum."""
    both = parting(FORCES[0], 2.0)
    soft, floor = both.materials
    alone = tuple(
        dataclasses.replace(both, name=name, materials=(dataclasses.replace(soft, surfaces=(name,)), floor))
        for name in ("heel", "toe")
    )
    model = touching((both, *alone))
    motion = swinging(model)
    own, theirs = passive_generalized_forces(model, motion), forces_in_opensim(osim, model, motion, tmp_path)
    for name in ("heel", "toe"):
        np.testing.assert_allclose(own[name], theirs[name], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(own["sole"], own["heel"] + own["toe"], rtol=1e-12, atol=1e-12)
    lost = np.abs(own["sole"] - theirs["sole"]).max(axis=1) > 1.0
    assert lost.any() and not lost.all()
    assert not theirs["sole"][lost].any()


def test_contact_pushes_back_as_hard_as_it_pushes():
    model = touching()
    for loads in passive_forces(model, swinging(model)).loads.values():
        for one, other in zip(loads[::2], loads[1::2], strict=True):
            np.testing.assert_array_equal(one.force, -other.force)
            np.testing.assert_array_equal(one.point, other.point)
            assert not one.moment.any()


def test_a_ball_on_the_floor_is_pushed_as_hertz_says():
    """4/3 E* √R d^1.5, with E* of two equal materials in series: each gives way by half the depth."""
    model, motion = falling_ball(np.array([0.1, 0.0, -0.02]))
    push = passive_forces(model, motion).loads["sole"][0].force
    each = 3e4 ** (2.0 / 3.0)
    expected = 4.0 / 3.0 * (each / 2.0) ** 1.5 * np.sqrt(0.1) * np.array([0.0, 0.1, 0.12]) ** 1.5
    np.testing.assert_allclose(push[:, 1], expected, rtol=1e-13)
    # The floor is level to the round-off of a right angle.
    np.testing.assert_allclose(push[:, [0, 2]], 0.0, atol=1e-12)


def falling_ball(height, u=(0.0, 0.0), **material):
    """A ball of 0.1 m over a level floor, on two slides: along x and up."""
    down = Placement.from_angles((0, 0, 0), (0, 0, -np.pi / 2))
    up = Placement.from_angles((0, 0, 0), (0, 0, np.pi / 2))
    made = ContactMaterial(surfaces=("ball", "floor"), **{"stiffness": 3e4, **material})
    model = Model(
        bodies=[Body("sledge", 1.0), Body("ball", 1.0)],
        joints=[
            SliderJoint(name="along", parent="ground", child="sledge"),
            SliderJoint(name="up", parent="sledge", child="ball", parent_placement=up, child_placement=up),
        ],
        contact_surfaces=(
            ContactSphere(name="ball", frame="ball", radius=0.1),
            ContactHalfSpace(name="floor", frame="ground", placement=down),
        ),
        forces=(HuntCrossleyForce(name="sole", materials=(made,)),),
    )
    n = len(height)
    q = np.column_stack([np.zeros(n), height])
    speeds = np.broadcast_to(np.asarray(u, dtype=float), (n, 2))
    return model, bo.Motion(np.arange(float(n)), ("along", "up"), q, speeds, np.zeros((n, 2)))


def test_contact_never_pulls_and_does_not_rub_where_it_does_not_push():
    """A ball that leaves faster than 2/(3c) has lost the floor."""
    rough = {"dissipation": 1.0, "static_friction": 1.0, "dynamic_friction": 1.0}
    for speed, loose in ((0.6, False), (0.7, True), (5.0, True)):
        model, motion = falling_ball(np.array([0.05]), (1.0, speed), **rough)
        push = passive_forces(model, motion).loads["sole"][0].force[0]
        assert (not push.any()) == loose
        assert loose or (push[1] > 0.0 > push[0])


def test_friction_is_largest_at_the_transition_and_then_dynamic():
    rough = {"static_friction": 0.9, "dynamic_friction": 0.5}
    for slip, expected in ((0.0, 0.0), (0.01, 0.9), (1e4, 0.5)):
        model, motion = falling_ball(np.array([0.05]), (slip, 0.0), **rough)
        push = passive_forces(model, motion).loads["sole"][0].force[0]
        assert -push[0] / push[1] == pytest.approx(expected, rel=1e-9)


def test_frictionless_contact_does_the_work_of_hertz_energy():
    """2/5 of force times depth, by central differences over the coordinates."""
    made = ContactMaterial(surfaces=("heel", "floor"), stiffness=1e5)
    model = touching((HuntCrossleyForce(name="sole", materials=(made,)),))
    motion = swinging(model)

    def energy(q):
        still = np.zeros_like(q)
        at_rest = bo.Motion(motion.time, motion.coordinates, q, still, still)
        pose = bo.body_poses(model, at_rest).sel(body="lower")
        centre = pose["origin"].values + pose["rotation"].values @ np.array(SURFACES[2].placement.translation)
        inward = np.array(FLOOR.rotation)[:, 0]
        depth = np.maximum(0.3 + (centre - FLOOR.translation) @ inward, 0.0)
        k = 1e5 ** (2.0 / 3.0) / 2.0
        return 8.0 / 15.0 * k**1.5 * np.sqrt(0.3) * depth**2.5

    still = bo.Motion(motion.time, motion.coordinates, motion.q, 0 * motion.q, 0 * motion.q)
    own = passive_generalized_forces(model, still)["sole"]
    assert np.abs(own).max() > 100.0
    step = 1e-5
    for column in range(3):
        shift = step * np.eye(3)[column]
        slope = (energy(motion.q - shift) - energy(motion.q + shift)) / (2 * step)
        # Truncation is a share of 1e-10 x third derivative; round-off 1e-16 x 1e3 J / 1e-5.
        np.testing.assert_allclose(own[:, column], slope, rtol=1e-6, atol=1e-5)


def test_friction_and_dissipation_take_energy():
    """Their power, over that of the elastic push alone, is never positive."""
    model = touching((FORCES[0],))
    bare = tuple(
        ContactMaterial(surfaces=each.surfaces, stiffness=each.stiffness) for each in FORCES[0].materials
    )
    elastic = touching((dataclasses.replace(FORCES[0], materials=bare),))
    motion = swinging(model)
    power = [
        (passive_generalized_forces(each, motion)["sole"] * motion.u).sum(axis=1) for each in (model, elastic)
    ]
    assert (power[0] - power[1]).max() < 1e-9
    assert (power[0] - power[1]).min() < -10.0


def test_smooth_contact_becomes_hunt_and_crossley_s_as_it_sharpens():
    same = ContactMaterial(surfaces=("heel", "floor"), **RUBBER)
    sharp = {"constant_contact_force": 1e-16, "hertz_smoothing": 1e6, "hunt_crossley_smoothing": 1e6}
    model = touching(
        (
            HuntCrossleyForce(name="edgy", materials=(same,)),
            SmoothSphereHalfSpaceForce(name="smooth", sphere="heel", half_space="floor", **RUBBER, **sharp),
        )
    )
    found = passive_generalized_forces(model, swinging(model))
    assert np.abs(found["edgy"]).max() > 100.0
    np.testing.assert_allclose(found["smooth"], found["edgy"], rtol=1e-9, atol=1e-6)


def test_a_level_floor_is_stiff_below_and_all_but_absent_above():
    """Slopes of its push: the stiffness under the floor, 0.1 N/m over it; friction against the slip."""
    floor = MeyerFregly2016Force(name="level", body="lower", stiffness=3e4, dynamic_friction=0.5)
    still = np.zeros((2, 3))
    below = meyer_fregly(floor, np.array([-0.06, -0.05]), still)[:, 1]
    # The height is bent by tanh before: over 0.05 m of 0.7 m that takes 0.6 % of the slope.
    assert (below[0] - below[1]) / 0.01 == pytest.approx(3e4, rel=0.007)
    above = meyer_fregly(floor, np.array([0.02, 0.03]), still)[:, 1]
    assert (above[0] - above[1]) / 0.01 == pytest.approx(0.1, rel=0.01)
    assert np.abs(above).max() < 0.01
    slip = np.array([[3.0, 0.0, 4.0]])
    x, y, z = meyer_fregly(dataclasses.replace(floor, viscous_friction=0.0), np.array([-0.05]), slip)[0]
    # Whole dynamic friction at 5 m/s, less 1e-4 of it in the slip that keeps directions defined.
    assert np.hypot(x, z) / y == pytest.approx(0.5, rel=1e-4)
    np.testing.assert_allclose([x, z] / np.hypot(x, z), [-0.6, -0.8], rtol=1e-12)


def test_surfaces_of_one_body_and_two_half_spaces_do_nothing():
    made = (
        ContactMaterial(surfaces=("heel", "toe"), stiffness=1e5),
        ContactMaterial(surfaces=("floor", "wall"), stiffness=0.0),
    )
    (force,) = touching((HuntCrossleyForce(name="f", materials=made[:1]),)).forces
    assert contact_pairs(touching((force,)), force) == []
    model = touching((HuntCrossleyForce(name="f", materials=made[1:]),))
    assert passive_forces(model, swinging(model)).loads["f"] == ()
    found = bo.contributions(model, swinging(model))
    assert not found["generalized_force"].sel(source="passive:f").values.any()


def test_spheres_about_one_centre_push_in_no_direction():
    made = ContactMaterial(surfaces=("a", "b"), stiffness=1e5)
    model = Model(
        bodies=[Body("b", 1.0)],
        joints=[SliderJoint(name="x", parent="ground", child="b")],
        contact_surfaces=(
            ContactSphere(name="a", frame="ground", radius=0.1),
            ContactSphere(name="b", frame="b", radius=0.0),
        ),
        forces=(HuntCrossleyForce(name="f", materials=(made,)),),
    )
    motion = bo.Motion(np.zeros(1), ("x",), [[0.0]], [[1.0]], [[0.0]])
    assert not passive_forces(model, motion).loads["f"][0].force.any()


@pytest.mark.parametrize("variables", ["body", "coordinates"])
def test_each_contact_has_the_share_of_its_work_and_the_shares_close(variables):
    model = touching()
    motion = swinging(model)
    found = bo.contributions(model, motion, variables=variables)
    assert float(found["closure"]) < 1e-11
    for kind in ("generalized_force", "reaction_force", "reaction_moment"):
        np.testing.assert_allclose(found[kind].sum("source"), found[f"total_{kind}"], rtol=1e-9, atol=1e-8)
    for name, own in passive_generalized_forces(model, motion).items():
        share = found["generalized_force"].sel(source=f"passive:{name}")
        np.testing.assert_allclose(share, -own, rtol=1e-10, atol=1e-8)
    reactions = bo.joint_reactions(model, motion, passive=True)
    for kind in ("force", "moment"):
        np.testing.assert_allclose(found[f"total_reaction_{kind}"], reactions[kind], rtol=1e-10, atol=1e-8)
    assert float(bo.induced(model, motion)["closure"]) < 1e-10


def test_muscles_share_what_contact_leaves():
    model = touching()
    share = with_passive_part(ActingForces.of_loads(model, swinging(model), ()), wanted=True)
    assert share.names == tuple(force.name for force in FORCES)
    every = sum(passive_generalized_forces(model, swinging(model)).values())
    np.testing.assert_allclose(share.generalized_force(slice(None)), every, rtol=1e-12, atol=1e-10)


def test_a_load_where_the_model_has_contact_is_warned_of():
    """A measured ground reaction and the contact that stands for it would count twice."""
    model = touching((FORCES[0],))
    motion = swinging(model)
    push = np.tile([0.0, 9.0, 0.0], (motion.n_times, 1))
    measured = [bo.Load("plate", "lower", push, 0 * push, 0 * push)]
    with pytest.warns(bo.BorelliWarning, match=r"contact of the model \(sole\) and external .* on lower"):
        bo.contributions(model, motion, measured)
    elsewhere = [bo.Load("plate", "upper", push, 0 * push, 0 * push)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", bo.BorelliWarning)
        bo.contributions(model, motion, elsewhere)
        bo.contributions(model, motion, measured, passive=False)


def test_contact_with_surfaces_that_do_not_fit_is_refused():
    with pytest.raises(UnknownNameError, match="'toes' is not a contact surface of model 'three'") as error:
        touching((SmoothSphereHalfSpaceForce(name="s", sphere="toes", half_space="floor"),))
    assert error.value.closest[0] == "toe"
    with pytest.raises(InvalidValueError, match="contact surface 'toe' is a sphere, not a half space"):
        touching((SmoothSphereHalfSpaceForce(name="s", sphere="heel", half_space="toe"),))
    with pytest.raises(InvalidValueError, match="the radius of contact sphere 'b' is -1"):
        ContactSphere(name="b", frame="ground", radius=-1.0)
    with pytest.raises(InvalidValueError, match=r"stiffness of the material of \('a',\) is -5"):
        ContactMaterial(surfaces=("a",), stiffness=-5.0)
    with pytest.raises(InvalidValueError, match="hertz_smoothing of smooth contact 's' is -1"):
        SmoothSphereHalfSpaceForce(name="s", sphere="a", half_space="b", hertz_smoothing=-1.0)
    with pytest.raises(
        InvalidValueError, match="transition velocity of Hunt-Crossley contact 'h' must be pos"
    ):
        HuntCrossleyForce(name="h", materials=(), transition_velocity=0.0)
    with pytest.raises(
        InvalidValueError, match="latch velocity of Meyer-Fregly contact 'm' must be positive"
    ):
        MeyerFregly2016Force(name="m", body="lower", latch_velocity=0.0)
    with pytest.raises(InvalidValueError, match="stiffness of Meyer-Fregly contact 'm' is -1"):
        MeyerFregly2016Force(name="m", body="lower", stiffness=-1.0)
    with pytest.raises(DuplicateNameError, match="2 contact surfaces are called 'toe'"):
        bodies_with((), contact_surfaces=(SURFACES[3], SURFACES[3]))
    with pytest.raises(UnknownNameError, match="'cellar' is not a body or frame") as error:
        bodies_with((), contact_surfaces=(ContactHalfSpace(name="floor", frame="cellar"),))
    assert error.value.where == "contact surface 'floor'"
