"""Every file of a result is verified; a manifest may have any shape without a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from borelli.errors import FileFormatError
from borelli.report.page import write_page
from borelli.results.saving.manifest import PAGE, load_manifest
from borelli.results.saving.save import load_result, save_result
from borelli.results.saving.verify import verify_result
from borelli.trial.folder import FINGERPRINT, TABLES, is_up_to_date
from tests.results.problems import result


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = save_result(result(), tmp_path / "leg")
    write_page([place], place / PAGE)
    return place


def test_every_file_is_covered(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine")
    found = verify_result(folder)
    assert found.whole and not found.changed and not found.missing
    assert set(found.sound) == {path.name for path in folder.iterdir()} - {"notes.txt"}
    assert found.others == ("notes.txt",)


@pytest.mark.parametrize("name", ["result.nc", "result.json", "shares.parquet", "totals.csv", "report.html"])
def test_one_bit_of_any_file_is_noticed(folder: Path, name: str) -> None:
    data = bytearray((folder / name).read_bytes())
    # A digit of a hash in the manifest, so that it stays JSON; anywhere else in the others.
    at = data.index(b'"sha256": "') + 12 if name == "result.json" else len(data) // 2
    data[at] ^= 1
    (folder / name).write_bytes(data)
    found = verify_result(folder)
    assert name in found.changed and not found.whole


def test_a_file_that_is_gone_or_a_link_is_noticed(folder: Path) -> None:
    (folder / "totals.csv").unlink()
    (folder / "shares.parquet").rename(folder.parent / "shares.parquet")
    (folder / "shares.parquet").symlink_to(folder.parent / "shares.parquet")
    found = verify_result(folder)
    assert found.missing == ("totals.csv",) and found.changed == ("shares.parquet",)


def test_a_result_can_be_saved_over_whatever_became_of_it(folder: Path) -> None:
    """The message of a damaged result says: run the analysis again."""
    for damage in ("{", "", '{"format": "borelli-result"}', '{"format": "borelli-result", "files": [1]}'):
        (folder / "result.json").write_text(damage)
        with pytest.raises(FileFormatError, match="the same command computes a damaged result anew"):
            load_result(folder)
        save_result(result(), folder)
        assert verify_result(folder).whole


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("files", [1]),
        ("files", {"result.nc": "abc"}),
        ("files", {"../x": {"sha256": "0"}}),
        ("files", {"x" * 300: {"sha256": "0"}}),
        ("settings", []),
        ("residuals", {"closure": 1.0}),
        ("residuals", {"closure": {"value": "x", "unit": "1"}}),
        ("warnings", {"a": 1}),
        ("warnings", [1]),
        ("citations", None),
        ("times", {"count": 1}),
        ("outputs", {"a": 1}),
        ("analysis", 5),
        ("format_version", True),
        ("format_version", "1"),
        ("inputs", 3.0),
        ("inputs", {"model": {"bytes": 3}}),
        ("versions", {"numpy": "2"}),
    ],
)
def test_a_manifest_of_another_shape_is_called_damaged(folder: Path, part: str, value: Any) -> None:
    manifest = json.loads((folder / "result.json").read_text())
    (folder / "result.json").write_text(json.dumps({**manifest, part: value}))
    for read in (load_manifest, load_result, verify_result):
        with pytest.raises(FileFormatError, match=r"'result\.json' is not what Borelli writes"):
            read(folder)
    with pytest.raises(FileFormatError, match=r"'result\.json' is not what Borelli writes"):
        write_page([folder], folder.parent / "page.html")


def test_a_manifest_nested_without_end_is_called_damaged(folder: Path) -> None:
    (folder / "result.json").write_text("[" * 200_000)
    with pytest.raises(FileFormatError, match=r"'result\.json' is not what Borelli writes"):
        load_manifest(folder)


def test_a_manifest_whose_tables_have_names_that_no_file_has_is_not_up_to_date(folder: Path) -> None:
    manifest = json.loads((folder / "result.json").read_text())
    settings = {FINGERPRINT: "mark", TABLES: {"x" * 300: {"sha256": "0"}}}
    (folder / "result.json").write_text(json.dumps({**manifest, "settings": settings}))
    assert not is_up_to_date(folder, "mark")
