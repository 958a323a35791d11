"""What the terminal says: other encodings, notes first, questions worth asking, places checked before computing."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.cli.terminal.escapes import spelled
from tests.cli.test_analyze import analyze, command, files


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("terminal")
    files(place)
    with pytest.warns(bo.BorelliWarning):
        bo.run(bo.Trial(place / "p.toml", place / "m.sto", place / "out"))
    return place


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_a_console_of_few_letters_is_written_to_with_those(folder, encoding):
    code = "from borelli.cli.main import main; main()"
    asked = ["explain", str(folder / "out"), "--output", "swing moment"]
    done = subprocess.run(
        [sys.executable, "-c", code, *asked],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = done.stdout.decode(encoding)
    assert "|###" in told and "\\u25" not in told
    assert spelled("a│█", "utf-8") == "a│█" and spelled("é│", "cp1252") == "é|"


def test_notes_come_before_the_result_and_questions_after_it(tmp_path, capfd):
    files(tmp_path)
    assert analyze(tmp_path) == 0
    told = capfd.readouterr()
    assert "warning: the motion is not filtered" in told.err
    assert told.out.index("Verdict:") < told.out.index("Written:") < told.out.index("Worth asking:")
    assert f"Page:    {tmp_path / 'out' / 'report.html'}" in told.out
    assert "--output 'swing force' --by muscle" in told.out
    asked = told.out.strip().splitlines()[-1].strip()
    assert command(*shlex.split(asked)[1:]) == 0  # what it proposes works
    # The number is that of the sentence, at its instant: within a cycle, where that is not the largest of all.
    (answer,) = bo.answers(bo.load_result(tmp_path / "out"))
    assert f"at {answer.time:.4g} s (instant {answer.instant}" in capfd.readouterr().out


@pytest.mark.parametrize("more", [(), ("--geometry", ".")])
def test_page_and_terminal_share_one_computation_of_the_answers(tmp_path, monkeypatch, capfd, more):
    from borelli.results import answers as module

    asked = []

    def counted(result, force, *others, own=module._answer):
        asked.append(force.name)
        return own(result, force, *others)

    monkeypatch.setattr(module, "_answer", counted)
    files(tmp_path)
    assert analyze(tmp_path, *more) == 0
    assert asked == ["swing_reaction_force"]
    assert 'class="cards"' in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "Swing " in capfd.readouterr().out


def test_explain_without_an_output_and_info_list_what_can_be_asked(folder, capsys):
    assert command("explain", folder / "out") == 0
    listed = capsys.readouterr().out
    assert "swing_moment" in listed and "swing_reaction_force_x" in listed
    assert command("info", folder / "out") == 0
    shown = capsys.readouterr().out
    assert "101 instants from 0 s to 1 s" in shown and "Verdict:" in shown and "Swing " in shown
    assert command("info", folder / "out", "--all") == 0


def test_the_place_of_a_result_is_checked_before_anything_is_read(tmp_path, capsys):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("x")
    asked = ("analyze", tmp_path / "nosuch.osim", "--motion", tmp_path / "nosuch.mot", "--out")
    assert command(*asked, tmp_path / "mine") == 2
    assert "'mine' exists and contains other files" in capsys.readouterr().err
    assert command(*asked, tmp_path / "no" / "such") == 2
    assert "does not exist" in capsys.readouterr().err


def test_what_is_missing_is_named_with_what_to_do(tmp_path, capsys):
    assert command("report", tmp_path / "nosuch") == 2
    told = capsys.readouterr().err
    assert "nosuch' does not exist" in told and "borelli analyze" in told
    files(tmp_path)
    (tmp_path / "m.trc").write_text(
        "PathFileType\t4\t(X/Y/Z)\tm.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t"
        "OrigDataStartFrame\tOrigNumFrames\n100\t100\t2\t1\tm\t100\t1\t2\nFrame#\tTime\tA\t\t\n\t\tX1\tY1\tZ1\n\n"
        "1\t0.00\t1\t2\t3\n2\t0.01\t1\t2\t3\n"
    )
    asked = ("analyze", tmp_path / "p.toml", "--motion", tmp_path / "m.trc", "--out", tmp_path / "o")
    assert command(*asked) == 2
    told = capsys.readouterr().err
    assert "These are markers, not coordinates" in told and "--markers" in told


def test_a_shell_completes_commands_and_their_options():
    code = "from borelli.cli.main import main; main()"
    for words, number, found in (("borelli ana", 1, "analyze"), ("borelli analyze --str", 2, "--strict")):
        told = {"_BORELLI_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(number)}
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env={**os.environ, **told},
            check=False,
        )
        assert found in done.stdout.split(), done.stderr


def test_reactions_are_expressed_in_the_axes_and_on_the_body_that_were_asked_for(folder, tmp_path):
    asked = ("analyze", folder / "p.toml", "--motion", folder / "m.sto", "--cutoff-hz", "6", "--out")
    assert command(*asked, tmp_path / "here") == 0
    assert command(*asked, tmp_path / "there", "--express-in", "child", "--on", "parent") == 0
    here, there = (bo.load_result(tmp_path / name)["total_reaction_force"] for name in ("here", "there"))
    assert there.attrs["expressed_in"] != "ground" and there.attrs["on"].startswith("parent")
    sizes = [np.linalg.norm(each.transpose("time", "joint", "axis").values, axis=2) for each in (here, there)]
    np.testing.assert_allclose(*sizes, rtol=1e-9)
    # Compression is told only where force and drawing have the same axes.
    names = [each.output.name for each in bo.answers(bo.load_result(tmp_path / "there"))]
    assert names and all(np.isnan(each.axial) for each in bo.answers(bo.load_result(tmp_path / "there")))
