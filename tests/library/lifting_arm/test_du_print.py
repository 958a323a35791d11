"""What Du (2021) prints and is not so: each printed formula fails here, by the amount that the errata state."""

from __future__ import annotations

import math

import numpy as np
import pytest

from borelli import attitude
from borelli.library import lifting_arm as la
from tests.library.lifting_arm.cases import case, random_wrists, rods


def printed_attitude_matrix(q: np.ndarray) -> np.ndarray:
    """Equation (1): |q|² E + 2 qv qvᵀ + 2 qs [qv]x."""
    s, v = q[0], q[1:]
    return (q @ q) * np.eye(3) + 2 * np.outer(v, v) + 2 * s * np.cross(np.eye(3), v)


def turned(axis: np.ndarray, angle: float) -> np.ndarray:
    unit = np.asarray(axis) / np.linalg.norm(axis)
    return np.array([math.cos(angle / 2), *(math.sin(angle / 2) * unit)])


def printed_quaternion(d: np.ndarray) -> np.ndarray:
    """The formula for q_i, its angle-axis pairs read as half-angle quaternions."""
    level = np.array([d[0], d[1], 0.0])
    rise = turned(np.cross(level, d), math.asin(d[2] / np.linalg.norm(d)))
    return attitude.multiply(rise, turned(np.array([0.0, 0.0, 1.0]), math.atan(d[1] / d[0])))


def missed(q: np.ndarray, d: np.ndarray) -> float:
    return float(np.abs(attitude.rotate(q, [1, 0, 0]) - d / np.linalg.norm(d)).max())


def test_d1_printed_attitude_matrix_is_no_rotation():
    q = turned(np.array([0, 0, 1.0]), math.pi / 2)
    assert np.linalg.det(printed_attitude_matrix(q)) == pytest.approx(4.0)
    assert np.linalg.det(attitude.rotation_matrix(q)) == pytest.approx(1.0)
    # The two differ by the identity times 2 v·v, nothing else.
    gap = printed_attitude_matrix(q) - attitude.rotation_matrix(q)
    np.testing.assert_allclose(gap, 2 * (q[1:] @ q[1:]) * np.eye(3), atol=1e-15)


def test_d2_printed_signs_let_the_held_weight_carry_the_arm():
    given, expected = case("du_model1")
    up = np.array([0.0, 0.0, given["g"]])
    printed = -given["m_load"] * up + given["m_fore"] * up + given["m_upper"] * up
    assert printed[2] == pytest.approx(-3.924)
    assert expected["load_shoulder"]["F"][2] == pytest.approx(-74.556)
    answer = la.model_1(rods(given), given["hand"], given["m_load"], given["swivel"], gravity=given["g"])
    assert float(answer["load_force"].sel(joint="shoulder", axis="z")[0]) == pytest.approx(-74.556)


def test_d6_printed_choice_of_muscle_doubles_the_moment():
    given, _ = case("du_model2_biceps")
    arm = rods(given)
    pose = la.posture_by_swivel(arm, given["hand"], given["swivel"])
    biceps, triceps = arm.du_muscles()
    answer = la.model_2(arm, given["hand"], given["m_load"], given["swivel"], gravity=given["g"])
    required = answer["required_moment"].values[0]
    normal = np.cross(triceps.direction(pose)[0], biceps.direction(pose)[0])
    assert required @ normal > 0  # "in the same direction as u2 x u1": printed, the triceps
    assert biceps.unit_torque(pose)[0] @ normal == pytest.approx(0.0046, abs=5e-5)
    assert triceps.unit_torque(pose)[0] @ normal == pytest.approx(-0.0044, abs=5e-5)
    wrong = np.linalg.norm(required) / np.linalg.norm(triceps.unit_torque(pose)[0])
    load = answer["load_moment"].sel(joint="elbow").values[0]
    left = load + wrong * triceps.unit_torque(pose)[0]
    unit = normal / np.linalg.norm(normal)
    assert abs(left @ unit) == pytest.approx(2 * abs(load @ unit)) == pytest.approx(15.1, abs=0.05)
    assert abs(answer["residual_moment"].values[0] @ unit) < 1e-12
    assert answer["tension"].values[0, 0] > 0 and answer["tension"].values[0, 1] == 0


def test_d8_printed_rise_counts_the_sign_twice():
    down = np.array([0.2, 0.1, -0.15])
    assert missed(printed_quaternion(down), down) == pytest.approx(1.11, abs=0.005)
    assert missed(attitude.from_direction(down), down) < 1e-15
    upwards = np.array([0.2, 0.1, 0.15])
    assert missed(printed_quaternion(upwards), upwards) < 1e-15  # where it is right


