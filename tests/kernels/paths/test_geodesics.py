"""Ellipsoids and rings: taut lines against a polyline minimiser, and the laws of geodesics."""

from __future__ import annotations

import math

import numpy as np
import pytest

from borelli.kernels.paths.contact import (
    CERTAIN,
    ELLIPSOID,
    FREE,
    INSIDE,
    LOST,
    OPTIONAL,
    SPHERE,
    TORUS,
)
from borelli.kernels.paths.geodesic import FINE, SCRATCH, follow
from borelli.kernels.paths.surface import gradient, level
from tests.kernels.paths import polyline
from tests.kernels.paths.surfaces import over_surface, wrap


def total(a, b, contact):
    return math.dist(a, contact.first) + contact.length + math.dist(contact.last, b)


def random_lines_over_ellipsoids(count, seed):
    rng = np.random.default_rng(seed)
    while count:
        size = tuple(rng.uniform(0.02, 0.08, 3))
        a = rng.normal(size=3)
        a *= rng.uniform(0.1, 0.25) / np.linalg.norm(a)
        b = -a * rng.uniform(0.6, 1.5) + rng.normal(size=3) * 0.03
        contact = wrap(ELLIPSOID, size, 0, 0, tuple(a), tuple(b))
        if contact.outcome not in (FREE, INSIDE):
            count -= 1
            yield size, tuple(a), tuple(b), contact


def test_line_over_an_ellipsoid_is_the_shortest_that_a_polyline_finds():
    for size, a, b, contact in random_lines_over_ellipsoids(3, seed=5):
        assert contact.outcome == CERTAIN
        surface = polyline.ellipsoid(size)
        chord = np.subtract(b, a) / math.dist(a, b)
        one = np.cross(chord, [0.3, -0.5, 0.8])
        sides = [one, -one, np.cross(chord, one), -np.cross(chord, one)]
        judged = min(
            polyline.taut_length(a, b, 0.1 * side / np.linalg.norm(side), *surface) for side in sides
        )
        # What is left of the chords' error, mostly at the two ends of the contact.
        assert judged == pytest.approx(total(a, b, contact), abs=2e-6)


def test_line_over_an_ellipsoid_is_tangent_at_both_ends():
    for size, a, b, contact in random_lines_over_ellipsoids(150, seed=6):
        assert contact.outcome == CERTAIN
        ahead = np.subtract(contact.first, a) / math.dist(contact.first, a)
        behind = np.subtract(b, contact.last) / math.dist(contact.last, b)
        y = np.empty(SCRATCH)
        follow(ELLIPSOID, size, contact.first, contact.direction, contact.length, FINE, y)
        # Newton stops at 1e-10 or better; the end of the geodesic is where the contact says.
        assert np.allclose(ahead, contact.direction, atol=1e-9)
        assert np.allclose(behind, y[3:6], atol=1e-9)
        assert np.allclose(contact.last, y[:3], atol=1e-14)


def test_a_line_is_found_from_an_end_that_lies_almost_on_the_ellipsoid():
    """Muscles are attached to the very surface they wrap over."""
    rng, found, sought = np.random.default_rng(8), 0, 0
    for _ in range(400):
        size = tuple(rng.uniform(0.02, 0.17, 3))
        a = tuple(rng.normal(size=3) * 0.15)
        end = rng.normal(size=3)
        on = end / np.linalg.norm(end / np.array(size))
        lengths = []
        for height in (1e-3, 1e-5, 1e-7):
            contact = wrap(ELLIPSOID, size, 0, 0, a, tuple(on * (1.0 + height)))
            if contact.outcome in (FREE, INSIDE):
                break
            sought += 1
            if contact.outcome == CERTAIN:
                found += 1
                lengths.append(total(a, tuple(on * (1.0 + height)), contact))
        if len(lengths) == 3:
            # From one height to the next the end moves by 1e-5 of its distance.
            assert lengths[2] == pytest.approx(lengths[1], abs=2e-5 * np.linalg.norm(on))
    assert sought > 300
    # A few lines turn too sharply about a slender end for Newton's method to follow; they are reported as lost.
    assert found > 0.98 * sought


