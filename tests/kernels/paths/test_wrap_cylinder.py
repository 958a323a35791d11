"""Lines over a cylinder, against plane geometry and unrolled surfaces."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from borelli.kernels.paths.contact import CERTAIN, CYLINDER, FREE, INSIDE, OPTIONAL
from tests.kernels.paths.surfaces import over_surface, wrap

RADIUS = 0.05
SIZE = (RADIUS, 1.0, 0.0)


def total(a, b, contact):
    return math.dist(a, contact.first) + contact.length + math.dist(contact.last, b)


def over(a, b, axis=0, sign=0, size=SIZE):
    return wrap(CYLINDER, size, axis, sign, tuple(map(float, a)), tuple(map(float, b)))


def test_plane_line_over_a_circle_is_two_tangents_and_an_arc():
    a, b = (-0.2, 0.0, 0.0), (0.3, 0.0, 0.0)
    contact = over(a, b)
    # Both ends lie on one diameter: the tangents turn by acos(r/d) each.
    arc = math.pi - math.acos(RADIUS / 0.2) - math.acos(RADIUS / 0.3)
    expected = math.sqrt(0.2**2 - RADIUS**2) + RADIUS * arc + math.sqrt(0.3**2 - RADIUS**2)
    assert contact.outcome == CERTAIN
    assert total(a, b, contact) == pytest.approx(expected, abs=1e-15)


@settings(max_examples=100, deadline=None)
@given(
    st.floats(0.06, 0.4),
    st.floats(0.06, 0.4),
    st.floats(-3.1, 3.1),
    st.floats(-3.1, 3.1),
    st.floats(-0.3, 0.3),
)
def test_helix_is_tangent_at_both_ends_and_never_beaten_by_sliding_its_contacts(d1, d2, t1, t2, rise):
    a = (d1 * math.cos(t1), d1 * math.sin(t1), 0.0)
    b = (d2 * math.cos(t2), d2 * math.sin(t2), rise)
    contact = over(a, b)
    if contact.outcome != CERTAIN:
        return
    ahead = np.subtract(contact.first, a)
    ahead /= np.linalg.norm(ahead)
    # Tangency to rounding; the direction of the straight piece is that of the helix.
    assert np.allclose(ahead, contact.direction, atol=1e-11)
    start, end = np.array(contact.first), np.array(contact.last)
    for shift in (-1e-4, 1e-4):
        slid = np.add(start, (0, 0, shift))
        turn = math.sqrt(contact.length**2 - (end[2] - start[2]) ** 2)
        longer = math.dist(a, slid) + math.hypot(turn, end[2] - slid[2]) + math.dist(end, b)
        assert longer > total(a, b, contact)


def test_points_along_the_helix_lead_from_touch_down_to_lift_off():
    contact = over((-0.2, 0.01, 0.0), (0.2, 0.02, 0.2))
    end = over_surface(CYLINDER, SIZE, contact.first, contact.direction, contact.length)
    assert np.allclose(end, contact.last, atol=1e-15)
    middle = over_surface(CYLINDER, SIZE, contact.first, contact.direction, contact.length / 2)
    assert math.hypot(middle[0], middle[1]) == pytest.approx(RADIUS, abs=1e-16)


def test_line_that_passes_by_stays_straight():
    assert over((-0.2, 0.06, 0), (0.2, 0.06, 0)).outcome == FREE


def test_line_that_ends_before_the_cylinder_stays_straight():
    assert over((-0.2, 0.0, 0), (-0.1, 0.0, 0)).outcome == FREE


def test_end_inside_the_cylinder_makes_wrapping_impossible():
    assert over((0.01, 0.0, 0), (0.2, 0.0, 0)).outcome == INSIDE


def test_length_grows_from_the_straight_line_without_a_step():
    # Just above and just below grazing: the detour is of third order in the depth's square root.
    for depth in (1e-6, 1e-9, 1e-12):
        y = RADIUS - depth
        a, b = (-0.2, y, 0.0), (0.2, y, 0.0)
        contact = over(a, b)
        assert contact.outcome == CERTAIN
        assert 0 <= total(a, b, contact) - 0.4 < 40 * depth**1.5 + 1e-15


def test_wanted_half_sends_the_line_the_long_way_round():
    a, b = (-0.2, 0.01, 0.0), (0.2, 0.01, 0.0)
    short, long = over(a, b, 1, 1), over(a, b, 1, -1)
    assert short.first[1] > 0 > long.first[1]
    assert total(a, b, long) > total(a, b, short)
    assert over(a, b).first == short.first


def test_both_ends_behind_the_wanted_half_wrap_even_without_cutting_the_cylinder():
    a, b = (-0.1, -0.02, 0.0), (-0.1, 0.02, 0.0)
    contact = over(a, b, 0, 1)
    assert contact.outcome == OPTIONAL
    # The way leads over the front: more than half a turn.
    assert contact.length > math.pi * RADIUS
    assert over(a, b).outcome == FREE


def test_line_that_passes_on_the_wrong_side_is_pulled_over_the_wanted_half():
    a, b = (-0.2, 0.02, 0.0), (0.2, -0.3, 0.0)
    contact = over(a, b, 1, 1)
    assert contact.outcome == OPTIONAL
    assert contact.first[1] > 0
    assert over(a, b, 1, -1).outcome == FREE


def test_contact_beyond_both_ends_of_the_cylinder_does_not_take_place():
    a, b = (-0.2, 0.0, 0.3), (0.2, 0.0, 0.3)
    assert over(a, b, size=(RADIUS, 0.5, 0.0)).outcome == FREE
    assert over(a, b, size=(RADIUS, 0.7, 0.0)).outcome == CERTAIN


def test_half_of_the_length_admits_or_refuses_the_contact():
    a, b = (-0.2, 0.0, 0.1), (0.2, 0.0, 0.1)
    assert over(a, b, 2, 1).outcome == CERTAIN
    assert over(a, b, 2, -1).outcome == FREE
