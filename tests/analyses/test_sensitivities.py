"""Derivatives of inverse dynamics against finite differences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import borelli as bo
from borelli.mechanics.motion.parameters import parameter_names, parameter_unit
from borelli.model.placement import Placement
from tests.random_trees import ALL, random_loads, random_model, random_motion

STEP = 1e-6
# A central difference of step 1e-6: truncation 1e-12 and round-off 1e-10, times the size of the derivative.
CLOSE = {"rtol": 1e-6, "atol": 2e-6}
KINDS = [kind for kind in ALL if kind != "weld"]


def force(model, motion, loads=()):
    return bo.inverse_dynamics(model, motion, loads)["generalized_force"].values


def changed(motion, name, column, step):
    parts = {"q": motion.q.copy(), "u": motion.u.copy(), "udot": motion.udot.copy()}
    parts[name][:, column] += step
    return bo.Motion(motion.time, motion.coordinates, *parts.values(), speeds=motion.speeds)


@pytest.mark.parametrize("name", ["q", "u", "udot"])
@pytest.mark.parametrize("kind", KINDS)
def test_derivatives_by_the_state_equal_finite_differences(kind, name):
    model = random_model(11, 3, (kind,))
    motion, loads = random_motion(model, 12), random_loads(model, 13)
    found = bo.sensitivities(model, motion, loads)[f"by_{name}"].values
    for column in range(found.shape[2]):
        after, before = (force(model, changed(motion, name, column, s), loads) for s in (STEP, -STEP))
        np.testing.assert_allclose(found[:, :, column], (after - before) / (2 * STEP), **CLOSE)


def perturbed(model, name, step):
    """The model with one constant changed, written out by hand."""
    kind, _, owner = name.partition(":")
    axis = "xyz".index(kind[-1]) if kind[-1] in "xyz" else 0
    if kind.startswith("gravity"):
        return replace(model, gravity=tuple(np.array(model.gravity) + step * np.eye(3)[axis]))
    if owner in model.body_names:
        bodies = [perturbed_body(b, kind, axis, step) if b.name == owner else b for b in model.bodies]
        return replace(model, bodies=bodies)
    joints = []
    for joint in model.joints:
        if joint.name == owner and kind.startswith("radius"):
            joint = replace(joint, radii=tuple(np.array(joint.radii) + step * np.eye(3)[axis]))
        elif joint.name == owner and kind == "length":
            joint = replace(joint, length=joint.length + step)
        elif joint.name == owner:
            field = kind.split("_")[0] + "_placement"
            old = getattr(joint, field)
            turn = Rotation.from_rotvec(step * np.eye(3)[axis]).as_matrix()
            own = Placement(rotation=turn) if "_r" in kind else Placement()
            shift = 0 if "_r" in kind else step * np.eye(3)[axis]
            new = Placement(np.array(old.translation) + shift, old.then(own).rotation)
            joint = replace(joint, **{field: new})
        joints.append(joint)
    return replace(model, joints=joints)


def perturbed_body(body, kind, axis, step):
    if kind == "mass":
        return replace(body, mass=body.mass + step)
    if kind.startswith("com"):
        return replace(body, com=np.array(body.com) + step * np.eye(3)[axis])
    values = list(body.inertia)
    values[("xx", "yy", "zz", "xy", "xz", "yz").index(kind.split("_")[1])] += step
    return replace(body, inertia=tuple(values))


@pytest.mark.parametrize(
    "kinds",
    [("pin", "slider", "weld"), ("ball", "free_angles", "custom"), ("ellipsoid", "scapulothoracic", "arc")],
)
def test_derivatives_by_every_constant_equal_finite_differences(kinds):
    model = random_model(21, 3, kinds)
    motion, loads = random_motion(model, 22), random_loads(model, 23)
    names = parameter_names(model)
    found = bo.sensitivities(model, motion, loads, parameters=names)["by_parameter"]
    for name in names:
        after, before = (force(perturbed(model, name, s), motion, loads) for s in (STEP, -STEP))
        expected = (after - before) / (2 * STEP)
        np.testing.assert_allclose(found.sel(parameter=name).values, expected, err_msg=name, **CLOSE)


def test_derivative_by_the_acceleration_is_the_mass_matrix():
    model = random_model(31, 5)
    motion = random_motion(model, 32)
    found = bo.sensitivities(model, motion)["by_udot"].values
    np.testing.assert_allclose(found, bo.mass_matrix(model, motion).values, rtol=1e-11, atol=1e-11)


def test_a_displacement_along_rates_of_coordinates_is_a_change_of_coordinates():
    model = random_model(41, 4, ("pin", "custom", "planar"))
    found = bo.sensitivities(model, random_motion(model, 42))
    np.testing.assert_array_equal(found["by_displacement"].values, found["by_q"].values)


def test_parameters_have_units():
    assert parameter_unit("mass:b0") == "kg"
    assert parameter_unit("com_x:b0") == "m"
    assert parameter_unit("inertia_xy:b0") == "kg m^2"
    assert parameter_unit("parent_x:j0") == "m"
    assert parameter_unit("child_rz:j0") == "rad"
    assert parameter_unit("radius_z:j0") == "m"
    assert parameter_unit("gravity_y") == "m/s^2"


def test_an_unknown_parameter_is_named_with_the_nearest():
    model = random_model(1, 2, ("pin",))
    with pytest.raises(bo.BorelliError) as caught:
        bo.sensitivities(model, random_motion(model, 1), parameters=["mas:b0"])
    assert "'mas:b0' is not a parameter" in str(caught.value)
    assert "mass:b0" in caught.value.closest


def test_custom_joints_as_opensim_moves_them_are_differentiated_as_they_should_move():
    model = random_model(51, 2, ("custom",))
    motion = random_motion(model, 52)
    joints = [replace(joint, axis_rates="simbody") for joint in model.joints]
    found = bo.sensitivities(replace(model, joints=joints), motion)
    assert found.identical(bo.sensitivities(model, motion))
