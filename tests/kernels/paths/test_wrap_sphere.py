"""Lines over a sphere, against spherical geometry."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from borelli.kernels.paths.contact import CERTAIN, FREE, INSIDE, OPTIONAL, SPHERE
from tests.kernels.paths.surfaces import over_surface, wrap

RADIUS = 0.04
SIZE = (RADIUS, 0.0, 0.0)
coordinate = st.floats(-0.3, 0.3)


def over(a, b, axis=0, sign=0):
    return wrap(SPHERE, SIZE, axis, sign, tuple(map(float, a)), tuple(map(float, b)))


def total(a, b, contact):
    return math.dist(a, contact.first) + contact.length + math.dist(contact.last, b)


@settings(max_examples=100, deadline=None)
@given(st.tuples(coordinate, coordinate, coordinate), st.tuples(coordinate, coordinate, coordinate))
def test_way_is_two_tangents_and_the_angle_between_them(a, b):
    contact = over(a, b)
    if contact.outcome != OPTIONAL:
        return
    d1, d2 = np.linalg.norm(a), np.linalg.norm(b)
    apart = math.atan2(np.linalg.norm(np.cross(a, b)), np.dot(a, b))
    arc = apart - math.acos(RADIUS / d1) - math.acos(RADIUS / d2)
    expected = math.sqrt(d1**2 - RADIUS**2) + RADIUS * arc + math.sqrt(d2**2 - RADIUS**2)
    assert total(a, b, contact) == pytest.approx(expected, abs=1e-12)
    assert np.dot(contact.first, contact.direction) == pytest.approx(0, abs=1e-14)
    end = over_surface(SPHERE, SIZE, contact.first, contact.direction, contact.length)
    assert np.allclose(end, contact.last, atol=1e-14)


def test_line_through_the_centre_takes_the_wanted_half():
    contact = over((-0.1, 0, 0), (0.1, 0, 0), axis=2, sign=-1)
    assert contact.first[2] < 0
    arc = RADIUS * (math.pi - 2 * math.acos(RADIUS / 0.1))
    assert contact.length == pytest.approx(arc, abs=1e-15)


def test_wanted_half_on_the_far_side_is_reached_the_long_way():
    a, b = (-0.1, -0.01, 0), (0.1, -0.01, 0)
    assert over(a, b, 1, 1).first[1] > 0
    assert over(a, b, 1, -1).first[1] < 0
    assert over(a, b, 1, -1).outcome == CERTAIN


def test_line_that_passes_by_or_ends_inside_does_not_wrap():
    assert over((-0.1, 0.05, 0), (0.1, 0.05, 0)).outcome == FREE
    assert over((-0.1, 0, 0), (0.01, 0, 0)).outcome == INSIDE
