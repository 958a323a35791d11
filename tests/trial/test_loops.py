"""A trial of a model with closed loops: what muscles and reserves do not bear is left to the constraints."""

from __future__ import annotations

import dataclasses
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.model.constraint import closing_names
from tests.conformance.loop_study import TIME, forces, load, machine, moving

SOURCES = ["constraint:bars", "constraint:slot", "constraint:rod", "constraint:whole"]


@pytest.fixture(scope="module")
def driven() -> bo.Motion:
    return bo.driven_motion(machine(), moving(), [load()], forces())


@pytest.fixture(scope="module")
def shared(driven: bo.Motion) -> Any:
    return bo.muscle_forces(machine(), driven, [load()], reserves=1.0, infeasible="report")


def test_reactions_are_those_of_joint_reactions_with_the_same_muscles(driven: bo.Motion, shared: Any) -> None:
    found = bo.analyze(machine(), driven, [load()], loops=True)
    assert found["closure"] < 1e-13 and set(SOURCES) < set(found.source.values)
    options = {"tensions": shared, "passive": True, "loops": True}
    reactions = bo.joint_reactions(machine(), driven, [load()], **options)
    np.testing.assert_allclose(found["reaction_force"].sum("source"), reactions["force"], atol=1e-10)
    np.testing.assert_allclose(found["reaction_moment"].sum("source"), reactions["moment"], atol=1e-10)
    # Negative control: without loops other forces come out, by more than ten newtons.
    with pytest.warns(bo.BorelliWarning, match="bear nothing here"):
        tree = bo.analyze(machine(), driven, [load()])
    assert np.abs(tree["total_reaction_force"] - reactions["force"]).max() > 10.0


def test_muscles_motor_and_reserves_deliver_all_that_loops_leave(driven: bo.Motion, shared: Any) -> None:
    """Exactly, though some reserves bear half a newton metre: the constraints bear nothing in their stead."""
    model = machine()
    found = bo.contributions(model, driven, [load()], tensions=shared, loops=True)
    left = found["total_generalized_force"].sel(coordinate=shared.coordinate.values) - shared["reserve"]
    # What the gear does stays in the joints that it connects.
    others = [name for name in model.speed_names if name not in ("crank", "flap")]
    assert np.abs(left.sel(coordinate=others)).max() < 1e-9
    np.testing.assert_allclose(left.sel(coordinate="crank"), -0.5 * left.sel(coordinate="flap"), atol=1e-9)
    assert np.abs(shared["reserve"]).max() > 0.5
    # Negative control: with the tensions alone, the reserves' part is spread over many coordinates.
    tensions = {name: shared["force"].sel(muscle=name).values for name in model.muscle_names}
    tensions["motor"] = shared["actuator_force"].sel(actuator="motor").values
    apart = bo.contributions(model, driven, [load()], tensions=tensions, loops=True)
    assert np.abs(apart["total_generalized_force"].sel(coordinate="near")).max() > 0.1


@pytest.mark.parametrize("loops", [True, False])
def test_the_command_and_a_trial_file_do_what_python_does(loops: bool, tmp_path: Path, capsys: Any) -> None:
    model, motion = machine(), moving()
    bo.save_model(model, tmp_path / "machine.toml")
    bo.save_table(bo.Table(TIME, motion.coordinates, motion.q, in_degrees=False), tmp_path / "motion.sto")
    files = [str(tmp_path / "machine.toml"), "--motion", str(tmp_path / "motion.sto")]
    with pytest.raises(SystemExit) as end:
        main(["analyze", *files, "--out", str(tmp_path / "a"), *(["--loops"] if loops else [])])
    assert not end.value.code
    told = capsys.readouterr().err
    assert ("bear nothing here" in told and "--loops" in told) is not loops
    (tmp_path / "trial.toml").write_text(
        f'model = "machine.toml"\nmotion = "motion.sto"\nout = "b"\n[options]\nloops = {str(loops).lower()}\n'
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bo.BorelliWarning)
        bo.run(tmp_path / "trial.toml")
        again = bo.analyze(model, bo.load_motion(tmp_path / "motion.sto", model), loops=loops)
    for folder in ("a", "b"):
        saved = bo.load_result(tmp_path / folder)
        assert set(SOURCES) <= set(saved.source.values) or not loops
        assert bool(saved.attrs["loops"]) is loops
        np.testing.assert_allclose(saved["reaction_force"], again["reaction_force"], atol=1e-9)


def test_shares_of_constraints_are_in_the_tables_and_on_the_page(driven: bo.Motion, tmp_path: Path) -> None:
    found = bo.analyze(machine(), driven, [load()], muscles="none", loops=True)
    bo.save_result(found, tmp_path / "out")
    page = bo.write_report(tmp_path / "out", tmp_path / "page.html")
    assert "constraint:bars" in Path(page).read_text("utf-8")
    import pyarrow.parquet as parquet

    table = parquet.read_table(tmp_path / "out" / "shares.parquet").to_pandas()
    rows = table[(table["source"] == "constraint:bars") & (table["output"] == "rocker_reaction_force_x")]
    own = found["reaction_force"].sel(source="constraint:bars", joint="rocker", axis="x")
    np.testing.assert_allclose(rows["value"], own, atol=1e-12)


def test_names_of_closing_constraints_leave_out_couplers_and_what_is_off() -> None:
    model = machine()
    off = [dataclasses.replace(each, enforced=each.name != "rod") for each in model.constraints]
    assert closing_names(model.constraints) == ["bars", "slot", "rod", "whole"]
    assert closing_names(off) == ["bars", "slot", "whole"]


@pytest.mark.parametrize("joint", ["crank", "mast", "far"])
def test_joints_of_a_loop_cannot_be_spared(joint: str, driven: bo.Motion) -> None:
    with pytest.raises(bo.BorelliError) as caught:
        bo.analyze(machine(), driven, [load()], spare={joint: 1.0}, loops=True)
    name = {"crank": "bars", "mast": "rod", "far": "whole"}[joint]
    assert str(caught.value).splitlines()[0] == (
        f"the reaction of joint {joint!r} cannot be minimised, because constraint {name!r} closes a loop with it and "
        "bears a part."
    )
    assert "'flap'" in str(caught.value) and "spare a joint outside of the loop" in str(caught.value)


def test_a_joint_beside_the_loops_is_spared_as_in_a_tree(driven: bo.Motion) -> None:
    found = bo.analyze(machine(), driven, [load()], spare={"flap": 1.0}, loops=True)
    assert found["optimality"] < 1e-6
