"""The shares of one number are ranked, grouped and keep the sum."""

import math

import numpy as np
import pytest
import xarray as xr

from borelli.errors import DuplicateNameError, InvalidValueError, MissingInputError, UnknownNameError
from borelli.results.explanation import explain
from borelli.results.outputs.grouping import group_shares
from tests.results.problems import result

# Twelve shares of up to 1000 N are added in another order than the total: some units in the last place.
ROUND_OFF = 1e-11


@pytest.fixture(scope="module")
def answer() -> xr.Dataset:
    return result()


def three_frames(values, total=None) -> xr.Dataset:
    """Shares (time, source) of one unnamed output 'load' at 0, 1 and 3 s."""
    shares = np.asarray(values, dtype=float)
    names = [f"weight:{letter}" for letter in "abcdefghijklmnop"[: shares.shape[1]]]
    dims = ("time", "source")
    data = {"load_share": (dims, shares, {"units": "N"})}
    if total is not None:
        data["load"] = ("time", np.asarray(total, dtype=float), {"units": "N"})
    return xr.Dataset(data, coords={"time": [0.0, 1.0, 3.0][: len(shares)], "source": names})


@pytest.mark.parametrize("at", ["peak", "mean", 0.3])
@pytest.mark.parametrize("by", ["source", "kind"])
@pytest.mark.parametrize("output", ["knee torque", "hip_reaction_x"])
def test_shares_add_up_to_the_total(answer, output, at, by):
    told = explain(answer, output, at, by)
    assert sum(share.value for share in told.shares) == pytest.approx(told.total, abs=ROUND_OFF)
    assert sum(share.percent for share in told.shares) == pytest.approx(100.0, abs=1e-9)
    assert told.closure < ROUND_OFF


def test_peak_is_the_instant_of_largest_size(answer):
    told = explain(answer, "knee torque")
    knee = answer.torque.sel(joint="knee")
    frame = int(np.argmax(np.abs(knee.values)))
    assert told.total == float(knee[frame]) < 0
    assert told.when == f"at {float(knee.time[frame]):g} s (instant {frame}, its peak)"


def test_nearest_instant_is_taken_and_said(answer):
    told = explain(answer, "knee torque", at=0.31)
    assert told.when == "at 0.3 s (instant 10, the instant nearest to 0.31 s)"
    assert told.total == float(answer.torque.sel(joint="knee")[10])


def test_exact_time_needs_no_excuse(answer):
    assert explain(answer, "knee torque", at=0.0).when == "at 0 s (instant 0)"


def test_mean_weighs_instants_by_the_time_they_stand_for():
    told = explain(three_frames([[0.0], [6.0], [6.0]]), "load", at="mean")
    assert told.total == pytest.approx(5.0)  # (3 + 12) N s over 3 s, by hand
    assert told.when == "on average from 0 s to 3 s"


def test_mean_of_a_posture_is_the_posture():
    assert explain(three_frames([[4.0]]), "load", at="mean").total == 4.0


def test_ranking_is_by_size_whatever_the_sign():
    told = explain(three_frames([[1.0, -5.0, 2.0]]), "load")
    assert [share.value for share in told.shares] == [-5.0, 2.0, 1.0]
    assert [share.percent for share in told.shares] == pytest.approx([250.0, -100.0, -50.0])


def test_balance_without_a_total_has_no_percentages():
    told = explain(three_frames([[5.0, -5.0]]), "load")
    assert all(math.isnan(share.percent) for share in told.shares)
    assert "%" not in str(told)


def test_shares_that_miss_the_total_are_exposed():
    told = explain(three_frames([[1.0, 2.0]], total=[3.5]), "load")
    assert told.closure == pytest.approx(0.5)
    assert "within 5.0e-01 N" in str(told)


def test_table_has_value_unit_and_percent(answer):
    table = explain(answer, "hip_reaction_x", by="kind").to_frame()
    assert list(table.columns) == ["source", "value", "unit", "percent_of_total"]
    assert set(table.unit) == {"N"}
    assert set(table.source) == {"weight", "load", "acceleration", "velocity", "muscle"}


def test_own_groups_keep_the_sum(answer):
    told = explain(answer, "hip_reaction_x", by={"legs": ["weight:shank", "weight:thigh"]})
    assert {share.source for share in told.shares} == {"legs", "all others"}
    assert sum(share.value for share in told.shares) == pytest.approx(told.total, abs=ROUND_OFF)


@pytest.mark.parametrize("at", [-1.0, 1.3])
def test_time_outside_the_result_is_refused(answer, at):
    with pytest.raises(InvalidValueError, match=r"lies outside the result, which runs from 0 s to 1.2 s"):
        explain(answer, "knee torque", at=at)


@pytest.mark.parametrize("at", [math.nan, "noon"])
def test_what_is_not_a_time_is_refused(answer, at):
    with pytest.raises(InvalidValueError, match="is not a time"):
        explain(answer, "knee torque", at=at)


