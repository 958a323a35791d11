"""Recorded markers: metres, y up, NaN where a marker was not seen, and every trouble told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.errors import (
    BorelliWarning,
    DuplicateNameError,
    FileFormatError,
    InvalidValueError,
    MissingInputError,
    UnknownNameError,
    UnsupportedError,
)
from borelli.io.c3d.recording import Z_UP_TO_Y_UP
from borelli.io.c3d.up_axis import turn_to_y_up
from borelli.results.labelled.table import Cell, Table
from tests.io.test_c3d import make_c3d
from tests.shared_data import DATA, each_of

HEAD = (
    "PathFileType\t4\t(X/Y/Z)\twalk.trc\n"
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
    "100\t100\t{frames}\t2\t{units}\t100\t1\t{frames}\n"
    "Frame#\tTime\t{names}\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n"
)
ROWS = "1\t0.00\t1\t2\t3\t4\t5\t600\n2\t0.01\t7\t8\t9\t10\t11\t1200\n"


def trc(
    folder: Path, rows: str = ROWS, units: str = "mm", names: str = "A\t\t\tB\t\t", frames: int = 2
) -> Path:
    path = folder / "walk.trc"
    path.write_text(HEAD.format(units=units, names=names, frames=frames) + rows)
    return path


def test_positions_are_in_metres_with_names_and_times(tmp_path: Path) -> None:
    markers = bo.load_markers(trc(tmp_path))
    assert markers.dims == ("time", "marker", "axis")
    assert markers.marker.values.tolist() == ["A", "B"]
    assert markers.time.values.tolist() == [0.0, 0.01]
    assert markers.sel(marker="B").values[1].tolist() == pytest.approx([0.010, 0.011, 1.2])
    assert markers.attrs["units"] == "m"
    assert markers.attrs["rate_hz"] == pytest.approx(100.0)
    assert markers.attrs["up"] == "y"


@pytest.mark.parametrize(("units", "metres"), [("m", 1.0), ("cm", 0.01), ("MM", 0.001), ("meters", 1.0)])
def test_every_unit_becomes_metres(tmp_path: Path, units: str, metres: float) -> None:
    rows = ROWS.replace("600", "40").replace("1200", "40")
    markers = bo.load_markers(trc(tmp_path, rows, units=units))
    assert markers.values[0, 1].tolist() == pytest.approx([4 * metres, 5 * metres, 40 * metres])


@pytest.mark.parametrize(
    "rows",
    [
        "1\t0.00\t1\t2\t3\t4\t5\t600\n\n2\t0.01\t7\t8\t9\t10\t11\t1200\n",
        "1\t0.00\t1\t2\t3\t4\t5\t600\t\n2\t0.01\t7\t8\t9\t10\t11\t1200\t\n\n",
        ROWS.replace("\n", "\r\n"),
    ],
    ids=["a blank line inside", "trailing cells", "crlf"],
)
def test_blank_lines_and_trailing_cells_lose_nothing(tmp_path: Path, rows: str) -> None:
    assert bo.load_markers(trc(tmp_path, rows)).equals(bo.load_markers(trc(tmp_path)))


@pytest.mark.parametrize("cells", ["", "\t\t\t", "\tnan\tnan\tnan", "\t1\t\t3", "\tinf\t1\t2"])
def test_a_marker_without_all_three_numbers_is_missing(tmp_path: Path, cells: str) -> None:
    markers = bo.load_markers(trc(tmp_path, ROWS.replace("\t4\t5\t600", cells)))
    assert np.isnan(markers.sel(marker="B").values[0]).all()
    assert np.isfinite(markers.sel(marker="A").values).all()


def test_zeros_are_gaps_and_told(tmp_path: Path) -> None:
    path = trc(tmp_path, ROWS.replace("\t4\t5\t600", "\t0\t0.0\t0"))
    with pytest.warns(BorelliWarning, match=r"1 positions of 1 markers \(B\) are exactly \(0, 0, 0\)"):
        markers = bo.load_markers(path)
    assert np.isnan(markers.values[0, 1]).all()
    assert bo.load_markers(path, zeros_are_gaps=False).values[0, 1].tolist() == [0.0, 0.0, 0.0]


def test_one_zero_coordinate_is_data(tmp_path: Path) -> None:
    markers = bo.load_markers(trc(tmp_path, ROWS.replace("\t4\t5\t600", "\t0\t0\t600")))
    assert markers.values[0, 1].tolist() == pytest.approx([0.0, 0.0, 0.6])


def test_the_subjects_name_is_left_out(tmp_path: Path) -> None:
    markers = bo.load_markers(trc(tmp_path, names="Anna:A\t\t\tAnna:B\t\t"))
    assert markers.marker.values.tolist() == ["A", "B"]
    assert any("'Anna:'" in note for note in markers.attrs["notes"])


def test_of_two_subjects_one_is_chosen(tmp_path: Path) -> None:
    path = trc(tmp_path, names="Anna:A\t\t\tBea:A\t\t")
    with pytest.warns(BorelliWarning, match="markers of 2 subjects .Anna, Bea. keep their full names"):
        assert bo.load_markers(path).marker.values.tolist() == ["Anna:A", "Bea:A"]
    chosen = bo.load_markers(path, subject="Bea")
    assert chosen.marker.values.tolist() == ["A"]
    assert chosen.values[0, 0].tolist() == pytest.approx([0.004, 0.005, 0.6])
    with pytest.raises(UnknownNameError, match="'Anne' is not a subject of the recording"):
        bo.load_markers(path, subject="Anne")


def test_two_markers_of_one_name_are_refused_unless_they_are_one(tmp_path: Path) -> None:
    with pytest.raises(DuplicateNameError, match=r"Two markers are named 'A' \(numbers 1 and 2\)"):
        bo.load_markers(trc(tmp_path, names="A\t\t\t A \t\t"))
    same = "1\t0.00\t1\t2\t3\t1\t2\t3\n2\t0.01\t7\t8\t9\t7\t8\t9\n"
    with pytest.warns(BorelliWarning, match="duplicate markers with identical positions were read once: A"):
        assert bo.load_markers(trc(tmp_path, same, names="A\t\t\tA\t\t")).sizes["marker"] == 1


def test_a_unit_that_cannot_be_right_is_questioned(tmp_path: Path) -> None:
    with pytest.warns(BorelliWarning, match="span 1.19e.03 m; the unit in the file may be wrong"):
        bo.load_markers(trc(tmp_path, ROWS.replace("600", "1190").replace("1200", "1198"), units="m"))


@pytest.mark.parametrize(
    ("rows", "units", "kind", "message"),
    [
        (ROWS, "feet", UnsupportedError, "The markers are in 'feet', which is not a known unit"),
        (ROWS.replace("0.01", "0.00"), "mm", InvalidValueError, r"Time does not increase from row 1 \(0 s\)"),
        ("", "mm", MissingInputError, "The recording has 2 markers at 0 instants"),
    ],
)
def test_what_is_no_recording_is_refused(
    tmp_path: Path, rows: str, units: str, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        bo.load_markers(trc(tmp_path, rows, units=units, frames=rows.count("\n")))


def test_tables_of_vectors_and_of_columns_are_markers(tmp_path: Path) -> None:
    values = np.random.default_rng(0).normal(size=(5, 2, 3))
    table = Table(np.arange(5) / 10.0, ("A", "B"), values, cells=Cell.VEC3)
    bo.save_table(table, tmp_path / "markers.sto")
    assert np.array_equal(bo.load_markers(tmp_path / "markers.sto").values, values)
    for stem in ("_t{}", "_{}"):
        columns = tuple(name + stem.format(axis) for name in "AB" for axis in "xyz")
        flat = Table(table.time, (*columns, "other"), np.c_[values.reshape(5, 6), np.ones(5)])
        bo.save_table(flat, tmp_path / "flat.sto")
        back = bo.load_markers(tmp_path / "flat.sto")
        assert back.marker.values.tolist() == ["A", "B"]
        assert np.array_equal(back.values, values)
    bo.save_table(Table(table.time, ("knee",), np.ones((5, 1))), tmp_path / "q.sto")
    with pytest.raises(FileFormatError, match="No markers were found: no vectors, and no columns that end"):
        bo.load_markers(tmp_path / "q.sto")


@pytest.mark.parametrize("up", ["x", "y", "z", "-x", "-y", "-z"])
def test_the_axis_that_points_up_becomes_y(up: str) -> None:
    turn = turn_to_y_up(up)
    axis = np.zeros(3)
    axis["xyz".index(up[-1])] = -1.0 if up.startswith("-") else 1.0
    assert (turn @ axis).tolist() == [0.0, 1.0, 0.0]
    assert np.array_equal(turn @ turn.T, np.eye(3))
    assert np.linalg.det(turn) == pytest.approx(1.0)


def test_z_up_is_the_quarter_turn_that_opensim_does(tmp_path: Path) -> None:
    assert np.array_equal(turn_to_y_up("z"), Z_UP_TO_Y_UP)
    turned = bo.load_markers(trc(tmp_path), up="z")
    assert turned.sel(marker="B").values[0].tolist() == pytest.approx([0.004, 0.6, -0.005])
    with pytest.raises(UnknownNameError, match="'Z' is not an axis that can point up"):
        bo.load_markers(trc(tmp_path), up="Z")


@pytest.mark.filterwarnings("ignore:.*the unit in the file may be wrong")  # two markers, millimetres apart
def test_a_c3d_file_is_asked_which_axis_points_up(tmp_path: Path) -> None:
    """make_c3d's plates lie in the plane of x and y, with their z axis down."""
    path = tmp_path / "walk.c3d"
    expected = make_c3d(path)
    markers = bo.load_markers(path)
    assert markers.attrs["up"] == "z"
    # The format stores float32.
    assert np.allclose(markers.values, expected @ Z_UP_TO_Y_UP.T, rtol=1e-6)
    assert np.allclose(bo.load_markers(path, up="y").values, expected, rtol=1e-6)


