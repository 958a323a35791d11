"""Paths: lengths, speeds, drawings and wrenches on bodies."""

from __future__ import annotations

import math

import numpy as np
import pytest

import borelli as bo
from borelli.errors import InvalidValueError
from borelli.model import (
    Body,
    ConditionalPathPoint,
    Model,
    Path,
    PathPoint,
    PathWrap,
    PinJoint,
    Placement,
    RigidTendonMuscle,
    WrapCylinder,
)
from tests.kernels.paths import polyline
from tests.path_models import random_paths
from tests.random_trees import random_motion


def lever(points, wraps=(), objects=()):
    joint = PinJoint(name="hinge", parent="ground", child="arm")
    tendon = RigidTendonMuscle(name="muscle", path=Path(tuple(points), tuple(wraps)))
    return Model(bodies=(Body("arm", 1.0),), joints=(joint,), muscles=(tendon,), wrap_objects=objects)


def swept(model, angles):
    return bo.Motion.at_rest(("hinge",), np.array(angles)[:, None])


def pulley(radius=0.05, **more):
    return WrapCylinder(name="pulley", frame="ground", radius=radius, **more)


ENDS = (PathPoint("o", "ground", (-0.3, 0.02, 0)), PathPoint("i", "arm", (0.3, 0.02, 0)))


def test_arm_over_a_pulley_on_the_axis_is_its_radius():
    model = lever(ENDS, (PathWrap("pulley"),), (pulley(quadrant="+y"),))
    angles = np.linspace(-1.0, 0.1, 12)
    arms = bo.moment_arms(model, swept(model, angles)).values[:, 0, 0]
    assert arms == pytest.approx(np.full(12, 0.05), abs=1e-14)
    length = bo.paths(model, swept(model, angles)).length.values[:, 0]
    assert np.diff(length) == pytest.approx(-0.05 * np.diff(angles), abs=1e-14)


def test_conditional_point_is_there_inside_its_range_only():
    bend = ConditionalPathPoint("via", "ground", (0.0, 0.2, 0), "hinge", (0.0, 1.0))
    model = lever((ENDS[0], bend, ENDS[1]))
    number = bo.paths(model, swept(model, [-0.1, 0.0, 0.5, 1.0, 1.1]), points=True).n_points.values[:, 0]
    assert number.tolist() == [2, 3, 3, 3, 2]


def test_wrap_applies_to_its_range_of_points_only():
    corner = PathPoint("corner", "ground", (-0.2, 0.3, 0))
    points = (PathPoint("start", "ground", (-0.3, -0.3, 0)), corner, *ENDS)
    motion_of = [0.0]
    everywhere = lever(points, (PathWrap("pulley"),), (pulley(),))
    elsewhere = lever(points, (PathWrap("pulley", range=(1, 2)),), (pulley(),))
    within = lever(points, (PathWrap("pulley", range=(3, -1)),), (pulley(),))
    numbers = [
        bo.paths(model, swept(model, motion_of), points=True, arc_points=0).n_points.item()
        for model in (everywhere, elsewhere, within)
    ]
    assert numbers == [6, 4, 6]


def test_inactive_wrap_object_is_passed_through():
    model = lever(ENDS, (PathWrap("pulley"),), (pulley(active=False),))
    assert bo.paths(model, swept(model, [0.0])).length.item() == pytest.approx(0.6, abs=1e-15)


def test_two_pulleys_are_joined_by_their_common_tangent():
    """Two equal circles side by side: an arc on each and a straight line between."""
    gap, radius = 0.2, 0.05
    objects = (
        WrapCylinder(name="left", frame="ground", placement=Placement((-gap / 2, 0, 0)), radius=radius),
        WrapCylinder(name="right", frame="ground", placement=Placement((gap / 2, 0, 0)), radius=radius),
    )
    points = (PathPoint("o", "ground", (-0.4, 0.01, 0)), PathPoint("i", "arm", (0.4, 0.01, 0)))
    model = lever(points, (PathWrap("left"), PathWrap("right")), objects)
    # From each end: the tangent, and the arc up to the top of the circle.
    run, rise = 0.4 - gap / 2, 0.01
    away = math.hypot(run, rise)
    arc = math.pi / 2 - math.acos(radius / away) + math.atan2(-rise, run)
    expected = 2 * (math.sqrt(away**2 - radius**2) + radius * arc) + gap
    assert bo.paths(model, swept(model, [0.0])).length.item() == pytest.approx(expected, abs=1e-13)