def test_curve_without_a_finite_value_has_no_peak():
    with pytest.raises(InvalidValueError, match="'load' has no finite value, so it has no peak"):
        explain(three_frames([[math.nan]]), "load")


def test_unknown_grouping_is_refused(answer):
    with pytest.raises(InvalidValueError, match="cannot be grouped by 'colour'"):
        explain(answer, "knee torque", by="colour")


def test_unknown_source_in_a_group_is_named(answer):
    with pytest.raises(UnknownNameError, match="'weight:shin' is not a source"):
        explain(answer, "knee torque", by={"legs": ["weight:shin"]})


def test_source_in_two_groups_is_refused(answer):
    with pytest.raises(DuplicateNameError, match="'load:bar' is in two groups, 'a' and 'b'"):
        explain(answer, "knee torque", by={"a": ["load:bar"], "b": ["load:bar"]})


def test_grouping_by_kind_reads_what_stands_before_the_first_colon():
    names, grouped = group_shares(np.ones((2, 3)), ["muscle:a:b", "muscle:c", "load:d"], "kind")
    assert names == ("muscle", "load")
    np.testing.assert_array_equal(grouped, [[2.0, 1.0], [2.0, 1.0]])


@pytest.mark.parametrize("width", [60, 80, 120])
def test_text_fits_its_width(answer, width):
    for output in ("knee torque", "hip_reaction_x"):
        assert max(map(len, explain(answer, output).text(width).splitlines())) <= width


def test_bars_grow_with_their_share_and_stand_on_their_side():
    lines = str(explain(three_frames([[8.0, -4.0, 2.0]]), "load")).splitlines()
    bars = {line.split()[0][-1]: line for line in lines if "│" in line}
    left = {name: line.split("│")[0].count("█") for name, line in bars.items()}
    right = {name: line.split("│")[1].count("█") for name, line in bars.items()}
    assert left["b"] > 0 and left["a"] == left["c"] == 0
    assert right["a"] > right["c"] > 0 and right["b"] == 0
    # one scale for both sides; a bar is rounded to whole cells on the left, to eighths on the right
    assert abs(right["a"] - 2 * left["b"]) <= 2
    assert len({line.index("│") for line in bars.values()}) == 1


def test_sources_without_a_part_are_named_below_the_bars(answer):
    text = " ".join(str(explain(answer, "knee torque")).split())
    assert "No part in it: weight:shank, muscle:vasti, muscle:hamstrings." in text


def test_of_many_sources_without_a_part_some_are_named_and_the_rest_counted():
    text = " ".join(str(explain(three_frames([[1.0, *[0.0] * 15]]), "load")).split())
    assert text.endswith("and 3 more.")


def test_all_zero_is_said():
    assert "(every share is zero)" in str(explain(three_frames([[0.0, 0.0]]), "load"))


def test_many_sources_end_in_one_line_that_keeps_the_sum():
    text = explain(three_frames([[8.0, 7.0, 6.0, 5.0, 4.0, 3.0]]), "load").text(most=3)
    assert "all others (4)" in text and "+18.00 N" in text


def test_very_large_and_very_small_numbers_stay_readable():
    assert "+2.000e+07 N" in str(explain(three_frames([[2e7, 1.0]]), "load"))
    assert "+2.000e-07 N" in str(explain(three_frames([[2e-7]]), "load"))


def test_a_spatial_result_is_grouped_by_body_and_by_muscle_and_keeps_the_sum():
    result = xr.Dataset(
        {"generalized_force": (("time", "coordinate", "source"), [[[1.0, 2.0, 3.0, -4.0]]])},
        {
            "time": [0.0],
            "coordinate": ["knee"],
            "source": ["weight:shank", "muscle:vas1_r", "muscle:vas2_r", "acceleration:shank"],
            "source_body": ("source", ["shank", "muscles", "muscles", "shank"]),
        },
    )
    by_body = {s.source: s.value for s in explain(result, "knee generalized force", by="body").shares}
    assert by_body == {"shank": -3.0, "muscles": 5.0}
    by_muscle = explain(result, "knee generalized force", by="muscle group")
    assert {s.source: s.value for s in by_muscle.shares}["muscle:vas_r"] == 5.0
    assert by_muscle.total == 2.0


def test_a_result_that_knows_no_bodies_cannot_be_grouped_by_them():
    result = xr.Dataset(
        {"torque_share": (("time", "joint", "source"), [[[1.0]]])},
        {"time": [0.0], "joint": ["knee"], "source": ["weight:shank"]},
    )
    with pytest.raises(MissingInputError, match="does not say which body"):
        explain(result, "knee torque", by="body")


def test_the_total_is_the_one_found_on_its_own():
    result = xr.Dataset(
        {
            "generalized_force": (("time", "coordinate", "source"), [[[1.0, 2.0]]]),
            "total_generalized_force": (("time", "coordinate"), [[3.5]]),
        },
        {"time": [0.0], "coordinate": ["knee"], "source": ["weight:shank", "load:floor"]},
    )
    found = explain(result, "knee generalized force")
    assert found.total == 3.5
    assert found.closure == 0.5
