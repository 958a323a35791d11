"""Du's three static arms equal the reference numbers, and every segment is in equilibrium."""

from __future__ import annotations

import math

import numpy as np
import pytest

from borelli import attitude
from borelli.errors import (
    DuplicateNameError,
    InvalidValueError,
    MissingInputError,
    ShapeError,
    UnknownNameError,
    UnsolvableError,
)
from borelli.library import Person
from borelli.library import lifting_arm as la
from tests.library.lifting_arm.cases import assert_reference, case, random_attitudes, random_wrists, rods

MUSCLED = ["du_model2_biceps", "du_model2_triceps"]


def assert_wrench(answer, joint, expected, force="load_force", moment="load_moment"):
    assert_reference(answer[force].sel(joint=joint)[0], expected["F"])
    assert_reference(answer[moment].sel(joint=joint)[0], expected["M"])


@pytest.mark.parametrize("name", ["du_model1", *MUSCLED])
def test_model_1_equals_the_reference(name):
    given, expected = case(name)
    answer = la.model_1(rods(given), given["hand"], given["m_load"], given["swivel"], gravity=given["g"])
    assert_reference(answer["elbow"][0], expected["elbow"])
    assert_reference(answer["attitude"].sel(segment="forearm")[0], expected["quat_fore"])
    assert_reference(answer["attitude"].sel(segment="upper_arm")[0], expected["quat_upper"])
    for joint in ("elbow", "shoulder"):
        assert_wrench(answer, joint, expected[f"load_{joint}"])
        assert_wrench(answer, joint, expected[f"support_{joint}"], "support_force", "support_moment")
    circle = la.elbow_circle(given["hand"], given["l_upper"], given["l_fore"])
    assert_reference(circle.centre_distance[0], expected["circle"]["centre_distance"])
    assert_reference(circle.radius[0], expected["circle"]["radius"])
    assert "tension" not in answer


@pytest.mark.parametrize("name", MUSCLED)
@pytest.mark.parametrize("origin_on", ["base", "upper_arm"])
def test_model_2_equals_the_reference(name, origin_on):
    given, expected = case(name)
    arm = rods(given)
    muscles = arm.du_muscles(tuple(given["r_d"]), origin_on=origin_on)
    answer = la.model_2(
        arm, given["hand"], given["m_load"], given["swivel"], muscles=muscles, gravity=given["g"]
    )
    told = expected["muscles"]
    assert_reference(answer["tension"][0], told["tension"])
    assert_reference(answer["required_moment"][0], told["required_moment"])
    assert_reference(answer["residual_moment"][0], told["residual_moment_elbow_load"])
    with_muscles = ("load_force_with_muscles", "load_moment_with_muscles")
    assert_wrench(answer, "elbow", told["load_elbow_with_muscles"], *with_muscles)
    on = "base" if origin_on == "base" else "upper_arm"
    assert_wrench(answer, "shoulder", told[f"load_shoulder_origin_on_{on}"], *with_muscles)
    active = str(answer["muscle"].values[int(np.argmax(answer["tension"].values[0]))])
    assert active == told["active"]
    pose = la.posture_by_swivel(arm, given["hand"], given["swivel"])
    for k, muscle in enumerate(muscles):
        assert_reference(pose.point("forearm", muscle.insertion)[0], told["insertion"][k])
        assert_reference(muscle.direction(pose)[0], told["unit_dir_distal_to_proximal"][k])
        assert_reference(muscle.unit_torque(pose)[0], told["unit_torque"][k])


def test_model_3_equals_the_reference():
    given, expected = case("du_model3_hand")
    arm = rods(given)
    answers = {
        on: la.model_3(
            arm,
            given["object"],
            given["m_load"],
            given["hand_x"],
            given["hand_z"],
            given["w2_from_wrist"],
            muscles=arm.du_muscles(tuple(given["r_d"]), origin_on=on),
            gravity=given["g"],
        )
        for on in ("base", "upper_arm")
    }
    answer, told = answers["base"], expected["muscles"]
    assert_reference(answer["joint_position"].sel(joint="wrist")[0], expected["wrist"])
    assert_reference(answer["elbow"][0], expected["elbow"])
    assert_reference(answer["wrist_bend"][0], expected["wrist_bend"])
    assert_reference(answer["attitude"].sel(segment="upper_arm")[0], expected["quats"]["upper"])
    assert_reference(answer["attitude"].sel(segment="forearm")[0], expected["quats"]["fore"])
    for joint in ("wrist", "elbow", "shoulder"):
        assert_wrench(answer, joint, expected[f"load_{joint}"])
    assert_reference(answer["tension"][0], told["tension"])
    assert_reference(answer["required_moment"][0], told["required_moment"])
    assert_reference(answer["residual_moment"][0], told["residual_moment_elbow_load"])
    names = ("load_force_with_muscles", "load_moment_with_muscles")
    assert_wrench(answer, "elbow", told["load_elbow_with_muscles"], *names)
    for on, each in answers.items():
        assert_wrench(each, "shoulder", told[f"load_shoulder_origin_on_{on}"], *names)
    pose = la.posture_of_hand(arm, given["object"], given["hand_x"], given["hand_z"])
    assert_reference(pose.tip("hand")[0], expected["tip"])
    assert_reference(pose.point("hand", arm.hand.point(0.75))[0], given["object"])