def test_ball_shaped_ellipsoid_is_a_sphere():
    rng = np.random.default_rng(1)
    for _ in range(50):
        a, b = rng.uniform(-0.2, 0.2, 3), rng.uniform(-0.2, 0.2, 3)
        sphere = wrap(SPHERE, (0.05, 0.0, 0.0), 0, 0, tuple(a), tuple(b))
        ball = wrap(ELLIPSOID, (0.05, 0.05, 0.05), 0, 0, tuple(a), tuple(b))
        assert (sphere.outcome in (FREE, INSIDE)) == (ball.outcome in (FREE, INSIDE))
        if sphere.outcome == OPTIONAL:
            assert total(a, b, ball) == pytest.approx(total(a, b, sphere), abs=1e-12)


def test_wanted_half_of_an_ellipsoid_holds_the_middle_of_the_way():
    # A flat ellipsoid: over its lower face the way is shorter, over its upper one it is taut as well.
    size, a, b = (0.06, 0.03, 0.06), (-0.2, -0.002, 0.01), (0.2, -0.001, -0.02)
    free, up = wrap(ELLIPSOID, size, 1, 0, a, b), wrap(ELLIPSOID, size, 1, 1, a, b)
    middle = over_surface(ELLIPSOID, size, up.first, up.direction, up.length / 2)
    assert free.first[1] < 0 < middle[1]
    assert total(a, b, up) > total(a, b, free)


def test_line_slips_off_the_wanted_half_where_no_taut_line_exists():
    size, a, b = (0.06, 0.045, 0.05), (-0.2, -0.004, 0.01), (0.2, -0.002, -0.02)
    free, up = wrap(ELLIPSOID, size, 1, 0, a, b), wrap(ELLIPSOID, size, 1, 1, a, b)
    assert up.outcome == CERTAIN
    assert total(a, b, up) == total(a, b, free)


def test_geodesics_on_surfaces_of_revolution_keep_the_clairaut_constant():
    """Distance from the axis times the cosine to the parallel is constant (Clairaut 1733)."""
    for kind, size, start in (
        (ELLIPSOID, (0.05, 0.05, 0.08), (0.03, 0.0, 0.064)),
        (TORUS, (0.02, 0.06, 0.0), (0.04, 0.0, 0.0)),
    ):
        normal = np.array(gradient(kind, size, start))
        direction = np.cross(normal, [0.3, 0.2, 0.9])
        direction /= np.linalg.norm(direction)
        y = np.empty(SCRATCH)
        constants = []
        for way in np.linspace(0, 0.2, 9):
            follow(kind, size, start, tuple(direction), float(way), FINE, y)
            constants.append(y[0] * y[4] - y[1] * y[3])
            assert abs(level(kind, size, tuple(y[:3]))) < 1e-13
        # Sixteenth-order extrapolation leaves rounding.
        assert np.ptp(constants) < 1e-13


def test_jacobi_fields_predict_where_neighbouring_geodesics_go():
    size, start = (0.05, 0.03, 0.08), (0.0, 0.03, 0.0)
    y, other = np.empty(SCRATCH), np.empty(SCRATCH)
    follow(ELLIPSOID, size, start, (1.0, 0.0, 0.0), 0.06, FINE, y)
    step = 1e-6
    turned = (math.cos(step), 0.0, math.sin(step))
    follow(ELLIPSOID, size, start, turned, 0.06, FINE, other)
    # First-order prediction, step 1e-6: relative error of the same order.
    assert np.linalg.norm(other[:3] - y[:3]) / step == pytest.approx(abs(y[8]), rel=1e-5)


def random_lines_through_rings(count, seed):
    rng = np.random.default_rng(seed)
    while count:
        tube = rng.uniform(0.01, 0.025)
        size = (tube, tube * rng.uniform(1.8, 4), 0.0)
        a = (*(rng.uniform(-1, 1, 2) * 2 * size[1]), rng.uniform(0.03, 0.2))
        b = (*(rng.uniform(-1, 1, 2) * 2 * size[1]), -rng.uniform(0.03, 0.2))
        contact = wrap(TORUS, size, 0, 0, a, b)
        if contact.outcome not in (FREE, INSIDE):
            count -= 1
            yield size, a, b, contact


