"""Results as arrays alone are what xarray makes of the same parts."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from borelli.results.labelled.dataset import labelled, time_axis
from borelli.results.labelled.plain_result import PlainResult, is_dataset, plain_result

TIME = np.linspace(0.0, 1.0, 4)
DATA = {
    "torque": labelled(("time", "joint"), np.arange(8.0).reshape(4, 2), "N m"),
    "closure": labelled((), np.asarray(1e-15), "1"),
}
COORDINATES = {"time": time_axis(TIME), "joint": ["hip", "knee"], "unit": ("joint", ["N m", "N"])}


def result() -> PlainResult:
    return plain_result(DATA, COORDINATES, {"analysis": "test"})


def part(joints: list[str]) -> PlainResult:
    return plain_result(
        {"power": labelled(("time", "joint"), np.ones((4, len(joints))), "W")},
        {"time": time_axis(TIME), "joint": joints},
        {"analysis": "part"},
    )


def test_a_dataset_becomes_a_plain_result_and_back():
    whole = xr.Dataset(DATA, COORDINATES, {"analysis": "test"})
    assert result().to_dataset().identical(whole)
    assert PlainResult.of(whole).to_dataset().identical(whole)
    assert is_dataset(whole) and not is_dataset(result()) and not is_dataset({"torque": 1.0})
    assert result().to_dataset()["torque"].values is DATA["torque"].values  # not a copy


def test_parts_are_merged_as_xarray_merges_them():
    merged = result().merged(part(["hip", "knee"]))
    theirs = result().to_dataset().merge(part(["hip", "knee"]).to_dataset(), combine_attrs="override")
    assert merged.to_dataset().identical(theirs)
    assert merged.data_vars == ("torque", "closure", "power")
    # What the result has already stays as it is.
    assert merged.merged(result().with_variables({"power": ((), 2.0)})).to_dataset().identical(theirs)


@pytest.mark.parametrize("joints", [["hip"], ["knee", "hip"]])
def test_a_part_with_other_labels_is_refused(joints):
    with pytest.raises(ValueError, match="dimension 'joint'"):
        result().merged(part(joints))


def test_some_variables_keep_their_coordinates_and_attributes():
    merged = result().merged(part(["hip", "knee"]))
    for names in (["power"], ["closure"], ["closure", "torque"]):
        assert merged.only(names).to_dataset().identical(merged.to_dataset()[names])


def test_instants_and_order_of_dimensions_are_those_of_xarray():
    whole = result().to_dataset()
    assert result().at(2).to_dataset().identical(whole.isel(time=[2]))
    assert result().at(np.array([0, 3])).to_dataset().identical(whole.isel(time=[0, 3]))
    np.testing.assert_array_equal(
        result()["torque"].transpose("joint", "time").values, whole["torque"].transpose("joint", "time")
    )
    np.testing.assert_array_equal(result()["torque"].at("joint", 1), whole["torque"].sel(joint="knee"))


def test_a_changed_result_leaves_the_first_as_it_was():
    first = result()
    changed = first.with_attrs({"model": "leg"}).with_variables(
        {"closure": labelled((), np.asarray(2.0), "1")}
    )
    assert "model" not in first.attrs and float(first["closure"].values) == 1e-15
    assert changed.attrs == {"analysis": "test", "model": "leg"} and float(changed["closure"].values) == 2.0
    assert changed.data_vars == first.data_vars
