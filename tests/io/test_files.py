"""Opening and replacing files, and references from one file to another."""

from __future__ import annotations

from pathlib import Path

import pytest

from borelli.errors import BorelliWarning, FileFormatError, MissingInputError
from borelli.io.text.files import decode_text, read_bytes, refuse_binary
from borelli.results.on_disk.whole import atomic_writer


def test_a_misspelt_file_is_answered_with_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "walk.mot").write_text("x")
    with pytest.raises(MissingInputError, match=r"There is no file 'walk\.mott', expected a table") as caught:
        read_bytes(tmp_path / "walk.mott", "a table")
    assert caught.value.closest == ("walk.mot",)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingInputError, match=r"the folder '.*nowhere' does not exist either"):
        read_bytes(tmp_path / "nowhere" / "walk.mot", "a table")


def test_devices_are_not_read() -> None:
    with pytest.raises(FileFormatError, match="'/dev/zero' is a device or pipe, expected a table"):
        read_bytes("/dev/zero", "a table")


def test_a_path_with_a_zero_byte_is_refused() -> None:
    with pytest.raises(MissingInputError, match="cannot be opened"):
        read_bytes("a\0b", "a table")


def test_utf16_and_binary_are_told_apart() -> None:
    with pytest.raises(
        FileFormatError, match=r"encoded as UTF-16, expected a table in UTF-8(.|\n)*save it as UTF-8"
    ):
        refuse_binary("time".encode("utf-16"), "f", "a table")
    with pytest.raises(FileFormatError, match=r"is binary, expected a table(.|\n)*byte 3 is zero"):
        refuse_binary(b"abc\0", "f", "a table")


def test_a_byte_order_mark_is_not_part_of_the_text() -> None:
    assert decode_text(b"\xef\xbb\xbftime", "f", "a table") == "time"


def test_text_that_is_not_utf8_is_read_as_windows_text_with_a_warning() -> None:
    with pytest.warns(BorelliWarning, match="byte 5 is not UTF-8; the text was read as Windows-1252"):
        assert decode_text(b"angle\xb0", "f", "a table") == "angle°"


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "t.sto"
    target.write_text("old")
    with pytest.raises(RuntimeError), atomic_writer(target) as stream:
        stream.write(b"half")
        raise RuntimeError
    assert [path.name for path in tmp_path.iterdir()] == ["t.sto"]
    assert target.read_text() == "old"


def test_writing_into_a_missing_folder_says_so(tmp_path: Path) -> None:
    message = r"The folder '.*nowhere' does not exist"
    with pytest.raises(MissingInputError, match=message), atomic_writer(tmp_path / "nowhere" / "t.sto"):
        pass