def test_drawing_runs_over_the_surface_and_measures_the_path():
    model = lever(ENDS, (PathWrap("pulley"),), (pulley(),))
    found = bo.paths(model, swept(model, [0.0]), points=True, arc_points=200)
    line = found.points[0, 0, : int(found.n_points.item())].values
    drawn = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    # Two hundred chords of an arc of 0.1 rad.
    assert drawn == pytest.approx(found.length.item(), abs=1e-8)
    assert np.hypot(line[1:-1, 0], line[1:-1, 1]) == pytest.approx(np.full(202, 0.05), abs=1e-15)


@pytest.mark.parametrize("seed", range(6))
def test_wrenches_of_a_path_on_all_bodies_cancel_and_do_the_work_of_its_shortening(seed):
    model = random_paths(seed)
    motion = random_motion(model, seed, n_times=4)
    found = bo.paths(model, motion, transmission=True)
    poses = bo.body_poses(model, motion)
    origin = np.concatenate([np.zeros((4, 1, 3)), poses.origin.values], axis=1)[:, None]
    force, moment = found.force.values, found.moment.values
    about_ground = moment + np.cross(np.broadcast_to(origin, force.shape), force)
    assert np.abs(force.sum(axis=2)).max() < 1e-13
    assert np.abs(about_ground.sum(axis=2)).max() < 1e-13
    unit = {
        "force": np.zeros((4, 3)),
        "point": np.zeros((4, 3)),
        "moment": np.zeros((4, 3)),
    }
    # Loads of one path at a time, through inverse dynamics, give its generalized forces with opposite sign.
    still = bo.Motion(
        motion.time, motion.coordinates, motion.q, 0 * motion.u, 0 * motion.udot, speeds=motion.speeds
    )
    alone = bo.inverse_dynamics(model, still)["generalized_force"].values
    wanted = bo.paths(model, motion, forces=True).generalized_force.values
    for path in range(len(found.path)):
        loads = [
            bo.Load(
                body,
                body,
                **unit | {"force": force[:, path, k], "point": origin[:, 0, k], "moment": moment[:, path, k]},
            )
            for k, body in enumerate(model.body_names, start=1)
        ]
        with_path = bo.inverse_dynamics(model, still, loads)["generalized_force"].values
        assert alone - with_path == pytest.approx(wanted[:, path], abs=1e-10)


def test_result_has_units_and_only_what_was_asked_for():
    model = lever(ENDS)
    found = bo.paths(model, swept(model, [0.0, 0.1]), names="muscle")
    assert set(found) == {"length", "speed"}
    assert found.length.attrs["units"] == "m"
    assert found.speed.attrs["units"] == "m/s"


def test_negative_number_of_arc_points_is_refused():
    model = lever(ENDS)
    with pytest.raises(InvalidValueError, match="arc_points must not be negative, but is -1"):
        bo.paths(model, swept(model, [0.0]), arc_points=-1)


def test_a_slanting_line_through_a_wide_ring_is_taut():
    from borelli.model import WrapTorus

    size = (0.020437999337431782, 0.09241644075956719)
    ring = WrapTorus(name="ring", frame="ground", inner_radius=size[0], outer_radius=size[1])
    ends = (-0.24856243, 0.0326795, -0.08141268), (0.17950424, 0.15190065, 0.05522542)
    points = (PathPoint("o", "ground", ends[0]), PathPoint("i", "arm", ends[1]))
    model = lever(points, (PathWrap("ring"),), (ring,))
    length = float(bo.paths(model, swept(model, [0.0]))["length"][0, 0])
    judged = polyline.taut_length(*ends, (0.0, 0.0, 0.0), *polyline.torus(*size), grids=(96, 192, 384))
    # What is left of the chords' error, mostly at the two ends of the contact.
    assert judged == pytest.approx(length, abs=3e-6)
