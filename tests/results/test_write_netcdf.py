"""The file of a result is the one that xarray would write, seen by the NetCDF library."""

import netCDF4
import numpy as np
import pytest
import xarray as xr

from borelli.results.write_netcdf import _packing, write_netcdf


def result(**changes: object) -> xr.Dataset:
    time = np.linspace(0.0, 1.0, 200)
    shares = np.zeros((200, 3, 40))
    shares[:, 1] = np.sin(time)[:, None]
    return xr.Dataset(
        {
            "force": (("time", "joint", "source"), shares, {"units": "N"}),
            "path": (("time", "axis"), np.full((200, 2), np.nan, dtype=np.float32)),
            "smooth": (("time", "wide"), np.cos(np.outer(time, np.arange(100.0)))),
            "closure": ((), 1e-15),
            "is_met": ("joint", [True, False, True]),
            "nothing": (("none", "time"), np.empty((0, 200))),
        },
        {
            "time": ("time", time, {"units": "s"}),
            "joint": ["hip", "knee", "Knöchel"],
            "source_body": ("source", np.array(["", *"b" * 39])),
            "counted": ("joint", [3, 4, 5]),
            "trial": 7,
            "corner": ("elsewhere", [1.0, 2.0]),
            **changes,
        },
        {"analysis": "test", "settings": "{}", "instants": 200, "largest": 0.5},
    )


def seen(path) -> dict[str, object]:
    """All that the library tells of a file: dimensions, attributes, filters, chunks, types and numbers."""
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)

        def told(each) -> dict[str, str]:
            return {name: repr(each.getncattr(name)) for name in each.ncattrs()}

        found = {
            name: (told(each), each.dimensions, str(each.dtype), each.filters(), each.chunking(), each[...])
            for name, each in file.variables.items()
        }
        sizes = {name: (len(dim), dim.isunlimited()) for name, dim in file.dimensions.items()}
        return {"dimensions": sizes, "attributes": told(file), **found}


@pytest.mark.parametrize("changes", [{}, {"day": ("time", np.arange("2026-01-01", 200, dtype="M8[D]"))}])
def test_the_file_is_the_one_that_xarray_writes(tmp_path, changes):
    """Dates are among what is left to xarray."""
    given = result(**changes)
    write_netcdf(given, tmp_path / "ours.nc")
    given.to_netcdf(tmp_path / "theirs.nc", engine="netcdf4", encoding=_packing(given))
    ours, theirs = seen(tmp_path / "ours.nc"), seen(tmp_path / "theirs.nc")
    np.testing.assert_equal(ours, theirs)
    assert list(ours) == list(theirs)
    assert any(each[3]["zlib"] for name, each in ours.items() if name in given)


@pytest.mark.parametrize("change", [{"counted": ("joint", [3, 4, 6])}, {"trial": 8.0}])
def test_another_result_is_another_file(tmp_path, change):
    write_netcdf(result(), tmp_path / "one.nc")
    write_netcdf(result(**change), tmp_path / "other.nc")
    with pytest.raises(AssertionError):
        np.testing.assert_equal(seen(tmp_path / "one.nc"), seen(tmp_path / "other.nc"))
