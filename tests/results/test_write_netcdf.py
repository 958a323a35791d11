"""The file of a result is one that other readers of NetCDF read, and the one that xarray would write."""

import netCDF4
import numpy as np
import pytest
import xarray as xr

import borelli as bo
from borelli.errors import InvalidValueError
from borelli.results.labelled.plain_result import PlainResult
from borelli.results.saving import classic_netcdf, gathered
from borelli.results.saving.write_netcdf import DTYPE, EMPTY, write_netcdf


def result(**changes: object) -> xr.Dataset:
    time = np.linspace(0.0, 1.0, 200)
    shares = np.zeros((200, 3, 40))
    shares[:, 1] = np.sin(time)[:, None]
    return xr.Dataset(
        {
            "force": (("time", "joint", "source"), shares, {"units": "N"}),
            "path": (("time", "axis"), np.full((200, 3), np.nan, dtype=np.float32)),
            "smooth": (("time", "wide"), np.cos(np.outer(time, np.arange(100.0)))),
            "closure": ((), 1e-15),
            "is_met": ("joint", [True, False, True]),
        },
        {
            "time": ("time", time, {"units": "s"}),
            "joint": ["hip", "knee", "Knöchel"],
            "source_body": ("source", np.array(["", *"b" * 39])),
            "counted": ("joint", [3, 4, 5]),
            "trial": 7,
            "word": "one",
            "corner": ("elsewhere", [1.0, 2.0]),
            **changes,
        },
        {"analysis": "test", "settings": "{}", "instants": 200, "largest": 0.5},
    )


DATES = {"day": ("time", np.arange("2026-01-01", 200, dtype="M8[D]").astype("M8[ns]"))}
WIDE = {"counted": ("joint", [3, 4, 5 * 2**40])}
EMPTY_ONES = {"nothing": (("none", "time"), np.empty((0, 200)), {"units": "m"}), "none": np.empty(0, "<U5")}
TAKEN = {"trial": ((), 7, {"data": "x", "shape": "round"})}


def seen(path) -> dict[str, object]:
    """All that the library tells of a file: dimensions, attributes, types and numbers."""
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)

        def told(each) -> dict[str, str]:
            return {name: repr(each.getncattr(name)) for name in sorted(each.ncattrs()) if name != DTYPE}

        found = {
            name: (told(each), each.dimensions, str(each.dtype), each[...])
            for name, each in file.variables.items()
        }
        sizes = {name: (len(dim), dim.isunlimited()) for name, dim in file.dimensions.items()}
        return {"dimensions": sizes, "attributes": told(file), **found}


def test_the_file_is_the_one_that_xarray_writes(tmp_path):
    given = result()
    write_netcdf(PlainResult.of(given), tmp_path / "ours.nc")
    given.to_netcdf(tmp_path / "theirs.nc", engine="netcdf4", format="NETCDF3_64BIT")
    ours, theirs = seen(tmp_path / "ours.nc"), seen(tmp_path / "theirs.nc")
    np.testing.assert_equal(ours, theirs)


@pytest.mark.parametrize("change", [{"counted": ("joint", [3, 4, 6])}, {"trial": 8.0}])
def test_another_result_is_another_file(tmp_path, change):
    write_netcdf(PlainResult.of(result()), tmp_path / "one.nc")
    write_netcdf(PlainResult.of(result(**change)), tmp_path / "other.nc")
    with pytest.raises(AssertionError):
        np.testing.assert_equal(seen(tmp_path / "one.nc"), seen(tmp_path / "other.nc"))


@pytest.mark.parametrize("changes", [{}, DATES, WIDE, EMPTY_ONES, TAKEN], ids=str)
def test_what_was_saved_comes_back(tmp_path, changes):
    given = result(**changes).assign_attrs({"variables": "body", "bytes": 2**40, "empty": "", "list": [1]})
    found = bo.load_result(bo.save_result(given, tmp_path / "result", tables=()))
    assert found.identical(given)
    for name, array in given.variables.items():
        assert found[name].dtype == array.dtype, name


@pytest.mark.parametrize("engine", ["netcdf4", "scipy"])
@pytest.mark.parametrize("changes", [{}, DATES, TAKEN], ids=str)
def test_other_readers_read_it(tmp_path, engine, changes):
    """SciPy's reader takes some attributes for its own, which the file therefore names otherwise."""
    given = result(**changes).assign_attrs(variables="body")
    write_netcdf(PlainResult.of(given), tmp_path / "result.nc")
    found = xr.open_dataset(tmp_path / "result.nc", engine=engine).load()
    assert found.attrs["borelli_variables"] == "body"
    xr.testing.assert_equal(found, given)


