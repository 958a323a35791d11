"""Segment space and joint space: Biscarini's and Cesari's matrices."""

import numpy as np
import pytest

from borelli import planar
from tests.planar.golden import CASES, CHAIN_CASES, TOLERANCE, chain_of, gap, loads_of, motion_of


def loads_without_tensions(inputs):
    loads = loads_of(inputs)
    return loads["contacts"], loads["couples"]


@pytest.mark.parametrize("case", CHAIN_CASES)
def test_matrices_equal_the_reference(case):
    inputs, outputs = CASES[case]["inputs"], CASES[case]["outputs"]
    chain, motion, loads = chain_of(inputs), motion_of(inputs), loads_without_tensions(inputs)
    segment, joint = planar.segment_space(chain, motion, *loads), planar.joint_space(chain, motion, *loads)
    for name, key in (("M", "M"), ("N", "N"), ("G", "G"), ("Q", "Q_ext")):
        assert gap(segment[name][0], outputs["segment"][key]) < TOLERANCE
    for name in ("M", "v", "G", "T_ext"):
        assert gap(joint[name][0], outputs["joint"][name]) < TOLERANCE


@pytest.mark.parametrize("case", CHAIN_CASES)
def test_both_spaces_give_the_torques_of_the_analysis(case):
    inputs = CASES[case]["inputs"]
    chain, motion, loads = chain_of(inputs), motion_of(inputs), loads_without_tensions(inputs)
    torque = planar.analyze(chain, motion, *loads).torque.values[0]
    s = planar.segment_space(chain, motion, *loads).isel(time=0)
    differences = (
        s.M.values @ motion.acceleration[0] + s.N.values @ motion.velocity[0] ** 2 + s.G.values - s.Q.values
    )
    np.testing.assert_allclose(torque - np.append(torque[1:], 0.0), differences, rtol=1e-11, atol=1e-11)
    j = planar.joint_space(chain, motion, *loads).isel(time=0)
    by_joint = j.M.values @ planar.joint_from_segment(motion.acceleration[0]) + j.v + j.G + j.T_ext
    np.testing.assert_allclose(torque, by_joint, rtol=1e-11, atol=1e-11)


def cesari():
    case = CASES["cesari_three_link"]
    i = case["inputs"]
    names = ("upper arm", "forearm", "hand")
    links = tuple(
        planar.Link(name, i["l"][k], i["m"][k], i["I"][k], (i["d"][k], 0.0)) for k, name in enumerate(names)
    )
    chain = planar.Chain(links, gravity=(0.0, -i["g"]))
    motion = planar.Motion.from_joint_angles([0.0], [i["alpha"]], [i["alpha_dot"]], [i["alpha_ddot"]])
    spring = planar.Contact("spring", "hand", (i["d"][2] + i["d_S_from_hand_com"], 0.0), (-i["F_S"], 0.0))
    return chain, motion, spring, i, case["outputs"]


def test_cesari_three_link_arm_in_joint_space_equals_the_reference():
    chain, motion, spring, _, outputs = cesari()
    joint = planar.joint_space(chain, motion, (spring,))
    for name in ("M", "v", "G", "T_ext"):
        assert gap(joint[name][0], outputs[name]) < TOLERANCE
    answer = planar.analyze(chain, motion, (spring,))
    assert gap(answer.torque[0], outputs["T"]) < TOLERANCE
    assert gap(answer.reaction[0], outputs["joint_forces_on_distal"]) < TOLERANCE
    assert gap(planar.kinematics(chain, motion).com_acceleration[0], outputs["com_acc"]) < TOLERANCE
    recursion = planar.newton_euler(chain, motion, (spring,))
    assert gap(recursion.torque[0], outputs["T"]) < TOLERANCE


