"""Ready-made exercises: what they work against is what they say, and their joints balance it."""

from __future__ import annotations

import numpy as np
import pytest

from borelli import errors, library, planar

G = 9.81
EXERCISES = {
    "leg_extension": library.leg_extension,
    "leg_curl": library.leg_curl,
    "leg_press": library.leg_press,
    "barbell_squat": library.barbell_squat,
    "bench_press": library.bench_press,
    "biceps_curl": library.biceps_curl,
    "gait_push_off": library.gait_push_off,
    "step_up": library.step_up,
    "box_lift": library.box_lift,
}


@pytest.mark.parametrize("name", EXERCISES)
def test_every_exercise_closes_and_follows_its_own_angles(name):
    exercise = EXERCISES[name]()
    answer = exercise.analyze()
    assert float(answer.closure) < 1e-12
    free = planar.Motion(exercise.motion.time, exercise.motion.angle)  # rates by a quintic spline
    scale = np.abs(exercise.motion.acceleration).max()
    inner = slice(10, -10)
    gap = np.abs(free.acceleration - exercise.motion.acceleration)[inner].max()
    # Where a movement begins, minimum jerk has a corner in the jerk, which a spline rounds off.
    assert gap < 0.05 * scale
    assert set(answer.moment_arm.muscle.values) == set(exercise.chain.muscle_names)


@pytest.mark.parametrize("kind", ["pad", "weight", "cable", "band"])
def test_knee_extension_needs_an_extending_torque_against_every_resistance(kind):
    answer = library.leg_extension(resistance=kind).analyze()
    straight = int(np.argmax(library.leg_extension().motion.angle[:, 0]))
    assert float(answer.torque[straight, 0]) > 20.0
    source = {"pad": "pad", "weight": "cuff"}.get(kind, kind)
    share = answer.torque_share.sel(source=f"load:{source}")[:, 0].values
    if kind == "pad":
        length = library.leg_extension().chain.links[0].length
        np.testing.assert_allclose(share, 150.0 * 0.9 * length, rtol=1e-12)
    if kind == "weight":
        assert abs(share[0]) < 1e-9  # hangs straight below the knee
    if kind == "band":
        assert share[0] == 0.0  # slack
        assert float(answer.equipment_tension[straight, 0]) == pytest.approx(150.0, rel=1e-6)


def test_the_patellar_tendon_pulls_forward_near_extension_and_backward_in_flexion():
    chain = library.leg_extension().chain
    postures = planar.Motion.static([[0.0], [-np.pi / 2]])
    tense = planar.analyze(chain, postures, tensions={"quadriceps": 1000.0})
    share = {
        part: tense[f"{part}_share"].sel(source="muscle:quadriceps")[:, 0].values
        for part in ("compression", "shear")
    }
    # The joint holds against the pull: forward pull, backward shear. Angles of Herzog & Read (1993), about.
    angle = np.degrees(np.arctan2(-share["shear"], share["compression"]))
    assert angle[0] == pytest.approx(15.0, abs=1.0)
    assert angle[1] == pytest.approx(-7.0, abs=1.0)
    arm = tense.moment_arm.sel(muscle="quadriceps")[:, 0].values
    assert arm[0] == pytest.approx(0.051, abs=0.002) and arm[1] == pytest.approx(0.027, abs=0.002)
    curl = library.leg_curl().chain  # the same leg turned over
    turned = planar.analyze(curl, planar.Motion.static([[0.0]]), tensions={"hamstrings": 1000.0})
    assert float(turned.moment_arm.sel(muscle="hamstrings")[0, 0]) == pytest.approx(0.0337, abs=0.002)


def test_the_sled_moves_along_its_rails_and_its_force_is_balanced():
    press = library.leg_press(sled_kg=100.0, slope_deg=30.0)
    answer = press.analyze()
    foot = planar.kinematics(press.chain, press.motion).joint_position.sel(point="end").values
    np.testing.assert_allclose(np.degrees(np.arctan2(foot[:, 1], foot[:, 0])), 30.0, atol=1e-10)
    distance = np.hypot(*foot.T)
    bend = planar.Motion(press.motion.time, distance[:, None]).acceleration[:, 0]
    size = np.hypot(*np.asarray(press.contacts[0].force).T)
    inner = slice(30, 140)  # away from the corners of the jerk
    np.testing.assert_allclose(size[inner], 100.0 * (G * 0.5 + bend[inner]), atol=2.0)
    # Virtual work at rest: torques of the sled's force are J^T F.
    jacobian = planar.jacobian(
        press.chain, press.motion, {"foot": ("shank", (press.chain.links[1].length, 0.0))}
    )
    load = np.einsum("taj,ta->tj", jacobian["J"].values[:, 0], np.asarray(press.contacts[0].force))
    np.testing.assert_allclose(answer.torque_share.sel(source="load:sled"), -load, atol=1e-10)
    knee = np.degrees(press.motion.angle[:, 0] - press.motion.angle[:, 1])
    assert knee[0] == pytest.approx(100.0) and knee.min() == pytest.approx(10.0)


