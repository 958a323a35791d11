"""A hand of sixteen segments: its mass, its grips, and contacts whose sharing the wrist does not feel."""

from __future__ import annotations

import numpy as np
import pytest

from borelli import attitude
from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError, UnsolvableError
from borelli.library import Person
from borelli.library import lifting_arm as la

PEOPLE = [Person(), Person(58.0, 1.62, "female"), Person(110.0, 1.95)]


def gripping(tree: la.SegmentTree, name: str, hand=(1.0, 0.0, 0.0, 0.0)) -> la.TreePose:
    """Pose of a hand alone, or of an arm bent at a right angle with the palm up."""
    relative, world = la.grip(name), {}
    if "forearm" in tree.names:
        world = dict(la.sagittal_posture(0.0, 90.0))
    else:
        world["hand"] = np.array(hand)
    for segment in tree.segments:
        if segment.name in relative:
            world[segment.name] = attitude.multiply(world[segment.parent], relative[segment.name])
    return tree.placed(world)


@pytest.mark.parametrize("person", PEOPLE)
def test_flat_hand_has_mass_centre_and_moments_of_the_table(person):
    segments = la.hand_with_digits(person)
    whole = la.Arm.of_person(person).hand
    assert len(segments) == 16
    assert sum(part.mass for part in segments) == pytest.approx(whole.mass, rel=1e-13)
    pose = gripping(la.SegmentTree(segments), "flat")
    centres = np.array([pose.point(part.name, part.com)[0] for part in segments])
    masses = np.array([part.mass for part in segments])
    np.testing.assert_allclose(masses @ centres / whole.mass, whole.com, atol=1e-15)
    total = np.zeros((3, 3))
    for k, part in enumerate(segments):
        offset = centres[k] - np.array(whole.com)
        total += attitude.inertia_in_world(np.diag(part.inertia), pose.rotation[0, k])
        total += part.mass * (offset @ offset * np.eye(3) - np.outer(offset, offset))
    np.testing.assert_allclose(np.diag(total), whole.inertia, rtol=1e-12)


@pytest.mark.parametrize("person", PEOPLE)
def test_every_segment_could_be_made_of_matter(person):
    for part in la.hand_with_digits(person):
        moments = sorted(part.inertia)
        assert part.mass > 0 and moments[0] > 0 and moments[2] <= moments[0] + moments[1]


def test_middle_finger_ends_at_the_fingertip_of_the_table():
    person = Person(70.0, 1.7)
    pose = gripping(la.SegmentTree(la.hand_with_digits(person)), "flat")
    reach = pose.tip("middle_distal")[0, 0]
    assert reach == pytest.approx(person.segment("hand_to_fingertip").length)
    tips = {digit: pose.tip(f"{digit}_distal")[0, 0] for digit in ("index", "middle", "ring", "little")}
    assert tips["little"] < tips["index"] < tips["middle"] and tips["ring"] < tips["middle"]


def test_rod_grip_goes_around_a_rod():
    tree = la.SegmentTree(la.hand_with_digits())
    pose = gripping(tree, "rod")
    rod = np.array([0.070, -0.028])  # its axis runs along y through this point of the x-z plane
    for finger in ("index", "middle", "ring"):
        middles = [
            pose.point(f"{finger}_{part}", tree[f"{finger}_{part}"].com)[0]
            for part in ("proximal", "middle", "distal")
        ]
        seen = [complex(*(place[[0, 2]] - rod)) for place in middles]
        # Phalanges of 8 mm half thickness around a handle of 12 to 25 mm radius.
        assert all(0.018 < abs(place) < 0.036 for place in seen)
        # They go round it: more than a quarter of a turn from the middle of the first to that of the last.
        swept = np.unwrap(np.angle(seen))
        assert abs(swept[-1] - swept[0]) > np.pi / 2


def test_pinch_brings_thumb_and_index_together_and_flat_does_not():
    tree = la.SegmentTree(la.hand_with_digits())
    gaps = {}
    for name in ("flat", "pinch"):
        pose = gripping(tree, name)
        gaps[name] = float(np.linalg.norm(pose.tip("thumb_distal") - pose.tip("index_distal")))
    assert gaps["pinch"] < 0.025 < 0.1 < gaps["flat"]


