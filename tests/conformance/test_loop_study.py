"""Closed loops of every kind: reactions, their shares and single constraints beside OpenSim's, on every machine."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import borelli as bo
from tests.conformance.cases import FIXTURES
from tests.conformance.loop_study import SETUPS, TIME, forces, load, machine, moving, write_study

_STORED = json.loads((FIXTURES / "loop_runs.json").read_text("utf-8"))
THEIRS = {
    name: bo.Table(np.array(content[1]), tuple(content[0]), np.array(content[2]))
    for name, content in _STORED.items()
    if name != "origin"
}
PRINTED = 1e-8
"""N, N m: OpenSim prints eight decimals of forces up to 250 N."""


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loops")
    write_study(folder)
    with warnings.catch_warnings():
        # With loops=True nothing is left to be told.
        warnings.simplefilter("error", bo.BorelliWarning)
        warnings.filterwarnings("ignore", "the motion is not filtered")
        for name in SETUPS:
            bo.run(folder / f"{name}.xml", explain=True)
    return folder


def shares() -> Any:
    model = machine()
    motion = bo.driven_motion(model, moving(), [load()], forces())
    return bo.contributions(model, motion, [load()], tensions=forces(), loops=True)


@pytest.mark.parametrize("name", SETUPS)
def test_joint_reactions_are_opensims_table(name: str, ours: Path) -> None:
    file = f"{name}_J_ReactionLoads.sto"
    found = bo.load_table(ours / "out" / file).flat()
    assert found.columns == THEIRS[file].columns
    np.testing.assert_allclose(found.values, THEIRS[file].values, atol=2 * PRINTED)


def test_shares_in_the_result_folder_add_up_to_opensims_table(ours: Path) -> None:
    found = bo.load_result(ours / "out" / "ground_borelli")
    assert found.closure < 1e-13
    assert {"constraint:bars", "constraint:slot", "constraint:rod", "constraint:whole"} < set(
        found.source.values
    )
    theirs = THEIRS["ground_J_ReactionLoads.sto"].values.reshape(len(TIME), -1, 9)
    for name, columns in (("reaction_force", slice(0, 3)), ("reaction_moment", slice(3, 6))):
        np.testing.assert_allclose(found[name].sum("source"), theirs[..., columns], atol=2 * PRINTED)
    # Negative control: no part of this is small.
    parts = found["reaction_force"].sel(source=[s for s in found.source.values if s.startswith("constraint")])
    assert (np.abs(parts).max(("time", "joint", "axis")) > 10.0).all()


@pytest.mark.parametrize(
    ("constraint", "joint", "end"),
    [
        ("bars", "rocker", "rocker"),
        ("slot", "rail", "rail"),
        ("rod", "mast", "mast"),
        ("rod", "rocker", "rocker"),
    ],
)
def test_share_of_a_constraint_is_the_force_that_opensim_reports_of_it(
    constraint: str, joint: str, end: str
) -> None:
    own = shares().sel(source=f"constraint:{constraint}", joint=joint)
    their = THEIRS["constraints"]
    force, moment = (
        np.stack([their.column(f"{constraint}_{end}_{kind}{axis}") for axis in "xyz"], axis=1)
        for kind in "FM"
    )
    # Simbody's sign is that of M u̇ + Gᵀ λ = f: what the joint bears, not what the body feels.
    np.testing.assert_allclose(own["reaction_force"], force, atol=1e-9)
    np.testing.assert_allclose(own["reaction_moment"], moment, atol=1e-9)


def test_a_weld_within_a_moving_body_loads_only_the_joints_between_its_ends() -> None:
    found = shares()
    own = found.sel(source="constraint:whole")
    between = ["left", "right", "near", "far"]
    carrying = [name for name in found.joint.values if name not in between]
    assert (own["reaction_force"].sel(joint=carrying) == 0.0).all()
    assert (own["reaction_moment"].sel(joint=carrying) == 0.0).all()
    their = THEIRS["constraints"]
    size = np.linalg.norm([their.column(f"whole_far_F{axis}") for axis in "xyz"], axis=0)
    np.testing.assert_allclose(
        np.linalg.norm(own["reaction_force"].sel(joint="far"), axis=1), size, atol=1e-9
    )


def test_nothing_but_the_gear_is_left_of_generalized_forces() -> None:
    """A coupler acts within its joints: it is no source, and what it does is left to them."""
    model, left = machine(), shares()["total_generalized_force"]
    # Simbody's columns are those of its mobilities: the crank, then the flap, which turns by half as much.
    their = np.stack([THEIRS["constraints"].column(f"geared_mobility_F{k}") for k in (0, 1)], axis=1)
    np.testing.assert_allclose(left.sel(coordinate=["crank", "flap"]), -their, atol=1e-9)
    others = [name for name in model.speed_names if name not in ("crank", "flap")]
    assert np.abs(left.sel(coordinate=others)).max() < 1e-11


def test_open_loops_give_other_reactions() -> None:
    """Negative control: without ``loops`` the joints bear what the constraints should."""
    model = machine()
    motion = bo.driven_motion(model, moving(), [load()], forces())
    with pytest.warns(bo.BorelliWarning, match=r"bear nothing here \('bars', 'slot', 'rod', 'whole'\)"):
        tree = bo.contributions(model, motion, [load()], tensions=forces())
    theirs = THEIRS["ground_J_ReactionLoads.sto"].values.reshape(len(TIME), -1, 9)
    assert np.abs(tree["total_reaction_force"] - theirs[..., :3]).max() > 50.0
    assert not any(str(name).startswith("constraint") for name in tree.source.values)


def test_shares_computed_later_and_totals_saved_before_agree(ours: Path, tmp_path: Path) -> None:
    write_study(tmp_path)
    early = bo.run(tmp_path / "ground.xml", explain=False)
    left = early.result["total_generalized_force"].values
    later = bo.with_shares(early.folder)
    # Torques up to 20 N m in another order of addition.
    np.testing.assert_allclose(later["total_generalized_force"], left, atol=1e-10)
    at_once = bo.load_result(ours / "out" / "ground_borelli")
    np.testing.assert_allclose(later["reaction_force"], at_once["reaction_force"], atol=1e-10)


def test_what_muscles_and_motor_deliver_is_what_loops_leave(ours: Path) -> None:
    """Power of what the motion demands: constraints that are at rest neither give nor take any."""
    found = bo.load_result(ours / "out" / "ground_borelli")
    own = shares()
    pulled = [f"muscle:{name}" for name in machine().muscle_names] + ["actuator:motor"]
    delivered = -own["generalized_force"].sel(source=pulled).sum("source")
    demanded = found["total_generalized_force"] - own["total_generalized_force"]
    np.testing.assert_allclose(demanded, delivered.sel(coordinate=demanded.coordinate.values), atol=1e-10)
