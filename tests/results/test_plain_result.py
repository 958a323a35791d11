"""Results as arrays and labels alone: the same numbers and answers as those of a Dataset."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import borelli as bo
from borelli.errors import FileFormatError, MissingInputError
from borelli.results.answers import answers
from borelli.results.labelled.plain_result import PlainResult, labels
from borelli.results.outputs.output import outputs
from borelli.results.saving.manifest import DATA
from borelli.results.saving.read_plain import read_plain
from borelli.results.saving.save import load_result, save_result
from tests.results.problems import result


@pytest.fixture(scope="module")
def answer() -> xr.Dataset:
    # Truth values, whole numbers and attributes of every kind, beside what analyses save.
    extra = {
        "near": ("time", result()["time"].values > 0.1),
        "count": ((), 3),
        "all zero": ("time", np.zeros(5)),
    }
    whole = result().assign({"near": extra["near"], "count": extra["count"]})
    return whole.assign_attrs(deep={"a": [1, None]}, flag=True, empty="")


@pytest.fixture(scope="module")
def folder(answer, tmp_path_factory):
    return save_result(answer, tmp_path_factory.mktemp("plain") / "leg", tables=())


@pytest.fixture(scope="module")
def loaded(folder) -> xr.Dataset:
    # In memory shares may lie in another order, in which sums are rounded otherwise.
    return load_result(folder)


def test_a_folder_read_without_xarray_holds_what_xarray_reads(folder):
    mine, theirs = read_plain(folder), PlainResult.of(load_result(folder))
    assert mine.data_vars == theirs.data_vars and mine.attrs == theirs.attrs and mine.sizes == theirs.sizes
    assert set(mine.variables) == set(theirs.variables)
    for name, own in mine.variables.items():
        other = theirs.variables[name]
        assert (own.dims, dict(own.attrs)) == (other.dims, dict(other.attrs)), name
        np.testing.assert_array_equal(own.values, other.values, err_msg=name)
        assert own.values.dtype == other.values.dtype or own.values.dtype.kind == "O", (
            "texts alone may differ in kind"
        )


def test_curves_shares_and_answers_are_those_of_the_dataset(folder, loaded):
    plain = read_plain(folder)
    known = outputs(loaded)
    assert outputs(plain) == known
    for output in known:
        np.testing.assert_array_equal(output.total(plain), output.total(loaded))
        np.testing.assert_array_equal(output.shares(plain), output.shares(loaded))
        assert output.describe(plain) == output.describe(loaded)
    assert repr(answers(plain)) == repr(answers(loaded)), "NaN is not equal to itself, its text is"


@pytest.mark.parametrize("by", ["source", "kind", "muscle"])
def test_a_folder_is_explained_as_its_result_is(folder, loaded, by):
    name = outputs(loaded)[0].name
    for at in ("peak", "mean", float(loaded["time"][2])):
        assert bo.explain(folder, name, at, by) == bo.explain(loaded, name, at, by)
        assert bo.explain(str(folder), name, at, by).text() == bo.explain(loaded, name, at, by).text()


def test_one_instant_is_that_of_the_dataset(answer):
    output = outputs(answer)[-1]
    one = PlainResult.of(answer).at(3)
    np.testing.assert_array_equal(output.shares(one), output.shares(answer.isel(time=[3])))
    assert one.sizes["time"] == 1


def test_labels_follow_the_dataset_that_is_asked(answer):
    names = labels(answer, "source").names
    assert names == tuple(map(str, answer["source"].values))
    renamed = answer.assign_coords(source=[f"{name} again" for name in names])
    assert labels(renamed, "source").names == tuple(f"{name} again" for name in names)
    assert labels(answer, "source").names == names
    turned = answer.isel(source=slice(None, None, -1))
    assert (
        labels(turned, "source").names == names[::-1]
        and labels(turned, "source").places[names[0]] == len(names) - 1
    )
    bare = answer.drop_vars("source")
    assert labels(bare, "source").names == tuple(map(str, range(len(names))))


def test_what_is_no_result_or_damaged_is_refused(folder, tmp_path):
    with pytest.raises(MissingInputError, match=r"it is not a Borelli result folder"):
        bo.explain(tmp_path, "knee_torque")
    again = save_result(load_result(folder), tmp_path / "leg", tables=())
    data = bytearray((again / DATA).read_bytes())
    data[len(data) // 2] ^= 1
    (again / DATA).write_bytes(data)
    with pytest.raises(FileFormatError, match=r"The result is damaged: 'result.nc' is not what was saved"):
        bo.explain(again, "knee_torque")
