"""Custom joints as OpenSim moves them: its numbers where they differ from the exact ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import borelli as bo
from borelli.model.body import Body
from borelli.model.coordinate import Coordinate
from borelli.model.custom_joint import AxisFunction, AxisRates, CustomJoint
from borelli.model.function import Constant, Linear, Multiplier
from borelli.model.joint import PinJoint
from borelli.model.model import Model
from borelli.model.placement import Placement
from borelli.model.tabulated import SimmSpline
from tests.compiled.test_joints_against_opensim import FIXTURE

CASE = next(case for case in FIXTURE["cases"] if case["kind"] == "custom_coupled")
# OpenSim's sums are ordered otherwise: a few hundred roundings of numbers of order 100.
CLOSE = {"rtol": 1e-11, "atol": 1e-11}


def build(rates):
    p = CASE["placements"]
    spline = SimmSpline(FIXTURE["spline"]["x"], FIXTURE["spline"]["y"])
    base = PinJoint(
        name="base",
        parent="ground",
        child="carrier",
        parent_placement=Placement.from_angles(p[0], p[1]),
        child_placement=Placement.from_angles(p[2], p[3]),
    )
    joint = CustomJoint(
        name="joint",
        parent="carrier",
        child="body",
        parent_placement=Placement.from_angles(p[4], p[5]),
        child_placement=Placement.from_angles(p[6], p[7]),
        coordinates=(Coordinate("c0"), Coordinate("c1")),
        rotations=(
            AxisFunction((0.6, 0.0, 0.8), Linear(), ("c0",)),
            AxisFunction((0.0, 1.0, 0.0), Linear((0.7,), 0.1), ("c1",)),
            AxisFunction((0.0, 0.6, 0.8), spline, ("c0",)),
        ),
        translations=(
            AxisFunction((1.0, 0.0, 0.0), spline, ("c0",)),
            AxisFunction((0.0, 1.0, 0.0), Constant(0.03)),
            AxisFunction((0.0, 0.0, 1.0), Multiplier(spline, 1.7), ("c1",)),
        ),
        axis_rates=rates,
    )
    bodies = [Body(name, **CASE[name]) for name in ("carrier", "body")]
    return Model(bodies=bodies, joints=(base, joint), gravity=(0.3, -9.8, 0.7))


def motion(model):
    rows = [[frame[key] for frame in CASE["frames"]] for key in ("q", "u", "udot")]
    return bo.Motion(np.arange(float(len(rows[0]))), model.coordinate_names, *rows)


def force(model, own):
    return bo.inverse_dynamics(model, own)["generalized_force"].values


def test_simbodys_rates_give_opensims_forces():
    model = build(AxisRates.SIMBODY)
    expected = [frame["tau"] for frame in CASE["frames"]]
    np.testing.assert_allclose(force(model, motion(model)), expected, **CLOSE)


def test_exact_rates_do_not():
    """Negative control: the difference is there, and it is small."""
    model = build(AxisRates.EXACT)
    expected = np.array([frame["tau"] for frame in CASE["frames"]])
    gap = np.abs(force(model, motion(model)) - expected).max()
    assert 1e-4 < gap < 0.1


def test_simbodys_rates_give_opensims_reactions():
    model = build(AxisRates.SIMBODY)
    found = bo.joint_reactions(model, motion(model))
    for number, frame in enumerate(CASE["frames"]):
        for name, expected in frame["reactions"].items():
            own = found.sel(joint=name).isel(time=number)
            np.testing.assert_allclose(own["force"], expected["force"], **CLOSE)
            np.testing.assert_allclose(own["moment"], expected["moment"], **CLOSE)


def test_forward_dynamics_undoes_it():
    model = build(AxisRates.SIMBODY)
    own = motion(model)
    found = bo.forward_dynamics(model, own, force(model, own))["acceleration"].values
    np.testing.assert_allclose(found, own.udot, rtol=1e-9, atol=1e-10)


def test_mass_matrix_and_weight_do_not_depend_on_the_rates():
    exact, simbody = build(AxisRates.EXACT), build(AxisRates.SIMBODY)
    own = motion(exact)
    assert bo.mass_matrix(simbody, own).identical(bo.mass_matrix(exact, own))
    at_rest = bo.Motion.at_rest(exact.coordinate_names, own.q)
    np.testing.assert_array_equal(force(simbody, at_rest), force(exact, at_rest))


@pytest.mark.parametrize("rates", list(AxisRates))
def test_only_exact_rates_keep_the_balance_of_power(rates):
    model = build(rates)
    own = motion(model)
    still = bo.Motion(own.time, own.coordinates, own.q, own.u, 0 * own.udot)
    h = 1e-5
    after, before = (
        bo.energy(model, bo.Motion(own.time, own.coordinates, own.q + s * own.u, own.u, 0 * own.udot))
        for s in (h, -h)
    )
    growth = sum((after[name] - before[name]).values / (2 * h) for name in ("kinetic", "potential"))
    power = np.einsum("ti,ti->t", force(model, still), own.u)
    gap = np.abs(power - growth).max()
    # A central difference of step 1e-5 is good to 1e-7 here.
    assert gap < 1e-7 if rates is AxisRates.EXACT else gap > 1e-5


def test_joints_whose_coordinates_keep_to_their_own_rotation_are_the_same_either_way():
    model = build(AxisRates.EXACT)
    joint = model.joints["joint"]
    rotations = (*joint.rotations[:2], AxisFunction((0.0, 0.6, 0.8), Constant(0.2)))
    models = [
        replace(model, joints=(model.joints["base"], replace(joint, rotations=rotations, axis_rates=rates)))
        for rates in AxisRates
    ]
    np.testing.assert_allclose(force(models[0], motion(model)), force(models[1], motion(model)), rtol=1e-12)
