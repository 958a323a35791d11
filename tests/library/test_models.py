"""Ready-made models: masses against the table, moment arms against measurements on bodies, and plausible motions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from borelli import library, planar
from borelli.errors import InvalidValueError, UnknownNameError
from borelli.library.anthropometry import Person, table_row

UP = math.pi / 2
SEXES = ("male", "female")


def moment_arm(chain: planar.Chain, angles_deg, muscle: str, joint: str) -> float:
    posture = planar.Motion.static(np.radians(angles_deg))
    arms = planar.analyze(chain, posture)["moment_arm"]
    return float(arms.sel(muscle=muscle, joint=joint)[0])


PAIRS = [
    (library.two_link_arm(), library.curl()),
    (library.reaching_arm(), library.reach()),
    (library.finger(), library.finger_flexion()),
    (library.spine(1), library.spine_bend(1)),
    (library.spine(9), library.spine_bend(9)),
    (library.leg_squat(), library.squat_to_stand()),
    (library.leg_squat(sex="female", height_m=1.62, mass_kg=58.0), library.squat_to_stand()),
]


@pytest.mark.parametrize(("chain", "motion"), PAIRS, ids=lambda item: getattr(item, "name", ""))
def test_every_model_moves_through_its_sample_motion(chain, motion):
    answer = planar.analyze(chain, motion, tensions=dict.fromkeys(chain.muscle_names, 10.0))
    assert float(answer["closure"]) < 1e-13
    # Each muscle keeps its side of every joint through the whole movement.
    arms = answer["moment_arm"].values
    assert np.all((arms.min(axis=0) >= 0) | (arms.max(axis=0) <= 0))
    # A motion from rest to rest begins and ends at the torque of the weights alone.
    moving = [label for label in answer["source"].values if label.startswith(("acceleration", "velocity"))]
    inertial = answer["torque_share"].sel(source=moving)
    np.testing.assert_allclose(inertial[[0, -1]], 0.0, atol=1e-12)


@pytest.mark.parametrize("sex", SEXES)
def test_leg_model_has_the_mass_of_the_whole_body(sex):
    chain = library.leg_squat(mass_kg=80.0, height_m=1.7, sex=sex)
    total = chain.base.mass + sum(link.mass for link in chain.links)
    # The women's rows add up to 99.99 %.
    assert total == pytest.approx(80.0 * (1.0 if sex == "male" else 0.9999), rel=1e-12)


def test_leg_model_bears_the_body_weight_when_it_stands_still():
    chain = library.leg_squat(mass_kg=80.0)
    reaction = planar.analyze(chain, planar.Motion.static([UP, UP, UP]))["reaction"]
    above_the_ankles = 80.0 - chain.base.mass
    assert float(reaction.sel(joint="ankle", axis="y")[0]) == pytest.approx(9.81 * above_the_ankles)


def test_trunk_with_head_and_arms_balances_near_winters_value():
    # Winter (2009), table 4.1: head, arms and trunk balance at 0.626 of the way from hip to shoulder.
    trunk = library.leg_squat().links[2]
    assert trunk.com[0] / trunk.length == pytest.approx(0.626, abs=0.03)


@pytest.mark.parametrize("sex", SEXES)
def test_mass_centre_and_pressure_stay_over_the_feet_while_standing_up(sex):
    chain, motion = library.leg_squat(sex=sex, height_m=1.7), library.squat_to_stand()
    mass = np.array([link.mass for link in chain.links])
    x = planar.kinematics(chain, motion)["com_position"].sel(axis="x").values
    com = (x @ mass + chain.base.mass * chain.base.com[0]) / (mass.sum() + chain.base.mass)
    heel, toe = library.foot_span(height_m=1.7, sex=sex)
    assert heel < com.min() and com.max() < toe

    answer = planar.analyze(chain, motion)
    push = answer["reaction"].sel(joint="ankle").values
    moment = answer["torque"].sel(joint="ankle").values
    weight = 9.81 * chain.base.mass
    ankle = chain.base.position[1]
    # Moments of the feet about the point of the floor below the ankles, where the floor's force has x as lever.
    pressure = (moment + chain.base.com[0] * weight - ankle * push[:, 0]) / (push[:, 1] + weight)
    assert heel < pressure.min() and pressure.max() < toe


@pytest.mark.parametrize(
    ("muscle", "joint", "angles_deg", "least", "most"),
    [
        # Maganaris et al. (1998): Achilles tendon, neutral ankle.
        ("soleus", "ankle", (90, 90, 90), 0.045, 0.06),
        # Maganaris (2000): tibialis anterior, resting ankle.
        ("tibialis_anterior", "ankle", (90, 90, 90), -0.05, -0.03),
        ("gastrocnemius", "ankle", (90, 90, 90), 0.045, 0.06),
        # Buford et al. (1997): extensors 0.04 to 0.05 m near extension, 0.02 to 0.035 m at a right angle.
        ("vasti", "knee", (90, 90, 90), -0.05, -0.04),
        ("vasti", "knee", (90, 120, 90), -0.05, -0.04),
        ("rectus_femoris", "knee", (90, 120, 90), -0.05, -0.04),
        ("vasti", "knee", (90, 180, 90), -0.035, -0.02),
        ("hamstrings", "knee", (90, 90, 90), 0.02, 0.05),
        ("gastrocnemius", "knee", (90, 90, 90), 0.015, 0.035),
        # Németh & Ohlsén (1985): hip extensors between 0.05 and 0.08 m from standing to 60° of flexion.
        ("hamstrings", "hip", (90, 90, 90), 0.045, 0.08),
        ("hamstrings", "hip", (90, 90, 30), 0.045, 0.08),
        ("gluteus_maximus", "hip", (90, 90, 90), 0.05, 0.085),
        ("gluteus_maximus", "hip", (90, 90, 30), 0.05, 0.085),
        ("rectus_femoris", "hip", (90, 90, 90), -0.055, -0.03),
    ],
)
def test_leg_moment_arms_are_those_measured_on_bodies(muscle, joint, angles_deg, least, most):
    assert least < moment_arm(library.leg_squat(), angles_deg, muscle, joint) < most


@pytest.mark.parametrize(
    ("muscle", "joint", "angles_deg", "least", "most"),
    [
        # Murray, Delp & Buchanan (1995) at a right angle of the elbow.
        ("biceps", "elbow", (-90, 0, 0), 0.035, 0.05),
        ("brachialis", "elbow", (-90, 0, 0), 0.018, 0.035),
        ("triceps_lateral", "elbow", (-90, 0, 0), -0.028, -0.015),
        ("triceps_long", "elbow", (-90, 0, 0), -0.028, -0.015),
        # Loren et al. (1996), neutral wrist.
        ("flexor_carpi_radialis", "wrist", (-90, 0, 0), 0.01, 0.02),
        ("extensor_carpi_radialis", "wrist", (-90, 0, 0), -0.02, -0.01),
    ],
)
def test_arm_moment_arms_are_those_measured_on_bodies(muscle, joint, angles_deg, least, most):
    assert least < moment_arm(library.reaching_arm(), angles_deg, muscle, joint) < most


# Ketchum et al. (1978), middle finger (m).
KETCHUM = {
    ("flexor_digitorum_profundus", "knuckle"): 0.0116,
    ("flexor_digitorum_profundus", "proximal_interphalangeal"): 0.0107,
    ("flexor_digitorum_profundus", "distal_interphalangeal"): 0.0070,
    ("flexor_digitorum_superficialis", "knuckle"): 0.0140,
    ("flexor_digitorum_superficialis", "proximal_interphalangeal"): 0.0087,
}


@pytest.mark.parametrize(("tendon", "joint"), KETCHUM)
def test_finger_flexors_have_their_published_arms_at_28_degrees(tendon, joint):
    bent = np.cumsum([0.0, 28.0, 28.0, 28.0])
    measured = moment_arm(library.finger(), bent, tendon, joint)
    # 3/4 (cos 14° + 1.5 sin 14°) = 0.9999.
    assert measured == pytest.approx(KETCHUM[tendon, joint], rel=2e-4)


def test_flexors_cross_the_joints_they_should():
    spans = {muscle.name: muscle.spans for muscle in library.finger().muscles}
    assert spans["flexor_digitorum_profundus"] == (1, 2, 3, 4)
    assert spans["flexor_digitorum_superficialis"] == (1, 2, 3)
    assert spans["extensor_digitorum"] == (1, 2, 3, 4)


@pytest.mark.parametrize("sex", SEXES)
def test_hand_and_phalanges_are_the_hand_of_the_table(sex):
    chain, hand = library.finger(sex=sex), Person(sex=sex).segment("hand")
    joints = np.concatenate([[0.0], np.cumsum([link.length for link in chain.links])])
    mass = np.array([link.mass for link in chain.links])
    centre = np.array([joint + link.com[0] for joint, link in zip(joints, chain.links, strict=False)])
    com = mass @ centre / mass.sum()
    inertia = sum(link.inertia for link in chain.links) + mass @ (centre - com) ** 2
    assert (mass.sum(), com, inertia) == pytest.approx((hand.mass, hand.com, hand.inertia))
    assert joints[-1] == pytest.approx(Person(sex=sex).segment("hand_to_fingertip").length)


@pytest.mark.parametrize("sex", SEXES)
@pytest.mark.parametrize("n_links", [1, 2, 5, 6, 17])
def test_a_column_of_any_number_of_links_is_the_same_body(n_links, sex):
    person = Person(65.0, 1.72, sex)
    chain = library.spine(n_links, mass_kg=65.0, height_m=1.72, sex=sex)
    bottoms = np.concatenate([[0.0], np.cumsum([link.length for link in chain.links])])
    mass = np.array([link.mass for link in chain.links])
    centre = np.array([low + link.com[0] for low, link in zip(bottoms, chain.links, strict=False)])
    about_first_joint = sum(link.inertia for link in chain.links) + mass @ centre**2

    middle, upper = person.segment("middle_trunk"), person.segment("upper_trunk_from_cervicale")
    lower, head = person.segment("lower_trunk"), person.segment("head_to_cervicale")
    shoulder = person.segment("trunk_from_shoulder").length - lower.length
    arms = 2 * person.mass_kg * sum(table_row(name, sex).mass for name in ("upper_arm", "forearm", "hand"))
    parts = [
        (middle.mass, middle.com_from_end, middle.inertia),
        (upper.mass, middle.length + upper.com_from_end, upper.inertia),
        (head.mass, middle.length + upper.length + head.com_from_end, head.inertia),
        (arms, shoulder, 0.0),
    ]
    assert bottoms[-1] == pytest.approx(middle.length + upper.length)
    assert mass.sum() == pytest.approx(sum(part[0] for part in parts), rel=1e-12)
    assert mass @ centre == pytest.approx(sum(m * c for m, c, _ in parts), rel=1e-12)
    assert about_first_joint == pytest.approx(sum(i + m * c**2 for m, c, i in parts), rel=1e-12)
    assert chain.base.mass == pytest.approx(lower.mass)


def test_spine_muscles_are_deep_and_superficial():
    chain = library.spine(6)
    spans = {muscle.name: muscle.spans for muscle in chain.muscles}
    for joint in range(1, 7):
        assert spans[f"multifidus_{joint}"] == (joint,)
    assert spans["longissimus"] == (1, 2, 3, 4, 5, 6)
    assert spans["iliocostalis"] == (1, 2, 3)
    upright = (90,) * 6
    # Jorgensen et al. (2005), standing: rectus abdominis 0.085 to 0.098 m.
    for joint in ("spine_1", "spine_2", "spine_3"):
        assert -0.098 < moment_arm(chain, upright, "rectus_abdominis", joint) < -0.085
    # Jorgensen et al. (2001): erector mass 0.05 to 0.06 m.
    assert 0.05 < moment_arm(chain, upright, "longissimus", "spine_3") < 0.06


@pytest.mark.parametrize("wrong", [0, -1, 2.5, True, 1000, "six"])
def test_a_spine_needs_a_whole_number_of_links(wrong):
    with pytest.raises(InvalidValueError, match="is not a number of links"):
        library.spine(wrong)
    with pytest.raises(InvalidValueError, match="is not a number of links"):
        library.spine_bend(wrong)


def test_both_arm_models_are_the_same_arm_when_the_wrist_is_straight():
    two, three = library.two_link_arm(), library.reaching_arm()
    torque = planar.analyze(two, planar.Motion([0.0], [[-0.4, 0.7]], [[1.0, -2.0]], [[3.0, 4.0]]))["torque"]
    straight = planar.Motion([0.0], [[-0.4, 0.7, 0.7]], [[1.0, -2.0, -2.0]], [[3.0, 4.0, 4.0]])
    other = planar.analyze(three, straight)["torque"]
    np.testing.assert_allclose(torque[0], other[0, :2], rtol=1e-12)


def test_the_spring_is_slack_where_the_reach_starts_and_pulls_back_where_it_ends():
    chain, motion = library.reaching_arm(), library.reach()
    spring = library.hand_spring(chain, motion, stiffness_n_per_m=100.0)
    hand = planar.kinematics(chain, motion)["com_position"].sel(link="hand", axis="x").values
    np.testing.assert_allclose(spring.force[:, 0], -100.0 * (hand - hand[0]), atol=1e-12)
    np.testing.assert_array_equal(spring.force[:, 1], 0.0)
    assert spring.force[-1, 0] < -10.0
    moved = library.hand_spring(chain, motion, stiffness_n_per_m=100.0, rest_m=0.0)
    np.testing.assert_allclose(moved.force[:, 0], -100.0 * hand, atol=1e-12)


def test_names_are_loaded_when_asked_for():
    assert "leg_squat" in dir(library)
    with pytest.raises(AttributeError, match="no attribute 'horse'"):
        library.horse  # noqa: B018


def test_lifting_body_has_the_mass_of_the_whole_body_and_the_trunk_of_the_squat():
    lift, squat = (
        library.box_lift(mass_kg=80.0, height_m=1.7).chain,
        library.leg_squat(mass_kg=80.0, height_m=1.7),
    )
    assert lift.base.mass + sum(link.mass for link in lift.links) == pytest.approx(80.0, rel=1e-12)
    assert lift.links[2].length + lift.links[3].length == pytest.approx(squat.links[2].length, rel=1e-12)

    def upper_body(chain, angles_deg):
        places = planar.kinematics(chain, planar.Motion.static(np.radians(angles_deg)))["com_position"][0]
        mass = np.array([link.mass for link in chain.links])[2:]
        return mass @ places.values[2:] / mass.sum()

    # Straight hanging arms lie along the trunk, as the squat has them.
    np.testing.assert_allclose(
        upper_body(lift, [90, 90, 90, 90, -90, -90]), upper_body(squat, [90, 90, 90]), rtol=2e-3, atol=1e-9
    )


def test_erector_spinae_act_where_measured_and_bear_the_box():
    exercise = library.box_lift()
    upright = [90, 90, 90, 90, -90, -90]
    assert moment_arm(exercise.chain, upright, "erector_spinae", "lower_back") == pytest.approx(
        0.055, abs=0.002
    )
    assert moment_arm(exercise.chain, upright, "rectus_abdominis", "lower_back") == pytest.approx(
        -0.09, abs=0.006
    )
    share = exercise.analyze()["torque_share"].sel(source="load:box", joint="lower_back").values
    hands = planar.kinematics(exercise.chain, exercise.motion)["joint_position"]
    assert share[0] > 0.0 and hands.sel(point="end", axis="y").values[0] < 0.6


def test_stepping_up_carries_one_leg_and_the_whole_rest_of_the_body():
    chain = library.step_up(mass_kg=70.0).chain
    assert chain.base.mass + sum(link.mass for link in chain.links) == pytest.approx(70.0, rel=1e-3)
    knee = library.step_up().analyze()["torque"].sel(joint="knee").values
    assert knee[0] < -80.0 and abs(knee[-1]) < 20.0  # extension is negative


def test_every_ready_made_muscle_of_leg_trunk_and_arm_has_a_strength():
    chains = (
        library.box_lift().chain,
        library.step_up().chain,
        library.leg_extension().chain,
        library.reaching_arm(),
    )
    for chain in chains:
        assert set(library.muscle_strengths(chain.muscle_names)) == set(chain.muscle_names)
    assert library.muscle_strengths(["vasti"], 2)["vasti"] == 2 * library.muscle_strengths(["vasti"])["vasti"]
    with pytest.raises(UnknownNameError, match="'vastii' is not a muscle of the table of strengths"):
        library.muscle_strengths(["vastii"])
