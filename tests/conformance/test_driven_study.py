"""Controllers, force sets and reporters: ``borelli run`` beside the tables that OpenSim wrote, on every machine."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.errors import UnsupportedError
from tests.conformance.cases import FIXTURES
from tests.conformance.driven_study import SETUPS, driven_arm, write_study

THEIRS = {
    name: bo.Table(np.array(content[1]), tuple(content[0]), np.array(content[2]))
    for name, content in json.loads((FIXTURES / "driven_runs.json").read_text("utf-8")).items()
    if name != "origin"
}


def run(setup: Path) -> int:
    with pytest.raises(SystemExit) as end:
        main(["run", str(setup)])
    return int(end.value.code or 0)


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("driven")
    write_study(folder)
    for name in SETUPS:
        assert run(folder / f"{name}.xml") == 0, name
    return folder / "out"


def test_the_same_tables_are_written(ours: Path) -> None:
    assert sorted(file.name for file in ours.glob("*.sto")) == sorted(THEIRS)


@pytest.mark.parametrize("file", sorted(THEIRS))
def test_every_table_has_opensims_columns_and_numbers(file: str, ours: Path) -> None:
    expected, found = THEIRS[file], bo.load_table(ours / file).flat()
    # Muscles come before actuators here; in OpenSim those of a force set come last.
    assert sorted(found.columns) == sorted(expected.columns)
    np.testing.assert_allclose(found.time, expected.time, atol=1e-7)
    for name in expected.columns:
        size = max(1.0, float(np.abs(expected.column(name)).max()))
        # Eight decimals are printed; OpenSim's equilibria end within 1e-8 of the maximum force.
        loose = (
            1e-8
            if file.startswith(("nodes", "twice", "counted", "socket", "linear", "cubic", "id", "bodies"))
            else 1e-6
        )
        np.testing.assert_allclose(found.column(name), expected.column(name), atol=loose * size, err_msg=name)


def test_without_its_controllers_the_arm_moves_otherwise(ours: Path, tmp_path: Path) -> None:
    """Negative control: accelerations depend on the controls."""
    write_study(tmp_path)
    setup = tmp_path / "nodes.xml"
    text = setup.read_text()
    setup.write_text(text[: text.index("<ControllerSet>")] + text[text.index("</ControllerSet>") + 16 :])
    assert run(setup) == 0
    with_them, without = (
        bo.load_table(folder / "nodes_K_dudt.sto").values for folder in (ours, tmp_path / "out")
    )
    assert np.abs(with_them - without).max() > 10.0


def test_a_controller_that_cannot_be_evaluated_is_refused_by_name(tmp_path: Path, capsys) -> None:
    write_study(tmp_path)
    setup = tmp_path / "table.xml"
    setup.write_text(setup.read_text().replace("ControlSetController", "CorrectionController"))
    assert run(setup) == 2
    said = capsys.readouterr().err
    assert "controller 'c' is a CorrectionController, which cannot be evaluated" in said
    assert not (tmp_path / "out").exists()


def test_a_control_of_nobody_and_a_file_that_is_not_there_are_refused(tmp_path: Path, capsys) -> None:
    write_study(tmp_path)
    (tmp_path / "controls.xml").write_text(
        (tmp_path / "controls.xml").read_text().replace("'motor'", "'motr'")
    )
    assert run(tmp_path / "nodes.xml") == 2
    assert "'motr' is not a muscle or actuator" in (said := capsys.readouterr().err)
    assert "'motor'" in said
    (tmp_path / "controls.xml").unlink()
    assert run(tmp_path / "nodes.xml") == 2
    assert "There is no controls_file" in capsys.readouterr().err


def test_controls_that_drive_nothing_are_named(tmp_path: Path, capsys) -> None:
    """OpenSim takes as many controls from the top of the file as have is_model_control true."""
    write_study(tmp_path)
    assert run(tmp_path / "counted.xml") == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "controls_counted.xml: 4 of 7 controls are the model's (is_model_control)" in said
    assert (
        "these drive nothing: cord, twist, nobody. To use exactly those of the model, put them first" in said
    )


def test_an_unknown_output_is_refused_by_name_and_the_other_analyses_are_written(
    tmp_path: Path, capsys
) -> None:
    write_study(tmp_path)
    setup = tmp_path / "nodes.xml"
    setup.write_text(setup.read_text().replace("|cos_pennation_angle", "|muscle_stiffness"))
    assert run(setup) == 2
    said = capsys.readouterr().err
    assert "The output '/forceset/thelen|muscle_stiffness' is not supported" in said
    assert (tmp_path / "out" / "nodes_A_force.sto").is_file()
    # The outputs that are supported are written, without the other.
    assert "muscle_stiffness" not in (tmp_path / "out" / "nodes_Outputs.sto").read_text()


def test_a_model_brings_its_own_controllers(ours: Path, tmp_path: Path) -> None:
    """Those in the model's own file act as those of a setup do."""
    write_study(tmp_path)
    model, setup = tmp_path / "arm.osim", tmp_path / "table.xml"
    text = setup.read_text()
    start, end = text.index("<ControllerSet>"), text.index("</ControllerSet>") + 16
    setup.write_text(text[:start] + text[end:])
    empty = re.compile(r'<ControllerSet name="controllerset">.*?</ControllerSet>', re.DOTALL)
    written, count = empty.subn(text[start:end], model.read_text())
    assert count == 1
    model.write_text(written)
    assert run(setup) == 0
    found, expected = (bo.load_table(folder / "table_A_force.sto") for folder in (tmp_path / "out", ours))
    np.testing.assert_array_equal(found.values, expected.values)


def test_a_force_set_cannot_replace_a_force_and_says_so(ours: Path, tmp_path: Path, capsys) -> None:
    write_study(tmp_path)
    assert run(tmp_path / "added.xml") == 0
    assert "the model's forces are kept, as in OpenSim: motor" in capsys.readouterr().err
    force = bo.load_table(tmp_path / "out" / "added_A_force.sto").column("motor")
    assert 0 < np.abs(force).max() < 10 * driven_arm().forces["motor"].optimal_force


def test_forces_of_constraints_are_refused_where_there_are_some(tmp_path: Path) -> None:
    from types import SimpleNamespace

    from borelli.opensim_tools.actuation_tables import force_reporter

    asked = SimpleNamespace(options={"include_constraint_forces": "true"}, where="here")
    model = SimpleNamespace(constraints=[SimpleNamespace(enforced=True)])
    with pytest.raises(UnsupportedError, match="does not report the forces of constraints"):
        force_reporter(SimpleNamespace(model=model), asked)  # type: ignore[arg-type]
