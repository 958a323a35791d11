"""Lines over a cone, against unrolled surfaces, a cylinder far from the apex, and a polyline pulled taut."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import borelli as bo
from borelli import model as bm
from borelli.errors import InvalidValueError, UnsupportedError
from borelli.kernels.paths.contact import CERTAIN, CONE, CYLINDER, FREE, INSIDE, OPTIONAL
from borelli.kernels.paths.wrap import is_inside
from tests.kernels.paths import polyline
from tests.kernels.paths.surfaces import over_surface, wrap

HALF = (1.0 / math.sqrt(3.0), 1.0, 1.0 / math.sqrt(3.0))
"""A cone of 30 degrees to its axis: unrolled it is half a disc."""


def total(a, b, contact):
    return math.dist(a, contact.first) + contact.length + math.dist(contact.last, b)


def over(a, b, size=HALF, axis=0, sign=0):
    return wrap(CONE, size, axis, sign, tuple(map(float, a)), tuple(map(float, b)))


def on_cone(way_from_apex, azimuth, slope=HALF[2], out=1.0 + 1e-12):
    """Point of the cone, a hair outside."""
    sine, cosine = slope / math.hypot(1.0, slope), 1.0 / math.hypot(1.0, slope)
    x, y = out * sine * math.cos(azimuth), out * sine * math.sin(azimuth)
    return tuple(way_from_apex * np.array([x, y, cosine]))


def test_between_points_of_the_cone_the_way_is_a_chord_of_the_unrolled_disc():
    # A quarter turn of this cone is 45 degrees of the disc; 170 degrees are 85.
    for turn in (90.0, 170.0):
        a, b = on_cone(0.4, 0.0), on_cone(0.7, math.radians(turn))
        contact = over(a, b)
        chord = math.sqrt(0.4**2 + 0.7**2 - 2 * 0.4 * 0.7 * math.cos(math.radians(turn / 2)))
        assert contact.outcome == CERTAIN
        assert total(a, b, contact) == pytest.approx(chord, abs=1e-9)  # the ends are 1e-12 off the surface


def random_lines(count, seed):
    rng = np.random.default_rng(seed)
    while count:
        slope, height = rng.uniform(0.1, 1.2), 1.0
        size = (slope * height, height, slope)
        z = rng.uniform(0.02, 0.9, 2)
        across = slope * z * rng.uniform(1.001, 3.0, 2) + 1e-3
        azimuth = rng.uniform(-math.pi, math.pi, 2)
        a, b = ((r * math.cos(t), r * math.sin(t), h) for r, t, h in zip(across, azimuth, z, strict=True))
        contact = over(a, b, size)
        if contact.outcome == CERTAIN:
            count -= 1
            yield size, a, b, contact


def test_the_way_is_tangent_at_both_ends_and_stays_on_the_cone():
    for size, a, _, contact in random_lines(200, seed=1):
        ahead = np.subtract(contact.first, a) / math.dist(contact.first, a)
        assert np.allclose(ahead, contact.direction, atol=1e-7 / math.dist(contact.first, a))
        for part in (0.0, 0.3, 1.0):
            x, y, z = over_surface(CONE, size, contact.first, contact.direction, part * contact.length)
            assert math.hypot(x, y) == pytest.approx(size[2] * z, abs=1e-13)
        assert np.allclose((x, y, z), contact.last, atol=1e-10)


def test_no_sliding_of_the_contacts_makes_it_shorter():
    for size, a, b, contact in random_lines(60, seed=2):
        sine = size[2] / math.hypot(1.0, size[2])

        def length(t1, s1, t2, s2, first=contact.first, last=contact.last, size=size, sine=sine, a=a, b=b):
            n1, n2 = np.linalg.norm(first) * (1 + s1), np.linalg.norm(last) * (1 + s2)
            p1 = math.atan2(first[1], first[0]) + t1
            p2 = math.atan2(last[1], last[0]) + t2
            turn = sine * abs(math.remainder(p2 - p1, 2 * math.pi))
            way = math.sqrt(n1 * n1 + n2 * n2 - 2 * n1 * n2 * math.cos(turn))
            ends = on_cone(n1, p1, size[2], 1.0), on_cone(n2, p2, size[2], 1.0)
            return math.dist(a, ends[0]) + way + math.dist(ends[1], b)

        here = length(0, 0, 0, 0)
        if contact.length < 1e-3:
            continue  # the ends would slide past each other
        assert here == pytest.approx(total(a, b, contact), abs=1e-12)
        for slide in np.eye(4) * 1e-4:
            # Round the cone the length changes with the third power of a slide, and one way the straight piece cuts
            # into it: up to some 1e-12. Along a generator it changes with the square.
            doubt = 1e-11 if slide[[0, 2]].any() else -1e-12
            assert min(length(*slide), length(*-slide)) > here - doubt


def test_a_polyline_pulled_taut_finds_the_same_length():
    for size, a, b, contact in random_lines(4, seed=3):
        middle = over_surface(CONE, size, contact.first, contact.direction, 0.5 * contact.length)
        out = np.multiply(middle, (1.3, 1.3, 1.0))
        judged = polyline.taut_length(a, b, out, *polyline.cone(size[2]))
        # What is left of the chords' error, mostly at the two ends of the contact.
        assert judged == pytest.approx(total(a, b, contact), abs=2e-5)


@settings(max_examples=60, deadline=None)
@given(st.floats(0.06, 0.3), st.floats(0.06, 0.3), st.floats(-3.1, 3.1), st.floats(-0.1, 0.1))
def test_far_from_its_apex_a_slender_cone_is_a_cylinder(d1, d2, turn, rise):
    radius, far = 0.05, 1e5
    a, b = (d1, 0.0, 0.0), (d2 * math.cos(turn), d2 * math.sin(turn), rise)
    straight = wrap(CYLINDER, (radius, 10.0, 0.0), 0, 0, a, b)
    slender = over((*a[:2], far), (*b[:2], far + rise), (radius, 2 * far, radius / far))
    if straight.outcome == CERTAIN and straight.length > 1e-4:
        assert slender.outcome == CERTAIN
        # The radius changes by 5e-8 over the line, and 1e5 m leave 1e-11 m of round-off.
        assert total((*a[:2], far), (*b[:2], far + rise), slender) == pytest.approx(
            total(a, b, straight), abs=2e-7
        )


def test_a_line_beside_below_or_beyond_the_base_passes():
    assert over((-1.0, 0.8, 0.5), (1.0, 0.8, 0.5)).outcome == FREE
    assert over((-1.0, 0.0, -0.1), (1.0, 0.1, -0.1)).outcome == FREE
    assert over((-2.0, 0.0, 1.5), (2.0, 0.1, 1.5)).outcome == FREE
    # Negative control: the same line lower down is caught.
    assert over((-2.0, 0.0, 0.5), (2.0, 0.1, 0.5)).outcome == CERTAIN
    assert over((0.0, 0.0, 0.5), (2.0, 0.1, 0.5)).outcome == INSIDE
    assert is_inside(CONE, HALF, (0.0, 0.0, 0.5)) and not is_inside(CONE, HALF, (0.0, 0.0, -0.5))


def test_near_the_apex_the_length_goes_over_into_the_straight_line():
    lengths = []
    for z in (1e-1, 1e-3, 1e-6, -1e-6):
        a, b = (-0.5, 0.0, z), (0.5, 1e-9, z)
        contact = over(a, b)
        lengths.append(total(a, b, contact) if contact.outcome == CERTAIN else math.dist(a, b))
    assert lengths[0] > lengths[1] > lengths[2]
    assert lengths[2] == pytest.approx(lengths[3], abs=1e-6)


def test_a_wanted_half_sends_the_line_round_that_side():
    a, b = (-0.6, 0.02, 0.5), (0.6, 0.02, 0.5)
    near, far = over(a, b, axis=1, sign=1), over(a, b, axis=1, sign=-1)
    assert near.outcome == far.outcome == CERTAIN
    assert near.first[1] > 0.0 > far.first[1]
    assert total(a, b, far) > total(a, b, near)
    # Passing by on the wrong side, the line is pulled over the half; on the right side it is left alone.
    aside = ((-0.6, -0.5, 0.5), (0.6, -0.5, 0.5))
    assert over(*aside, axis=1, sign=1).outcome == OPTIONAL
    assert over(*aside, axis=1, sign=-1).outcome == FREE


def pulley() -> bm.Model:
    cone = bm.WrapCone(name="horn", frame="ground", radius=0.1, height=0.3)
    points = (
        bm.PathPoint("origin", "ground", (-0.2, 0.01, 0.15)),
        bm.PathPoint("insertion", "arm", (0.2, 0.01, 0.12)),
    )
    muscle = bm.RigidTendonMuscle(name="cord", path=bm.Path(points, wraps=(bm.PathWrap("horn"),)))
    joint = bm.PinJoint(name="hinge", parent="ground", child="arm", coordinates=(bm.Coordinate("turn"),))
    body = bm.Body("arm", 1.0, (0.1, 0.0, 0.0), (0.01, 0.01, 0.01))
    return bm.Model(name="pulley", bodies=[body], joints=[joint], wrap_objects=[cone], muscles=[muscle])


def test_the_moment_arm_is_how_the_length_changes():
    angle = np.linspace(-0.6, 0.6, 9)
    step = 1e-6
    lengths = []
    for shift in (-step, step):
        motion = bo.Motion(np.arange(9.0), ("turn",), (angle + shift)[:, None])
        lengths.append(bo.paths(pulley(), motion)["length"].values[:, 0])
    arms = bo.moment_arms(pulley(), bo.Motion(np.arange(9.0), ("turn",), angle[:, None])).values[:, 0, 0]
    assert arms == pytest.approx((lengths[0] - lengths[1]) / (2 * step), abs=1e-9)
    assert np.ptp(arms) > 0.01


def test_it_is_kept_in_toml_and_refused_by_name_in_opensims_files(tmp_path: Path):
    bo.save_model(pulley(), tmp_path / "pulley.toml")
    assert bo.load_model(tmp_path / "pulley.toml").wrap_objects["horn"] == pulley().wrap_objects["horn"]
    with pytest.raises(UnsupportedError, match="WrapCone have no counterpart in OpenSim"):
        bo.save_model(pulley(), tmp_path / "pulley.osim")


def test_a_cone_has_no_halves_along_its_axis():
    with pytest.raises(InvalidValueError, match=r"'horn' is a cone about z, and has no half '\+z'"):
        replace(pulley().wrap_objects["horn"], quadrant="+z")