def test_cesari_equation_31_as_printed_fails_where_ours_holds():
    """(31) prints l2 d3 cos(alpha3) where 2 l2 d3 cos(alpha3) belongs; the matrix then loses its definiteness."""
    chain, motion, _, i, outputs = cesari()
    (_, m2, m3), (_, l2, _), (_, d2, d3), (_, i2, i3) = i["m"], i["l"], i["d"], i["I"]
    cos3 = np.cos(i["alpha"][2])
    printed = m2 * d2**2 + i2 + m3 * (l2**2 + d3**2 + l2 * d3 * cos3) + i3
    ours = planar.joint_space(chain, motion).M.values[0]
    assert printed == pytest.approx(outputs["printed_but_wrong"]["eq31_M22"], rel=1e-12)
    assert abs(printed - ours[1, 1]) > 0.01
    assert printed + m3 * l2 * d3 * cos3 == pytest.approx(ours[1, 1], rel=1e-12)
    assert np.all(np.linalg.eigvalsh(ours) > 0)


def test_cesari_accelerations_10_and_14_as_printed_fail_where_ours_hold():
    chain, motion, _, i, outputs = cesari()
    (a1, a2, a3), (r1, r2, r3), (t1, t2, t3) = i["alpha"], i["alpha_dot"], i["alpha_ddot"]
    (l1, l2, _), (_, d2, d3) = i["l"], i["d"]
    s, c = np.sin, np.cos
    ours = planar.kinematics(chain, motion).com_acceleration.values[0]
    common = (l1 * c(a1) + d2 * c(a1 + a2)) * t1 + d2 * c(a1 + a2) * t2
    turning = 2 * r1 * r2 + r2**2
    printed_10 = common - (l1 * s(a1) - d2 * s(a1 + a2)) * r1**2 + d2 * s(a1 + a2) * turning
    correct_10 = common - (l1 * s(a1) + d2 * s(a1 + a2)) * r1**2 - d2 * s(a1 + a2) * turning
    assert printed_10 == pytest.approx(outputs["printed_but_wrong"]["eq10_ydd2"], rel=1e-12)
    assert correct_10 == pytest.approx(ours[1, 1], rel=1e-12)
    assert abs(printed_10 - ours[1, 1]) > 0.05
    h = a1 + a2 + a3
    rest = (
        (l1 * c(a1) + l2 * c(a1 + a2) + d3 * c(h)) * t1
        + (l2 * c(a1 + a2) + d3 * c(h)) * t2
        + d3 * c(h) * t3
        - (l1 * s(a1) + l2 * s(a1 + a2) + d3 * s(h)) * r1**2
        - (l2 * s(a1 + a2) + d3 * s(h)) * r2**2
        - d3 * s(h) * r3**2
        - d3 * s(h) * (2 * r1 * r3 + 2 * r2 * r3)
    )
    printed_14 = rest - (l2 * s(a1 + a2) + d3 * c(h)) * 2 * r1 * r2
    correct_14 = rest - (l2 * s(a1 + a2) + d3 * s(h)) * 2 * r1 * r2
    assert printed_14 == pytest.approx(outputs["printed_but_wrong"]["eq14_ydd3"], rel=1e-12)
    assert correct_14 == pytest.approx(ours[2, 1], rel=1e-12)
    assert abs(printed_14 - ours[2, 1]) > 0.1


def test_angles_convert_both_ways():
    theta = np.array([[0.3, 1.0, -0.4], [0.0, 0.2, 0.1]])
    alpha = planar.joint_from_segment(theta)
    np.testing.assert_allclose(alpha[0], [0.3, 0.7, -1.4])
    np.testing.assert_allclose(planar.segment_from_joint(alpha), theta)
    beta = planar.internal_from_joint(alpha)
    np.testing.assert_allclose(beta[0], [0.3, np.pi - 0.7, np.pi + 1.4])
    np.testing.assert_allclose(planar.joint_from_internal(beta), alpha)


def test_guided_spring_pulls_back_along_its_axis():
    chain, motion, _, i, _ = cesari()
    point = (0.18, 0.0)
    spring = planar.spring_contact("spring", chain, motion, "hand", point, stiffness=200.0, rest=0.1)
    theta = np.cumsum(i["alpha"])
    x = i["l"][0] * np.cos(theta[0]) + i["l"][1] * np.cos(theta[1]) + 0.18 * np.cos(theta[2])
    np.testing.assert_allclose(spring.force, [[-200.0 * (x - 0.1), 0.0]], rtol=1e-12, atol=1e-12)
