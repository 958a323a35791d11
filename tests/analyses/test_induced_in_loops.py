"""In closed loops every source causes its part of each constraint's force, and with it of the joint reactions."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli import model as bm
from tests.analyses.test_forward_dynamics import assembled_four_bar
from tests.conformance.loop_study import forces, load, machine, moving


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    """What is done inside is not told: the loops are counted."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", bo.BorelliWarning)
        yield


@pytest.fixture(scope="module")
def driven() -> bo.Motion:
    return bo.driven_motion(machine(), moving(), [load()], forces())


@pytest.fixture(scope="module")
def caused(driven: bo.Motion) -> Any:
    return bo.induced(machine(), driven, [load()], tensions=forces())


def test_reactions_of_all_sources_are_those_of_the_closed_loops(driven: bo.Motion, caused: Any) -> None:
    options: dict[str, Any] = {"tensions": forces(), "passive": True}
    closed = bo.joint_reactions(machine(), driven, [load()], loops=True, **options)
    # Sums of parts that are up to a hundred times as large as forces of 250 N.
    np.testing.assert_allclose(caused["reaction_force"].sum("source"), closed["force"], atol=1e-9)
    np.testing.assert_allclose(caused["reaction_moment"].sum("source"), closed["moment"], atol=1e-9)
    # Negative control: those of the open tree are others.
    with pytest.warns(bo.BorelliWarning, match="bear nothing here"):
        tree = bo.joint_reactions(machine(), driven, [load()], **options)
    assert np.abs(tree["force"] - closed["force"]).max() > 50.0


def test_multipliers_of_all_sources_are_those_of_forward_dynamics(driven: bo.Motion, caused: Any) -> None:
    model = machine()
    free = replace(model, muscles=(), forces=())
    # Everything but gravity, speeds and the load, as generalized forces.
    pulled = bo.contributions(model, driven, [load()], tensions=forces(), loops=True)["generalized_force"]
    inner = [
        str(name) for name in pulled.source.values if str(name).startswith(("muscle", "passive", "actuator"))
    ]
    at_once = bo.forward_dynamics(free, driven, -pulled.sel(source=inner).sum("source"), [load()])
    rows = caused.constraint_row.values
    np.testing.assert_allclose(
        caused["multiplier"].sum("source"), at_once["multiplier"].sel(constraint_row=rows), atol=1e-9
    )
    assert [row.partition(":")[0] for row in rows] == [*3 * ["bars"], *2 * ["slot"], "rod", *6 * ["whole"]]


@pytest.mark.parametrize("muscle", ["brake", "stay", "cross"])
def test_a_muscle_causes_what_it_does_alone_in_weightless_rest(
    muscle: str, driven: bo.Motion, caused: Any
) -> None:
    model = replace(machine(), gravity=(0.0, 0.0, 0.0), forces=())
    still = replace(driven, u=0.0 * driven.u, udot=0.0 * driven.u)
    alone = {muscle: forces()[muscle]}
    moved = bo.driven_motion(model, still, [], alone)
    reactions = bo.joint_reactions(model, moved, tensions=alone, loops=True)
    own = caused.sel(source=f"muscle:{muscle}")
    np.testing.assert_allclose(own["acceleration"], moved.udot, atol=1e-8)
    np.testing.assert_allclose(own["reaction_force"], reactions["force"], atol=1e-8)
    np.testing.assert_allclose(own["reaction_moment"], reactions["moment"], atol=1e-8)
    assert np.abs(own["multiplier"]).max() > 1.0


def test_no_force_of_a_constraint_counts_as_provided_by_somebody(driven: bo.Motion, caused: Any) -> None:
    """Where forces cause the motion nothing is provided besides; the gear acts within its joints."""
    model = machine()
    others = [f"provided:{name}" for name in model.speed_names if name not in ("crank", "flap")]
    assert np.abs(caused["acceleration"].sel(source=others)).max() < 1e-8
    gear = caused["acceleration"].sel(source=["provided:crank", "provided:flap"])
    assert np.abs(gear.sum("source")).max() < 1e-8


@pytest.mark.parametrize("kind", ["point", "distance", "weld"])
def test_of_any_motion_that_obeys_its_loop_reactions_add_up(kind: str) -> None:
    model, motion = assembled_four_bar(kind)
    found = bo.induced(model, motion)
    closed = bo.joint_reactions(model, motion, loops=True)
    np.testing.assert_allclose(found["acceleration"].sum("source"), motion.udot, atol=1e-9)
    np.testing.assert_allclose(found["reaction_force"].sum("source"), closed["force"], atol=1e-9)
    # Nobody pushes where nothing moves a joint: pins transmit what is provided, and nothing else.
    single = [name for name in found.source.values if not str(name).startswith("provided")]
    assert np.abs(found["reaction_moment"].sel(source=single, axis="z")).max() < 1e-9


def test_a_contact_and_a_loop_answer_together() -> None:
    """Four bars on a cart: welded to the ground by a joint, or floating and held by a contact."""
    bars, motion = assembled_four_bar("point")
    cart = bm.Body("cart", 3.0, (0.1, 0.05, 0.02), (0.1, 0.2, 0.3))
    standing = [replace(j, parent="cart") if j.parent == "ground" else j for j in bars.joints]
    weld = bm.WeldJoint(name="ride", parent="ground", child="cart")
    fixed = replace(bars, bodies=[cart, *bars.bodies], joints=[weld, *standing], gravity=(0.0, -9.81, 0.0))
    driven = bo.driven_motion(fixed, motion, [], {})
    known = bo.joint_reactions(fixed, driven, loops=True)
    ride = known.sel(joint="ride")
    ground = bo.Load("ground", "cart", ride["force"].values, np.zeros((12, 3)), ride["moment"].values)
    floating = replace(fixed, joints=[bm.FreeJoint(name="ride", parent="ground", child="cart"), *standing])
    rest = bo.Motion.at_rest(
        floating.coordinate_names, np.tile(list(floating.default_values().values()), (12, 1))
    )
    u, udot = np.zeros((2, 12, 9))
    u[:, 6:], udot[:, 6:] = driven.u, driven.udot
    q = np.hstack([rest.q[:, :7], driven.q])
    moving_bars = bo.Motion(motion.time, floating.coordinate_names, q, u, udot, floating.speed_names)
    found = bo.induced(floating, moving_bars, [ground], contact="weld", threshold_n=1e-3)
    np.testing.assert_allclose(found["contact_force"].sum("source")[:, 0], ride["force"], atol=1e-10)
    np.testing.assert_allclose(found["contact_moment"].sum("source")[:, 0], ride["moment"], atol=1e-10)
    pins = ["crank", "coupler", "rocker"]
    np.testing.assert_allclose(
        found["reaction_force"].sum("source").sel(joint=pins), known["force"].sel(joint=pins), atol=1e-10
    )
    provided = [name for name in found.source.values if str(name).startswith("provided")]
    assert np.abs(found["acceleration"].sel(source=provided)).max() < 1e-10


def test_a_tree_has_no_multipliers() -> None:
    model, motion = assembled_four_bar("point")
    assert "multiplier" not in bo.induced(replace(model, constraints=[]), motion)