def test_d9_printed_heading_cannot_point_back():
    back = np.array([-0.2, 0.1, 0.15])
    assert missed(printed_quaternion(back), back) == pytest.approx(1.49, abs=0.005)
    assert missed(attitude.from_direction(back), back) < 1e-15
    sideways = np.array([0.0, 0.2, 0.0])
    with pytest.raises(ZeroDivisionError):
        math.atan(float(sideways[1]) / float(sideways[0]))
    assert missed(attitude.from_direction(sideways), sideways) < 1e-15


def test_d10_printed_condition_of_the_circle_means_out_of_reach():
    wrist = random_wrists(200, 9, 0.0, 1.0)
    circle = la.elbow_circle(wrist, 0.31, 0.27)
    printed = np.linalg.norm(wrist, axis=1) > 0.31 + 0.27
    assert printed.any() and not circle.reachable[printed].any()
    between = (circle.distance > 0.04) & (circle.distance < 0.58)
    assert np.array_equal(circle.locus == la.Locus.CIRCLE, between)


def test_d11_nearest_point_to_the_hands_line_often_bends_the_wrist_most():
    wrist = random_wrists(375, 10, 0.05, 0.57)
    hand = random_wrists(375, 11, 1.0, 1.0)
    circle = la.elbow_circle(wrist, 0.31, 0.27)
    n, a, r = circle.axis, circle.centre_distance, circle.distance
    along = (n * hand).sum(axis=1)
    # Where the hand's line meets the plane of the circle, seen from its centre.
    meeting = wrist + ((a - r) / along)[:, None] * hand - a[:, None] * n
    printed = circle.elbow(meeting / np.linalg.norm(meeting, axis=1, keepdims=True))
    best = la.elbow_of_least_wrist_bend(wrist, 0.31, 0.27, hand, np.cross(hand, n))
    worse = np.degrees(la.wrist_bend(printed, wrist, hand) - la.wrist_bend(best, wrist, hand))
    right = along * (r - a) > 0
    np.testing.assert_allclose(worse[right], 0.0, atol=1e-6)
    assert np.all(worse[~right] > 0)
    assert 0.4 < np.mean(~right) < 0.6  # half of random arms; the errata count 192 of 375
    assert worse.max() > 150.0


def test_d13_fraction_of_the_held_object_is_from_the_wrist():
    given, expected = case("du_model3_hand")
    arm = rods(given)
    pose = la.posture_of_hand(arm, given["object"], given["hand_x"], given["hand_z"], given["w2_from_wrist"])
    assert np.linalg.norm(pose.joint("hand")[0] - given["object"]) == pytest.approx(0.75 * given["l_hand"])
    # Printed, the ratio is "from the distal end"; the paper's own D2 = p - w2 l3 h_x denies it.
    assert np.linalg.norm(pose.tip("hand")[0] - given["object"]) == pytest.approx(0.25 * given["l_hand"])
    np.testing.assert_allclose(pose.joint("hand")[0], expected["wrist"], atol=1e-15)


def test_d16_printed_lever_is_wrong_for_children_that_do_not_sit_at_the_end():
    tree = la.SegmentTree(la.hand_with_digits())
    attitudes = {name: np.array([1.0, 0.0, 0.0, 0.0]) for name in tree.names}
    pose = tree.placed(attitudes)
    answer = la.static_wrenches(pose)
    loads = {
        name: (answer["load_force"].values[0, k], answer["load_moment"].values[0, k])
        for k, name in enumerate(tree.names)
    }
    palm = tree["hand"]
    own = np.cross(palm.com, [0, 0, -9.81 * palm.mass])
    children = [part for part in tree.segments if part.parent == "hand"]
    end = np.array(palm.point(1.0))
    printed = own + sum(loads[part.name][1] + np.cross(end, loads[part.name][0]) for part in children)
    right = own + sum(loads[part.name][1] + np.cross(part.at, loads[part.name][0]) for part in children)
    np.testing.assert_allclose(right, loads["hand"][1], atol=1e-15)
    # The thumb stands far from the third knuckle: a tenth of the moment of the whole hand.
    assert np.abs(printed - right).max() > 0.1 * np.abs(right).max()


def test_d14_muscle_with_one_end_is_tied_to_the_base():
    given, expected = case("du_model2_biceps")
    arm = rods(given)
    told = expected["muscles"]
    muscles = arm.du_muscles(origin_on="upper_arm")
    answer = la.model_2(
        arm, given["hand"], given["m_load"], given["swivel"], muscles=muscles, gravity=given["g"]
    )
    shoulder = answer["load_force_with_muscles"].sel(joint="shoulder").values[0]
    np.testing.assert_allclose(shoulder, [0.0, 0.0, -74.556], atol=1e-11)
    pose = la.posture_by_swivel(arm, given["hand"], given["swivel"])
    # Printed (5): the insertion alone is added, so that the shoulder feels a muscle that does not span it.
    pull = told["tension"][0] * muscles[0].direction(pose)[0]
    printed = answer["load_force"].sel(joint="shoulder").values[0] + pull
    np.testing.assert_allclose(printed, [-67.3, -204.3, 105.9], atol=0.05)
