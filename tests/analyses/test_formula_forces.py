"""Forces given by formulas or functions do what OpenSim says that they do, and keep the laws of mechanics."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import borelli as bo
from borelli.errors import InvalidValueError, ShapeError
from borelli.kernels.tree.blocks import BLOCK
from borelli.mechanics.forces.bushings import xyz_angles
from borelli.mechanics.forces.passive_forces import passive_forces, passive_generalized_forces
from borelli.model import (
    Constant,
    CoordinateSpring,
    ExpressionBushingForce,
    ExpressionCoordinateForce,
    ExpressionPathForce,
    ExpressionPointToPointForce,
    FunctionBushingForce,
    Linear,
    PiecewiseLinear,
    Polynomial,
    PrescribedForce,
    Sine,
)
from borelli.model.functions.tabulated import SimmSpline
from tests.analyses.three_bodies import (
    OTHER_TURN,
    PATH,
    TURN,
    bodies_with,
    forces_in_opensim,
    swinging,
)

BUSHING_FRAMES = {
    "first": "upper",
    "second": "lower",
    "first_placement": TURN,
    "second_placement": OTHER_TURN,
}
FORCES = (
    ExpressionCoordinateForce(
        name="formula", coordinate="knee", expression="-k*(q-0.2)^3 - c*qdot; k = 40; c = 2*step(q)"
    ),
    ExpressionCoordinateForce(name="rail", coordinate="slide", expression="-300*sinh(q) - 5*abs(qdot)*qdot"),
    ExpressionPointToPointForce(
        name="strut",
        first="ground",
        second="lower",
        first_location=(0.4, 0.2, 0.1),
        second_location=(0.1, -0.3, 0.0),
        expression="70*(d - 0.6) + 3*ddot*exp(-d)",
    ),
    ExpressionPathForce(
        name="cord", path=PATH, resting_length=1.0, expression="900*s^2 + 5*ldot", clamp_stretch=True
    ),
    ExpressionPathForce(name="rod", path=PATH, resting_length=1.0, expression="90*s", clamp_stretch=False),
    ExpressionBushingForce(
        name="pad",
        **BUSHING_FRAMES,
        moments=("10*theta_x + delta_y", "20*theta_y^3", "5*sin(theta_z)"),
        forces=("100*delta_x", "200*delta_y*abs(delta_y)", "30*delta_z + theta_x"),
        rotational_damping=(1.0, 2.0, 3.0),
        translational_damping=(4.0, 5.0, 6.0),
    ),
    FunctionBushingForce(
        name="disc",
        **BUSHING_FRAMES,
        moments=(Linear((10.0,), 0.0), Polynomial((0.0, 5.0, 0.0, 20.0)), Constant(0.3)),
        forces=(
            PiecewiseLinear((-1.0, 0.0, 1.0), (-50.0, 0.0, 80.0)),
            SimmSpline((-2.0, -1.0, 0.0, 1.0, 2.0), (-90.0, -20.0, 0.0, 20.0, 90.0)),
            Linear((30.0,), 1.0),
        ),
        rotational_damping=(0.1, 0.2, 0.3),
        translational_damping=(0.4, 0.5, 0.6),
    ),
    PrescribedForce(
        name="tug",
        body="lower",
        force=(Sine(30.0, 0.7, 0.1), Constant(5.0), Linear((2.0,), 1.0)),
        point=(Constant(0.1), Linear((-0.01,), -0.2), Constant(0.05)),
        torque=(Constant(0.0), Constant(1.0), Sine(3.0, 0.4, 0.0)),
    ),
    PrescribedForce(
        name="thrust",
        body="upper",
        force=(Constant(3.0), Sine(20.0, 0.3, 0.0), Constant(1.0)),
        point=(Constant(0.2), Constant(-0.3), Sine(0.1, 1.0, 0.0)),
        torque=(Constant(1.0), Constant(2.0), Constant(3.0)),
        in_ground=False,
        point_in_ground=True,
    ),
    PrescribedForce(name="lift", body="box", force=(Constant(0.0), Constant(9.0), Constant(0.0))),
)


@pytest.fixture(scope="module")
def opensim_says(tmp_path_factory):
    osim = pytest.importorskip("opensim")
    model = bodies_with(FORCES)
    motion = swinging(model)
    return model, motion, forces_in_opensim(osim, model, motion, tmp_path_factory.mktemp("model"))


@pytest.mark.parametrize("name", [force.name for force in FORCES])
def test_each_force_is_that_of_opensim(opensim_says, name):
    model, motion, expected = opensim_says
    own = passive_generalized_forces(model, motion)[name]
    assert np.abs(own).max() > 0.1
    # Differences of two inverse dynamics of some hundred N m in double precision.
    np.testing.assert_allclose(own, expected[name], atol=1e-9)


def moved(motion, q):
    """The postures q at rest."""
    still = np.zeros((len(q), 3))
    return bo.Motion(np.arange(float(len(q))), motion.coordinates, q, still, still)


def gradient(energy, motion, step=1e-6):
    """Minus the derivatives of an energy by the coordinates, (n, 3): central differences."""
    out = np.empty(motion.q.shape)
    for column in range(3):
        shift = step * np.eye(3)[column]
        ahead, behind = moved(motion, motion.q + shift), moved(motion, motion.q - shift)
        out[:, column] = (energy(behind) - energy(ahead)) / (2.0 * step)
    return out


def test_a_pull_that_has_an_energy_does_its_work():
    strut = dataclasses.replace(FORCES[2], expression="140*(d - 0.6)^3")
    model = bodies_with((strut,))
    motion = swinging(model)

    def energy(motion):
        load = passive_forces(model, motion).loads["strut"][0]
        return 35.0 * (np.linalg.norm(load.point - strut.first_location, axis=1) - 0.6) ** 4

    own = passive_generalized_forces(model, moved(motion, motion.q))["strut"]
    # Central differences of an energy of about 10 J over 1e-6: 1e-9 of round-off, 1e-10 of truncation.
    np.testing.assert_allclose(own, gradient(energy, motion), atol=1e-7)


def test_a_bushing_of_functions_does_the_work_of_its_six_energies():
    """The moment on the body is the one that does the work of the three angles, however large they are."""
    disc = FunctionBushingForce(
        name="disc",
        first="ground",
        second="box",
        moments=(Linear((3.0,), 0.5), Polynomial((0.0, 2.0, 0.0, 4.0)), Linear((5.0,), 0.0)),
        forces=(Polynomial((0.0, 0.0, 6.0)), Linear((7.0,), 0.0), Linear((8.0,), -1.0)),
    )
    model = bodies_with((disc,))
    motion = swinging(model)

    def energy(motion):
        pose = bo.body_poses(model, motion).sel(body="box")
        a, b, c = xyz_angles(pose["rotation"].values).T
        x, y, z = pose["origin"].values.T
        turning = 1.5 * a**2 + 0.5 * a + b**2 + b**4 + 2.5 * c**2
        return turning + 2.0 * x**3 + 3.5 * y**2 + 4.0 * z**2 - z

    own = passive_generalized_forces(model, moved(motion, motion.q))["disc"]
    assert np.abs(own).max() > 1.0
    np.testing.assert_allclose(own, gradient(energy, motion), atol=1e-7)


def test_forces_between_bodies_add_up_to_nothing_and_prescribed_ones_do_not():
    model = bodies_with(FORCES)
    found = passive_forces(model, swinging(model)).loads
    assert set(found) == {"strut", "pad", "disc", "tug", "thrust", "lift"}
    for name in ("strut", "pad", "disc"):
        one, other = found[name]
        for part in ("force", "moment"):
            np.testing.assert_array_equal(getattr(one, part), -getattr(other, part))
        np.testing.assert_array_equal(one.point, other.point)
    assert [len(found[name]) for name in ("tug", "thrust", "lift")] == [1, 1, 1]


def test_a_formula_of_a_spring_is_that_spring():
    model = bodies_with(
        (
            ExpressionCoordinateForce(name="formula", coordinate="knee", expression="-40*(q-0.2)-1.5*qdot"),
            CoordinateSpring(name="spring", coordinate="knee", stiffness=40.0, rest=0.2, viscosity=1.5),
        )
    )
    found = passive_forces(model, swinging(model)).generalized
    np.testing.assert_allclose(found["formula"][1], found["spring"][1], rtol=1e-14)


def test_a_stretch_that_is_not_clamped_pushes():
    cord = dataclasses.replace(FORCES[3], resting_length=1.3, expression="90*s")
    model = bodies_with((cord, dataclasses.replace(cord, name="rod", clamp_stretch=False)))
    found = passive_forces(model, swinging(model)).tensions
    assert found["rod"].min() < -5.0
    np.testing.assert_allclose(found["cord"], np.maximum(found["rod"], 0.0), atol=1e-12)


@pytest.mark.parametrize("variables", ["body", "coordinates"])
def test_each_has_the_share_of_its_work_and_the_shares_close(variables):
    model = bodies_with(FORCES)
    motion = swinging(model)
    found = bo.contributions(model, motion, variables=variables)
    assert float(found["closure"]) < 1e-11
    for name, own in passive_generalized_forces(model, motion).items():
        share = found["generalized_force"].sel(source=f"passive:{name}")
        np.testing.assert_allclose(share, -own, rtol=1e-10, atol=1e-9)
    reactions = bo.joint_reactions(model, motion, passive=True)
    for kind in ("force", "moment"):
        np.testing.assert_allclose(found[f"total_reaction_{kind}"], reactions[kind], rtol=1e-10, atol=1e-9)


def test_induced_accelerations_add_up_with_them():
    model = bodies_with(FORCES)
    assert float(bo.induced(model, swinging(model))["closure"]) < 1e-10


def test_leaving_one_out_changes_its_joint_alone():
    """Negative control: the closure would not notice a force that is in neither the shares nor the total."""
    motion = swinging(bodies_with(FORCES))
    every = bo.joint_reactions(bodies_with(FORCES), motion, passive=True)["force"]
    fewer = tuple(force for force in FORCES if force.name != "pad")
    less = bo.joint_reactions(bodies_with(fewer), motion, passive=True)["force"]
    change = np.abs(every - less).max(("time", "axis"))
    assert float(change.sel(joint="knee")) > 1.0
    np.testing.assert_allclose(change.sel(joint=["hip", "slide"]), 0.0, atol=1e-10)


def test_a_prescribed_force_follows_the_time_of_the_motion():
    tug = PrescribedForce(name="tug", body="box", force=(Linear((2.0,), 1.0), Constant(0.0), Constant(0.0)))
    model = bodies_with((tug,))
    motion = swinging(model, 4)
    late = bo.Motion(motion.time + 10.0, motion.coordinates, motion.q, motion.u, motion.udot)
    for each in (motion, late):
        load = passive_forces(model, each).loads["tug"][0]
        np.testing.assert_allclose(load.force[:, 0], 2.0 * each.time + 1.0)
        np.testing.assert_allclose(load.point, bo.body_poses(model, each)["origin"].sel(body="box"))


def test_an_instant_that_is_not_known_shifts_no_other():
    """Prescribed forces keep to their own times where a frame before them is NaN."""
    tug = PrescribedForce(name="tug", body="box", force=(Linear((2.0,), 1.0), Constant(0.0), Constant(0.0)))
    model = bodies_with((tug,))
    motion = swinging(model, 5)
    q = motion.q.copy()
    q[1, 0] = np.nan
    with pytest.warns(bo.BorelliWarning, match="1 of 5 instants contain NaN"):
        load = passive_forces(
            model, bo.Motion(motion.time, motion.coordinates, q, motion.u, motion.udot)
        ).loads["tug"][0]
    np.testing.assert_allclose(load.force[:, 0], [1.0, np.nan, 5.0, 7.0, 9.0])


def test_a_long_motion_is_that_of_its_instants():
    """Frames are taken in blocks: what is at their borders belongs to no other frame."""
    model = bodies_with(FORCES)
    motion = swinging(model, 2 * BLOCK + 3)
    whole = passive_generalized_forces(model, motion)
    for frame in (0, BLOCK - 1, BLOCK, 2 * BLOCK + 2):
        here = slice(frame, frame + 1)
        one = bo.Motion(
            motion.time[here], motion.coordinates, motion.q[here], motion.u[here], motion.udot[here]
        )
        for name, values in passive_generalized_forces(model, one).items():
            np.testing.assert_allclose(values[0], whole[name][frame], rtol=1e-12, atol=1e-12)


def test_an_expression_that_is_not_finite_somewhere_is_refused():
    model = bodies_with((ExpressionCoordinateForce(name="root", coordinate="knee", expression="sqrt(q)"),))
    with pytest.raises(InvalidValueError, match=r"'sqrt\(q\)' gives nan for q = -0\.\d+, qdot = "):
        passive_forces(model, swinging(model))


def test_two_functions_are_refused_where_three_are_needed():
    with pytest.raises(
        ShapeError, match="point of prescribed force 'tug' must be three functions of one arg"
    ):
        PrescribedForce(name="tug", body="box", point=(Constant(0.0), Constant(0.0)))
    with pytest.raises(ShapeError, match="forces of function bushing 'disc' must be three functions"):
        FunctionBushingForce(name="disc", first="ground", second="box", forces=(Linear((1.0, 2.0), 0.0),) * 3)
    with pytest.raises(ShapeError, match="moments of expression bushing 'pad' must be three expressions"):
        ExpressionBushingForce(name="pad", first="ground", second="box", moments=("0", "0"))
