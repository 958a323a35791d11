"""How a study goes on, on a terminal: a bar with rate and time left, a line a worker, errors as they come."""

from __future__ import annotations

import io
import re
import time
from types import SimpleNamespace

import pytest
from rich.console import Console

from borelli.cli.terminal import study_progress
from borelli.cli.terminal.study_progress import StudyBar
from borelli.studies.running import Running
from borelli.studies.task import Receipt

PLAN = SimpleNamespace(name="curls", trials=range(60))


def receipt(number: int, error: str = "") -> Receipt:
    return Receipt(f"s01 / empty / {number}", "k", "failed" if error else "computed", 0.5, "lab:7", error)


@pytest.fixture
def screen(monkeypatch) -> io.StringIO:
    """A terminal of 120 columns, and a clock on which every look takes half a second."""
    stream, clock = io.StringIO(), iter(0.5 * k for k in range(1000))
    console = Console(file=stream, force_terminal=True, width=120, color_system=None)
    monkeypatch.setattr(study_progress, "plain_console", lambda stderr: console)
    monkeypatch.setattr(
        study_progress, "time", SimpleNamespace(monotonic=lambda: next(clock), time=time.time)
    )
    return stream


def shown(stream: io.StringIO) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue())


def test_a_terminal_shows_rate_time_left_workers_and_errors(screen):
    with StudyBar() as bar:
        now = [Running("s01 / empty / 9", "lab", 7, time.time() - 3.0)]
        bar.planned(PLAN, "Dask: 2 processes of this machine", lambda: now)
        for number in range(1, 11):
            bar.ended(receipt(number))
        bar.ended(receipt(11, "MissingInputError: no body 'forearm'\n  Where: loads.xml"))
        bar._live.refresh()
        bar.summarising()
        bar._live.refresh()
    told = shown(screen)
    assert "curls (Dask: 2 processes of this machine)" in told
    # Two trials a second; 49 are left.
    assert re.search(r"11/60 2/s, 0:2[45] left", told), told
    assert "lab:7  s01 / empty / 9  3 s" in told
    assert "failed: s01 / empty / 11: MissingInputError: no body 'forearm'\n" in told and "Where" not in told
    assert "the study's own result" in told and bar.trials_ended == 11


def test_what_is_no_terminal_is_told_errors_alone(capsys):
    with StudyBar() as bar:
        bar.planned(PLAN, "this process", list)
        bar.ended(receipt(1))
        bar.ended(receipt(2, "MissingInputError: no body 'forearm'"))
    assert capsys.readouterr().err == "failed: s01 / empty / 2: MissingInputError: no body 'forearm'\n"
