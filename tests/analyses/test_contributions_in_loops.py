"""Constraints that close loops are sources of shares."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from tests.analyses.linkages import BASE, COUPLER, CRANK, ROCKER, four_bar, slider_crank
from tests.analyses.test_forward_dynamics import assembled_four_bar
from tests.analyses.test_reactions_in_loops import rolling_ball

TIME = np.linspace(0.0, 0.4, 5)
LOOPS = {
    "point": four_bar("point"),
    "distance": four_bar("distance"),
    "weld": four_bar("weld"),
    "line": slider_crank(),
    "rolling": rolling_ball(),
}


def anyhow(model: bm.Model) -> bo.Motion:
    """Any motion, its loops open."""
    rng = np.random.default_rng(3)
    q = rng.uniform(-0.5, 0.5, (TIME.size, len(model.coordinate_names)))
    u, udot = rng.uniform(-2.0, 2.0, (2, TIME.size, len(model.speed_names)))
    return bo.Motion(TIME, model.coordinate_names, q, u, udot, model.speed_names)


def loaded(model: bm.Model) -> tuple[bm.Model, list[bo.Load], dict[str, np.ndarray]]:
    """A muscle from the ground to the last body, a bushing between the outermost two, contact, and a load."""
    first, last = model.body_names[0], model.body_names[-1]
    path = bm.Path(
        (bm.PathPoint("a", "ground", (0.3, -0.4, 0.1)), bm.PathPoint("b", last, (0.1, 0.05, 0.02)))
    )
    muscle = bm.Millard2012EquilibriumMuscle(name="pull", path=path)
    pad = bm.BushingForce(
        name="pad",
        first=first,
        second=last,
        rotational_stiffness=(1.0, 2.0, 3.0),
        translational_stiffness=(10.0, 20.0, 30.0),
    )
    push = bo.Load("push", first, force=(3.0, -9.0, 2.0), point=(0.2, 0.1, 0.3), moment=(0.1, 0.4, -0.2))
    surfaces = [
        bm.ContactHalfSpace(
            name="floor", frame="ground", placement=bm.Placement.from_angles((0, 0.4, 0), (0.1, 0.2, -1.4))
        ),
        bm.ContactSphere(name="foot", frame=last, radius=0.6),
    ]
    sole = bm.SmoothSphereHalfSpaceForce(
        name="sole",
        sphere="foot",
        half_space="floor",
        stiffness=1e3,
        dynamic_friction=0.4,
        static_friction=0.5,
    )
    model = replace(model, muscles=[muscle], forces=[pad, sole], contact_surfaces=surfaces)
    return model, [push], {"pull": 20.0 + 90.0 * TIME}


@pytest.mark.parametrize("variables", ["body", "coordinates"])
@pytest.mark.parametrize("kind", LOOPS)
def test_shares_add_up_to_the_reactions_of_closed_loops(kind: str, variables: str) -> None:
    model, loads, tensions = loaded(LOOPS[kind])
    options: dict[str, Any] = {"tensions": tensions, "loops": True, "on": "parent", "express_in": "child"}
    motion = anyhow(model)
    found = bo.contributions(model, motion, loads, variables=variables, **options)
    assert found["closure"] < 1e-13
    reactions = bo.joint_reactions(model, motion, loads, passive=True, **options)
    for share, total in (("reaction_force", "force"), ("reaction_moment", "moment")):
        size = float(np.abs(found[share]).max())
        np.testing.assert_allclose(found[share].sum("source"), reactions[total], atol=1e-12 * size)
        np.testing.assert_allclose(found[f"total_{share}"], reactions[total], atol=1e-13 * size)
    name = model.constraints[0].name
    assert np.abs(found["reaction_force"].sel(source="passive:sole")).max() > 0.1
    # Negative control: without this source the sum is another.
    assert np.abs(found["reaction_force"].sel(source=f"constraint:{name}")).max() > 0.1


@pytest.mark.parametrize("kind", ["point", "distance", "weld"])
def test_nothing_is_left_to_provide_where_forces_cause_the_motion(kind: str) -> None:
    """Where postures obey the loop, too; four times as much without the constraint."""
    model, motion = assembled_four_bar(kind)
    driven = bo.driven_motion(model, motion, [], {})
    found = bo.contributions(model, driven, loops=True)
    share = found["generalized_force"].sel(source="constraint:loop")
    np.testing.assert_allclose(found["total_generalized_force"], 0.0, atol=1e-11)
    assert np.abs(share).max() > 0.5
    # Power of a constraint at rest, along its motion; and along one that it does not allow.
    power = (share * driven.u).sum("coordinate")
    np.testing.assert_allclose(power, 0.0, atol=1e-11)
    assert np.abs(share.sel(coordinate="crank") * driven.u[:, 0]).max() > 0.1


@pytest.mark.parametrize("kind", ["point", "distance", "weld"])
def test_a_constraint_acts_oppositely_on_its_bodies(kind: str) -> None:
    model, motion = assembled_four_bar(kind)
    found = bo.contributions(model, motion, loops=True, joints=["crank", "rocker"])
    own = found.sel(source="constraint:loop")
    force, pivot = own["reaction_force"].values, np.array([[0.0, 0, 0], [BASE, 0, 0]])
    about_ground = own["reaction_moment"].values + np.cross(pivot, force)
    # Both joints stand on the ground: what one bears the other gives, force and moment about one point.
    np.testing.assert_allclose(force.sum(axis=1), 0.0, atol=1e-12)
    np.testing.assert_allclose(about_ground.sum(axis=1), 0.0, atol=1e-11)
    assert np.abs(force).max() > 1.0


def cut_at_the_ground() -> bm.Model:
    """The same four bars as one chain, cut where the rocker stands on the ground."""
    model = four_bar("point")
    rocker = bm.PinJoint(
        name="knuckle",
        parent="coupler",
        child="rocker",
        parent_placement=bm.Placement((COUPLER, 0, 0)),
        child_placement=bm.Placement((ROCKER, 0, 0)),
    )
    pivot = bm.PointConstraint(name="pivot", first="ground", second="rocker", first_location=(BASE, 0, 0))
    return replace(
        model, joints=[*(model.joints[k] for k in ("crank", "coupler")), rocker], constraints=[pivot]
    )


def test_a_loop_that_is_cut_elsewhere_bears_the_same() -> None:
    model, motion = assembled_four_bar("point")
    driven = bo.driven_motion(model, motion, [], {})
    crank, coupler, rocker = driven.q.T
    other, turned = cut_at_the_ground(), np.array([[1, 0, 0], [0, 1, 0], [-1, -1, 1]])
    again = bo.Motion(
        driven.time,
        other.coordinate_names,
        np.stack([crank, coupler, rocker - crank - coupler], axis=1),
        driven.u @ turned.T,
        driven.udot @ turned.T,
    )
    one = bo.contributions(model, driven, loops=True)
    two = bo.contributions(other, again, loops=True)
    for joint in ("crank", "coupler"):
        for name in ("total_reaction_force", "total_reaction_moment"):
            np.testing.assert_allclose(two[name].sel(joint=joint), one[name].sel(joint=joint), atol=1e-10)
    # What is a joint in one cut is the constraint in the other.
    pivot = -two["reaction_force"].sel(source="constraint:pivot", joint="crank")
    np.testing.assert_allclose(pivot, one["total_reaction_force"].sel(joint="rocker"), atol=1e-10)
    loop = -one["reaction_force"].sel(source="constraint:loop", joint="rocker")
    np.testing.assert_allclose(loop, two["total_reaction_force"].sel(joint="knuckle"), atol=1e-10)
    # Forces of some 30 N: the cuts are not the same trivially.
    open_one = np.abs(
        one["reaction_force"].sel(joint="crank").drop_sel(source="constraint:loop").sum("source")
    )
    assert np.abs(open_one - np.abs(one["total_reaction_force"].sel(joint="crank"))).max() > 1.0


def test_a_rod_at_rest_bears_what_the_balance_of_moments_says() -> None:
    """Plane statics: weight of the rocker turns against the rod, the rod against the motor of the crank."""
    model = four_bar("distance")
    motor = bm.CoordinateActuator(name="motor", coordinate="crank")
    model = replace(model, forces=[motor], gravity=(0.0, -9.81, 0.0))
    still = assembled_four_bar("distance")[1]
    q = still.q[:3]
    motion = bo.Motion(still.time[:3], model.coordinate_names, q, 0 * q, 0 * q)
    (crank, rocker), (mass, arm) = q.T, (1.0, 0.1)
    end = CRANK * np.stack([np.cos(crank), np.sin(crank)], axis=1)
    knuckle = np.stack([BASE + ROCKER * np.cos(rocker), ROCKER * np.sin(rocker)], axis=1)
    along = (knuckle - end) / COUPLER
    lever = (knuckle[:, 0] - BASE) * along[:, 1] - knuckle[:, 1] * along[:, 0]
    thrust = mass * 9.81 * arm * np.cos(rocker) / lever  # of the rod on the rocker
    back = end[:, 0] * along[:, 1] - end[:, 1] * along[:, 0]
    torque = mass * 9.81 * arm * np.cos(crank) + thrust * back
    found = bo.contributions(model, motion, tensions={"motor": torque}, loops=True)
    np.testing.assert_allclose(found["total_generalized_force"], 0.0, atol=1e-12)
    rod = found.sel(source="constraint:loop")
    np.testing.assert_allclose(
        rod["reaction_force"].sel(joint="rocker")[:, :2], -thrust[:, None] * along, atol=1e-12
    )
    np.testing.assert_allclose(rod["generalized_force"].sel(coordinate="crank"), thrust * back, atol=1e-12)
    assert np.abs(thrust).min() > 0.1


def test_an_open_loop_turns_what_carries_both_bodies() -> None:
    """Where a motion violates its constraint, the forces at both ends form a couple, and nothing goes missing."""
    model = four_bar("point")
    cart = bm.Body("cart", 3.0, (0, 0, 0), (0.1, 0.1, 0.1))
    ride = bm.PinJoint(name="ride", parent="ground", child="cart")
    standing = [replace(j, parent="cart") if j.parent == "ground" else j for j in model.joints]
    model = replace(model, bodies=[cart, *model.bodies], joints=[ride, *standing])
    motion = anyhow(model)
    gap = bo.constraint_residuals(model, motion)["position_error"].values[:, :3]
    found = bo.contributions(model, motion, loops=True)
    assert found["closure"] < 1e-13 and np.abs(gap).max() > 0.1
    own = found.sel(source="constraint:loop")
    force = -own["reaction_force"].sel(joint="rocker").values
    couple = np.cross(gap, force)
    np.testing.assert_allclose(
        own["reaction_moment"].sel(joint="ride"), -couple, atol=1e-10 * np.abs(couple).max()
    )
    assert (own["reaction_force"].sel(joint="ride") == 0.0).all()


def test_what_each_source_does_to_a_constraint_is_not_unique() -> None:
    """Why a constraint is one source: least squares and inertia give its causes other parts with the same sum."""
    model, motion = assembled_four_bar("distance")
    crank, rocker = model.bodies
    model = replace(model, bodies=[crank, replace(rocker, mass=4.0)])
    driven = bo.driven_motion(model, motion, [], {})
    parts = bo.contributions(replace(model, constraints=[]), driven)["generalized_force"].values
    row = bo.constraint_jacobian(model, driven).values[:, 0]
    split = []
    for weighed in (row, np.linalg.solve(bo.mass_matrix(model, driven).values, row[..., None])[..., 0]):
        split.append(np.einsum("tu,tus->ts", weighed, parts) / (weighed * row).sum(axis=1)[:, None])
    by_squares, by_inertia = split
    np.testing.assert_allclose(by_squares.sum(axis=1), by_inertia.sum(axis=1), atol=1e-11)
    assert np.abs(by_squares - by_inertia).max() > 1.0


def test_constraints_that_say_the_same_share_alike() -> None:
    model, motion = assembled_four_bar("point")
    twice = replace(model, constraints=[*model.constraints, replace(model.constraints[0], name="again")])
    one, two = (bo.contributions(each, motion, loops=True) for each in (model, twice))
    whole = one["reaction_force"].sel(source="constraint:loop")
    for name in ("loop", "again"):
        np.testing.assert_allclose(
            two["reaction_force"].sel(source=f"constraint:{name}"), 0.5 * whole, atol=1e-12
        )
    np.testing.assert_allclose(two["total_reaction_force"], one["total_reaction_force"], atol=1e-12)


def test_constraints_are_a_kind_and_a_group_of_their_own() -> None:
    model, motion = assembled_four_bar("point")
    for by, label in (("kind", "constraint"), ("muscle group", "constraint"), ("body", "constraints")):
        grouped = bo.contributions(model, motion, loops=True, by=by)  # type: ignore[arg-type]
        assert label in grouped.source.values
    found = bo.contributions(model, motion, loops=True)
    assert found.attrs["loops"] is True
    told = bo.explain(found, "crank_reaction_force_x", at="peak")
    assert "constraint:loop" in [share.source for share in told.shares]
    plain = bo.explain(found, "crank_reaction_force_x", at="peak", by="anatomy")
    assert "constraint:loop" in [share.source for share in plain.shares]


def test_threads_give_the_same_bits_and_gaps_in_the_motion_stay_gaps() -> None:
    model, motion = assembled_four_bar("point")
    many = {name: np.repeat(getattr(motion, name), 500, axis=0) for name in ("q", "u", "udot")}
    many["q"][7, 0] = np.nan
    long = bo.Motion(np.arange(6000) / 1000, motion.coordinates, **many)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bo.BorelliWarning)
        one, two = (bo.contributions(model, long, loops=True, threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one["reaction_force"], two["reaction_force"])
    assert np.isnan(one["reaction_force"][7]).all() and np.isfinite(one["reaction_force"][8:]).all()


def test_without_loops_a_warning_says_so_and_how_to_count_them() -> None:
    model, motion = assembled_four_bar("point")
    with pytest.warns(bo.BorelliWarning) as told:
        bo.contributions(model, motion)
    assert str(told[0].message) == (
        "constraints between bodies bear nothing here ('loop'): generalized forces and reactions are those of joints "
        "that bear all alone. With loops=True (--loops, or loops in a trial file) each constraint bears its part and "
        "is a source of shares, as in OpenSim's JointReaction."
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bo.contributions(model, motion, loops=True)
        bo.contributions(replace(model, constraints=[]), motion)


def test_a_tree_has_the_same_shares_with_and_without_loops() -> None:
    model, motion = assembled_four_bar("point")
    off = replace(model, constraints=[replace(model.constraints[0], enforced=False)])
    one, two = (bo.contributions(off, motion, loops=loops) for loops in (False, True))
    assert one.identical(two) and "loops" not in one.attrs
