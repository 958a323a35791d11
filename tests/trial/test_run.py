"""`bo.analyze`, `bo.run`, `bo.with_shares` and `bo.write_report`: from Python what the command line does."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.errors import FileFormatError, InvalidValueError, MissingInputError, UnsupportedError
from borelli.io import motion as motion_files
from borelli.results.outputs.totals import has_shares
from borelli.trial import run as trial_run
from tests.analyses.muscle_arms import arm, curl
from tests.cli.test_run import study as pendulum_study
from tests.opensim_tools.test_refusals import study as analyses_study

REACTION = "<JointReaction name='R'><step_interval>{}</step_interval></JointReaction>"
SHARING = "<StaticOptimization name='S'><step_interval>{}</step_interval></StaticOptimization>"
# What the files add to the settings of the objects.
OF_FILES = {"smoothing", "inputs_fingerprint", "allow_violations", "remove_offset", "loops"}


RESERVES = """<OpenSimDocument Version="20302"><ForceSet><objects><CoordinateActuator name="reserve">
<coordinate>swing</coordinate><optimal_force>10</optimal_force></CoordinateActuator></objects></ForceSet></OpenSimDocument>
"""


def with_analysis(folder: Path, analysis: str) -> Path:
    """Write a pendulum with a muscle and a reserve, and a setup with one analysis besides Kinematics."""
    (folder / "reserves.xml").write_text(RESERVES)
    return analyses_study(folder, analysis, "<force_set_files>reserves.xml</force_set_files>")


def command(*arguments: object) -> int:
    with pytest.raises(SystemExit) as end:
        main([*map(str, arguments)])
    return int(end.value.code or 0)


@pytest.fixture
def later(monkeypatch):
    """Let every result be too large to be explained at once."""
    monkeypatch.setattr(trial_run, "FEW_SHARES", 0)


@pytest.mark.parametrize("how", [{"reserves": 2.0, "power": 3.0}, {"muscles": "none"}])
def test_analyze_gives_what_the_command_saves(how, tmp_path):
    bo.save_model(arm(), tmp_path / "arm.toml")
    motion = curl()
    table = bo.Table(motion.time, motion.coordinates, motion.q, in_degrees=False)
    bo.save_table(table, tmp_path / "curl.sto")
    options = [word for name, value in how.items() for word in (f"--{name}", value)]
    files = (tmp_path / "arm.toml", "--motion", tmp_path / "curl.sto", "--out", tmp_path / "out")
    assert command("analyze", *files, *options) == 0
    saved = bo.load_result(tmp_path / "out")
    model = bo.load_model(tmp_path / "arm.toml")
    found = bo.analyze(model, bo.load_motion(tmp_path / "curl.sto", model), **how)
    assert set(found.variables) == set(saved.variables)
    assert {k: v for k, v in saved.attrs.items() if k not in OF_FILES} == found.attrs
    for name in found.variables:
        np.testing.assert_array_equal(found[name].values, saved[name].values, err_msg=str(name))


def test_tensions_may_be_given_as_what_muscle_forces_found(tmp_path):
    model, motion = arm(), curl()
    shared = bo.muscle_forces(model, motion, reserves=2.0)
    given = bo.analyze(model, motion, tensions=shared)
    by_name = bo.analyze(
        model, motion, tensions=dict(zip(shared["muscle"].values, shared["force"].values.T, strict=True))
    )
    np.testing.assert_array_equal(given["reaction_force"], by_name["reaction_force"])
    np.testing.assert_array_equal(given["activation"], shared["activation"])
    relaxed = bo.analyze(model, motion, muscles="none")
    assert float(abs(relaxed["total_reaction_force"] - given["total_reaction_force"]).max()) > 1.0


def test_an_unknown_choice_is_refused_before_anything_is_computed():
    with pytest.raises(bo.BorelliError, match="'some' is not a choice for muscles"):
        bo.analyze(arm(), curl(), muscles="some")


def test_a_setup_gives_tables_and_result_from_python(tmp_path):
    found = bo.run(pendulum_study(tmp_path))
    assert found.computed and found.explained and found.refused is None
    assert found.tables == (tmp_path / "Results" / "id.sto",)
    torque = bo.load_table(found.tables[0]).values[:, 0]
    np.testing.assert_allclose(found.result["total_generalized_force"].values[:, 0], torque, rtol=1e-12)
    assert has_shares(bo.load_result(found.folder)) and (found.folder / "report.html").is_file()
    again = bo.run(tmp_path / "setup.xml")
    assert not again.computed and again.tables == found.tables
    assert again.result.equals(bo.load_result(found.folder))


def test_files_that_are_given_take_the_place_of_those_of_a_trial(tmp_path):
    pendulum_study(tmp_path)
    trial = tmp_path / "trial.toml"
    trial.write_text('model = "none.osim"\nmotion = "Data/swing.mot"\nout = "first"\n')
    (tmp_path / "none.osim").write_text("no model")
    with pytest.warns(bo.BorelliWarning, match="not filtered"):
        found = bo.run(trial, model=tmp_path / "pendulum.toml", out=tmp_path / "second", mode="opensim")
    assert found.folder == tmp_path / "second" and found.result.attrs["smoothing"] == "opensim"
    assert not (tmp_path / "first").exists()


def test_shares_left_for_later_are_the_same_when_asked_for(tmp_path, later):
    setup = pendulum_study(tmp_path)
    found = bo.run(setup)
    assert not found.explained and not has_shares(found.result)
    assert not (found.folder / "report.html").exists()
    assert found.result["total_generalized_force"].size == 101
    whole = bo.with_shares(found.folder)
    assert (found.folder / "report.html").is_file() and "recipe" not in whole.attrs
    assert bo.load_result(found.folder).identical(whole)
    table = found.tables[0].read_bytes()
    at_once = bo.run(setup, explain=True, again=True)
    assert at_once.result.identical(whole)
    assert found.tables[0].read_bytes() == table
    # What is explained already stays as it is when nobody asks for less.
    assert not bo.run(setup).computed


def test_explain_and_report_compute_what_was_left_for_later(tmp_path, capsys, later):
    setup = pendulum_study(tmp_path)
    assert command("run", setup) == 0
    assert "take longer than the tables" in capsys.readouterr().out
    folder = tmp_path / "Results" / "id_borelli"
    assert command("explain", folder, "--output", "swing_moment") == 0
    assert "weight:bob" in capsys.readouterr().out
    assert command("run", setup, "--again") == 0
    assert not has_shares(bo.load_result(folder))
    assert bo.write_report(folder, tmp_path / "page.html") == tmp_path / "page.html"
    assert has_shares(bo.load_result(folder)) and "weight:bob" in (tmp_path / "page.html").read_text()


def test_the_command_explains_at_once_if_asked(tmp_path, capsys, later):
    setup = pendulum_study(tmp_path)
    assert command("run", setup, "--explain") == 0
    assert "Worth asking:" in capsys.readouterr().out
    assert has_shares(bo.load_result(tmp_path / "Results" / "id_borelli"))
    other = tmp_path / "other"
    other.mkdir()
    assert command("run", pendulum_study(other), "--no-explain") == 0
    assert not has_shares(bo.load_result(other / "Results" / "id_borelli"))
    # Asked for after all: the tables alone are not the whole answer any more.
    assert command("run", other / "setup.xml", "--explain") == 0
    assert has_shares(bo.load_result(other / "Results" / "id_borelli"))


def test_shares_are_not_computed_from_other_inputs(tmp_path, later):
    found = bo.run(pendulum_study(tmp_path))
    model = tmp_path / "pendulum.toml"
    text = model.read_text()
    model.write_text(text + "# changed\n")
    with pytest.raises(InvalidValueError, match=r"and inputs have changed or are missing: model \("):
        bo.with_shares(found.folder)
    model.unlink()
    with pytest.raises(InvalidValueError, match=r"have changed or are missing: model \("):
        bo.with_shares(found.folder)
    model.write_text(text)
    (tmp_path / "setup.xml").rename(tmp_path / "other.xml")
    with pytest.raises(MissingInputError, match="an input file is missing"):
        bo.with_shares(found.folder)
    (tmp_path / "other.xml").rename(tmp_path / "setup.xml")
    assert has_shares(bo.with_shares(found.folder))


def test_project_and_result_may_move_together(tmp_path, later):
    (tmp_path / "here").mkdir()
    bo.run(pendulum_study(tmp_path / "here"))
    (tmp_path / "here").rename(tmp_path / "there")
    assert has_shares(bo.with_shares(tmp_path / "there" / "Results" / "id_borelli"))


@pytest.mark.parametrize("damage", [b"", b"junk"])
def test_a_table_that_somebody_changed_is_written_again(damage, tmp_path):
    found = bo.run(pendulum_study(tmp_path))
    before = found.tables[0].read_bytes()
    found.tables[0].write_bytes(damage)
    assert bo.run(tmp_path / "setup.xml").computed
    assert found.tables[0].read_bytes() == before


def test_a_result_from_a_stranger_reads_no_file_that_it_does_not_know(tmp_path, later):
    """A recipe may name any file; its content must be known already, so that nothing can be learned of it."""
    found = bo.run(pendulum_study(tmp_path))
    (tmp_path / "secret.toml").write_text((tmp_path / "pendulum.toml").read_text() + "# secret\n")
    manifest = json.loads((found.folder / "result.json").read_text())
    manifest["settings"]["recipe"]["model"] = "../../secret.toml"
    (found.folder / "result.json").write_text(json.dumps(manifest))
    with pytest.raises(InvalidValueError, match="inputs have changed or are missing: model"):
        bo.with_shares(found.folder)


def test_a_recipe_without_its_smoothing_is_called_damaged(tmp_path, later):
    found = bo.run(pendulum_study(tmp_path))
    manifest = json.loads((found.folder / "result.json").read_text())
    del manifest["settings"]["smoothing"]
    (found.folder / "result.json").write_text(json.dumps(manifest))
    with pytest.raises(FileFormatError, match="The result is damaged: its smoothing is None"):
        bo.with_shares(found.folder)


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
@pytest.mark.parametrize("analysis", [REACTION, SHARING])
def test_rows_that_are_not_written_are_not_computed(analysis, tmp_path, monkeypatch):
    seen = []
    for every in (1, 10):
        folder = tmp_path / str(every)
        folder.mkdir()
        found = bo.run(with_analysis(folder, analysis.format(every)), explain=True)
        seen.append([bo.load_table(path) for path in found.tables if "_K_" not in path.name])
        rows = len(seen[-1][0].time)
        assert found.result.sizes["time"] == rows
    for whole, thin in zip(*seen, strict=True):
        assert len(thin.time) == 11 and len(whole.time) == 101
        np.testing.assert_array_equal(thin.time, whole.time[::10])
        # Static optimization starts from another row: its optimum is the same to the solver's own aim.
        np.testing.assert_allclose(thin.values, whole.values[::10], rtol=1e-7, atol=1e-7)


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_a_static_optimization_reads_its_motion_once(tmp_path, monkeypatch):
    read, count = motion_files.load_table, []

    def counted(path):
        count.append(Path(path).name)
        return read(path)

    monkeypatch.setattr(motion_files, "load_table", counted)
    bo.run(with_analysis(tmp_path, SHARING.format(10)), explain=False)
    assert count == ["swing.sto"]


def test_a_load_that_muscles_cannot_balance_is_refused_or_reported_where_asked(tmp_path, capsys):
    # The pendulum with its one muscle, and no reserve: it can pull one way only.
    setup = analyses_study(tmp_path, SHARING.format(10))
    assert command("run", setup) == 2
    refused = capsys.readouterr().err
    assert "the load cannot be balanced in" in refused and "--infeasible report" in refused
    assert command("run", setup, "--infeasible", "report") == 0
    told = " ".join(capsys.readouterr().err.split())
    assert "Instants (s):" in told and "Largest gaps: swing" in told
    assert list(tmp_path.rglob("*_S_activation.sto"))
    assert command("run", setup, "--infeasible", "maybe") == 2
    assert "'maybe' is not a choice" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_what_cannot_be_run_is_an_error_of_the_result(tmp_path):
    found = bo.run(analyses_study(tmp_path, "<ProbeReporter name='probes'/>"))
    assert found.tables and isinstance(found.refused, UnsupportedError)
    with pytest.raises(
        UnsupportedError, match="Tables of K are written, but not all that the setup asks for"
    ):
        found.require_all()


def test_a_page_needs_a_result():
    with pytest.raises(MissingInputError, match="at least one result folder"):
        bo.write_report([])
