"""``borelli demo``: tables, pictures, a page and a headline; safe to run twice, never over others' files."""

from __future__ import annotations

import shlex

import numpy as np
import pytest

from borelli.cli.main import main
from borelli.demos import planar_chains as demo
from borelli.results.saving.manifest import load_manifest
from borelli.results.saving.save import load_result


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["demo", *map(str, arguments)])
    return int(caught.value.code or 0)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "out"
    assert run("--out", folder) == 0
    return folder


@pytest.fixture
def quick(monkeypatch):
    """The demo without its drawings, for tests about folders."""
    monkeypatch.setattr(demo, "draw", lambda *_: None)
    monkeypatch.setattr(demo, "EXAMPLES", {"reach": demo.reach})


def test_folder_holds_results_pictures_and_page(place):
    assert sorted(entry.name for entry in place.iterdir()) == [
        "borelli-demo.txt",
        "pictures",
        "reach",
        "report.html",
        "squat",
    ]
    endings = {entry.suffix for entry in (place / "pictures").iterdir()}
    assert endings == {".png", ".html"}
    assert [entry.name for entry in place.parent.iterdir()] == ["out"]


@pytest.mark.parametrize("name", ["squat", "reach"])
def test_shares_close_and_missing_torques_are_owned_up_to(place, name):
    answer, manifest = load_result(place / name), load_manifest(place / name)
    assert answer.closure < 1e-12  # thousands of newtons in double precision
    assert "smallest sum of squares" in manifest["settings"]["tensions"]
    assert manifest["warnings"] == demo.undelivered(answer)
    warned = " ".join(manifest["warnings"])
    missing = np.abs(answer.residual_torque).max("time") / np.abs(answer.torque).max()
    for joint in answer.joint.values:
        assert (f"the {joint} torque" in warned) == (float(missing.sel(joint=joint)) > 1e-3)


def test_missing_torque_is_named_with_joint_size_and_time():
    answer = demo.reach()
    answer["residual_torque"][:] = 0.0
    assert demo.undelivered(answer) == []
    answer["residual_torque"][7, 1] = -2.0
    assert demo.undelivered(answer) == [
        "The model's muscles cannot deliver all of the elbow torque: up to 2 N m of it is missing, at 0.07 s."
    ]


def test_headline_names_peaks_sources_closure_and_files(quick, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert run("--out", tmp_path / "out") == 0
    printed = capsys.readouterr().out
    peak = float(np.abs(demo.reach().torque.sel(joint="shoulder")).max())
    assert f"{peak:.4g} N m" in printed
    for words in ("weight:forearm +", "Shares add up to the totals within", "report.html", "borelli explain"):
        assert words in printed
    tables = printed.split("Written to")[0]
    assert max(map(len, tables.splitlines())) <= 80


def test_the_command_that_is_suggested_runs_as_it_is_written(tmp_path, capsys, monkeypatch):
    """Also where the folder has a blank."""
    monkeypatch.setattr(demo, "draw", lambda *_: None)
    assert run("--out", tmp_path / "my out") == 0
    suggested = capsys.readouterr().out.split("Next: borelli ")[1].splitlines()[0]
    with pytest.raises(SystemExit) as end:
        main(shlex.split(suggested))
    assert not end.value.code
    assert "torque" in capsys.readouterr().out


def test_second_run_replaces_the_first_and_keeps_what_others_added(quick, tmp_path):
    out = tmp_path / "out"
    assert run("--out", out) == 0
    (out / "notes.txt").write_text("mine")
    (out / "reach" / "totals.csv").write_text("broken")
    assert run("--out", out) == 0
    assert (out / "notes.txt").read_text() == "mine"
    assert (out / "reach" / "totals.csv").read_text() != "broken"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_folder_of_someone_else_is_refused_before_anything_is_computed(tmp_path, capsys, monkeypatch):
    def never() -> None:
        raise AssertionError

    monkeypatch.setattr(demo, "EXAMPLES", {"reach": never})
    (tmp_path / "thesis.tex").write_text("precious")
    assert run("--out", tmp_path) == 2
    assert "only a folder of `borelli demo` is replaced" in capsys.readouterr().err
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.tex"]


def test_interrupted_run_leaves_nothing(quick, tmp_path, monkeypatch):
    def stop(*_) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "draw", stop)
    with pytest.raises((KeyboardInterrupt, SystemExit)):
        main(["demo", "--out", str(tmp_path / "out")])
    assert list(tmp_path.iterdir()) == []


def test_smallest_tensions_of_one_joint_are_in_proportion_to_their_arms():
    arm = np.array([[[0.04, 0.03, -0.05]]])
    tension = demo.smallest_tensions(arm, np.array([[10.0]]))[0]
    # Least norm with one equation: T = arm torque / |arm|² over the muscles that help (by hand); the weight on
    # the tensions costs 1e-8 / |arm|² = 4e-6 of it.
    np.testing.assert_allclose(tension, [160.0, 120.0, 0.0], rtol=1e-5)


@pytest.mark.parametrize(("name", "example"), [("squat", "squat"), ("reach", "reach")])
def test_each_paper_has_a_demo_with_a_page_of_its_own(name, example, tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "draw", lambda *_: None)
    assert run(name, "--out", tmp_path / "out") == 0
    assert (tmp_path / "out" / "report.html").stat().st_size > 10_000
    folders = {entry.name for entry in (tmp_path / "out").iterdir() if entry.is_dir()}
    assert folders == {example, "pictures"}


def test_unknown_demo_is_refused_with_the_nearest(tmp_path, capsys):
    assert run("squatt", "--out", tmp_path / "out") == 2
    assert "'squat'" in capsys.readouterr().err


def test_the_reach_is_split_as_its_paper_splits_it():
    answer = demo.reach()
    assert {"acceleration:elbow", "velocity:shoulder*elbow"} < set(answer.source.values)
    assert "velocity:forearm" not in answer.source.values
    assert {"compression", "shear", "support_force"} < set(answer.data_vars)
