"""The page of a real walking trial with 92 muscles: its size, its events, and the numbers it holds."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import borelli as bo
from borelli.report.blob import Blob, unpacked
from borelli.report.page import page_text
from borelli.report.page_data import Shown
from borelli.results.gait.cycle_spans import cycles_of
from borelli.results.saving.save import save_result
from tests.shared_data import reference

FIRST_S, LAST_S, RATE_HZ = 0.5, 2.5, 100


@pytest.fixture(scope="module")
def walk():
    """Two seconds at 100 Hz."""
    case = reference("gait2392")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = bo.load_model(case / "subject01_simbody.osim")
        slow = bo.load_motion(case / "subject01_walk1_ik.mot", model, 6.0, time_range=(FIRST_S, LAST_S))
        time = np.linspace(slow.time[0], slow.time[-1], round((LAST_S - FIRST_S) * RATE_HZ) + 1)
        q = np.column_stack([np.interp(time, slow.time, column) for column in slow.q.T])
        motion = bo.Motion(time, slow.coordinates, q)
        poses = bo.body_poses(model, motion)
        loads = bo.load_loads(case / "subject01_walk1_grf.xml", motion, poses=poses)
        return bo.analyze(model, motion, loads)


@pytest.fixture(scope="module")
def page(walk, tmp_path_factory):
    blob = Blob()
    shown = Shown.of_folder(save_result(walk, tmp_path_factory.mktemp("walk") / "walk", tables=()), blob)
    return shown, blob


def test_page_of_two_seconds_with_ninety_muscles_is_under_three_megabytes_with_all_shares(page):
    shown, blob = page
    assert len(shown.data["muscles"]["names"]) == 92
    assert shown.data["wholeShares"]
    assert len(page_text([shown], blob).encode()) < 3e6


@pytest.mark.parametrize("room", [2_700_000, 2_000_000, 1_500_000])
def test_numbers_take_no_more_room_than_they_are_given(walk, tmp_path, room):
    blob = Blob()
    Shown.of_folder(save_result(walk, tmp_path / "walk", tables=()), blob, room)
    assert 0.4 * room < len(blob.text()) < room


def test_every_frame_is_there_for_the_tables(walk, page):
    shown, blob = page
    text = blob.text()
    n = walk.sizes["time"]
    assert n == 201
    by_name = {output["name"]: output for output in shown.data["outputs"]}
    knee = by_name["knee_angle_r_moment"]
    np.testing.assert_array_equal(
        unpacked(text, knee["total"]), walk["total_generalized_force"].sel(coordinate="knee_angle_r")
    )
    reaction = by_name["knee_r_reaction_force_y"]
    shares = unpacked(text, reaction["shares"])
    assert shares.shape == (len(reaction["heard"]), n)
    own = walk["reaction_force"].sel(joint="knee_r", axis="y").isel(source=reaction["heard"]).T
    # Finer than single precision at the largest share of the output, and as fine at each source's own largest.
    sizes = np.abs(own.values).max(axis=1, keepdims=True)
    off = np.abs(shares - own.values)
    assert (off <= np.minimum(2.0**-27 * sizes.max(), 2.0**-24 * sizes) * (1.0 + 2.0**-8)).all()
    # The page shows four digits of a share: beyond a thousandth of the largest, the fourth is off by one at most.
    told = np.abs(own.values) > 1e-3 * sizes.max()
    assert told.sum() > 1000 and (off[told] < 1e-5 * np.abs(own.values[told])).all()
    for name in ("hip_r_reaction_moment_x", "ankle_r_reaction_force_z"):
        each = by_name[name]
        gap = unpacked(text, each["shares"]).sum(axis=0) - unpacked(text, each["total"])
        assert (
            np.abs(gap).max() < len(each["heard"]) * 2.0**-24 * np.abs(unpacked(text, each["shares"])).max()
        )
    for curve in shown.data["muscles"]["curves"]:
        assert curve["values"]["shape"] == [len(curve["of"]), n]


def test_muscles_are_all_there(walk, page):
    shown, _ = page
    words = [curve["words"] for curve in shown.data["muscles"]["curves"]]
    assert words[:4] == ["activation", "tension", "length", "lengthening speed"]
    ankle = next(c for c in shown.data["muscles"]["curves"] if c["words"] == "moment arm at ankle_angle_r")
    names = [shown.data["muscles"]["names"][k] for k in ankle["of"]]
    assert "soleus_r" in names and "soleus_l" not in names and "glut_max1_r" not in names
    assert [each["words"] for each in shown.data["scene"]["paths"]["colours"]] == ["tension", "activation"]
    places = [each["place"] for each in shown.data["balance"]]
    assert "knee_angle_r" in places and "pelvis_tilt" not in places


def test_what_the_motion_demands_is_the_same_by_shares_and_by_balance(walk):
    gap = walk["total_generalized_force"] - walk["demanded_moment"]
    # 800 N at the foot, by two ways through the tree.
    assert float(abs(gap).max()) < 1e-9
    shares = walk["generalized_force"].sum("source") - walk["total_generalized_force"]
    assert float(abs(shares).max()) < 1e-9


def test_muscles_press_the_knee_together(walk):
    knee = walk["reaction_force"].sel(joint="knee_r", axis="y")
    pull = knee.sel(source=[s for s in walk["source"].values if s.startswith("muscle:")]).sum("source")
    # The thigh presses the shank down, more so while the foot bears the body.
    assert float(pull.min()) < -1000.0 and float(pull.max()) < 100.0


def test_steps_are_found_where_the_plates_feel_them(walk):
    sides = {(each.side, each.kind): each.spans for each in cycles_of(walk)}
    (stride,) = sides["calcn_r", "cycle"]
    # Read off the file of the plates (600 Hz): above 20 N from 0.618 s and again from 1.853 s on, until 1.410 s; the
    # frames of the motion are 0.01 s apart.
    assert stride == pytest.approx((0.618, 1.853), abs=0.01)
    (right,) = sides["calcn_r", "contact"]
    assert right[1] == pytest.approx(1.410, abs=0.01)
    # A foot stands for about six tenths of a stride (Perry 1992).
    assert 0.58 < (right[1] - right[0]) / (stride[1] - stride[0]) < 0.68
