"""Outputs are found by what people type."""

import numpy as np
import pytest
import xarray as xr

from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError
from borelli.results.outputs.output import find_output, outputs
from borelli.results.saving.save import load_result, save_result
from tests.results.problems import result


@pytest.fixture(scope="module")
def answer() -> xr.Dataset:
    return result()


def two_names(first: str, second: str) -> xr.Dataset:
    shares = ("time", "joint", "source"), np.zeros((1, 2, 1))
    return xr.Dataset(
        {"torque_share": shares}, coords={"time": [0.0], "joint": [first, second], "source": ["weight:a"]}
    )


@pytest.mark.parametrize("text", ["knee_reaction_x", "knee reaction x", "Knee-Reaction X", "reaction_x knee"])
def test_blanks_dashes_case_and_order_are_forgiven(answer, text):
    assert find_output(answer, text).name == "knee_reaction_x"


def test_every_output_is_found_by_its_own_name(answer):
    names = [output.name for output in outputs(answer)]
    assert len(names) == 15
    assert [find_output(answer, name).name for name in names] == names


def test_output_reads_its_own_curve_and_shares(answer):
    output = find_output(answer, "hip_reaction_y")
    np.testing.assert_array_equal(output.total(answer), answer.reaction.sel(joint="hip", axis="y"))
    np.testing.assert_array_equal(output.shares(answer), answer.reaction_share.sel(joint="hip", axis="y"))
    assert output.unit == "N"


def test_description_says_on_whom_where_and_in_which_axes(answer):
    assert find_output(answer, "hip_reaction_y").describe(answer) == (
        "hip_reaction_y is the y component of the reaction at joint 'hip', on the distal link, by the proximal "
        "one, at the joint, in world axes."
    )


def test_axes_are_named_even_where_nobody_is_said_to_bear_the_force(answer):
    bare = answer.copy()
    bare.attrs = {}
    assert find_output(bare, "hip_reaction_y").describe(bare).endswith("at joint 'hip', in world axes.")


def generalized_forces() -> xr.Dataset:
    """Shares as the spatial analyses label them: no total of their own, a unit for each coordinate."""
    force = xr.DataArray(np.arange(6.0).reshape(1, 2, 3), dims=("time", "coordinate", "source"))
    coordinates = {"time": [0.0], "coordinate": ["pelvis_tx", "knee_angle_r"], "source": list("abc")}
    unit = ("coordinate", ["N", "N m"])
    return xr.Dataset({"generalized_force": force}, coords={**coordinates, "unit": unit})


def test_shares_without_their_own_total_are_summed():
    split = generalized_forces()
    assert find_output(split, "knee_angle_r_moment").total(split) == pytest.approx([12.0])


def test_generalized_forces_are_named_as_opensim_does_with_their_own_units():
    assert {output.name: output.unit for output in outputs(generalized_forces())} == {
        "pelvis_tx_force": "N",
        "knee_angle_r_moment": "N m",
    }


def test_units_of_single_curves_come_back_from_disk(tmp_path):
    split = generalized_forces()
    again = load_result(save_result(split, tmp_path / "split"))
    assert outputs(again) == outputs(split)


def test_unknown_output_lists_the_nearest(answer):
    with pytest.raises(
        UnknownNameError, match="'kne_torque' is not a known output of the result of 'leg'"
    ) as caught:
        find_output(answer, "kne torque")
    assert caught.value.closest[0] == "knee_torque"


@pytest.mark.parametrize("text", ["knee reaction", "knee_reaction_magnitude"])
def test_magnitude_of_a_vector_has_shares_along_itself(answer, text):
    found = find_output(answer, text)
    size = np.linalg.norm(answer.reaction.sel(joint="knee").transpose("time", "axis"), axis=1)
    np.testing.assert_allclose(found.total(answer), size, rtol=1e-12)
    np.testing.assert_allclose(found.shares(answer).sum(axis=1), size, rtol=1e-9)


def test_text_that_fits_two_outputs_is_refused_unless_it_is_exact():
    answer = two_names("a-b", "a b")
    with pytest.raises(InvalidValueError, match="'a_b_torque' fits 2 outputs"):
        find_output(answer, "a_b_torque")
    assert find_output(answer, "a-b_torque").place == {"joint": "a-b"}


def test_result_without_shares_is_refused():
    with pytest.raises(MissingInputError, match="The result holds no shares"):
        outputs(xr.Dataset({"torque": ("time", [1.0])}))
