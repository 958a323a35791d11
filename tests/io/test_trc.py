"""Marker trajectories."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from borelli.errors import BorelliWarning, FileFormatError, InvalidValueError, ShapeError
from borelli.io.tables.trc import parse_trc, read_trc, write_trc
from borelli.results.labelled.table import Cell, Table

KEYS = "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames"
PLAIN = (
    f"PathFileType\t4\t(X/Y/Z)\twalk.trc\n{KEYS}\n100\t100\t2\t2\tmm\t100\t1\t2\n"
    "Frame#\tTime\tR.ASIS\t\t\tL ASIS\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n"
    "1\t0.00\t1\t2\t3\t4\t5\t6\n2\t0.01\t7\t8\t9\t10\t11\t12\n"
)


def read(text: str) -> Table:
    return parse_trc(text.encode(), "walk.trc")


def test_markers_have_names_positions_and_a_unit() -> None:
    table = read(PLAIN)
    assert table.columns == ("R.ASIS", "L ASIS")
    assert table.cells is Cell.VEC3
    assert table.units == ("mm", "mm")
    assert table.time.tolist() == [0.0, 0.01]
    assert table.column("L ASIS").tolist() == [[4.0, 5.0, 6.0], [10.0, 11.0, 12.0]]
    assert table.metadata["DataRate"] == "100"


def test_metres_are_a_thousandth() -> None:
    assert read(PLAIN).to_si().values[0, 0].tolist() == pytest.approx([0.001, 0.002, 0.003])
    assert read(PLAIN).to_si().units == ("m", "m")


@pytest.mark.parametrize(
    "variant",
    [
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("Z2\n\n", "Z2\n"),
        PLAIN.replace("100\t100\t2", "  100.0\t\t  100.0\t\t    2"),
        PLAIN.replace("\t6\n", "\t6\t\t\n"),
        PLAIN.replace("PathFileType\t4\t", "PathFileType  4\t"),
        PLAIN.replace("\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n", ""),
    ],
    ids=["crlf", "no blank line", "padded", "trailing tabs", "blanks", "no components"],
)
def test_what_programs_write_is_read(variant: str) -> None:
    assert read(variant).values.tolist() == read(PLAIN).values.tolist()


def test_blank_cells_and_nan_are_missing_markers() -> None:
    table = read(PLAIN.replace("1\t2\t3\t", "\t\t\t").replace("10\t11\t12", "NaN\tnan\tNAN"))
    assert np.isnan(table.values).sum() == 6
    assert table.column("L ASIS")[0].tolist() == [4.0, 5.0, 6.0]


def test_cells_missing_at_the_end_of_a_row_are_missing_markers() -> None:
    table = read(PLAIN.replace("\t4\t5\t6\n", "\n"))
    assert np.isnan(table.column("L ASIS")[0]).all()


def test_a_file_cut_inside_its_last_row_is_refused() -> None:
    with pytest.raises(FileFormatError, match=r"Expected 8 cells in a row(.|\n)*line 8(.|\n)*may be cut off"):
        read(PLAIN[:-7])


def test_settings_without_values_are_told() -> None:
    with pytest.warns(BorelliWarning, match="line 2 names 8 settings, line 3 gives 7"):
        read(PLAIN.replace("mm\t100\t1\t2\n", "mm\t100\t1\n"))


def test_wrong_counts_are_told() -> None:
    with pytest.warns(BorelliWarning, match="says 9 markers, the file has 2; the header says 5 frames"):
        read(PLAIN.replace("\t2\t2\tmm", "\t5\t9\tmm"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Coordinates\n", "does not begin with 'PathFileType', expected marker trajectories"),
        ("PathFileType\t4\n", r"The file ends inside its header(.|\n)*line 1"),
        (PLAIN.replace("Units", "Unit"), "does not say in which unit the markers are"),
        (PLAIN.replace("Frame#", "Bild"), r"must begin with 'Frame#' and 'Time'(.|\n)*line 4"),
        (PLAIN.replace("0.01", "later"), "Expected a number, found 'later'"),
        (PLAIN.replace("0.01", "nan"), "The time of row 2 is not a finite number"),
        (PLAIN + "\0", "is binary"),
    ],
)
def test_what_cannot_be_read_says_what_and_where(text: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        read(text)


def test_written_markers_read_back_bit_by_bit(tmp_path: Path) -> None:
    values = np.random.default_rng(1).normal(size=(30, 3, 3))
    values[4, 1] = np.nan
    table = Table(np.arange(30) / 120.0, ("a", "b c", "ü"), values, ("m",) * 3, cells=Cell.VEC3)
    write_trc(table, tmp_path / "t.trc")
    back = read_trc(tmp_path / "t.trc")
    assert np.array_equal(back.values, values, equal_nan=True)
    assert np.array_equal(back.time, table.time)
    assert (back.columns, back.units) == (table.columns, table.units)
    assert float(back.metadata["DataRate"]) == pytest.approx(120.0)


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    vectors = np.zeros((2, 2, 3))
    time = np.arange(2.0)
    with pytest.raises(
        ShapeError, match=r"cells of three numbers, not double(.|\n)*write this table as \.sto"
    ):
        write_trc(Table(time, ("a",), np.zeros((2, 1))), tmp_path / "t.trc")
    with pytest.raises(InvalidValueError, match=r"one unit, the table has \['m', 'mm'\]"):
        write_trc(Table(time, ("a", "b"), vectors, ("m", "mm"), cells=Cell.VEC3), tmp_path / "t.trc")
    with pytest.raises(InvalidValueError, match="The label ' ' cannot be written"):
        write_trc(Table(time, ("a", " "), vectors, cells=Cell.VEC3), tmp_path / "t.trc")


def test_a_recording_without_frames_or_markers_is_read_and_written(tmp_path: Path) -> None:
    head = b"PathFileType\t4\t(X/Y/Z)\ta\nUnits\nmm\nFrame#\tTime"
    for text, shape in ((b"\tA\n\tX1\tY1\tZ1\n\n", (0, 1, 3)), (b"\n\n\n1\t0\n2\t0.1\n", (2, 0, 3))):
        table = parse_trc(head + text)
        assert table.values.shape == shape
        write_trc(table, tmp_path / "again.trc")
        assert read_trc(tmp_path / "again.trc").values.shape == shape
