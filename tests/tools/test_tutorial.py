"""The commands of the first tutorial run one after another, on a fresh folder, as they are printed."""

import re
import shlex
from pathlib import Path

import pytest

from borelli.cli.main import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorials" / "first_walk.md"
COMMANDS = re.findall(r"<!-- run -->\n```\nborelli (.*?)\n```", PAGE.read_text(encoding="utf-8"))


def test_there_are_commands_to_run():
    assert [command.split()[0] for command in COMMANDS] == [
        "demo",
        "explain",
        "info",
        "ik",
        "analyze",
        "explain",
    ]


def test_the_first_tutorial_runs_from_top_to_bottom(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        with pytest.raises(SystemExit) as end:
            main(shlex.split(command))
        assert end.value.code in (0, None), command
    said = capsys.readouterr().out
    assert "knee_r_reaction_force_y" in said
    assert (tmp_path / "results" / "report.html").is_file()