@pytest.mark.parametrize(("make", "body"), [(library.barbell_squat, 73.0)])
def test_at_rest_the_ground_carries_body_and_bar(make, body):
    answer = make(bar_kg=60.0).analyze()
    assert float(answer.support_force[0, 1]) == pytest.approx((body + 60.0) * G, rel=1e-12)
    light = make(bar_kg=0.0).analyze()
    assert abs(answer.torque.sel(joint="knee")).max() > abs(light.torque.sel(joint="knee")).max()


def test_the_bench_press_holds_its_bar_and_needs_pressing_muscles():
    answer = library.bench_press(bar_kg=50.0).analyze()
    arms = 2 * 73.0 * (0.0271 + 0.0162 + 0.0061)
    assert float(answer.support_force[0, 1]) == pytest.approx((50.0 + arms) * G, rel=1e-12)
    lowest = int(np.argmin(library.bench_press().motion.angle[:, 0]))
    # Flexing the shoulder (counter-clockwise) and extending the elbow (clockwise) lift the bar.
    assert float(answer.torque[lowest, 0]) > 0.0
    arms_at_shoulder = answer.moment_arm[lowest, 0]
    assert float(arms_at_shoulder.sel(muscle="pectoralis_major")) > 0.0
    assert float(answer.moment_arm[lowest, 1].sel(muscle="triceps_lateral")) < 0.0


@pytest.mark.parametrize("kind", ["dumbbell", "band", "cable"])
def test_the_curl_works_against_what_it_says(kind):
    answer = library.biceps_curl(resistance=kind, load_n=80.0).analyze()
    if kind == "band":
        assert float(answer.equipment_tension[0, 0]) < 5.0
        assert float(answer.equipment_tension[-1, 0]) == pytest.approx(80.0, rel=1e-9)
    elif kind == "cable":
        assert float(answer.equipment_tension[0, 0]) == pytest.approx(80.0, rel=1e-9)
    else:
        share = answer.reaction_share.sel(joint="elbow", axis="y", source="load:dumbbell")
        assert float(share[0]) == pytest.approx(80.0, rel=1e-9)


def test_the_gait_leg_stands_on_its_toes_with_the_whole_body_on_it():
    exercise = library.gait_push_off()
    chain = exercise.chain
    # Rows of de Leva's table add up to 99.98 or 100.01 %.
    assert sum(link.mass for link in chain.links) == pytest.approx(73.0, rel=5e-4)
    assert chain.joint_names == ("toes", "ankle", "knee", "hip")
    places = planar.kinematics(chain, exercise.motion).joint_position
    assert float(places.sel(point="ankle", axis="y")[0]) == pytest.approx(0.039 * 1.741)
    assert float(places.sel(point="ankle", axis="y")[-1]) > 0.1  # the heel has risen
    answer = exercise.analyze()
    arm = answer.moment_arm.isel(time=0)
    assert float(arm.sel(joint="ankle", muscle="soleus")) == pytest.approx(0.05, abs=0.015)
    assert float(arm.sel(joint="toes", muscle="flexor_hallucis")) > 0.005


def test_a_side_bend_is_held_by_the_other_side():
    chain, motion = library.spine_in_frontal_plane(5), library.spine_side_bend(5)
    answer = planar.analyze(chain, motion)
    lowest = int(np.argmin(motion.angle[:, -1]))
    assert float(answer.torque[lowest, 0]) > 5.0  # bent to the right, held from the left
    arms = answer.moment_arm[0, 0]
    for name in ("erector_spinae", "quadratus_lumborum", "oblique"):
        left, right = (float(arms.sel(muscle=f"{name}_{side}")) for side in ("left", "right"))
        assert left == pytest.approx(-right, rel=1e-12) and left > 0.03
    # As one stiff piece it has the mass of the sagittal spine, and the inertia of the table's other axis.
    flat = library.spine(5)
    assert sum(link.mass for link in chain.links) == pytest.approx(sum(link.mass for link in flat.links))
    assert sum(link.inertia for link in chain.links) > sum(link.inertia for link in flat.links)


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: library.leg_extension(resistance="bnd"), errors.UnknownNameError, "'bnd' is not a kind"),
        (lambda: library.biceps_curl(resistance="bandd"), errors.UnknownNameError, "'bandd' is not a kind"),
        (lambda: library.leg_press(knee_deg=(10.0, 90.0)), errors.InvalidValueError, "from 10° to 90°"),
    ],
)
def test_what_makes_no_exercise_is_refused(make, error, text):
    with pytest.raises(error, match=text):
        make()
