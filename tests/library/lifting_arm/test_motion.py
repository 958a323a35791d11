"""The arm in motion: at rest it is the static arm, in motion the engine, the shares and the energy agree."""

from __future__ import annotations

import math

import numpy as np
import pytest

import borelli as bo
from borelli import attitude
from borelli.errors import InvalidValueError, MissingInputError, ShapeError, UnknownNameError, UnsolvableError
from borelli.library import lifting_arm as la
from borelli.library.lifting_arm.dynamics import tree_pose
from borelli.library.lifting_arm.motion import quaternion_of, rotation_vector
from tests.library.lifting_arm.cases import random_attitudes
from tests.library.lifting_arm.second_way import segment_motion, wrench_shares


def carrying(origin_on: str = "base") -> la.LiftingArm:
    arm = la.Arm.of_person()
    weights = (
        la.Weight("held", "hand", 3.0, (0.1, 0.0, -0.03), (0.01, 0.012, 0.014)),
        la.Weight("cuff", "forearm", 0.5, (0.2, 0.01, 0.02)),
    )
    return la.LiftingArm(arm.tree, weights, arm.du_muscles(origin_on=origin_on))


def swinging(arm: la.LiftingArm, n_postures: int = 3) -> bo.Motion:
    postures = [
        {name: each[k] for name, each in random_attitudes(arm.tree, n_postures, 5).items()}
        for k in range(n_postures)
    ]
    return la.minimum_jerk_motion(arm, postures, 0.8, rest_s=0.1, rate_hz=50.0)


@pytest.mark.parametrize("origin_on", ["base", "upper_arm"])
def test_arm_at_rest_equals_the_static_arm(origin_on):
    arm = carrying(origin_on)
    attitudes = random_attitudes(arm.tree, 6, 21)
    pose = arm.tree.placed(attitudes)
    still = la.static_wrenches(pose, arm.weights)
    answer = bo.joint_reactions(arm.model, la.postures_at_rest(arm, attitudes), joints=arm.tree.joints)
    np.testing.assert_allclose(answer["force"], still["support_force"], atol=1e-12)
    np.testing.assert_allclose(answer["moment"], still["support_moment"], atol=1e-12)
    np.testing.assert_allclose(answer["point"], still["joint_position"], atol=1e-14)
    pulls = {"biceps": np.linspace(10, 300, 6), "triceps": np.full(6, 75.0)}
    still = la.static_wrenches(pose, arm.weights, muscles=arm.muscles, tensions=pulls)
    answer = bo.joint_reactions(
        arm.model, la.postures_at_rest(arm, attitudes), tensions=pulls, joints=arm.tree.joints
    )
    np.testing.assert_allclose(answer["force"], still["support_force"], atol=1e-11)
    np.testing.assert_allclose(answer["moment"], still["support_moment"], atol=1e-11)


def test_hand_with_digits_at_rest_equals_the_static_tree():
    tree, fixed = la.arm_with_digits(), la.grip("rod")
    arm = la.LiftingArm(tree, (la.Weight("held", "hand", 4.0, (0.07, 0, -0.03)),), fixed=fixed)
    attitudes = dict(la.sagittal_posture(20.0, 75.0, 10.0))
    motion = la.postures_at_rest(arm, attitudes)
    world = {name: np.asarray(q) for name, q in attitudes.items()}
    for segment in tree.segments:
        if segment.name in fixed:
            world[segment.name] = attitude.multiply(world[segment.parent], fixed[segment.name])
    still = la.static_wrenches(tree.placed(world), arm.weights)
    answer = bo.joint_reactions(arm.model, motion, joints=tree.joints)
    np.testing.assert_allclose(answer["force"], still["support_force"], atol=1e-12)
    np.testing.assert_allclose(answer["moment"], still["support_moment"], atol=1e-12)


def test_hand_with_digits_in_a_grip_moves_as_one():
    tree, fixed = la.arm_with_digits(), la.grip("rod")
    arm = la.LiftingArm(tree, fixed=fixed)
    postures = (la.sagittal_posture(0.0, 20.0), la.sagittal_posture(8.0, 120.0))
    answer = la.arm_dynamics(arm, la.minimum_jerk_motion(arm, postures, 0.6))
    assert answer.sizes["joint"] == 18
    assert float(answer["closure"]) < 1e-13
    assert answer.sizes["muscle"] == 0