def test_bending_turns_towards_the_palm():
    pose = gripping(la.SegmentTree(la.hand_with_digits()), "plate")
    # The palm looks along -z.
    assert all(
        pose.tip(f"{digit}_distal")[0, 2] < -0.02 for digit in ("index", "middle", "ring", "little", "thumb")
    )


@pytest.mark.parametrize("name", ["rod", "plate", "face", "pinch"])
def test_wrench_at_the_wrist_is_the_weight_however_the_digits_share_it(name):
    tree = la.arm_with_digits()
    pose = gripping(tree, name)
    points = {segment: la.contact_point(tree[segment]) for segment in la.TOUCHING[name]}
    middle = np.mean([pose.point(segment, at)[0] for segment, at in points.items()], axis=0)
    held = middle + np.array([0.01, 0.02, -0.01])
    contacts = la.holding_contacts(pose, held, 5.0, points)
    assert len(contacts) == len(points)
    answer = la.static_wrenches(pose, contacts=contacts)
    bare = la.static_wrenches(pose)
    for joint in ("shoulder", "elbow", "wrist"):
        force = (answer["load_force"] - bare["load_force"]).sel(joint=joint).values[0]
        moment = (answer["load_moment"] - bare["load_moment"]).sel(joint=joint).values[0]
        place = bare["joint_position"].sel(joint=joint).values[0]
        weight = np.array([0.0, 0.0, -5.0 * 9.81])
        # Pseudo-inverses of the balance lose three digits where contacts are close together.
        np.testing.assert_allclose(force, weight, atol=1e-11)
        np.testing.assert_allclose(moment, np.cross(held - place, weight), atol=1e-11)
    # The same weight on three other segments: digits feel it, the wrist does not.
    others = {
        segment: la.contact_point(tree[segment]) for segment in ("hand", "ring_distal", "index_proximal")
    }
    moved = la.static_wrenches(pose, contacts=la.holding_contacts(pose, held, 5.0, others))
    gap = np.abs(moved["load_moment"] - answer["load_moment"]).max(["instant", "axis"])
    assert float(gap.sel(joint="wrist")) < 1e-11 < 0.01 < float(gap.sel(joint="ring_metacarpophalangeal"))


def test_squeezing_loads_the_digits_and_not_the_wrist():
    tree = la.arm_with_digits()
    pose = gripping(tree, "pinch")
    ends = [
        ("thumb_distal", la.contact_point(tree["thumb_distal"])),
        ("index_distal", la.contact_point(tree["index_distal"])),
    ]
    places = [pose.point(*end)[0] for end in ends]
    push = 20.0 * (places[1] - places[0]) / np.linalg.norm(places[1] - places[0])
    squeeze = [la.Contact("a", *ends[0], -push), la.Contact("b", *ends[1], push)]
    change = (
        la.static_wrenches(pose, contacts=squeeze)["load_moment"] - la.static_wrenches(pose)["load_moment"]
    )
    size = np.abs(change).max(["instant", "axis"])
    assert float(size.sel(joint=["wrist", "elbow", "shoulder"]).max()) < 1e-13
    assert float(size.sel(joint="index_metacarpophalangeal")) > 0.1


def test_two_points_cannot_hold_an_object_beside_their_line():
    tree = la.arm_with_digits()
    pose = gripping(tree, "pinch")
    points = {segment: la.contact_point(tree[segment]) for segment in ("thumb_distal", "index_distal")}
    beside = pose.point("thumb_distal", (0, 0, 0))[0] + [0.03, 0.05, 0.0]
    with pytest.raises(UnsolvableError, match=r"No forces at 2 point\(s\) balance the object") as caught:
        la.holding_contacts(pose, beside, 1.0, points)
    assert caught.value.where == "instant 0"


def test_object_that_nothing_touches_and_one_that_weighs_less_than_nothing_are_refused():
    tree = la.arm_with_digits()
    pose = gripping(tree, "rod")
    with pytest.raises(MissingInputError, match="Nothing touches the object"):
        la.holding_contacts(pose, [0, 0, 0], 1.0, {})
    points = {name: la.contact_point(tree[name]) for name in la.TOUCHING["rod"]}
    with pytest.raises(InvalidValueError, match="the mass of the object is -1"):
        la.holding_contacts(pose, [0, 0, 0], -1.0, points)


def test_unknown_grip_is_named_with_the_known_ones():
    with pytest.raises(UnknownNameError, match="'rot' is not a grip") as caught:
        la.grip("rot")
    assert caught.value.closest == ("rod",)