@pytest.mark.filterwarnings("ignore:.*the unit in the file may be wrong")  # two markers, millimetres apart
@pytest.mark.parametrize("named", ["+Y", "-X"])
def test_a_c3d_file_that_names_its_vertical_is_believed(tmp_path: Path, named: str) -> None:
    path = tmp_path / "walk.c3d"
    expected = make_c3d(path)
    given = dict(np.load(path.with_suffix(".npz")))
    np.savez(path.with_suffix(".npz"), **given, Y_SCREEN=named)
    script = Path(__file__).with_name("write_c3d.py")
    subprocess.run([sys.executable, str(script), str(path.with_suffix(".npz")), str(path)], check=True)
    markers = bo.load_markers(path)
    assert markers.attrs["up"] == named.lower().lstrip("+")
    turn = turn_to_y_up(markers.attrs["up"])
    assert np.allclose(markers.values, expected @ turn.T, rtol=1e-6)


@pytest.mark.filterwarnings("ignore:.*the unit in the file may be wrong")  # two markers, millimetres apart
def test_a_c3d_file_that_is_silent_about_up_is_told(tmp_path: Path) -> None:
    path = tmp_path / "walk.c3d"
    make_c3d(path)
    given = dict(np.load(path.with_suffix(".npz")))
    given["USED"] = np.array([0])
    np.savez(path.with_suffix(".npz"), **given)
    script = Path(__file__).with_name("write_c3d.py")
    subprocess.run([sys.executable, str(script), str(path.with_suffix(".npz")), str(path)], check=True)
    with pytest.warns(BorelliWarning, match="the file does not say which axis points up"):
        assert bo.load_markers(path).attrs["up"] == ""


@pytest.mark.parametrize(
    "case", each_of(sorted(file.parent.name for file in (DATA / "ik" / "ik").glob("*/ref.npz")))
)
def test_positions_are_those_that_opensim_read(case: str) -> None:
    folder = DATA / "ik" / "ik" / case
    ref = np.load(folder / "ref.npz")
    markers = bo.load_markers(next(folder.glob("*.trc")))
    rows = np.abs(markers.time.values - ref["time"][:, None]).argmin(axis=1)
    ours = markers.sel(marker=[str(name) for name in ref["marker_names"]]).values[rows]
    assert np.array_equal(ours, ref["marker_obs"], equal_nan=True)