def test_shares_add_up_to_what_the_engine_finds():
    arm = la.exercising_arm(6.0)
    for motion in (la.curl_motion(arm), la.extension_motion(arm)):
        answer = la.arm_dynamics(arm, motion)
        assert float(answer["closure"]) < 1e-13  # round-off of sums of a dozen terms
        np.testing.assert_allclose(answer["torque_share"].sum("source"), answer["torque"], atol=1e-11)
        np.testing.assert_allclose(answer["reaction_share"].sum("source"), answer["reaction"], atol=1e-10)
        # At rest nothing is inertial.
        moving = [s for s in answer["source"].values if s.startswith(("acceleration", "velocity"))]
        np.testing.assert_allclose(answer["reaction_share"].sel(source=moving)[[0, -1]], 0.0, atol=1e-9)


def test_shares_equal_those_found_with_vectors_from_the_motion_alone():
    arm = la.LiftingArm(carrying().tree, carrying().weights)
    motion = swinging(arm)
    told = bo.contributions(arm.model, motion, joints=arm.tree.joints)
    moved = segment_motion(arm, motion)
    expected = wrench_shares(arm, moved)
    np.testing.assert_allclose(moved.pose.origin, tree_pose(arm, motion).origin, atol=1e-14)
    carried = {"hand": "held", "forearm": "cuff"}
    for k, source in enumerate(expected.sources):
        kind, _, name = source.partition(":")
        # The second way counts what is carried with its segment; the engine tells the two apart.
        labels = [source, *([f"{kind}:{carried[name]}"] if kind != "weight" and name in carried else [])]
        for variable, values in (("reaction_force", expected.force), ("reaction_moment", expected.moment)):
            got = told[variable].sel(source=labels).sum("source")
            np.testing.assert_allclose(got, values[..., k], atol=1e-11)


def test_contact_on_a_moving_finger_is_a_source_of_its_own():
    tree = la.arm_with_digits()
    arm = la.LiftingArm(tree, fixed=la.grip("rod"))
    postures = (la.sagittal_posture(0.0, 20.0), la.sagittal_posture(8.0, 120.0))
    motion = la.minimum_jerk_motion(arm, postures, 0.6, rate_hz=50.0)
    push = np.array([1.0, 2.0, -15.0])
    contact = la.Contact("rod", "index_middle", la.contact_point(tree["index_middle"]), push)
    bare, touched = la.arm_dynamics(arm, motion), la.arm_dynamics(arm, motion, [contact])
    assert float(touched["closure"]) < 1e-13
    change = (touched["force"] - bare["force"]).max(["time", "axis"])
    assert float(np.abs(change.sel(joint="ring_metacarpophalangeal")).max()) == 0.0
    np.testing.assert_allclose(
        (touched["force"] - bare["force"]).sel(joint="wrist"), [-push] * motion.n_times, atol=1e-12
    )
    share = touched["reaction_share"].sel(source="load:rod", joint="shoulder")
    np.testing.assert_allclose(share, [-push] * motion.n_times, atol=1e-12)
    with pytest.raises(UnknownNameError, match="'toe' is not a segment") as caught:
        la.arm_dynamics(arm, motion, [la.Contact("x", "toe", (0, 0, 0), push)])
    assert caught.value.where == "contact 'x'"


def test_any_motion_closes_and_its_power_is_the_growth_of_energy():
    arm = la.LiftingArm(carrying().tree, carrying().weights)
    motion = swinging(arm)
    answer = la.arm_dynamics(arm, motion)
    assert float(answer["closure"]) < 1e-13
    force = bo.inverse_dynamics(arm.model, motion)["generalized_force"].values
    power = (force * motion.u).sum(axis=1)
    energy = bo.energy(arm.model, motion)
    total = (energy["kinetic_energy"] + energy["potential_energy"]).values
    change = np.gradient(total, motion.time)
    # Central differences over 20 ms of curves with periods near 1 s.
    np.testing.assert_allclose(change[2:-2], power[2:-2], atol=0.02 * np.abs(power).max())
    work = np.trapezoid(power, motion.time)
    assert work == pytest.approx(total[-1] - total[0], abs=2e-3 * np.abs(total).max())


