"""``borelli analyze`` and trial files: from files to a result folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.errors import BorelliError
from borelli.io.toml.trial_toml import load_trial
from borelli.model import Body, Model, PathActuator, PathPoint, PinJoint
from borelli.model import Path as MusclePath
from borelli.results.saving.verify import verify_result

TIME = np.arange(101) / 100


def files(folder: Path) -> None:
    joint = PinJoint(name="swing", parent="ground", child="bob")
    body = Body("bob", 2.0, (0, -0.4, 0), (0.05, 0.05, 0.05))
    points = (PathPoint("a", "ground", (0.1, 0, 0)), PathPoint("b", "bob", (0, -0.2, 0)))
    pull = PathActuator(name="pull", path=MusclePath(points=points))
    bo.save_model(Model(bodies=[body], joints=[joint], forces=[pull]), folder / "p.toml")
    bo.save_table(bo.Table(TIME, ("swing",), np.sin(TIME)[:, None], in_degrees=False), folder / "m.sto")
    bo.save_table(bo.Table(TIME, ("pull",), np.full((101, 1), 20.0)), folder / "t.sto")


def command(*arguments: object) -> int:
    with pytest.raises(SystemExit) as end:
        main([*map(str, arguments)])
    return int(end.value.code or 0)


def analyze(folder: Path, *more: object) -> int:
    return command("analyze", folder / "p.toml", "--motion", folder / "m.sto", "--out", folder / "out", *more)


def test_a_trial_becomes_a_result_folder_with_every_source(tmp_path: Path, capsys) -> None:
    files(tmp_path)
    assert analyze(tmp_path, "--tensions", tmp_path / "t.sto") == 0
    result = bo.load_result(tmp_path / "out")
    assert {"weight:bob", "acceleration:bob", "velocity:bob", "passive:pull"} <= set(result["source"].values)
    forces = bo.load_table(tmp_path / "out" / "generalized_forces.sto")
    assert forces.columns == ("swing_moment",)
    shares = bo.load_table(tmp_path / "out" / "shares.sto")
    assert "swing_moment|weight:bob" in shares.columns
    np.testing.assert_allclose(shares.values.sum(axis=1), forces.values[:, 0], atol=1e-9)
    assert bo.load_table(tmp_path / "out" / "joint_reactions.sto").columns[0] == "swing_fx"
    shown = capsys.readouterr().out
    assert (
        shown.index("Residuals at the root joint 'swing'")
        < shown.index("Shares add up")
        < shown.index("Written:")
    )


def test_an_unfiltered_motion_is_told_on_screen_and_in_the_result(tmp_path: Path, capsys) -> None:
    files(tmp_path)
    assert analyze(tmp_path) == 0
    assert "warning: the motion is not filtered" in capsys.readouterr().err
    assert "the motion is not filtered" in (tmp_path / "out" / "result.json").read_text()
    assert analyze(tmp_path, "--cutoff-hz", "6") == 0
    assert "not filtered" not in capsys.readouterr().err


def test_the_same_inputs_are_recognised_and_changed_ones_are_not(tmp_path: Path, capsys) -> None:
    files(tmp_path)
    assert analyze(tmp_path) == 0
    assert analyze(tmp_path) == 0
    assert "is up to date" in capsys.readouterr().out
    assert analyze(tmp_path, "--variables", "coordinates") == 0
    assert "is up to date" not in capsys.readouterr().out
    # The page is written last, so that an interrupted run may leave a result without it.
    for name in ("result.nc", "report.html"):
        (tmp_path / "out" / name).unlink()
        assert analyze(tmp_path, "--variables", "coordinates") == 0
        assert "is up to date" not in capsys.readouterr().out
        assert (tmp_path / "out" / name).is_file()


def test_other_load_data_under_the_same_name_are_noticed(tmp_path: Path, capsys) -> None:
    files(tmp_path)
    (tmp_path / "loads.xml").write_text(
        """<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects><ExternalForce name="push">
        <applied_to_body>bob</applied_to_body><force_expressed_in_body>ground</force_expressed_in_body>
        <point_expressed_in_body>ground</point_expressed_in_body><force_identifier>f</force_identifier>
        <point_identifier>p</point_identifier></ExternalForce></objects><datafile>push.mot</datafile>
        </ExternalLoads></OpenSimDocument>"""
    )
    columns = ("fx", "fy", "fz", "px", "py", "pz")
    given = tmp_path / "loads.xml"
    bo.save_table(bo.Table(TIME, columns, np.ones((101, 6))), tmp_path / "push.mot")
    assert analyze(tmp_path, "--loads", given) == 0
    assert analyze(tmp_path, "--loads", given) == 0
    assert "is up to date" in capsys.readouterr().out
    bo.save_table(bo.Table(TIME, columns, np.full((101, 6), 2.0)), tmp_path / "push.mot")
    assert analyze(tmp_path, "--loads", given) == 0
    assert "is up to date" not in capsys.readouterr().out


def test_a_failed_run_leaves_the_old_result(tmp_path: Path, monkeypatch, capsys) -> None:
    files(tmp_path)
    assert analyze(tmp_path) == 0
    before = (tmp_path / "out" / "result.json").read_text()

    def broken(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("borelli.results.saving.attributes.encode", broken)
    assert analyze(tmp_path, "--again") == 2
    assert "'out' could not be written: no space left" in capsys.readouterr().err
    assert (tmp_path / "out" / "result.json").read_text() == before
    assert not list(tmp_path.glob(".out*"))


def test_a_trial_file_is_run(tmp_path: Path) -> None:
    files(tmp_path)
    trial = tmp_path / "trial.toml"
    trial.write_text(
        'model = "p.toml"\nmotion = "m.sto"\ntensions = "t.sto"\nout = "results"\n'
        '[options]\ncutoff_hz = 6\nvariables = "coordinates"\ntime_range = [0.2, 0.8]\n'
    )
    assert command("run", trial) == 0
    result = bo.load_result(tmp_path / "results")
    assert result.attrs["variables"] == "coordinates"
    assert (float(result["time"][0]), float(result["time"][-1])) == (0.2, 0.8)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model = ", "The file is not TOML"),
        ('motion = "m"\nout = "o"', "does not name its model"),
        ('model = "p"\nmotion = "m"\nout = "o"\nload = "x"', "'load' is not a key of a trial file"),
        ('about = "x"', "'about' must be a table of texts"),
        ('[about]\nname = "x"', r"'name' is not a key of \[about\]"),
        ('[groups]\ncalf = "x"', "'groups' must be a table of lists of names"),
        ('[groups]\na = ["x"]\nb = ["x"]', "'x' is in two groups"),
        ("cutoff_hz = 6.0", r"put it below a line \[options\]"),
        (
            'model = "p"\nmotion = "m"\nout = "o"\n[options]\ncutoff = 6',
            "'cutoff' is not an option of a trial",
        ),
        ('model = 3\nmotion = "m"\nout = "o"', "'model' must be the name of a file"),
        ('model = "p"\nmotion = "m"\nout = "o"\noptions = 3', "'options' must be a table"),
        ('model = "p"\nmotion = "m"\nout = "o"\n[options]\ncutoff_hz = "x"', "'cutoff_hz' must be a number"),
        ('model = "p"\nmotion = "m"\nout = "o"\n[options]\ntime_range = [1]', "needs two numbers"),
        ('model = "p"\nmotion = "m"\nout = "o"\n[options]\ntime_range = [2, 1]', "goes from 2 s to 1 s"),
        ('model = "p"\nmotion = "m"\nout = "o"\n[options]\nvariables = "all"', "'all' is not a choice"),
    ],
)
def test_broken_trial_files_are_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text(text)
    with pytest.raises(BorelliError, match=message):
        load_trial(tmp_path / "t.toml")


def test_what_is_said_of_a_trial_stands_at_the_top_of_its_page(tmp_path: Path, capsys) -> None:
    files(tmp_path)
    assert analyze(tmp_path, "--about", "subject=S07 <b>", "--about", "condition=brace") == 0
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "<dt>subject</dt><dd>S07 &lt;b&gt;</dd>" in page and "<dd>brace</dd>" in page
    assert "<dt>trial</dt><dd>out</dd>" in page
    assert analyze(tmp_path, "--about", "colour=red") == 2
    assert "'colour' is not a label of a trial" in capsys.readouterr().err


def test_tensions_that_name_no_path_or_end_too_early_are_refused(tmp_path: Path, capsys) -> None:
    files(tmp_path)
    bo.save_table(bo.Table(TIME, ("push",), np.ones((101, 1))), tmp_path / "t.sto")
    assert analyze(tmp_path, "--tensions", tmp_path / "t.sto") == 2
    assert "no column of the table has the name of a path" in capsys.readouterr().err
    bo.save_table(bo.Table(TIME[:50], ("pull",), np.ones((50, 1))), tmp_path / "t.sto")
    assert analyze(tmp_path, "--tensions", tmp_path / "t.sto") == 2
    assert "choose a time range within the forces" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["totals.csv", "report.html", "result.json", "generalized_forces.sto"])
def test_a_damaged_result_is_computed_again_by_the_same_command(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files(tmp_path)
    assert analyze(tmp_path) == 0
    whole = (tmp_path / "out" / name).read_bytes()
    (tmp_path / "out" / name).write_bytes(b"junk")
    assert analyze(tmp_path) == 0
    assert "up to date" not in capsys.readouterr().out
    assert (tmp_path / "out" / name).read_bytes()[:40] == whole[:40]
    assert verify_result(tmp_path / "out").whole
    assert analyze(tmp_path) == 0
    assert "is up to date" in capsys.readouterr().out


@pytest.mark.parametrize("value", ["1" + "0" * 400, "nan", "inf"])
def test_options_that_are_no_finite_numbers_are_refused(tmp_path: Path, value: str) -> None:
    files(tmp_path)
    trial = tmp_path / "trial.toml"
    head = 'model = "p.toml"\nmotion = "m.sto"\nout = "out"\n[options]\n'
    trial.write_text(f"{head}cutoff_hz = {value}\n")
    with pytest.raises(bo.BorelliError, match="'cutoff_hz' is not a finite number"):
        load_trial(trial)
    trial.write_text(f"{head}time_range = [-inf, 0.5]\n")
    assert load_trial(trial).time_range == (-float("inf"), 0.5)
