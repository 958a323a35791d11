"""OpenSim tables: what the reader forgives, what it refuses, and that writing loses nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from borelli.errors import BorelliWarning, FileFormatError, InvalidValueError
from borelli.io.tables.sto import parse_sto, read_sto, write_sto
from borelli.results.labelled.table import Cell, Table

PLAIN = (
    b"Coordinates\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\n\nUnits are S.I.\n\nendheader\n"
    b"time\tknee\thip\n0\t1\t2\n0.5\t3\t4\n"
)


def test_version_1() -> None:
    table = parse_sto(PLAIN)
    assert table.name == "Coordinates"
    assert table.columns == ("knee", "hip")
    assert table.in_degrees is True
    assert table.time.tolist() == [0.0, 0.5]
    assert table.values.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert table.metadata["description"] == "Units are S.I."


@pytest.mark.parametrize(
    "variant",
    [
        PLAIN.replace(b"\n", b"\r\n"),
        PLAIN.replace(b"nRows=2\nnColumns=3\n", b""),
        PLAIN.replace(b"4\n", b"4\t\t\n").replace(b"hip\n", b"hip\t\t\n"),
        PLAIN.replace(b"\t", b"     "),
        PLAIN.replace(b"\tknee\thip", b"\t\tknee\t \thip").replace(b"\t1\t2", b" \t 1 \t 2"),
        PLAIN.replace(b"0\t1\t2", b"    0.000\t     1.000\t\t     2.000  "),
        PLAIN.replace(b"time\tknee\thip", b"            time\t            knee\t             hip"),
        PLAIN.replace(b"0.5", b"# a comment\n\n0.5"),
        PLAIN.replace(b"endheader\n", b"endheader\n\n"),
        PLAIN.replace(b"inDegrees=yes", b"inDegrees = yes\ninDegrees=yes"),
        PLAIN.replace(b"Coordinates", b"\xef\xbb\xbfCoordinates"),
        PLAIN[:-1],
        PLAIN.replace(b"inDegrees=yes", b"inDegrees=y"),
    ],
    ids=["crlf", "no counts", "trailing tabs", "blanks", "tabs and blanks", "padded rows", "padded labels",
         "comment", "blank line", "repeated inDegrees", "mark", "no last line end", "y"],
)  # fmt: skip
def test_what_programs_write_is_read_without_complaint(variant: bytes) -> None:
    table = parse_sto(variant)
    assert table.columns == ("knee", "hip")
    assert table.in_degrees is True
    assert table.values.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert table.name == "Coordinates"


def test_simm_header() -> None:
    table = parse_sto(b"name grf\ndatacolumns 2\ndatarows 2\nrange 0 1\nendheader\n  time  fx\n0 5\n1 6\n")
    assert (table.name, table.columns, table.in_degrees) == ("grf", ("fx",), None)
    assert table.values[:, 0].tolist() == [5.0, 6.0]


def test_simm_files_without_time_take_it_from_their_range() -> None:
    with pytest.warns(
        BorelliWarning,
        match="there is no time column; times are spaced evenly over the header's range 1 to 2",
    ):
        table = parse_sto(b"name m\nrange 1 2\nendheader\nknee hip\n1 2\n3 4\n5 6\n")
    assert table.time.tolist() == [1.0, 1.5, 2.0]


def test_wrong_counts_are_told_once_and_change_nothing() -> None:
    wrong = PLAIN.replace(b"nRows=2", b"nRows=7").replace(b"nColumns=3", b"nColumns=40")
    with pytest.warns(BorelliWarning) as told:
        table = parse_sto(wrong, "walk.mot")
    assert len(told) == 1
    assert "walk.mot: the header says 40 columns, the label line has 3; the header says 7 rows" in str(
        told[0].message
    )
    assert table.values.shape == (2, 2)
    assert len(table.notes) == 2


def test_huge_counts_cost_nothing() -> None:
    with pytest.warns(BorelliWarning, match="says 999999999999 rows, the file has 2"):
        parse_sto(PLAIN.replace(b"nRows=2", b"nRows=999999999999"))
    with pytest.warns(BorelliWarning, match="not a count"):
        parse_sto(PLAIN.replace(b"nRows=2", b"nRows=1e300"))


def test_contradicting_degrees_are_told_and_the_last_counts() -> None:
    with pytest.warns(BorelliWarning, match="inDegrees is given as 'yes' and as 'no'; the last one is used"):
        assert parse_sto(PLAIN.replace(b"inDegrees=yes", b"inDegrees=yes\ninDegrees=no")).in_degrees is False
    with pytest.warns(BorelliWarning, match="inDegrees is 'maybe', neither yes nor no"):
        assert parse_sto(PLAIN.replace(b"inDegrees=yes", b"inDegrees=maybe")).in_degrees is None


def test_repeated_labels_are_told() -> None:
    with pytest.warns(BorelliWarning, match="several columns share the label 'knee'"):
        parse_sto(PLAIN.replace(b"hip", b"knee"))


def test_missing_numbers_in_any_spelling() -> None:
    table = parse_sto(PLAIN.replace(b"1\t2", b"NaN\t").replace(b"3\t4", b"-1.#IND\tnan"))
    assert np.isnan(table.values).all()


V3 = b"x\nDataType=Vec3\nversion=3\nOpenSimVersion=4.6\nendheader\ntime\ta\tb\n0\t1,2,3\t4,5,6\n1\t7,8,9\tnan\n"


def test_vectors_of_version_3() -> None:
    table = parse_sto(V3)
    assert table.cells is Cell.VEC3
    assert table.values.shape == (2, 2, 3)
    assert table.column("b")[0].tolist() == [4.0, 5.0, 6.0]
    assert table.flat().columns == ("a_x", "a_y", "a_z", "b_x", "b_y", "b_z")


@pytest.mark.parametrize(
    ("kind", "size"), [("Quaternion", 4), ("SpatialVec", 6), ("UnitVec3", 3), ("Vec6", 6)]
)
def test_other_vector_kinds(kind: str, size: int) -> None:
    cell = ",".join(map(str, range(size)))
    table = parse_sto(f"x\nDataType={kind}\nversion=3\nendheader\ntime\ta\n0\t{cell}\n".encode())
    assert table.values[0, 0].tolist() == list(range(size))
    assert table.cells.value == kind


REFUSED = [
    (b"Coordinates\nversion=1\n", r"No line 'endheader' was found in the first 3 lines"),
    (b"\x00" * 100, r"is binary, expected an OpenSim table"),
    (PLAIN.decode().encode("utf-16"), r"UTF-16"),
    (b"<?xml version='1.0'?><a/>", r"No line 'endheader'"),
    (b"x\nendheader", r"The file ends before the line of labels"),
    (b"x\nendheader\nfoo\tbar\n1\t2\n", r"No column is labelled 'time'(.|\n)*line 3"),
    (PLAIN.replace(b"0.5\t3\t4", b"0.5\t3"), r"Expected 3 cells in a row \(one per label\), found 2(.|\n)*line 12"),
    (PLAIN.replace(b"3\t4", b"3\tfour"), r"Expected a number, found 'four'(.|\n)*line 12, cell 3"),
    (PLAIN.replace(b"3\t4", b"3\t4,5"), r"found '4,5'(.|\n)*decimals with a point, not a comma"),
    (PLAIN.replace(b"3\t4", b"3\t1_0"), r"Expected a number, found '1_0'"),
    (PLAIN.replace(b"0.5\t", b"nan\t"), r"The time of row 2 is not a finite number"),
    (V3.replace(b"Vec3", b"Matrix"), r"DataType=Matrix is not supported(.|\n)*header(.|\n)*known are double, Vec2"),
    (V3.replace(b"4,5,6", b"4,5"), r"Expected 3 numbers joined by commas, found '4,5'(.|\n)*line 7, cell 3"),
    (V3.replace(b"time\ta", b"a\ttime"), r"The first label of a table of vectors must be 'time'"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "message"), REFUSED)
def test_what_cannot_be_read_says_what_and_where(data: bytes, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        parse_sto(data, "f.sto")


@pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")
def test_a_file_cut_anywhere_is_read_or_refused_with_a_place() -> None:
    n_read = 0
    for length in range(len(PLAIN)):
        try:
            table = parse_sto(PLAIN[:length], "f.mot")
            assert table.n_times == 0 or np.array_equal(
                table.values, [[1.0, 2.0], [3.0, 4.0]][: table.n_times]
            )
            n_read += 1
        except FileFormatError as error:
            assert error.where is not None and "f.mot" in error.where
    # Only cuts inside the label line, between whole rows or before a last digit leave a table.
    assert 0 < n_read < 20


def table_of(values: np.ndarray, **more: object) -> Table:
    names = tuple(f"c {i}" for i in range(values.shape[1]))
    return Table(np.linspace(0.0, 1.0, len(values)), names, values, **more)  # type: ignore[arg-type]


def test_written_tables_read_back_bit_by_bit(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    values = rng.normal(size=(40, 6)) * 10.0 ** rng.integers(-300, 300, size=(40, 6))
    values[3, 2], values[4, 1], values[5, 5] = np.nan, 0.0, -0.0
    for version, degrees in ((1, True), (3, False)):
        table = table_of(values, name="Kräfte", in_degrees=degrees)
        write_sto(table, tmp_path / "t.sto", version=version)
        back = read_sto(tmp_path / "t.sto")
        assert np.array_equal(back.values, values, equal_nan=True)
        assert np.array_equal(back.time, table.time)
        assert (back.name, back.columns, back.in_degrees) == ("Kräfte", table.columns, degrees)


def test_vectors_read_back_bit_by_bit(tmp_path: Path) -> None:
    values = np.random.default_rng(5).normal(size=(5, 2, 4))
    table = table_of(values, cells=Cell.QUATERNION)
    write_sto(table, tmp_path / "q.sto")
    back = read_sto(tmp_path / "q.sto")
    assert back.cells is Cell.QUATERNION
    assert np.array_equal(back.values, values)


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    vectors = table_of(np.zeros((2, 1, 3)), cells=Cell.VEC3)
    with pytest.raises(InvalidValueError, match="Version 1 cannot hold this table"):
        write_sto(vectors, tmp_path / "t.sto", version=1)
    with pytest.raises(InvalidValueError, match=r"The label 'a\\tb' cannot be written"):
        write_sto(Table(np.zeros(1), ("a\tb",), np.zeros((1, 1))), tmp_path / "t.sto")
    assert not list(tmp_path.iterdir())


def test_absurdly_many_labels_and_long_lines_take_no_time() -> None:
    wide = b"x\nversion=1\nendheader\ntime" + b"\ta" * 300_000 + b"\n0" + b"\t1" * 300_000 + b"\n"
    with pytest.warns(BorelliWarning, match="several columns share the label 'a'"):
        assert parse_sto(wide).n_columns == 300_000
    with pytest.raises(FileFormatError, match="No line 'endheader' was found"):
        parse_sto(b"version=1 " * 500_000)