def test_line_through_a_ring_is_the_shortest_that_a_polyline_finds():
    for size, a, b, contact in random_lines_through_rings(4, seed=3):
        assert contact.outcome != LOST
        judged = polyline.taut_length(a, b, (0.0, 0.0, 0.0), *polyline.torus(*size[:2]), grids=(96, 192, 384))
        # What is left of the chords' error, mostly at the two ends of the contact.
        assert judged == pytest.approx(total(a, b, contact), abs=2e-6)


def test_a_line_is_found_through_every_ring():
    for _, a, _, contact in random_lines_through_rings(200, seed=4):
        assert contact.outcome in (CERTAIN, OPTIONAL)
        ahead = np.subtract(contact.first, a) / math.dist(contact.first, a)
        assert np.allclose(ahead, contact.direction, atol=1e-9)


def test_a_line_that_stays_on_one_side_of_a_ring_leaves_it_alone():
    """OpenSim sends such a line a long way, through the ring and back."""
    assert wrap(TORUS, (0.008, 0.016, 0.0), 0, 0, (0.07, 0.09, -0.26), (0.03, 0.03, -0.1)).outcome == FREE


def test_line_through_the_hole_of_a_ring_stays_straight():
    assert wrap(TORUS, (0.02, 0.06, 0.0), 0, 0, (0.0, 0.01, 0.2), (0.01, 0.0, -0.2)).outcome == FREE
    assert wrap(TORUS, (0.02, 0.06, 0.0), 0, 0, (0.06, 0.0, 0.01), (0.01, 0.0, -0.2)).outcome == INSIDE


def test_line_through_a_hole_of_half_a_millimetre_is_the_shortest_that_a_polyline_finds():
    size, a, b = (0.0105, 0.011, 0.0), (0.004, 0.003, 0.06), (0.01, -0.002, -0.05)
    contact = wrap(TORUS, size, 0, 0, a, b)
    assert contact.outcome == CERTAIN
    judged = polyline.taut_length(a, b, (0.0, 0.0, 0.0), *polyline.torus(*size[:2]), grids=(96, 192, 384))
    # What is left of the chords' error, mostly at the two ends of the contact.
    assert judged == pytest.approx(total(a, b, contact), abs=2e-6)


def test_a_geodesic_followed_at_once_ends_where_many_short_ones_end():
    """Its steps are as long as their error allows; a rough tolerance, the negative control, ends elsewhere."""
    for kind, size, start, direction in (
        (ELLIPSOID, (0.02, 0.02, 0.1), (0.0, 0.02, 0.0), (0.8, 0.0, 0.6)),
        (TORUS, (0.0105, 0.011, 0.0), (0.0, 0.0005, 0.0), (0.28, 0.0, 0.96)),
    ):
        y, short, rough = np.empty(SCRATCH), np.empty(SCRATCH), np.empty(SCRATCH)
        follow(kind, size, start, direction, 0.05, FINE, y)
        follow(kind, size, start, direction, 0.05, 1e-3, rough)
        place, ahead = start, direction
        for _ in range(50):
            follow(kind, size, place, ahead, 0.001, FINE, short)
            place, ahead = tuple(short[:3]), tuple(short[3:6])
        # Rounding of fifty pieces, which the ring's saddle lets grow.
        assert np.allclose(y[:6], short[:6], rtol=0, atol=1e-11)
        assert abs(rough[:6] - y[:6]).max() > 1e-9


def test_rings_far_from_a_line_are_left_alone_without_a_search():
    """The quick test agrees with the search: a line moved away from a ring is free, and nothing else changes."""
    size = (0.01, 0.03, 0.0)
    inside = wrap(TORUS, size, 0, 0, (0.02, 0.0, 0.1), (0.035, 0.0, -0.1))
    assert inside.outcome == CERTAIN
    for shift in ((0.0, 0.0, 0.3), (0.0, 0.0, -0.3), (0.2, 0.0, 0.05)):
        a, b = np.add((0.02, 0.0, 0.1), shift), np.add((0.035, 0.0, 0.0), shift)
        assert wrap(TORUS, size, 0, 0, tuple(a), tuple(b)).outcome == FREE