def test_minimum_jerk_speeds_are_the_derivatives_of_the_attitudes():
    arm = la.LiftingArm(carrying().tree)
    motion = swinging(arm, 2)
    for k in range(3):
        q = motion.q[:, 4 * k : 4 * k + 4]
        inside = slice(10, -10)
        velocity, acceleration = attitude.rates_from_quaternions(motion.time[5:46], q[5:46])
        # A spline through frames 20 ms apart meets the quintic to a few parts in ten thousand.
        np.testing.assert_allclose(velocity[inside], motion.u[5:46, 3 * k : 3 * k + 3][inside], atol=1e-3)
        np.testing.assert_allclose(
            acceleration[inside], motion.udot[5:46, 3 * k : 3 * k + 3][inside], atol=0.1
        )


def test_minimum_jerk_begins_and_ends_at_its_postures():
    arm = la.LiftingArm(carrying().tree)
    postures = [
        la.sagittal_posture(0.0, 20.0),
        la.sagittal_posture(30.0, 90.0),
        la.sagittal_posture(90.0, 10.0),
    ]
    motion = la.minimum_jerk_motion(arm, postures, 0.5, rest_s=0.1, rate_hz=100.0)
    poses = bo.body_poses(arm.model, motion)["rotation"].sel(body="forearm").values
    for time, posture in ((0.05, 0), (0.65, 1), (1.25, 2)):
        frame = round(time * 100)
        np.testing.assert_allclose(
            poses[frame], attitude.rotation_matrix(postures[posture]["forearm"]), atol=1e-14
        )
        assert not np.any(motion.u[frame]) and not np.any(motion.udot[frame])


def test_recorded_attitudes_give_the_same_motion():
    arm = la.exercising_arm(6.0)
    motion = la.curl_motion(arm, rate_hz=200.0)
    rotation = bo.body_poses(arm.model, motion)["rotation"]
    signs = np.random.default_rng(3).choice([-1.0, 1.0], size=(motion.n_times, 1))
    recorded = {name: signs * attitude.from_matrix(rotation.sel(body=name).values) for name in arm.tree.names}
    again = la.recorded_motion(arm, motion.time, recorded)
    first, second = la.arm_dynamics(arm, motion), la.arm_dynamics(arm, again)
    away = np.abs(np.asarray(motion.time)[:, None] - np.array([0.1, 1.1, 1.2, 2.2])).min(axis=1) > 0.05
    # Minimum jerk has corners in its jerk where it starts and stops; the spline rounds them there and nowhere else.
    np.testing.assert_allclose(second["torque"][away], first["torque"][away], rtol=1e-3, atol=1e-3)


def test_instants_that_were_not_recorded_are_unknown_and_no_others():
    arm = la.exercising_arm(6.0)
    motion = la.curl_motion(arm, rate_hz=50.0)
    q = np.array(motion.q)
    q[30:34] = np.nan
    gap = bo.Motion(motion.time, motion.coordinates, q, motion.u, motion.udot, speeds=motion.speeds)
    with pytest.warns(bo.BorelliWarning, match="4"):
        answer = la.arm_dynamics(arm, gap)
    whole = la.arm_dynamics(arm, motion)
    known = np.ones(motion.n_times, dtype=bool)
    known[30:34] = False
    for name in ("torque", "tension", "reaction", "reaction_share", "residual_torque"):
        assert np.isnan(answer[name].values[~known]).all()
        np.testing.assert_allclose(answer[name].values[known], whole[name].values[known], atol=1e-11)
    assert float(answer["closure"]) < 1e-13


def test_slow_motion_approaches_the_static_arm():
    arm = la.exercising_arm(6.0)
    rest = la.arm_dynamics(arm, la.curl_motion(arm, duration_s=1000.0, rest_s=0.0, rate_hz=0.05))
    moving = [s for s in rest["source"].values if s.startswith(("acceleration", "velocity"))]
    # Inertial shares fall with the square of the duration: from tens of N m to a millionth of that.
    assert np.abs(rest["torque_share"].sel(source=moving)).max() < 1e-4


