"""What the command line says of faults: the system's, its own, and what files want to do to the terminal."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.cli.main import main
from borelli.cli.terminal import console, escapes
from borelli.results.saving.save import save_result
from tests.cli.test_analyze import TIME, analyze, files
from tests.cli.test_verify import run
from tests.results.problems import result

ESCAPE = "\x1b[2J\x1b]0;owned\x07"


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "free some space"), (errno.EROFS, "not read-only"), (errno.EACCES, "ask its owner")],
)
def test_what_the_system_refuses_is_a_message(
    number: int, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), "some/table.sto")

    monkeypatch.setattr("borelli.write_report", refuse)
    assert run("report", "results") == 2
    told = capsys.readouterr().err
    assert told.startswith(f"WriteError: 'table.sto' could not be read or written: {os.strerror(number)}.")
    assert "Where:   some/table.sto" in told and words in told
    assert "Traceback" not in told


def fail(*_: object, **__: object) -> None:
    raise ZeroDivisionError("deep inside")


def test_a_fault_of_our_own_says_how_to_report_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("borelli.planar.equations", fail)
    assert run("equations", "--links", 2) == 70
    told = capsys.readouterr().err
    assert "Internal error in Borelli: ZeroDivisionError: deep inside" in told
    assert "--debug" in told and "Traceback" not in told


@pytest.mark.parametrize("place", [0, 1, 3])
def test_debug_shows_the_traceback_wherever_it_stands(
    place: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("borelli.planar.equations", fail)
    arguments = ["equations", "--links", "2"]
    arguments.insert(place, "--debug")
    assert run(*arguments) == 70
    told = capsys.readouterr().err
    assert "Traceback" in told and "in fail" in told and "Internal error in Borelli" in told


def test_too_little_memory_is_a_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("borelli.planar.equations", fail)
    assert run("equations", "--links", 2) == 2
    assert "not enough memory" in capsys.readouterr().err


# Terminal escapes.


def test_control_characters_are_shown() -> None:
    assert escapes.shown(ESCAPE) == r"\x1b[2J\x1b]0;owned\x07"
    assert escapes.shown("a\rb\x9b1m\u202ecba\u2028d") == r"a\rb\x9b1m\u202ecba\u2028d"
    assert escapes.shown("é Ω\t─\r\n") == "é Ω\t─\r\n"


def test_names_from_files_do_not_drive_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "walk.csv"
    table.write_text(f"time,knee{ESCAPE}\n0,1\n1,2\n")
    assert run("info", table) == 0
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err and "\x07" not in out + err
    assert r"knee\x1b[2J" in out
    (tmp_path / "bad.toml").write_text(f'["{ESCAPE}]\n'.replace("\x1b", "\\u001b"))
    assert run("info", tmp_path / f"no{ESCAPE}.sto") == 2
    assert "\x1b" not in capsys.readouterr().err


def test_a_terminal_gets_our_colours_and_not_those_of_a_name() -> None:
    from rich.text import Text

    stream = io.StringIO()
    safe = console.plain_console(file=stream, force_terminal=True, color_system="truecolor", width=200)
    safe.print(Text(f"knee{ESCAPE}", style="bold"))
    assert r"knee\x1b[2J\x1b]0;owned" in stream.getvalue()
    assert stream.getvalue().startswith("\x1b[1m")
    assert "\x1b[2J" not in stream.getvalue()


def test_explanations_show_odd_names_of_a_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = result().assign_coords(joint=[f"hip{ESCAPE}", "knee", "ankle"])
    folder = save_result(odd, tmp_path / "leg")
    assert run("explain", folder, "--output", "none such") == 2
    assert "\x1b" not in capsys.readouterr().err


def test_streams_are_given_back(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout, sys.stderr
    with pytest.raises(SystemExit):
        main(["--version"])
    assert (sys.stdout, sys.stderr) == before
    assert "borelli" in capsys.readouterr().out


@pytest.mark.parametrize("closed", ["<&- >&- 2>&-", "> /dev/full 2>&1"])
def test_the_exit_status_tells_where_nothing_can_be_printed(tmp_path: Path, closed: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    command = f"'{sys.executable}' -m borelli info none.such {closed}"
    assert subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, check=False).returncode == 2


def shown_remedy(folder: Path, table: bo.Table, capsys: pytest.CaptureFixture[str]) -> str:
    """What to do about a motion that cannot be analysed, as the command line says it."""
    files(folder)
    bo.save_table(table, folder / "m.sto")
    assert analyze(folder) == 2
    return capsys.readouterr().err.partition("Remedy:")[2]


def test_remedies_speak_of_files_and_options_before_they_speak_of_python(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = bo.Table(TIME, ("sway",), np.sin(TIME)[:, None], in_degrees=False)
    told = shown_remedy(tmp_path, wrong, capsys)
    assert told.index("rename the columns of the table") < told.index("in Python rename=")
    short = bo.Table(TIME[:3], ("swing",), np.sin(TIME[:3])[:, None], in_degrees=False)
    told = shown_remedy(tmp_path, short, capsys)
    assert "longer recording" in told and told.index("longer recording") < (told + "Python").index("Python")