def bushy_tree() -> la.SegmentTree:
    """A tree in which children do not sit at the ends of their parents."""
    return la.SegmentTree(
        (
            la.Segment(name="trunk", length=0.5, mass=3.0, com=(0.2, 0.01, 0.03), at=(0.1, 0.2, 0.3)),
            la.Segment(
                name="left", length=0.3, mass=1.0, com=(0.1, 0.0, 0.02), parent="trunk", at=(0.4, 0.1, 0)
            ),
            la.Segment(
                name="right", length=0.2, mass=1.5, com=(0.1, 0, 0), parent="trunk", at=(0.2, -0.1, 0.05)
            ),
            la.Segment(name="tip", length=0.1, mass=0.2, com=(0.04, 0, 0), parent="left", at=(0.3, 0.0, 0.0)),
        )
    )


def test_every_segment_is_in_equilibrium_and_joints_react():
    tree = bushy_tree()
    pose = tree.placed(random_attitudes(tree, 7, 11), base=(0.3, -0.2, 0.1))
    weight = la.Weight("lead", "right", 2.0, (0.05, 0.02, 0.0))
    contact = la.Contact("push", "tip", (0.02, 0.0, 0.01), np.random.default_rng(1).normal(size=(7, 3)) * 30)
    muscle = la.ArmMuscle(name="m", origin_on="right", origin=(0.1, 0, 0), insertion_on="tip")
    answer = la.static_wrenches(pose, [weight], [contact], [muscle], {"m": 80.0}, gravity=9.81)
    support = {name: answer["support_force"].values[:, k] for k, name in enumerate(tree.names)}
    turning = {name: answer["support_moment"].values[:, k] for k, name in enumerate(tree.names)}
    np.testing.assert_array_equal(answer["load_force"], -answer["support_force"])
    down = np.array([0.0, 0.0, -9.81])
    (piece,) = muscle.pieces(pose)
    for name in tree.names:
        segment = tree[name]
        # All forces on this segment, with their points in the world: support, weights, reactions of its children.
        acting = [(pose.joint(name), support[name]), (pose.point(name, segment.com), segment.mass * down)]
        couples = turning[name].copy()
        for child in tree.segments:
            if child.parent == name:
                acting.append((pose.joint(child.name), -support[child.name]))
                couples = couples - turning[child.name]
        if name == "right":
            acting += [(pose.point("right", weight.at), 2.0 * down), (piece.near_end, -80.0 * piece.pull)]
        if name == "tip":
            acting += [(pose.point("tip", contact.at), contact.force), (piece.far_end, 80.0 * piece.pull)]
        # Sums of a few hundred newtons in double precision.
        np.testing.assert_allclose(sum(force for _, force in acting), 0.0, atol=1e-12)
        moments = sum(np.cross(place, force) for place, force in acting)
        np.testing.assert_allclose(moments + couples, 0.0, atol=1e-12)


def test_turning_the_arm_about_the_vertical_turns_the_wrenches():
    given, _ = case("du_model3_hand")
    arm, angle = rods(given), 0.7
    turn = np.array(
        [[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]]
    )
    vectors = [np.array(given[name]) for name in ("object", "hand_x", "hand_z")]
    before = la.model_3(arm, vectors[0], 4.0, vectors[1], vectors[2])
    after = la.model_3(arm, turn @ vectors[0], 4.0, turn @ vectors[1], turn @ vectors[2])
    np.testing.assert_allclose(after["tension"], before["tension"], rtol=1e-12)
    for name in ("load_force_with_muscles", "load_moment_with_muscles", "load_moment"):
        np.testing.assert_allclose(after[name], before[name].values @ turn.T, atol=1e-11)


def test_twice_the_masses_bear_twice_the_load_and_no_gravity_none():
    arm, heavy = (la.Arm.of_rods((0.31, 0.27), masses, (0.45, 0.43)) for masses in ((2.1, 1.5), (4.2, 3.0)))
    once, twice = la.model_2(arm, [0.3, 0.1, 0.1], 3.0), la.model_2(heavy, [0.3, 0.1, 0.1], 6.0)
    np.testing.assert_allclose(twice["load_moment"], 2 * once["load_moment"], rtol=1e-14)
    np.testing.assert_allclose(twice["tension"], 2 * once["tension"], rtol=1e-13)
    assert not np.any(la.model_2(arm, [0.3, 0.1, 0.1], 3.0, gravity=0.0)["tension"])


