"""``borelli verify``: what it says of sound and of damaged results."""

from __future__ import annotations

from pathlib import Path

import pytest

from borelli.cli.main import main
from borelli.results.saving.save import save_result
from tests.results.problems import result


def run(*arguments: object) -> int:
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def test_a_sound_result_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = save_result(result(), tmp_path / "leg")
    (folder / "notes.txt").write_text("mine")
    assert run("verify", folder) == 0
    told = capsys.readouterr().out
    assert "4 files are unchanged" in told
    assert "not part of the result: notes.txt" in told


def test_damage_is_named_and_the_status_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("squat", "reach", "curl"):
        save_result(result(), tmp_path / name)
    (tmp_path / "squat" / "totals.csv").write_text("junk")
    (tmp_path / "reach" / "shares.parquet").unlink()
    assert run("verify", tmp_path) == 2  # the folder that holds them
    out, err = capsys.readouterr()
    assert "changed: totals.csv" in out and "missing: shares.parquet" in out
    assert "2 of the results are damaged" in err and "run the analysis again" in err
    assert run("verify", tmp_path / "curl") == 0


def test_a_folder_that_is_no_result_is_refused_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("verify", tmp_path) == 2
    told = capsys.readouterr()
    assert "it is not a Borelli result folder" in told.err
    assert "damaged" not in told.err
    assert run("verify", tmp_path, tmp_path / "neither") == 2
    told = capsys.readouterr()
    assert "it is not a Borelli result folder" in told.out and "2 of the results are damaged" in told.err
