"""Delimited text and Parquet."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from borelli.errors import BorelliWarning, FileFormatError, UnknownNameError, UnsupportedError
from borelli.io.load import load_table, save_table
from borelli.io.tables.csv import parse_csv, parse_parquet, read_csv, read_parquet, write_csv, write_parquet
from borelli.results.labelled.table import Cell, Table


@pytest.mark.parametrize(
    "text",
    [
        "time,knee [deg],hip\n0,1,2\n0.5,3,4\n",
        "# exported today\ntime;knee [deg];hip\n0;1;2\n0.5;3;4\n",
        "Time\tknee (deg)\thip\n0\t1\t2\n0.5\t3\t4",
        '"time","knee [deg]","hip"\r\n0,1,2\r\n0.5,3,4\r\n',
        "knee [deg],time [ms],hip\n1,0,2\n3,500,4\n",
    ],
    ids=["comma", "semicolon", "tab", "quoted", "milliseconds"],
)
def test_separators_units_and_the_place_of_time(text: str) -> None:
    table = parse_csv(text.encode())
    assert table.columns == ("knee", "hip")
    assert table.units == ("deg", "")
    assert table.time.tolist() == [0.0, 0.5]
    assert table.values.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_decimal_commas_between_semicolons_are_told() -> None:
    with pytest.warns(BorelliWarning, match="commas between digits were read as decimal points"):
        assert parse_csv(b"time;a\n0,5;1,25\n").values.tolist() == [[1.25]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"knee,hip\n1,2\n", r"No column is labelled 'time'; the labels begin 'knee', 'hip'(.|\n)*line 1"),
        (b"# only a comment\n", "ends before the line of labels"),
        (b"time,a\n0,x\n", r"found 'x'(.|\n)*line 2, cell 2"),
        (b"time,a\n0,1,2\n", "Expected 2 cells in a row"),
        (b"time,a\nnan,1\n", "The time of row 1 is not a finite number"),
        (b"time\0", "is binary"),
    ],
)
def test_what_cannot_be_read_says_what_and_where(data: bytes, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        parse_csv(data, "f.csv")


def a_table(cells: Cell = Cell.SCALAR) -> Table:
    shape = (7, 2) if cells is Cell.SCALAR else (7, 2, cells.size)
    values = np.random.default_rng(0).normal(size=shape)
    values[2, 1] = np.nan
    return Table(np.linspace(0.0, 1.0, 7), ("a", "b b"), values, ("deg", ""), True, "T", cells=cells)


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_text_reads_back_bit_by_bit(ending: str, tmp_path: Path) -> None:
    table = a_table()
    write_csv(table, tmp_path / f"t.{ending}")
    back = read_csv(tmp_path / f"t.{ending}")
    assert np.array_equal(back.values, table.values, equal_nan=True)
    assert (back.columns, back.units) == (table.columns, table.units)


@pytest.mark.parametrize("cells", [Cell.SCALAR, Cell.VEC3])
def test_parquet_keeps_everything(cells: Cell, tmp_path: Path) -> None:
    table = a_table(cells)
    write_parquet(table, tmp_path / "t.parquet")
    back = read_parquet(tmp_path / "t.parquet")
    assert np.array_equal(back.values, table.values, equal_nan=True)
    assert np.array_equal(back.time, table.time)
    kept = ("columns", "units", "in_degrees", "name", "cells")
    assert [getattr(back, name) for name in kept] == [getattr(table, name) for name in kept]


def test_broken_parquet_is_refused(tmp_path: Path) -> None:
    write_parquet(a_table(), tmp_path / "t.parquet")
    data = (tmp_path / "t.parquet").read_bytes()
    with pytest.raises(FileFormatError, match="The Parquet data are broken"):
        parse_parquet(data[:-40])
    with pytest.raises(FileFormatError, match="does not begin with 'PAR1', expected a Parquet table"):
        parse_parquet(b"time,a\n")


def test_parquet_that_claims_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_parquet(a_table(), tmp_path / "t.parquet")
    monkeypatch.setattr("borelli.io.tables.csv._MAX_NUMBERS", 10)
    with pytest.raises(FileFormatError, match="claims to hold 21 numbers"):
        read_parquet(tmp_path / "t.parquet")


def test_parquet_of_words_is_refused(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pandas.DataFrame({"time": [0.0], "source": ["weight"]}).to_parquet(tmp_path / "long.parquet")
    with pytest.raises(FileFormatError, match=r"The column 'source' does not hold numbers"):
        read_parquet(tmp_path / "long.parquet")


def test_labels_that_hold_the_separator_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match=r"The label 'a,b' contains a separator(.|\n)*\.parquet"):
        write_csv(Table(np.zeros(1), ("a,b",), np.zeros((1, 1))), tmp_path / "t.csv")


def test_tables_are_loaded_and_saved_by_their_ending(tmp_path: Path) -> None:
    for ending in ("sto", "mot", "csv", "tsv", "parquet"):
        save_table(a_table(), tmp_path / f"t.{ending}")
        assert np.array_equal(load_table(tmp_path / f"t.{ending}").values, a_table().values, equal_nan=True)
    with pytest.raises(UnknownNameError, match=r"'\.xls' is not a table format"):
        load_table("t.xls")
    with pytest.raises(UnknownNameError, match=r"'\.xls' is not a table format that can be written"):
        save_table(a_table(), "t.xls")
    with pytest.raises(UnsupportedError, match="C3D files are read, not written"):
        save_table(a_table(), "t.c3d")


def test_labels_that_a_spreadsheet_would_compute_are_neutralised_on_request(tmp_path: Path) -> None:
    names = ("=1+1", "@SUM(A1)", "+x", "-x", " =y", "a=b", "knee", "\uff1d1")
    table = Table(np.zeros(1), names, np.zeros((1, 8)))
    write_csv(table, tmp_path / "plain.csv")
    assert (
        (tmp_path / "plain.csv")
        .read_text(encoding="utf-8")
        .startswith("time [s],=1+1,@SUM(A1),+x,-x, =y,a=b,knee,")
    )
    save_table(table, tmp_path / "safe.csv", for_spreadsheet=True)
    safe = (tmp_path / "safe.csv").read_text(encoding="utf-8").split("\n")[0]
    assert safe == "time [s],'=1+1,'@SUM(A1),'+x,'-x,' =y,a=b,knee,'\uff1d1"
    with pytest.raises(UnsupportedError, match=r"\.sto is not a spreadsheet table"):
        save_table(table, tmp_path / "safe.sto", for_spreadsheet=True)