def test_weight_on_any_segment_loads_the_joints_before_it_alone():
    arm = la.Arm.of_person()
    pose = la.posture_of_hand(arm, [0.35, 0.1, -0.1], [1, 0.2, 0.1], [0, 0, 1])
    bare = la.held_still(pose)
    cuff = la.Weight("cuff", "forearm", 1.5, arm.forearm.point(0.8))
    cuffed = la.held_still(pose, weights=[cuff])
    change = cuffed["load_force"] - bare["load_force"]
    np.testing.assert_allclose(change.sel(joint=["shoulder", "elbow"])[0, :, 2], -1.5 * 9.81, rtol=1e-14)
    assert not np.any(change.sel(joint="wrist"))
    lever = pose.point("forearm", cuff.at) - pose.joint("forearm")
    expected = np.cross(lever, [0, 0, -1.5 * 9.81])
    np.testing.assert_allclose(
        (cuffed["load_moment"] - bare["load_moment"]).sel(joint="elbow"), expected, atol=1e-13
    )


def test_many_instants_equal_one_by_one():
    arm = la.Arm.of_person()
    hands = random_wrists(25, 3, 0.2, 0.5)
    together = la.model_2(arm, hands, 2.0, 0.5)
    for k in (0, 7, 24):
        alone = la.model_2(arm, hands[k], 2.0, 0.5)
        # The same sums, in vectors of another length.
        np.testing.assert_allclose(
            together["load_moment_with_muscles"][k],
            alone["load_moment_with_muscles"][0],
            rtol=1e-12,
            atol=1e-12,
        )


def test_residual_of_the_elbow_lies_in_the_plane_of_the_arm():
    arm = la.Arm.of_person()
    hands = random_wrists(25, 4, 0.2, 0.5)
    answer = la.model_2(arm, hands, 2.0, 0.9)
    pose = la.posture_by_swivel(arm, hands, 0.9)
    normal = np.cross(pose.joint("forearm"), hands)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    np.testing.assert_allclose((answer["residual_moment"].values * normal).sum(axis=1), 0.0, atol=1e-12)
    assert np.all((answer["tension"] > 0).sum("muscle") == 1)


def test_straight_elbow_that_must_carry_a_moment_is_refused_and_a_hanging_one_is_not():
    arm = la.Arm.of_rods((0.3125, 0.1875), (2.0, 1.0), (0.5, 0.5))
    with pytest.raises(UnsolvableError, match="no moment arm") as caught:
        la.model_2(arm, [[0.3, 0, 0], [0.5, 0, 0]], 1.0)
    assert caught.value.where == "instant 1"
    assert not np.any(la.model_2(arm, [0, 0, -0.5], 1.0)["tension"])


def test_persons_arm_has_the_masses_of_the_table():
    person = Person(80.0, 1.8, "female")
    arm = la.Arm.of_person(person)
    assert [part.mass for part in arm.segments] == [
        pytest.approx(80.0 * share) for share in (0.0255, 0.0138, 0.0056)
    ]
    assert arm.hand.length == pytest.approx(1.8 * 170.1 / 1735.0)
    for part in arm.segments:
        xx, yy, zz = part.inertia
        # The transverse radius is that of the planar models; longitudinal moments are the smallest.
        assert yy == pytest.approx(person.segment(part.name).inertia)
        assert xx < yy < zz < xx + yy


def test_hand_is_needed_where_an_object_is_held_in_it():
    arm = la.Arm.of_rods((0.3, 0.3), (1, 1), (0.5, 0.5))
    with pytest.raises(MissingInputError, match="The arm has no hand"):
        la.model_3(arm, [0.3, 0, 0], 1.0, [1, 0, 0], [0, 0, 1])


def test_hand_axes_in_line_are_refused():
    with pytest.raises(InvalidValueError, match="x and z axes are in line") as caught:
        la.posture_of_hand(la.Arm.of_person(), [[0.3, 0, 0]] * 2, [[1, 0, 0], [0, 0, 2]], [0, 0, 1])
    assert caught.value.where == "instant 1"


