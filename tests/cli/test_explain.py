"""``borelli explain``: ranked bars on the screen, a picture on disk, clear refusals."""

from __future__ import annotations

import pytest

from borelli.cli.main import main
from borelli.results.explanation import explain
from borelli.results.saving.save import save_result
from tests.results.problems import result


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_result(result(), tmp_path_factory.mktemp("explain") / "leg")


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as caught:
        main(["explain", *map(str, arguments)])
    return int(caught.value.code or 0)


def test_screen_shows_the_explanation_at_80_columns_without_colour(folder, capsys):
    assert run(folder, "--output", "knee torque") == 0
    printed = capsys.readouterr().out
    assert printed.rstrip("\n") == str(explain(result(), "knee_torque"))
    assert "\x1b" not in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_colour_changes_no_character(folder, capsys, monkeypatch):
    import re

    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert run(folder, "--output", "knee torque") == 0
    coloured = capsys.readouterr().out
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured).rstrip("\n") == str(explain(result(), "knee_torque"))


def test_time_mean_and_grouping_are_handed_on(folder, capsys):
    assert run(folder, "--output", "hip_reaction_x", "--time-s", 0.31, "--by", "kind") == 0
    assert "at 0.3 s (instant 10, the instant nearest to 0.31 s)" in capsys.readouterr().out
    assert run(folder, "--output", "hip_reaction_x", "--mean") == 0
    assert "on average from 0 s to 1.2 s" in capsys.readouterr().out
    assert run(folder, "--output", "hip_reaction_x", "--peak") == 0
    assert "its peak" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["knee.png", "knee.html"])
def test_picture_is_written_where_asked(folder, tmp_path, capsys, name):
    assert run(folder, "--output", "knee_torque", "--plot", tmp_path / name) == 0
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    assert "Shares over time: " in capsys.readouterr().out


def test_two_moments_at_once_are_refused(folder, capsys):
    assert run(folder, "--output", "knee_torque", "--peak", "--mean") == 2
    assert "Use only one of --time-s, --peak and --mean." in capsys.readouterr().err


def test_misspelt_output_shows_the_nearest(folder, capsys):
    assert run(folder, "--output", "kne_torque") == 2
    message = capsys.readouterr().err
    assert "'kne_torque' is not a known output" in message and "Closest: 'knee_torque'" in message


def test_unknown_grouping_is_refused(folder, capsys):
    assert run(folder, "--output", "knee_torque", "--by", "colour") == 2
    assert "cannot be grouped by 'colour'" in capsys.readouterr().err


def test_folder_without_a_result_is_refused(tmp_path, capsys):
    assert run(tmp_path, "--output", "knee_torque") == 2
    assert "it is not a Borelli result folder" in capsys.readouterr().err


def test_picture_of_another_kind_is_refused_before_anything_is_read(tmp_path, capsys):
    assert run(tmp_path / "none", "--output", "knee_torque", "--plot", tmp_path / "a.pdf") == 2
    assert "A picture cannot be written as '.pdf'" in capsys.readouterr().err