def test_numbers_that_are_wider_need_the_wider_version(tmp_path, monkeypatch):
    """Version 2 of the format has integers of 32 bits, and variables below 4 GiB; version 5 has all."""

    def version() -> int:
        return (tmp_path / "file.nc").read_bytes()[3]

    write_netcdf(PlainResult.of(result()), tmp_path / "file.nc")
    assert version() == 2
    write_netcdf(PlainResult.of(result(**WIDE)), tmp_path / "file.nc")
    assert version() == 5 and seen(tmp_path / "file.nc")["counted"][3][2] == 5 * 2**40
    monkeypatch.setattr(classic_netcdf, "_LARGEST_OF_VERSION_2", 20_000)
    write_netcdf(PlainResult.of(result()), tmp_path / "file.nc")
    assert version() == 5
    xr.testing.assert_equal(xr.open_dataset(tmp_path / "file.nc", engine="netcdf4").load(), result())


def test_variables_without_values_are_listed(tmp_path):
    write_netcdf(PlainResult.of(result(**EMPTY_ONES)), tmp_path / "file.nc")
    with netCDF4.Dataset(tmp_path / "file.nc") as file:
        assert "nothing" not in file.variables and "nothing" in file.getncattr(EMPTY)


def test_what_netcdf_does_not_have_is_refused_by_name(tmp_path):
    with pytest.raises(InvalidValueError, match="'corner' is of type float16"):
        write_netcdf(
            PlainResult.of(result(corner=("elsewhere", np.ones(2, np.float16)))), tmp_path / "file.nc"
        )


def test_large_arrays_are_written_part_by_part(tmp_path, monkeypatch):
    write_netcdf(PlainResult.of(result()), tmp_path / "whole.nc")
    monkeypatch.setattr(classic_netcdf, "_AT_ONCE", 1000)
    parts = list(classic_netcdf._parts(result()["force"].values))
    assert len(parts) == 200 and all(len(part) == 1 for part in parts)
    write_netcdf(PlainResult.of(result()), tmp_path / "parts.nc")
    assert (tmp_path / "parts.nc").read_bytes() == (tmp_path / "whole.nc").read_bytes()


def test_of_large_shares_the_curves_that_are_not_zero_are_written(tmp_path, monkeypatch):
    """As the CF conventions gather them, which another reader puts back by the list."""
    given = result()
    # A negative zero is one bit that somebody may look for.
    given["force"].values[3, 2, 7] = -0.0
    whole = bo.save_result(given, tmp_path / "whole", tables=()) / "result.nc"
    monkeypatch.setattr(gathered, "LARGE", 1000)
    folder = bo.save_result(given, tmp_path / "gathered", tables=())
    assert (folder / "result.nc").stat().st_size < 0.7 * whole.stat().st_size
    found = bo.load_result(folder)
    assert found.identical(given) and np.signbit(found["force"].values[3, 2, 7])
    with xr.open_dataset(folder / "result.nc", engine="netcdf4") as seen:
        assert seen["force"].dims == ("force_entry", "time") and seen["smooth"].dims == ("time", "wide")
        joint, source = np.unravel_index(seen["force_entry"].values, (3, 40))
        assert seen["force_entry"].attrs["compress"] == "joint source"
        np.testing.assert_array_equal(seen["force"].values, given["force"].values[:, joint, source].T)


@pytest.mark.parametrize("shape", ["3 40 5", "3 4", "100000 100000", "0 40", "x y"])
def test_a_list_that_does_not_fit_is_refused(tmp_path, monkeypatch, shape):
    monkeypatch.setattr(gathered, "LARGE", 1000)
    write_netcdf(PlainResult.of(result()), tmp_path / "file.nc")
    variables = dict(classic_netcdf.read_classic(tmp_path / "file.nc").variables)
    entry = variables["force_entry"]
    variables["force_entry"] = entry._replace(attrs={**entry.attrs, gathered.SHAPE: shape})
    with pytest.raises(ValueError, match=r"entries of 'force'|invalid literal"):
        gathered.scattered(variables, (tmp_path / "file.nc").stat().st_size)