def test_arm_plane_attitudes_share_the_axis_of_flexion():
    arm = la.Arm.of_person()
    pose = la.posture_by_swivel(arm, random_wrists(10, 5, 0.2, 0.5), 0.3)
    elbow, wrist = pose.joint("forearm"), pose.tip("forearm")
    found = la.arm_plane_attitudes(elbow, wrist)
    for name, along in (("upper_arm", elbow), ("forearm", wrist - elbow)):
        rotation = attitude.rotation_matrix(found[name])
        np.testing.assert_allclose(
            rotation[:, :, 0], along / np.linalg.norm(along, axis=1, keepdims=True), atol=1e-14
        )
        normal = np.cross(wrist - elbow, elbow)
        np.testing.assert_allclose(
            rotation[:, :, 1], normal / np.linalg.norm(normal, axis=1, keepdims=True), atol=1e-13
        )
    with pytest.raises(UnsolvableError, match="make no plane") as caught:
        la.arm_plane_attitudes([[0.3, 0, 0], [0.3, 0, 0]], [[0.3, 0, 0.3], [0.6, 0, 0]])
    assert caught.value.where == "instant 1"


def test_numbers_that_do_not_fit_the_instants_are_refused():
    arm = la.Arm.of_person()
    hands = random_wrists(3, 1, 0.3, 0.4)
    with pytest.raises(ShapeError, match="the swivel angle is given for 2 instants, where there are 3"):
        la.model_1(arm, hands, 1.0, [0.1, 0.2])
    with pytest.raises(InvalidValueError, match="the swivel angle is not finite") as caught:
        la.model_1(arm, hands, 1.0, [0.1, math.nan, 0.2])
    assert caught.value.where == "instant 1"
    with pytest.raises(ShapeError, match=r"the swivel angle needs the shape \(n_instants,\)"):
        la.model_1(arm, hands, 1.0, np.zeros((3, 1)))
    with pytest.raises(ShapeError, match="the hand's x axis is given for 2 instants"):
        la.model_3(arm, hands, 1.0, np.eye(3)[:2], np.eye(3))
    with pytest.raises(ShapeError, match="the hand's attitude is given for 2 instants"):
        la.model_3(arm, hands, 1.0, np.eye(3)[:2], [0, 0, 1])
    pose = la.posture_by_swivel(arm, hands)
    with pytest.raises(ShapeError, match="the force of contact 'c' is given for 2 instants"):
        la.static_wrenches(pose, contacts=[la.Contact("c", "forearm", (0, 0, 0), np.zeros((2, 3)))])
    for counts in (((0.3, 0.3), (1.0,), (0.5, 0.5)), ((0.3,), (1.0,), (0.5,)), ((1.0,) * 4,) * 3):
        with pytest.raises(ShapeError, match="An arm has 2 or 3 segments"):
            la.Arm.of_rods(*counts)


def test_tensions_of_unknown_muscles_and_pushing_ones_are_refused():
    arm = la.Arm.of_person()
    pose = la.posture_by_swivel(arm, random_wrists(3, 1, 0.3, 0.4))
    with pytest.raises(UnknownNameError, match="'bicep' is not a muscle") as caught:
        la.static_wrenches(pose, muscles=arm.du_muscles(), tensions={"bicep": 1.0})
    assert caught.value.closest[0] == "biceps"
    with pytest.raises(InvalidValueError, match="is -2 N: muscles do not push") as caught:
        la.static_wrenches(pose, muscles=arm.du_muscles(), tensions={"biceps": [1.0, -2.0, 3.0]})
    assert caught.value.where == "instant 1"


def test_trees_that_make_no_sense_are_refused():
    rod = la.Segment(name="rod", length=1.0)
    with pytest.raises(DuplicateNameError, match="Two segments are called 'rod'"):
        la.SegmentTree((rod, rod))
    with pytest.raises(UnknownNameError, match="'rot' is not a segment before it"):
        la.SegmentTree((rod, la.Segment(name="b", length=1.0, parent="rot")))
    with pytest.raises(MissingInputError, match="at least one segment"):
        la.SegmentTree(())
    with pytest.raises(InvalidValueError, match="the length of segment 'rod' is -1"):
        la.Segment(name="rod", length=-1.0)
    with pytest.raises(InvalidValueError, match="the mass of segment 'rod' is -2"):
        la.Segment(name="rod", length=1.0, mass=-2.0)
    tree = la.SegmentTree((rod, la.Segment(name="b", length=1.0, parent="rod")))
    with pytest.raises(MissingInputError, match="segment 'b' has no attitude"):
        tree.placed({"rod": [1, 0, 0, 0]})
    with pytest.raises(ShapeError, match=r"attitudes over \[2, 3\] instants"):
        tree.placed({"rod": [[1, 0, 0, 0]] * 2, "b": [[1, 0, 0, 0]] * 3})
    pose = tree.placed({"rod": [1, 0, 0, 0], "b": [1, 0, 0, 0]})
    with pytest.raises(UnknownNameError, match="'road' is not a segment") as caught:
        la.static_wrenches(pose, [la.Weight("w", "road", 1.0)])
    assert caught.value.where == "weight 'w'" and caught.value.closest == ("rod",)
    with pytest.raises(InvalidValueError, match="the mass of weight 'w' is -1"):
        la.Weight("w", "rod", -1.0)
