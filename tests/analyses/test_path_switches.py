"""Jumps of a path on a sweep: each is put down to the point, half or end of a surface that decides there."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.analyses.muscles.sweep import LENGTH_JUMP, Jump, Sweep, sweep
from borelli.mechanics.paths.path_switches import NOTHING
from borelli.model import (
    Body,
    Component,
    ConditionalPathPoint,
    Coordinate,
    Model,
    MovingPathPoint,
    Path,
    PathPoint,
    PathWrap,
    PiecewiseLinear,
    Placement,
    RigidTendonMuscle,
    SimmSpline,
    SliderJoint,
    WrapCylinder,
    WrapEllipsoid,
    WrapObject,
    WrapSphere,
)

RADIUS = 0.05
SLIDES = {
    "x": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "y": ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    "z": ((0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)),
}
"""Axes of a slider (its own x) in ground."""


def cart(axis: str, end: tuple[float, float, float], *surfaces: WrapObject, start_y=-0.01, via=()) -> Model:
    """A path from (-0.2, start_y, 0) to a point that a cart carries along an axis of the ground."""
    place = Placement(rotation=SLIDES[axis])
    rail = SliderJoint(
        name="rail",
        parent="ground",
        child="cart",
        parent_placement=place,
        child_placement=place,
        coordinates=(Coordinate("travel"),),
    )
    points = (PathPoint("fixed", "ground", (-0.2, start_y, 0)), *via, PathPoint("carried", "cart", end))
    path = Path(points, tuple(PathWrap(surface.name) for surface in surfaces))
    return Model(
        name="cart",
        bodies=(Body("cart", 1.0),),
        joints=(rail,),
        wrap_objects=surfaces,
        muscles=(RigidTendonMuscle(name="m", path=path),),
    )


def swept(model: Model, low: float, high: float) -> Sweep:
    return sweep(model, "travel", low, high, steps=200)


def only_jump(model: Model, low: float, high: float) -> Jump:
    (jump,) = swept(model, low, high).jumps
    return jump


def cylinder(quadrant="all", length=1.0) -> WrapCylinder:
    return WrapCylinder(name="roll", frame="ground", radius=RADIUS, length=length, quadrant=quadrant)


def sphere(quadrant="all") -> WrapSphere:
    return WrapSphere(name="ball", frame="ground", radius=RADIUS, quadrant=quadrant)


def ellipsoid(quadrant="all") -> WrapEllipsoid:
    return WrapEllipsoid(name="egg", frame="ground", radii=(0.06, RADIUS, 0.08), quadrant=quadrant)


WHOLE = [cylinder(), sphere(), ellipsoid()]


@pytest.mark.parametrize("surface", WHOLE, ids=lambda surface: surface.kind)
def test_a_point_that_enters_a_surface_is_named_with_it(surface):
    """It moves along x from within: where it comes out, the straight line is given up for the way round."""
    jump = only_jump(cart("x", (0.2, 0.0, 0.0), surface), -0.17, 0.0)
    assert jump.cause == f"lift-off from wrap object {surface.name}: point carried leaves it"
    edge = 0.06 if surface.kind == "ellipsoid" else RADIUS
    # Half a step of the sweep.
    assert jump.value + 0.2 == pytest.approx(edge, abs=0.0005)


def test_entering_is_told_from_leaving():
    jump = only_jump(cart("y", (0.04, -0.1, 0.0), cylinder(), start_y=0.08), 0.0, 0.1)
    assert jump.cause == "lift-off from wrap object roll: point carried enters it"
    assert jump.value - 0.1 == pytest.approx(-0.03, abs=0.0005)


@pytest.mark.parametrize("surface", WHOLE, ids=lambda surface: surface.kind)
def test_a_whole_surface_that_no_point_enters_makes_no_jump(surface):
    """The line comes down upon it, lies over it, and ends within 1 cm of it."""
    found = swept(cart("y", (0.07, 0.0, 0.0), surface, start_y=0.07), -0.005, 0.3)
    assert set(np.unique(found.switches.state)) == {0, 1}
    assert found.jumps == ()


@pytest.mark.parametrize("surface", [sphere("+y"), ellipsoid("+y")], ids=lambda surface: surface.kind)
def test_a_line_that_drops_off_the_wanted_half_names_the_quadrant(surface):
    """Held over the top of the surface while it cuts it, the line lets go where it passes below."""
    jump = only_jump(cart("y", (0.2, -0.01, 0.0), surface, start_y=-0.03), -0.2, 0.0)
    assert jump.cause == f"quadrant constraint of wrap object {surface.name}"
    assert jump.length > 0.04


@pytest.mark.parametrize("surface", [sphere(), ellipsoid()], ids=lambda surface: surface.kind)
def test_without_a_quadrant_the_same_line_does_not_break(surface):
    found = swept(cart("y", (0.2, -0.01, 0.0), surface, start_y=-0.03), -0.2, 0.0)
    assert set(np.unique(found.switches.state)) == {0, 1}
    assert found.jumps == ()


def test_a_line_that_slides_over_the_end_of_a_cylinder_names_the_end():
    jump = only_jump(cart("z", (0.2, -0.01, 0.0), cylinder(length=0.06)), 0.0, 0.2)
    assert jump.cause == "lift-off over the end of wrap object roll"
    assert swept(cart("z", (0.2, -0.01, 0.0), cylinder(length=1.0)), 0.0, 0.2).jumps == ()


@pytest.mark.parametrize("surface", [cylinder(), sphere()], ids=lambda surface: surface.kind)
def test_where_both_ways_round_are_equally_long_the_arm_jumps_but_not_the_length(surface):
    found = sweep(cart("y", (0.2, 0.0, 0.0), surface, start_y=0.0), "travel", -0.0201, 0.02, steps=2000)
    (jump,) = found.jumps
    assert jump.cause == f"both ways round wrap object {surface.name} are equally long"
    assert abs(jump.value) < 2e-5
    assert abs(jump.length) < LENGTH_JUMP
    assert jump.arm > 0.2


def test_a_break_between_two_whole_surfaces_is_not_called_a_tie():
    """Above or below the first of two rolls, one of which lies higher: the line then passes both on another side."""
    first, second = (
        WrapCylinder(name=name, frame="ground", radius=0.03, placement=Placement(translation=place))
        for name, place in (("low", (-0.05, 0.0, 0.0)), ("high", (0.05, 0.02, 0.0)))
    )
    jump = only_jump(cart("y", (0.3, 0.0, 0.0), first, second, start_y=0.0), -0.0201, 0.02)
    assert jump.cause == "another of several taut lines over wrap objects low and high"
    assert abs(jump.length) > LENGTH_JUMP


def test_a_conditional_point_is_named_alone_though_a_contact_goes_with_it():
    below = ConditionalPathPoint("below", "ground", (0.0, -0.07, 0.0), "travel", (-1.0, 0.005))
    jump = only_jump(cart("x", (0.2, 0.0, 0.0), cylinder(), via=(below,)), -0.05, 0.05)
    assert jump.cause == "conditional point below"
    assert jump.value == pytest.approx(0.005, abs=0.001)


def test_between_two_steps_where_nothing_happens_nothing_is_named():
    found = swept(cart("x", (0.2, 0.0, 0.0), cylinder()), -0.1, 0.0)
    assert found.cause(0, 10, 11) == NOTHING


@pytest.mark.filterwarnings("ignore:points of paths move in their bodies")
def test_a_corner_in_the_guide_of_a_moving_point_is_named():
    guide = Component(PiecewiseLinear((-1.0, 0.005, 1.0), (0.0, 0.0, 0.9)), "travel")
    guided = MovingPathPoint("guided", "ground", y=guide)
    jump = only_jump(cart("x", (0.2, 0.0, 0.0), via=(guided,)), -0.05, 0.05)
    assert jump.cause == "corner in the guide of moving point guided"
    assert jump.value == pytest.approx(0.005, abs=0.001)


@pytest.mark.filterwarnings("ignore:points of paths move in their bodies")
def test_a_guide_without_corners_names_nothing():
    guide = Component(SimmSpline((-1.0, 0.005, 1.0), (0.0, 0.0, 0.9)), "travel")
    guided = MovingPathPoint("guided", "ground", y=guide)
    found = swept(cart("x", (0.2, 0.0, 0.0), via=(guided,)), -0.05, 0.05)
    assert found.jumps == ()
    assert found.cause(0, 109, 111) == NOTHING
