"""OpenSim reads what we write, we read what it writes, and its filters and splines give our numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from borelli.io.signals.filtering import natural_quintic, smooth
from borelli.io.tables.sto import read_sto, write_sto
from borelli.io.tables.trc import read_trc, write_trc
from borelli.results.labelled.table import Cell, Table

RNG = np.random.default_rng(7)
TIME = np.round(0.4 + np.arange(73) / 60.0, 8)


def scalars(degrees: bool | None = True) -> Table:
    values = RNG.normal(size=(73, 5)) * 10.0 ** RNG.integers(-12, 8, size=(73, 5))
    return Table(
        TIME, ("knee_angle_r", "a|b", "x y", "1_force", "ü"), values, in_degrees=degrees, name="Coordinates"
    )


def matrix(table: Any) -> np.ndarray:
    return np.array(table.getMatrix().to_numpy())


@pytest.mark.parametrize("version", [1, 3])
def test_opensim_reads_our_scalars(version: int, opensim: Any, tmp_path: Path) -> None:
    table = scalars()
    write_sto(table, tmp_path / "t.sto", version=version)
    read = opensim.TimeSeriesTable(str(tmp_path / "t.sto"))
    assert np.array_equal(matrix(read), table.values)
    assert list(read.getIndependentColumn()) == table.time.tolist()
    assert tuple(read.getColumnLabels()) == table.columns
    storage = opensim.Storage(str(tmp_path / "t.sto"))
    assert storage.isInDegrees()
    assert storage.getSize() == 73


def test_we_read_opensims_scalars(opensim: Any, tmp_path: Path) -> None:
    table = scalars(False)
    write_sto(table, tmp_path / "t.sto")
    opensim.STOFileAdapter.write(opensim.TimeSeriesTable(str(tmp_path / "t.sto")), str(tmp_path / "o.sto"))
    # OpenSim writes sixteen digits.
    assert np.allclose(read_sto(tmp_path / "o.sto").values, table.values, rtol=1e-15, atol=0)
    # A Storage splits labels at blanks, so it gets none.
    write_sto(table.replace(columns=("a", "b", "c", "d", "e")), tmp_path / "t.sto")
    opensim.Storage(str(tmp_path / "t.sto")).printToFile(str(tmp_path / "s.sto"), "w")
    back = read_sto(tmp_path / "s.sto")
    assert back.in_degrees is False
    # A Storage prints eight decimals.
    assert np.allclose(back.values, table.values, rtol=0, atol=0.6e-8)


@pytest.mark.parametrize(("cells", "name"), [(Cell.VEC3, "Vec3"), (Cell.QUATERNION, "Quaternion")])
def test_vectors_go_both_ways(cells: Cell, name: str, opensim: Any, tmp_path: Path) -> None:
    values = RNG.normal(size=(73, 2, cells.size))
    if cells is Cell.QUATERNION:
        values /= np.linalg.norm(values, axis=2, keepdims=True)
        values *= np.sign(values[:, :, :1])
    table = Table(TIME, ("a", "b"), values, cells=cells)
    write_sto(table, tmp_path / "v.sto")
    read = getattr(opensim, f"TimeSeriesTable{name}")(str(tmp_path / "v.sto"))
    getattr(opensim, f"STOFileAdapter{name}").write(read, str(tmp_path / "o.sto"))
    back = read_sto(tmp_path / "o.sto")
    assert back.cells is cells
    # Sixteen digits, and quaternions are normalised anew.
    assert np.allclose(back.values, values, rtol=0, atol=1e-14)


def test_markers_go_both_ways(opensim: Any, tmp_path: Path) -> None:
    values = RNG.normal(size=(73, 4, 3)) * 1000.0
    values[3, 1] = values[-1, -1] = np.nan
    table = Table(TIME, ("R.ASIS", "b", "c", "d"), values, ("mm",) * 4, cells=Cell.VEC3)
    write_trc(table, tmp_path / "m.trc")
    read = opensim.TimeSeriesTableVec3(str(tmp_path / "m.trc"))
    assert tuple(read.getColumnLabels()) == table.columns
    assert np.array_equal(matrix(read.flatten()), table.flat().values, equal_nan=True)
    assert read.getTableMetaDataString("Units") == "mm"
    opensim.TRCFileAdapter.write(read, str(tmp_path / "o.trc"))
    assert np.allclose(read_trc(tmp_path / "o.trc").values, values, rtol=1e-15, atol=0, equal_nan=True)


def rows_of(storage: Any) -> tuple[np.ndarray, np.ndarray]:
    n_columns = storage.getColumnLabels().getSize() - 1
    vectors = [storage.getStateVector(i) for i in range(storage.getSize())]
    values = [[vector.getData().get(j) for j in range(n_columns)] for vector in vectors]
    return np.array([vector.getTime() for vector in vectors]), np.array(values)


@pytest.mark.parametrize("n_rows", [72, 73])
@pytest.mark.parametrize("rounded", [True, False], ids=["printed times", "even times"])
def test_opensim_mode_filters_and_differentiates_like_opensim(
    n_rows: int, rounded: bool, opensim: Any, tmp_path: Path
) -> None:
    time = TIME[:n_rows] if rounded else 0.25 + np.arange(n_rows) / 64.0
    values = np.cumsum(RNG.normal(size=(n_rows, 3)), axis=0)
    write_sto(Table(time, ("a", "b", "c"), values, name="q"), tmp_path / "q.sto")
    storage = opensim.Storage(str(tmp_path / "q.sto"))
    storage.pad(n_rows // 2)
    storage.lowpassIIR(6.0)
    want_time, want = rows_of(storage)
    smoothed = smooth(time, values, 6.0, "opensim")
    assert np.allclose(smoothed.time, want_time, rtol=0, atol=1e-13)
    # Same formulas in another order of summation.
    assert np.allclose(smoothed.values, want, rtol=0, atol=1e-11)
    assert ("resampled_to_step_s" in smoothed.settings) == rounded

    splines = opensim.GCVSplineSet(5, storage)
    mine = natural_quintic(smoothed.time, smoothed.values)
    for order, tolerance in ((0, 1e-11), (1, 1e-9), (2, 1e-6)):
        for t in np.linspace(time[3], time[-4], 9):
            for column in range(3):
                theirs = splines.evaluate(column, order, float(t))
                # Round-off in the spline's linear system grows with each derivative, by about 60 per order.
                assert mine(t, order)[column] == pytest.approx(theirs, rel=0, abs=tolerance)
