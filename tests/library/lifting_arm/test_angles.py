"""Bend and twist at every joint, the roll that twists least, and the choice among grips."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import borelli as bo
from borelli import attitude
from borelli.library import lifting_arm as la

HELD = {"held": (0.35, 0.05, -0.15), "held_kg": 5.0, "hand_x": (1, 0.2, 0), "hand_z": (0, 0.1, 1)}


def posture(roll="high"):
    arm = la.Arm.of_person()
    return la.posture_of_hand(arm, HELD["held"], HELD["hand_x"], HELD["hand_z"], roll=roll)


def test_bends_of_a_sagittal_posture_are_its_flexion_angles():
    tree = la.Arm.of_person().tree
    found = la.joint_angles(tree.placed(la.sagittal_posture(30.0, 75.0, 20.0)))
    np.testing.assert_allclose(np.degrees(found["bend"].values[0]), [30.0, 75.0, 20.0], atol=1e-12)
    # Half a turn about the forearm brings the palm to the front; the elbow does not twist.
    assert abs(float(found["twist"].sel(joint="elbow")[0])) < 1e-12
    assert abs(abs(float(found["twist"].sel(joint="wrist")[0])) - np.pi) < 1e-12


def test_bend_at_the_wrist_and_elbow_agree_with_the_static_model():
    answer = la.model_3(la.Arm.of_person(), **HELD)
    np.testing.assert_allclose(answer["bend"].sel(joint="wrist"), answer["wrist_bend"], atol=1e-12)
    arm = la.Arm.of_person()
    wrist = answer["joint_position"].sel(joint="wrist").values
    flexion = la.elbow_flexion(wrist, arm.upper_arm.length, arm.forearm.length)
    np.testing.assert_allclose(answer["bend"].sel(joint="elbow"), flexion, atol=1e-12)


def test_digits_bend_by_their_preset():
    tree = la.arm_with_digits()
    world = dict(la.sagittal_posture(0.0, 90.0))
    for name, bent in la.grip("rod").items():
        world[name] = attitude.multiply(world[tree[name].parent], bent)
    bend = la.joint_angles(tree.placed(world))["bend"]
    found = [
        float(np.degrees(bend.sel(joint=f"index_{part}")[0]))
        for part in ("metacarpophalangeal", "proximal_interphalangeal", "distal_interphalangeal")
    ]
    np.testing.assert_allclose(found, [70.0, 75.0, 40.0], atol=1e-12)


def test_natural_roll_moves_no_joint_and_turns_least():
    """Independent: try all rolls; none has a smaller turn against the neighbour beyond."""
    high, natural = posture(), posture("natural")
    np.testing.assert_allclose(natural.origin, high.origin, atol=1e-15)
    np.testing.assert_allclose(natural.rotation[:, 2], high.rotation[:, 2], atol=1e-15)
    supinated = Rotation.from_euler("x", 180, degrees=True)
    beyond = Rotation.from_matrix(natural.rotation[0, 2]) * supinated.inv()
    for number in (1, 0):
        own = Rotation.from_matrix(natural.rotation[0, number])
        least = (beyond.inv() * own).magnitude()
        rolls = Rotation.from_euler("x", np.linspace(0.0, 2 * np.pi, 721)[:, None])
        tried = (beyond.inv() * own * rolls).magnitude()
        assert least <= tried.min() + 1e-12
        beyond = own
    before = Rotation.from_matrix(high.rotation[0, 2]) * supinated.inv()
    turned = [
        (before.inv() * Rotation.from_matrix(each.rotation[0, 1])).magnitude() for each in (high, natural)
    ]
    # What remains is the bend of the wrist itself.
    assert turned[0] > 2.0
    assert turned[1] == pytest.approx(
        float(la.joint_angles(natural)["bend"].sel(joint="wrist")[0]), abs=1e-12
    )


def test_roll_does_not_change_what_joints_bear():
    arm = la.Arm.of_rods((0.31, 0.27, 0.19), (2.0, 1.2, 0.4), (0.45, 0.45, 0.5))
    high, natural = (la.model_3(arm, **HELD, roll=roll) for roll in ("high", "natural"))
    np.testing.assert_allclose(natural["load_moment"], high["load_moment"], atol=1e-12)
    assert np.abs(natural["attitude"] - high["attitude"]).max() > 0.1


def test_wrong_rolls_are_named():
    with pytest.raises(bo.BorelliError, match="'naturel' is not a roll"):
        posture("naturel")
    tree = la.Arm.of_person().tree
    folded = la.sagittal_posture(0.0, 180.0)
    with pytest.raises(bo.BorelliError, match="'forearm' and 'upper_arm' point in opposite directions"):
        la.natural_roll(tree.placed(folded))


@pytest.mark.parametrize("criterion", ["contact", "digits", "wrist", "bend"])
def test_the_chosen_grip_has_the_least_of_what_was_asked(criterion):
    found = la.choose_grip(la.sagittal_posture(0.0, 90.0), 4.0, criterion)
    assert found.attrs["chosen"] == str(found["grip"].values[0])
    assert (np.diff(found["score"].values) >= 0).all()
    np.testing.assert_allclose(found["score"], found[criterion])
    assert set(found["grip"].values) == {"rod", "plate", "face", "pinch"}


def test_criteria_choose_differently_and_may_be_functions():
    attitudes = la.sagittal_posture(0.0, 90.0)
    flattest = la.choose_grip(attitudes, 4.0, "bend").attrs["chosen"]
    assert flattest == "face"
    assert la.choose_grip(attitudes, 4.0, "contact").attrs["chosen"] != "pinch"
    own = la.choose_grip(
        attitudes, 4.0, lambda told: -float(told["bend"].sel(joint="index_metacarpophalangeal")[0])
    )
    assert own.attrs["chosen"] == "rod"


def test_scores_are_those_of_the_wrenches():
    attitudes = la.sagittal_posture(0.0, 90.0)
    found = la.choose_grip(attitudes, 4.0, "wrist", grips=["rod"])
    tree = la.arm_with_digits()
    world = dict(attitudes)
    for name, bent in la.grip("rod").items():
        world[name] = attitude.multiply(world[tree[name].parent], bent)
    pose = tree.placed(world)
    points = {name: la.contact_point(tree[name]) for name in la.TOUCHING["rod"]}
    middle = np.mean([pose.point(name, at)[0] for name, at in points.items()], axis=0)
    # Statics of the whole: bare hand plus the weight at its place.
    bare = la.static_wrenches(pose)
    lever = middle - bare["joint_position"].sel(joint="wrist").values[0]
    moment = bare["load_moment"].sel(joint="wrist").values[0] + np.cross(lever, [0, 0, -4.0 * 9.81])
    assert float(found["wrist"][0]) == pytest.approx(np.linalg.norm(moment), rel=1e-9)


def test_wrong_choices_are_named():
    attitudes = la.sagittal_posture(0.0, 90.0)
    with pytest.raises(bo.BorelliError, match="'flat' is not a grip that holds something"):
        la.choose_grip(attitudes, 4.0, grips=["flat"])
    with pytest.raises(bo.BorelliError, match="'wirst' is not a criterion"):
        la.choose_grip(attitudes, 4.0, "wirst")


def test_pictures_show_segments_muscles_and_loads(tmp_path):
    from borelli.report.arm_figure import arm_figure, write_arm_figure

    arm = la.Arm.of_person()
    for answer in (
        la.model_1(arm, (0.35, 0.05, -0.15), 5.0),
        la.model_2(arm, (0.35, 0.05, -0.15), 5.0),
        la.model_3(arm, **HELD),
    ):
        figure = arm_figure(answer)
        side = figure.axes[0]
        texts = " ".join(text.get_text() for text in side.texts)
        shoulder = answer.get("load_force_with_muscles", answer["load_force"]).sel(joint="shoulder").values[0]
        assert f"{np.linalg.norm(shoulder):.0f} N" in texts
        assert ("biceps" in texts) == ("tension" in answer)
        first = side.lines[0].get_xydata()
        np.testing.assert_allclose(first[0], [0.0, 0.0], atol=1e-12)
        np.testing.assert_allclose(first[1], answer["elbow"].sel(axis=["x", "z"]).values[0], atol=1e-12)
    write_arm_figure(answer, tmp_path / "arm.png")
    assert (tmp_path / "arm.png").stat().st_size > 10_000
    with pytest.raises(bo.BorelliError, match="nothing to draw"):
        arm_figure(answer.drop_vars("segment_end"))