def test_lift_and_throw_begin_at_rest_and_end_as_asked():
    start, end, release = (0.3, 0.0, -0.3), (0.4, 0.1, 0.2), (3.0, 0.0, 1.5)
    time, lifted = la.straight_path(start, end, 0.5, rate_hz=1000.0)
    _, thrown = la.straight_path(start, end, 0.5, release_velocity=release, rate_hz=1000.0)
    for path in (lifted, thrown):
        np.testing.assert_allclose(path[[0, -1]], [start, end], atol=1e-15)
        assert np.abs(path[1] - path[0]).max() < 1e-7
    velocity = np.gradient(thrown, time, axis=0, edge_order=2)
    # Differences over 1 ms; accelerations on the way reach tens of m/s².
    np.testing.assert_allclose(velocity[-1], release, atol=1e-3)
    rise = np.gradient(velocity, time, axis=0)
    assert np.abs(rise[-3]).max() < 1.0 < 20.0 < np.abs(rise).max()


def test_thrown_hand_follows_its_path_and_needs_more_torque_than_a_lift():
    arm = la.Arm.of_person()
    moving = la.LiftingArm(
        arm.tree, (la.Weight("ball", "hand", 0.4, arm.hand.point(0.75)),), arm.du_muscles()
    )
    peaks = {}
    for name, velocity in (("lift", (0.0, 0.0, 0.0)), ("throw", (2.5, 0.0, 1.0))):
        time, path = la.straight_path(
            (0.25, -0.05, -0.15), (0.45, 0.0, 0.1), 0.4, release_velocity=velocity, rate_hz=200
        )
        motion = la.hand_motion(arm, moving, time, path, (1.0, 0.1, 0.3), (-0.3, 0.0, 1.0))
        poses = bo.body_poses(moving.model, motion)
        place = poses["origin"].sel(body="hand").values + poses["rotation"].sel(
            body="hand"
        ).values @ arm.hand.point(0.75)
        np.testing.assert_allclose(place, path, atol=1e-13)
        answer = la.arm_dynamics(la.LiftingArm(arm.tree, moving.weights), motion)
        assert float(answer["closure"]) < 1e-12
        moving_parts = [s for s in answer["source"].values if s.startswith(("acceleration", "velocity"))]
        inertial = answer["torque_share"].sel(joint="shoulder", source=moving_parts).sum("source")
        peaks[name] = float(np.abs(inertial).max())
    assert peaks["throw"] > 1.5 * peaks["lift"]


def test_path_that_leaves_the_reach_is_refused_with_its_instant():
    arm = la.Arm.of_person()
    time, path = la.straight_path((0.3, 0.0, 0.0), (0.9, 0.0, 0.0), 1.0, rate_hz=20.0)
    with pytest.raises(UnsolvableError, match="m from the shoulder") as caught:
        la.hand_motion(arm, la.LiftingArm(arm.tree), time, path, (1, 0, 0.2), (0, 0, 1))
    frame = int(caught.value.where.split()[1].rstrip(","))
    reach = arm.upper_arm.length + arm.forearm.length
    distance = np.linalg.norm(
        path - 0.75 * arm.hand.length * np.array([1, 0, 0.2]) / math.hypot(1, 0.2), axis=1
    )
    assert frame == int(np.argmax(distance > reach))


def test_turning_the_whole_movement_about_the_vertical_changes_no_torque():
    arm = la.exercising_arm(6.0)
    turn = quaternion_of([0.0, 0.0, 0.9])
    low, high = la.sagittal_posture(0.0, 20.0), la.sagittal_posture(15.0, 110.0)
    turned = [{name: attitude.multiply(turn, q) for name, q in posture.items()} for posture in (low, high)]
    # Muscles from the shoulder blade would have to turn with it; without them the base has no direction.
    arm = la.LiftingArm(arm.tree, arm.weights)
    before = la.arm_dynamics(arm, la.minimum_jerk_motion(arm, (low, high), 0.5))
    after = la.arm_dynamics(arm, la.minimum_jerk_motion(arm, turned, 0.5))
    np.testing.assert_allclose(after["torque"], before["torque"], atol=1e-12)
    rotated = before["reaction"].values @ attitude.rotation_matrix(turn).T
    np.testing.assert_allclose(after["reaction"], rotated, atol=1e-11)


