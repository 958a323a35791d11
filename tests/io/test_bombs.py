"""Bounded work per byte: files that ask for far more time or memory than they are long."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from borelli.errors import FileFormatError
from borelli.io.planar.chain_file import parse_chain
from borelli.io.tables.csv import _split_unit, parse_csv, parse_parquet
from borelli.io.tables.trc import parse_trc
from borelli.io.text.numbers import LARGE_BLOCK
from tests.bounded import memory_per_byte

TRC = b"PathFileType\nUnits\nmm\nFrame#\tTime"


def zeros(rows: int, columns: int) -> bytes:
    stream = io.BytesIO()
    names = ("time", *(f"c{k}" for k in range(columns)))
    parquet.write_table(pa.table({name: np.zeros(rows) for name in names}), stream, compression="zstd")
    return stream.getvalue()


def test_a_packed_table_of_nothing_is_not_unpacked() -> None:
    data = zeros(3_000_000, 4)
    with pytest.raises(
        FileFormatError, match=r"bytes claims to hold 15,000,000 numbers, and is not unpacked"
    ):
        parse_parquet(data)
    # Arrow's own memory is not Python's: refused before anything is read, so that this is little.
    assert memory_per_byte(lambda: parse_parquet(data), len(data)) < 20


def test_a_table_of_numbers_is_read_whatever_its_names() -> None:
    stream = io.BytesIO()
    rng = np.random.default_rng(1)
    columns = {"R": rng.normal(size=70_000), "R.ASIS": rng.normal(size=70_000), "time": np.arange(70_000.0)}
    parquet.write_table(pa.table(columns), stream)
    table = parse_parquet(stream.getvalue())
    for name in ("R", "R.ASIS"):
        np.testing.assert_array_equal(table.values[:, table.columns.index(name)], columns[name])


def test_texts_in_a_packed_table_are_not_unpacked() -> None:
    stream = io.BytesIO()
    parquet.write_table(
        pa.table({"time": [0.0] * 100, "s": ["x" * 100_000] * 100}), stream, compression="zstd"
    )
    with pytest.raises(FileFormatError, match="The column 's' does not hold numbers"):
        parse_parquet(stream.getvalue())


def test_lines_before_the_labels_are_counted() -> None:
    for line in (b"#\n", b"\n"):
        with pytest.raises(FileFormatError, match="has no line of labels near its beginning"):
            parse_csv(line * 200_000 + b"time,a\n0,1\n")
    assert parse_csv(b"#" + b"x" * 1_000_000 + b"\ntime,a\n0,1\n").columns == ("a",)


@pytest.mark.parametrize(
    "label",
    ["a", "a [N]", "a (N m) ", "a [b] [N]", "a (b) c", "[N]", "a [b) ", "a [b (c)", "a[]", "a ][ (x]", ")("],
)
def test_units_are_told_from_names_as_before(label: str) -> None:
    """The pattern that the labels were told apart with, whose time grew with the square of a label's length."""
    match = re.match(r"^(?P<name>.*?)\s*[\[(](?P<unit>[^\])]*)[\])]\s*$", label)
    expected = (match["name"], match["unit"].strip()) if match and match["name"] else (label, "")
    assert _split_unit(label) == expected


def test_a_label_of_brackets_takes_no_longer_than_another() -> None:
    # With the pattern above this took hours.
    assert len(parse_csv(b"time," + b"[" * 1_000_000 + b"\n0,1\n").columns[0]) == 1_000_000


@pytest.mark.parametrize(
    ("read", "data"),
    [
        (parse_trc, TRC + b"\ta" * 20_000 + b"\n\n" + b"1\t0\t1\n" * 20_000),
        (parse_csv, b"time" + b",a" * 400_000 + b"\n" + b"0\n" * (LARGE_BLOCK // 2)),
    ],
)
def test_cells_that_are_not_there_are_bounded(read: Callable[[bytes], Any], data: bytes) -> None:
    with pytest.raises(FileFormatError, match=r"far more than the rows|cells in a row"):
        read(data)


def test_rows_that_lack_their_last_cells_are_still_read() -> None:
    table = parse_trc(TRC + b"\ta\tb\n\n1\t0\t1\t2\t3\n2\t0.1\t\n3\t0.2\t1\t2\t3\t4\t5\t6\n")
    assert np.isnan(table.values[1]).all() and np.isnan(table.values[0, 1]).all()
    assert table.values[2].tolist() == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize("blank", [b"\n", b"\t\r\n"])
def test_blank_lines_without_end_take_no_memory(blank: bytes) -> None:
    data = b"time\ta\n" + blank * (2 * LARGE_BLOCK) + b"0\t1\n1\t2\n"
    # The regular expression that looked for them remembered each of them.
    assert memory_per_byte(lambda: parse_csv(data), len(data)) < 20
    assert parse_csv(data).values.tolist() == [[1.0], [2.0]]


@pytest.mark.parametrize("depth", [60, 900, 100_000])
def test_chains_nested_without_end_are_refused(depth: int) -> None:
    with pytest.raises(FileFormatError, match="nested too deeply"):
        parse_chain(b'{"links": ' + b"[" * depth + b"]" * depth + b"}")
