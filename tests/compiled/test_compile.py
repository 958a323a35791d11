"""From a model to nodes: names, welds, constants, functions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import borelli as bo
from borelli.compiled.compile import compile_model
from borelli.compiled.functions import compile_function
from borelli.compiled.placements import aligned, turned_about
from borelli.kernels.tree import functions as kernel
from borelli.kernels.tree.node import GROUND, HINGE, NONE
from borelli.kernels.tree.numpy_backend import NumpyBackend
from borelli.model.body import Body
from borelli.model.functions.function import Constant, Linear, MultivariatePolynomial, Polynomial, Sine
from borelli.model.functions.tabulated import SimmSpline
from borelli.model.joints.coordinate import Coordinate
from borelli.model.joints.custom_joint import AxisFunction, CustomJoint
from borelli.model.joints.joint import Joint, PinJoint, SliderJoint, WeldJoint
from borelli.model.model import Model
from borelli.model.placement import Placement
from tests.random_trees import ALL, random_model, random_motion


def welded():
    """Ground – weld – shelf – pin – arm – weld – hand."""
    bodies = tuple(Body(name, 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1)) for name in ("shelf", "arm", "hand"))
    joints = (
        WeldJoint(name="wall", parent="ground", child="shelf", parent_placement=Placement((1, 0, 0))),
        PinJoint(name="hinge", parent="shelf", child="arm"),
        WeldJoint(name="grip", parent="arm", child="hand", parent_placement=Placement((0.5, 0, 0))),
    )
    return Model(name="crane", bodies=bodies, joints=joints)


def test_welded_bodies_share_a_node():
    compiled = compile_model(welded())
    assert len(compiled.mechanism.nodes) == 1
    assert compiled.bodies["shelf"].node == GROUND
    assert compiled.bodies["arm"].node == compiled.bodies["hand"].node == 0
    assert compiled.mechanism.nodes[0].inertia.mass == 2.0
    assert compiled.has_welds


def test_welds_keep_their_nodes_if_asked():
    compiled = compile_model(welded(), merge_welds=False)
    assert [node.kind for node in compiled.mechanism.nodes] == [NONE, HINGE, NONE]
    assert not compiled.has_welds


@pytest.mark.parametrize("seed", range(4))
def test_merging_welds_changes_no_force(seed):
    model = random_model(seed, 8)
    motion = random_motion(model, seed)
    forces = [
        NumpyBackend()
        .inverse_dynamics(compile_model(model, merge).mechanism, motion.q, motion.u, motion.udot)
        .generalized_force
        for merge in (True, False)
    ]
    np.testing.assert_allclose(forces[0], forces[1], rtol=1e-10, atol=1e-10)


def test_a_model_is_compiled_once():
    model = welded()
    assert compile_model(model) is compile_model(model)
    assert compile_model(replace(model)) is not compile_model(model)


def test_names_have_positions():
    compiled = compile_model(random_model(2, 5))
    names = compiled.model.coordinate_names
    assert [compiled.coordinate_index(name) for name in names] == list(range(len(names)))
    speeds = compiled.model.speed_names
    assert [compiled.speed_index(name) for name in speeds] == list(range(len(speeds)))


def test_an_unknown_name_is_named_with_the_nearest():
    compiled = compile_model(welded())
    with pytest.raises(bo.BorelliError, match="'hing' is not a coordinate of model 'crane'"):
        compiled.coordinate_index("hing")
    with pytest.raises(bo.BorelliError, match="'hing' is not a speed of model 'crane'"):
        compiled.speed_index("hing")


def test_joints_may_be_listed_in_any_order():
    model = random_model(5, 7)
    motion = random_motion(model, 5)
    backwards = replace(model, joints=model.joints[::-1])
    here, there = (bo.inverse_dynamics(m, motion)["generalized_force"] for m in (model, backwards))
    names = list(model.speed_names)
    np.testing.assert_allclose(
        there.sel(coordinate=names).values, here.sel(coordinate=names).values, rtol=1e-10, atol=1e-10
    )


def custom(rotations=(), translations=(), coordinates=("q",)):
    axes = ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0))
    still = tuple(AxisFunction(axis) for axis in axes)
    joint = CustomJoint(
        name="joint",
        parent="ground",
        child="body",
        coordinates=tuple(Coordinate(name) for name in coordinates),
        rotations=(*rotations, *still[len(rotations) :]),
        translations=(*translations, *still[len(translations) :]),
    )
    return Model(bodies=(Body("body", 1.0, (0.1, 0.2, 0.3), (0.1, 0.1, 0.1)),), joints=(joint,))


def test_constant_axes_of_a_custom_joint_need_no_node():
    turned = AxisFunction((1, 0, 0), Constant(0.3))
    model = custom(
        (turned, AxisFunction((0, 0, 1), Linear(), ("q",))), (AxisFunction((0, 1, 0), Constant(0.5)),)
    )
    compiled = compile_model(model)
    assert [node.kind for node in compiled.mechanism.nodes] == [HINGE]
    pose = bo.body_poses(model, bo.Motion.at_rest(["q"], [0.0]))
    np.testing.assert_allclose(pose["origin"].values[0, 0], (0, 0.5, 0), atol=1e-15)
    c, s = np.cos(0.3), np.sin(0.3)
    np.testing.assert_allclose(pose["rotation"].values[0, 0], [(1, 0, 0), (0, c, -s), (0, s, c)], atol=1e-15)


def test_a_sliding_custom_joint_keeps_its_constant_rotation():
    turned = AxisFunction((0, 0, 1), Constant(np.pi / 2))
    model = custom((turned,), (AxisFunction((1, 0, 0), Linear(), ("q",)),))
    pose = bo.body_poses(model, bo.Motion.at_rest(["q"], [0.7]))
    np.testing.assert_allclose(pose["origin"].values[0, 0], (0.7, 0, 0), atol=1e-15)
    np.testing.assert_allclose(pose["rotation"].values[0, 0, :, 0], (0, 1, 0), atol=1e-15)


def test_a_coordinate_that_moves_nothing_feels_nothing():
    turning, idle = (
        AxisFunction((0, 0, 1), Linear(), ("q",)),
        AxisFunction((1, 0, 0), Constant(0.2), ("idle",)),
    )
    model = custom((turning,), (idle,), coordinates=("q", "idle"))
    motion = bo.Motion([0.0], ["q", "idle"], [[0.3, 0.5]], [[1.0, 2.0]], [[1.0, 2.0]])
    assert bo.inverse_dynamics(model, motion)["generalized_force"].values[0, 1] == 0.0
    assert not bo.jacobian(model, motion, "body")["linear"].values[0, :, 1].any()


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (Constant(0.2), kernel.Constant),
        (Linear((0.0,), 0.4), kernel.Constant),
        (Linear((2.0,), 0.1), kernel.Linear),
        (Polynomial((1.0, 2.0)), kernel.Linear),
        (Polynomial((1.0, 2.0, 3.0)), kernel.PiecewisePolynomial),
        (SimmSpline((0.0, 1.0, 2.0, 3.0), (0.0, 1.0, 0.0, 1.0)), kernel.PiecewisePolynomial),
        (Sine(0.5, 2.0, 0.1, 0.3), kernel.Sine),
    ],
)
def test_functions_become_the_simplest_kernel_that_equals_them(function, kind):
    found = compile_function(function, (0,), "here")
    assert type(found) is kind
    x = np.linspace(-1, 4, 11)
    value, gradient, second = found.derivatives((x,))
    np.testing.assert_allclose(value + 0 * x, function.value(x), rtol=1e-13, atol=1e-13)
    for derivative, by in ((gradient, (0,)), (second, (0, 0))):
        own = derivative[0] if derivative else 0.0
        np.testing.assert_allclose(own + 0 * x, function.evaluate(x, by=by), rtol=1e-12, atol=1e-12)


def test_functions_of_several_coordinates_become_polynomials():
    function = MultivariatePolynomial(2, 2, (0.1, 0.2, 0.3, 0.4, 0.5, 0.6))
    found = compile_function(function, (0, 1), "here")
    x, y = np.linspace(-1, 1, 5), np.linspace(2, 1, 5)
    np.testing.assert_allclose(found.derivatives((x, y))[0], function.value(x, y), rtol=1e-13)


@dataclass(frozen=True)
class Strange(Linear):
    """A function that is no polynomial and says so."""

    def as_piecewise_polynomials(self):
        raise bo.errors.UnsupportedError("Strange is not made of polynomials.")

    as_polynomial_terms = as_piecewise_polynomials


@pytest.mark.parametrize("arguments", [(0,), (0, 1)])
def test_a_function_that_cannot_be_tabulated_is_refused_with_its_joint(arguments):
    with pytest.raises(bo.BorelliError) as caught:
        compile_function(Strange((1.0,) * len(arguments)), arguments, "joint 'knee'")
    assert "Strange is not made of polynomials" in str(caught.value)
    assert caught.value.where == "joint 'knee'"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrewJoint(Joint):
    """A joint that Borelli does not have."""

    kind: ClassVar[str] = "screw"
    _pattern: ClassVar = SliderJoint._pattern


def test_an_unknown_kind_of_joint_is_refused_with_a_way_out():
    joint = ScrewJoint(name="bolt", parent="ground", child="body")
    model = Model(bodies=(Body("body", 1.0),), joints=(joint,))
    with pytest.raises(bo.BorelliError) as caught:
        compile_model(model)
    assert "ScrewJoint have no equations" in str(caught.value)
    assert "joint 'bolt'" in str(caught.value)
    assert "CustomJoint" in str(caught.value)


@pytest.mark.parametrize(
    "axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, -1), (-1, 0, 0), (0.6, 0, -0.8), (0.48, 0.64, 0.6)]
)
def test_alignment_is_a_rotation_that_puts_the_axis_on_z(axis):
    axis = tuple(map(float, axis))
    rotation = np.array(aligned(axis))
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-15)
    assert np.linalg.det(rotation) == pytest.approx(1)
    np.testing.assert_allclose(rotation[:, 2], axis, atol=1e-15)
    # Turning about an axis leaves the axis.
    np.testing.assert_allclose(np.array(turned_about(axis, 0.7)) @ axis, axis, atol=1e-15)


@pytest.mark.parametrize("kind", [kind for kind in ALL if kind != "weld"])
def test_symbols_in_place_of_masses_pass_through(kind):
    sympy = pytest.importorskip("sympy")
    model = random_model(9, 1, (kind,))
    mass = sympy.Symbol("m", positive=True)
    heavy = replace(model.bodies[0], mass=mass)
    nodes = compile_model(replace(model, bodies=(heavy,))).mechanism.nodes
    assert nodes[-1].inertia.mass == mass
