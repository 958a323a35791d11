"""Curves over 0 to 100 % of cycles."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from borelli.errors import MissingInputError, UnknownNameError
from borelli.results.gait.cycle_spans import cycles_of
from borelli.results.gait.cycles import normalize_cycles, with_events
from borelli.results.labelled.plain_result import PlainResult
from borelli.results.saving.save import load_result, save_result
from tests.results.test_contact_events import TIME, loads, step


@pytest.fixture(scope="module")
def walk() -> xr.Dataset:
    """Two and a half strides of one foot, one step of the other; shares of a sine and of time itself."""
    forces = {"right": step(0.2, 0.5) + step(0.8, 1.2) + step(1.6, 9.0), "left": step(0.5, 1.0)}
    found = loads(forces, ["foot_r", "foot_l"])
    found["load_force"].attrs["role"] = "drawing"
    shares = np.stack([np.sin(5.0 * TIME), TIME], axis=1)[:, None, :]
    found = found.assign_coords(joint=["knee"], source=["weight:a", "weight:b"])
    found["torque_share"] = (("time", "joint", "source"), shares, {"units": "N m"})
    found["torque"] = (("time", "joint"), shares.sum(axis=-1), {"units": "N m"})
    return with_events(PlainResult.of(found), (0, -9.81, 0)).to_dataset()


def test_cycles_go_from_contact_to_contact_and_contacts_to_release(walk):
    by_name = {(each.side, each.kind): each.spans for each in cycles_of(walk)}
    assert [len(by_name["foot_r", kind]) for kind in ("cycle", "contact")] == [2, 2]
    assert ("foot_l", "cycle") not in by_name and len(by_name["foot_l", "contact"]) == 1
    first, second = by_name["foot_r", "cycle"]
    assert first == pytest.approx((0.2, 0.8), abs=0.01) and second == pytest.approx((0.8, 1.6), abs=0.01)
    assert first[1] == second[0]


def test_what_is_linear_in_time_is_linear_in_percent(walk):
    found = normalize_cycles(walk)
    start, end = found["cycle_start"].values[:, None], found["cycle_end"].values[:, None]
    line = start + (end - start) * found["percent"].values / 100
    np.testing.assert_allclose(found["torque_share"].sel(joint="knee", source="weight:b"), line, atol=1e-12)
    assert found["torque_share"].dims == ("cycle", "percent", "joint", "source")
    assert "load_force" not in found  # only for the drawing


def test_shares_still_add_up_and_attributes_say_which_cycles(walk):
    found = normalize_cycles(walk, "foot_r", "contact", points=31)
    np.testing.assert_allclose(found["torque_share"].sum("source"), found["torque"], atol=1e-12)
    assert found.sizes["percent"] == 31 and found["torque"].attrs["units"] == "N m"
    assert (found.attrs["cycle_side"], found.attrs["cycle_kind"]) == ("foot_r", "contact")


def test_cycles_are_saved_with_mean_and_deviation(walk, tmp_path):
    folder = save_result(walk, tmp_path / "walk")
    assert load_result(folder).identical(walk)
    table = pd.read_parquet(folder / "cycles.parquet")
    own = table[(table["side"] == "foot_r") & (table["kind"] == "cycle")]
    assert own["cycle"].unique().tolist() == ["1", "2", "mean", "sd"]
    curves = {label: rows["knee_torque [N m]"].to_numpy() for label, rows in own.groupby("cycle")}
    expected = normalize_cycles(walk)["torque"].sel(joint="knee").values
    np.testing.assert_allclose([curves["1"], curves["2"]], expected, atol=1e-12)
    np.testing.assert_allclose(curves["mean"], expected.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(curves["sd"], expected.std(axis=0, ddof=1), atol=1e-12)


def test_a_single_cycle_has_no_deviation(walk, tmp_path):
    table = pd.read_parquet(save_result(walk, tmp_path / "walk") / "cycles.parquet")
    assert table[table["side"] == "foot_l"]["cycle"].unique().tolist() == ["1"]


def test_without_events_nothing_is_added(walk, tmp_path):
    standing = loads({"plate": np.full(len(TIME), 700.0)}, ["foot"])
    assert with_events(PlainResult.of(standing), (0, -9.81, 0)).to_dataset().identical(standing)
    assert cycles_of(standing) == []
    assert not (save_result(standing, tmp_path / "standing") / "cycles.parquet").exists()
    with pytest.raises(MissingInputError, match="has no whole cycle"):
        normalize_cycles(standing)


def test_unknown_sides_and_kinds_are_refused(walk):
    with pytest.raises(UnknownNameError, match="'foot_R' is not a side with a whole cycle"):
        normalize_cycles(walk, "foot_R")
    with pytest.raises(UnknownNameError, match="'swing' is not a kind of cycle"):
        normalize_cycles(walk, kind="swing")
    with pytest.raises(UnknownNameError, match="'foot_l' is not a side with a whole cycle"):
        normalize_cycles(walk, "foot_l")
    one = loads({"plate": step(0.2, 0.8)}, ["foot"])
    with pytest.raises(MissingInputError, match="has no whole cycle"):
        normalize_cycles(with_events(PlainResult.of(one), (0, -9.81, 0)).to_dataset())
