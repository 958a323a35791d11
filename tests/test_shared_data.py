"""Larger data are found where they are said to be, and missed aloud where they were expected."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.shared_data import PARTS, complaint, data_folder


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    for part in PARTS:
        (tmp_path / part).parent.mkdir()
        (tmp_path / part).touch()
    return tmp_path


def test_the_variable_decides_where_data_lie(tmp_path: Path) -> None:
    assert data_folder({"BORELLI_DATA": str(tmp_path)}) == tmp_path
    beside = data_folder({})
    assert beside.name == "shared" and beside.parent == Path(__file__).resolve().parents[2]


def test_whole_data_are_no_reason_to_complain(whole: Path) -> None:
    assert complaint({"BORELLI_DATA": str(whole), "BORELLI_EXPECT_DATA": "1"}) is None


def test_data_that_were_named_and_are_absent_fail_the_run(tmp_path: Path) -> None:
    assert "reference data were expected" in str(complaint({"BORELLI_DATA": str(tmp_path / "nowhere")}))


def test_data_that_lack_a_part_fail_the_run(whole: Path) -> None:
    (whole / PARTS[1]).unlink()
    assert str(complaint({"BORELLI_DATA": str(whole)})).endswith(f"there is no {PARTS[1]}")


def test_a_run_ends_with_the_complaint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests import conftest

    monkeypatch.setenv("BORELLI_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(pytest.UsageError, match="nowhere"):
        conftest.pytest_sessionstart()


def test_no_other_file_looks_for_the_data_by_itself() -> None:
    own = (Path(__file__), Path(__file__).with_name("shared_data.py"))
    looking = re.compile(r"""["']shared["']\s*/|/\s*["']shared["']|\.\./shared""")
    files = [file for file in Path(__file__).parent.rglob("*.py") if file not in own]
    assert [file.name for file in files if looking.search(file.read_text("utf-8"))] == []
    assert looking.search('ORACLE = Path(__file__).parents[3] / "shared" / "oracle"')