def test_sagittal_postures_bend_forward_with_the_palm_on_the_side_of_the_biceps():
    tree = la.Arm.of_person().tree
    pose = tree.placed(la.sagittal_posture(30.0, 60.0, 20.0))
    upper, fore, hand = pose.rotation[0]
    np.testing.assert_allclose(
        upper[:, 0], [math.sin(math.radians(30)), 0, -math.cos(math.radians(30))], atol=1e-15
    )
    np.testing.assert_allclose(fore[:, 0], [1, 0, 0], atol=1e-15)
    np.testing.assert_allclose(
        hand[:, 0], [math.cos(math.radians(20)), 0, math.sin(math.radians(20))], atol=1e-15
    )
    # The palm is opposite to the hand's z axis; the biceps lies on the side of the forearm's.
    assert -hand[:, 2] @ fore[:, 2] == pytest.approx(math.cos(math.radians(20)))
    hanging = tree.placed(la.sagittal_posture(0.0, 0.0))
    np.testing.assert_allclose(hanging.tip("hand")[0, :2], 0.0, atol=1e-15)


def test_sagittal_axes_are_forward_up_right():
    arm = la.exercising_arm(6.0)
    answer = la.arm_dynamics(arm, la.curl_motion(arm, rate_hz=20.0))
    seen = la.in_sagittal_axes(answer)
    for name in ("reaction", "moment", "joint_position"):
        np.testing.assert_array_equal(seen[name].sel(axis="x"), answer[name].sel(axis="x"))
        np.testing.assert_array_equal(seen[name].sel(axis="y"), answer[name].sel(axis="z"))
        np.testing.assert_array_equal(seen[name].sel(axis="z"), -answer[name].sel(axis="y"))
        assert seen[name].dims == answer[name].dims and seen[name].attrs["expressed_in"] == "sagittal"
    np.testing.assert_array_equal(seen["torque"], answer["torque"])


def test_rotation_vectors_and_quaternions_undo_each_other():
    turn = np.random.default_rng(2).normal(size=(40, 3))
    turn[0], turn[1] = 0.0, 1e-12
    np.testing.assert_allclose(rotation_vector(quaternion_of(turn)), turn, rtol=1e-12, atol=1e-24)
    assert np.linalg.norm(rotation_vector([-0.1, 0.0, 0.0, 0.9949874371066199])) < math.pi


def test_motions_that_make_no_sense_are_refused():
    arm = la.LiftingArm(carrying().tree)
    posture = la.sagittal_posture(0.0, 20.0)
    with pytest.raises(MissingInputError, match=r"1 posture\(s\) make no movement"):
        la.minimum_jerk_motion(arm, [posture], 1.0)
    with pytest.raises(InvalidValueError, match="the duration is 0"):
        la.minimum_jerk_motion(arm, [posture, posture], 0.0)
    with pytest.raises(InvalidValueError, match="the rest is -1"):
        la.minimum_jerk_motion(arm, [posture, posture], 1.0, rest_s=-1.0)
    with pytest.raises(MissingInputError, match="segment 'hand' has no attitude"):
        la.postures_at_rest(arm, {name: posture[name] for name in ("upper_arm", "forearm")})
    with pytest.raises(UnknownNameError, match="'hands' is not a segment") as caught:
        la.postures_at_rest(arm, {**posture, "hands": posture["hand"]})
    assert caught.value.closest == ("hand",)
    rows = {name: np.tile(q, (3, 1)) for name, q in posture.items()}
    with pytest.raises(ShapeError, match="3 instants of attitudes do not fit time"):
        la.recorded_motion(arm, [0.0, 1.0], rows)
    with pytest.raises(ShapeError, match=r"attitudes over \[2, 3\] instants"):
        la.recorded_motion(arm, [0.0, 1.0, 2.0], {**rows, "hand": rows["hand"][:2]})
    deltoid = la.ArmMuscle(
        name="deltoid", origin=(0.0, 0.0, 0.03), insertion_on="upper_arm", insertion=(0.1, 0, 0)
    )
    shrugging = la.LiftingArm(arm.tree, muscles=(deltoid,))
    with pytest.raises(InvalidValueError, match="muscle 'deltoid' does not span the elbow"):
        la.arm_dynamics(shrugging, la.postures_at_rest(shrugging, posture))
    with pytest.raises(UnknownNameError, match="'thumb' is not a segment") as caught:
        la.LiftingArm(arm.tree, fixed={"thumb": [1, 0, 0, 0]})
    assert caught.value.where == "fixed"
    with pytest.raises(UnknownNameError, match="'leg' is not a segment") as caught:
        la.LiftingArm(arm.tree, (la.Weight("w", "leg", 1.0),))
    assert caught.value.where == "weight 'w'"
