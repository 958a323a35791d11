"""Numbers in text: Arrow's reader and writer agree with Python's, digit by digit."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from borelli.io.text import numbers, write_numbers
from borelli.io.text.numbers import Block, read_numbers


def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "LARGE_BLOCK", 0)
    monkeypatch.setattr(write_numbers, "LARGE_TABLE", 0)


def block(text: str, n_columns: int, **more: object) -> Block:
    return Block(text.encode(), 0, 1, n_columns, "f", **more)  # type: ignore[arg-type]


def hard_numbers() -> np.ndarray:
    rng = np.random.default_rng(2)
    bits = rng.integers(0, 2**63, 4000, dtype=np.uint64).view(np.float64)
    powers = np.concatenate([10.0 ** np.arange(-300, 300), 2.0 ** np.arange(-1074, 1023)])
    near = np.concatenate([np.nextafter(powers, 0.0), np.nextafter(powers, np.inf)])
    plain = np.round(rng.normal(size=2000), 5)
    every = np.concatenate(
        [bits[np.isfinite(bits)], powers, near, plain, [0.0, -0.0, 5e-324, 1.7976931348623157e308]]
    )
    return np.concatenate([every, -every])


def written(values: np.ndarray) -> list[str]:
    stream = io.BytesIO()
    write_numbers.write_rows(stream, values, np.zeros((len(values), 1)))
    return [line.split("\t")[0] for line in stream.getvalue().decode().splitlines()]


def test_text_of_large_tables_reads_back_as_the_same_number(monkeypatch: pytest.MonkeyPatch) -> None:
    fast(monkeypatch)
    values = hard_numbers()
    back = np.array([float(text) for text in written(values)])
    assert np.array_equal(back.view(np.uint64), values.view(np.uint64))


def test_text_of_large_tables_is_as_short_as_pythons(monkeypatch: pytest.MonkeyPatch) -> None:
    fast(monkeypatch)

    def n_digits(text: str) -> int:
        return len(text.lower().split("e")[0].replace(".", "").strip("-0"))

    values = np.round(np.random.default_rng(3).normal(size=3000) * 100.0, 6)
    assert all(
        n_digits(a) <= n_digits(repr(b)) for a, b in zip(written(values), values.tolist(), strict=True)
    )


def test_words_for_what_is_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    fast(monkeypatch)
    assert written(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0])) == ["nan", "inf", "-inf", "0", "-0"]


@pytest.mark.parametrize("style", ["%r", "%.8f", "%.20f", "%.25e", "%.17g", "%.3e"])
def test_reader_of_large_tables_rounds_like_python(style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fast(monkeypatch)
    values = hard_numbers()
    values = values[np.abs(values) < 1e60] if style == "%.20f" else values
    texts = [style % value for value in values.tolist()]
    read = read_numbers(block("\n".join(texts), 1, n_plain=1))[:, 0]
    assert np.array_equal(read, [float(text) for text in texts])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.floats(allow_subnormal=True), min_size=1, max_size=6), st.integers(0, 30))
def test_any_number_survives(values: list[float], digits: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        fast(patch)
        texts = [f"{value:.{digits}e}" for value in values]
        read = read_numbers(block("\n".join(texts), 1))[:, 0]
        assert np.array_equal(read, [float(text) for text in texts], equal_nan=True)


LAYOUTS = [
    ("0\t1\t2\n3\t4\t5\n", {}),
    ("0\t1\t2\r\n\r\n3\t4\t5\r\n", {}),
    ("0\t1\t\n3\t\t5", {}),
    ("  0   1\t2  \n 3 4 5", {"separator": " "}),
    ("0,1,2\n3,4,5", {"separator": ","}),
    ("0\t1\t2\t\t\t\n3\t4\t5\t\n", {}),
    ("0\tnan\tInf\n3\t-inf\tNaN\n", {}),
    ("0\t1,2,3\t4,5,6\n1\t7, 8 ,9\t1,1,1\n", {"cell_size": 3}),
    ("0\t1\t2\n3\t4\n", {}),
    ("0\t1\t2\n3\t4\t5\t6\n", {}),
    ("# note\n0\t1\t2\n", {}),
    ("0\t1\t2\n1e\t1\t2\n", {}),
    ("0\t1\t.\n", {}),
    ("0\t+1\t-.5\n.5e3\t1.\t1E+2\n", {}),
    ("0\t1\t2\n3\t4\t", {}),
    ("", {}),
    ("0\t1,2\t3,4,5,6\n", {"cell_size": 3}),
    ("0\tnan\t1,2,3\n", {"cell_size": 3}),
    ("0\t(1,2,3)\t4,5,6\n", {"cell_size": 3}),
    ("0 1\n3 4 5\n", {"separator": " "}),
    ("0 nan 1\n3 4 5\n", {"separator": " "}),
    ("0 1 2 7\n3 4 5\n", {"separator": " "}),
]


@pytest.mark.parametrize(("text", "layout"), LAYOUTS)
def test_both_readers_agree_on_every_layout(
    text: str, layout: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def outcome() -> object:
        try:
            return read_numbers(block(text, 3, **layout)).tolist()
        except Exception as error:
            return str(error)

    patient = outcome()
    fast(monkeypatch)
    assert repr(outcome()) == repr(patient)


def test_parts_are_joined_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    fast(monkeypatch)
    monkeypatch.setattr(write_numbers, "_NUMBERS_FOR_ARROW", 100)
    values = np.arange(3000.0).reshape(1000, 3)
    stream = io.BytesIO()
    write_numbers.write_rows(stream, values[:, 0], values[:, 1:])
    assert np.array_equal(read_numbers(Block(stream.getvalue(), 0, 1, 3, "f")), values)


def test_vector_cells_are_joined_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []
    for large in (False, True):
        if large:
            fast(monkeypatch)
        stream = io.BytesIO()
        write_numbers.write_rows(stream, np.array([0.5]), np.array([[[1.5, 2.5], [3.5, 4.5]]]))
        texts.append(stream.getvalue())
    assert texts == [b"0.5\t1.5,2.5\t3.5,4.5\n"] * 2


@pytest.mark.parametrize(
    "rows", ["\t\t\n1\t2\t3\n", "\t\t\r\n \n1\t2\t3\r\n\t\t\r\n4\t5\t6\r\n", "1\t2\t3\n\t\t\n"]
)
def test_lines_of_separators_alone_are_blank_lines_for_both_readers(
    rows: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A spreadsheet that saves a TRC file fills the blank line below its labels with tabs."""
    patient = read_numbers(block(rows, 3))
    assert np.isfinite(patient).all()
    fast(monkeypatch)
    np.testing.assert_array_equal(read_numbers(block(rows, 3)), patient)


def test_arrow_reads_a_copy_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrow's threads may hold on to the text after it is read; a process that ended then was aborted now and then."""
    from pyarrow import csv

    fast(monkeypatch)
    given, read = [], csv.read_csv

    def watched(text: object, *options: object) -> object:
        given.append(text)
        return read(text, *options)

    monkeypatch.setattr(csv, "read_csv", watched)
    whole = block("1\t2\n3\t4\n", 2)
    assert read_numbers(whole).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    start = np.frombuffer(whole.data, np.uint8).ctypes.data
    assert not start <= given[0].address < start + len(whole.data)
