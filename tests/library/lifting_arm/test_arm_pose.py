"""The elbow is where shoulder and wrist allow it, in every degenerate case; the wrist is bent least."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from borelli.errors import InvalidValueError, ShapeError, UnsolvableError
from borelli.library import lifting_arm as la
from tests.library.lifting_arm.cases import assert_reference, case, random_wrists

L1, L2 = 0.31, 0.27
ROWS = list(zip(case("elbow_ik")[0]["rows"], case("elbow_ik")[1]["rows"], strict=True))
LOCI = {
    "circle": la.Locus.CIRCLE,
    "point": la.Locus.POINT,
    "sphere": la.Locus.SPHERE,
    "unreachable": la.Locus.NOWHERE,
}


def solve(row: dict) -> np.ndarray:
    lengths = (row["l_upper"], row["l_fore"])
    if row["swivel"] is not None:
        return la.elbow_by_swivel(row["wrist"], *lengths, row["swivel"])
    return la.elbow_of_least_wrist_bend(row["wrist"], *lengths, row["hand_x"], row["palm"])


@pytest.mark.parametrize(("row", "expected"), ROWS, ids=[row["name"] for row, _ in ROWS])
def test_every_case_of_the_reference(row, expected):
    circle = la.elbow_circle(row["wrist"], row["l_upper"], row["l_fore"])
    assert circle.locus[0] == LOCI[expected["status"]]
    assert circle.reachable[0] == (expected["status"] != "unreachable")
    if expected["elbow"] is None:
        with pytest.raises(UnsolvableError, match="reaches from"):
            solve(row)
        return
    elbow = solve(row)
    assert_reference(elbow[0], expected["elbow"])
    if "bend" in expected:
        assert_reference(la.wrist_bend(elbow, row["wrist"], row["hand_x"])[0], expected["bend"])


def test_instants_together_equal_instants_one_by_one():
    wrist = random_wrists(40, 1, abs(L1 - L2), L1 + L2)
    hand, palm = random_wrists(40, 2, 0.5, 1.0), random_wrists(40, 3, 0.5, 1.0)
    angle = np.linspace(-4.0, 4.0, 40)
    together = la.elbow_of_least_wrist_bend(wrist, L1, L2, hand, palm)
    swivelled = la.elbow_by_swivel(wrist, L1, L2, angle)
    for k in range(40):
        alone = la.elbow_of_least_wrist_bend(wrist[k], L1, L2, hand[k], palm[k])
        np.testing.assert_array_equal(together[k], alone[0])
        np.testing.assert_array_equal(swivelled[k], la.elbow_by_swivel(wrist[k], L1, L2, angle[k])[0])


@settings(max_examples=100, deadline=None)
@given(
    st.floats(0.05, 1.0),
    st.floats(0.05, 1.0),
    st.floats(0.0, 1.0),
    st.floats(-math.pi, math.pi),
    st.integers(0, 10**6),
)
def test_segments_keep_their_lengths_over_the_whole_reach(l1, l2, share, swivel, seed):
    reach = abs(l1 - l2) + share * (l1 + l2 - abs(l1 - l2))
    wrist = random_wrists(1, seed, 1.0, 1.0) * max(reach, 1e-6)
    hand = random_wrists(1, seed + 1, 1.0, 1.0)
    try:
        elbows = [
            la.elbow_by_swivel(wrist, l1, l2, swivel),
            la.elbow_of_least_wrist_bend(wrist, l1, l2, hand, np.cross(hand, wrist) + 1e-3),
        ]
    except UnsolvableError:
        # Only round-off may put a wrist at the ends of the reach outside of it.
        assert min(abs(np.linalg.norm(wrist) - abs(l1 - l2)), abs(np.linalg.norm(wrist) - l1 - l2)) < 2e-6
        return
    for elbow in elbows:
        assert np.linalg.norm(elbow) == pytest.approx(l1, abs=1e-9)
        # A wrist within 1e-12 of the end of the reach counts as at the end.
        assert np.linalg.norm(wrist - elbow) == pytest.approx(l2, abs=1e-9)


def test_no_elbow_of_the_circle_bends_the_wrist_less():
    wrist = random_wrists(60, 4, abs(L1 - L2) + 1e-3, L1 + L2 - 1e-3)
    hand, palm = random_wrists(60, 5, 1.0, 1.0), random_wrists(60, 6, 1.0, 1.0)
    best = la.wrist_bend(la.elbow_of_least_wrist_bend(wrist, L1, L2, hand, palm), wrist, hand)
    for swivel in np.linspace(0.0, 2 * math.pi, 361):
        bend = la.wrist_bend(la.elbow_by_swivel(wrist, L1, L2, swivel), wrist, hand)
        assert np.all(best <= bend + 1e-12)


def test_swivel_zero_is_the_lowest_elbow_and_turns_about_the_line_to_the_hand():
    wrist = random_wrists(30, 7, 0.2, 0.5)
    lowest = la.elbow_by_swivel(wrist, L1, L2)
    for swivel in np.linspace(0.1, 6.2, 40):
        assert np.all(lowest[:, 2] <= la.elbow_by_swivel(wrist, L1, L2, swivel)[:, 2])
    # A quarter turn is right-handed about shoulder -> hand.
    quarter = la.elbow_by_swivel(wrist, L1, L2, math.pi / 2)
    circle = la.elbow_circle(wrist, L1, L2)
    centre = circle.centre_distance[:, None] * circle.axis
    np.testing.assert_allclose(quarter - centre, np.cross(circle.axis, lowest - centre), atol=1e-15)


def test_flexion_is_the_angle_between_the_segments():
    wrist = random_wrists(30, 8, 0.06, 0.57)
    elbow = la.elbow_by_swivel(wrist, L1, L2, 0.4)
    cosine = (elbow * (wrist - elbow)).sum(axis=1) / (L1 * L2)
    np.testing.assert_allclose(np.cos(la.elbow_flexion(wrist, L1, L2)), cosine, atol=1e-14)
    given_, expected = case("du_model1")
    flexion = la.elbow_flexion(given_["hand"], given_["l_upper"], given_["l_fore"])
    assert_reference(np.cos(flexion)[0], expected["cos_elbow_flexion"])


def test_flexion_of_the_straight_arm_is_zero_and_of_the_folded_arm_a_half_turn():
    np.testing.assert_allclose(la.elbow_flexion([[0.5, 0, 0], [0.125, 0, 0]], 0.3125, 0.1875), [0.0, math.pi])


def test_wrist_at_the_shoulder_lets_the_elbow_hang():
    np.testing.assert_allclose(la.elbow_by_swivel([0, 0, 0], 0.25, 0.25), [[0, 0, -0.25]])


def test_unreachable_wrist_is_named_with_its_instant_and_the_reach():
    wrist = np.array([[0.3, 0, 0], [0.9, 0, 0], [0.3, 0, 0.1], [0.0, 0.01, 0]])
    with pytest.raises(UnsolvableError) as caught:
        la.elbow_by_swivel(wrist, L1, L2)
    message = str(caught.value)
    assert "0.9 m from the shoulder" in message
    assert "reaches from 0.04 m to 0.58 m" in message
    assert caught.value.where == "instant 1, and 1 more"
    assert caught.value.remedy == "bring the hand nearer"
    with pytest.raises(UnsolvableError) as caught:
        la.elbow_of_least_wrist_bend(wrist[[0, 3]], L1, L2, [1, 0, 0], [0, 0, -1])
    assert (caught.value.where, caught.value.remedy) == ("instant 1", "move the hand away from the shoulder")


def test_reachable_set_is_told_without_an_error():
    circle = la.elbow_circle([[0.3, 0, 0], [0.9, 0, 0], [0, 0.01, 0], [0.58, 0, 0], [0, 0, 0.04]], L1, L2)
    assert circle.reachable.tolist() == [True, False, False, True, True]
    assert np.isnan(circle.radius[1]) and circle.radius[3] == 0.0


def test_swivel_without_an_axis_is_refused():
    with pytest.raises(UnsolvableError, match="no line to swivel about") as caught:
        la.elbow_by_swivel([[0.1, 0, 0.1], [0, 0, 0]], 0.25, 0.25, 0.3)
    assert caught.value.where == "instant 1"


def test_tie_that_the_palm_does_not_break_is_refused():
    with pytest.raises(UnsolvableError, match="every elbow bends the wrist alike") as caught:
        la.elbow_of_least_wrist_bend([0.5, 0, 0], L1, L2, [1, 0, 0], [2, 0, 0])
    assert caught.value.where == "instant 0"


@pytest.mark.parametrize(
    ("wrist", "lengths", "kind", "text"),
    [
        ([1, 2], (0.3, 0.3), ShapeError, "the wrist needs the shape"),
        ([[0.1, 0, 0], [math.nan, 0, 0]], (0.3, 0.3), InvalidValueError, "the wrist is not finite"),
        ([0.1, 0, 0], (0.0, 0.3), InvalidValueError, "the length of the upper arm is 0"),
        ([0.1, 0, 0], (0.3, math.inf), InvalidValueError, "the length of the forearm is inf"),
        ([0.1, 0, 0], (0.3, "long"), InvalidValueError, "must be a number, but is 'long'"),
    ],
)
def test_bad_input_is_named(wrist, lengths, kind, text):
    with pytest.raises(kind, match=text):
        la.elbow_circle(wrist, *lengths)


def test_hand_without_a_direction_is_named_with_its_instant():
    with pytest.raises(InvalidValueError, match="the hand's direction has no length") as caught:
        la.elbow_of_least_wrist_bend([[0.3, 0, 0]] * 2, L1, L2, [[1, 0, 0], [0, 0, 0]], [0, 0, 1])
    assert caught.value.where == "instant 1"
