"""Moving points of paths beyond the range of their coordinate: they stay where its end puts them, as in OpenSim."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.model import (
    Body,
    Component,
    Constant,
    Coordinate,
    Function,
    Model,
    MovingPathPoint,
    Path,
    PathPoint,
    PathSpring,
    PiecewiseLinear,
    PinJoint,
    Sine,
)

pytestmark = pytest.mark.filterwarnings("ignore:points of paths move:borelli.errors.BorelliWarning")
RANGE = (-1.2, 0.3)
ANGLES = np.array([-2.0, -1.2001, -1.1999, -0.5, 0.2999, 0.3, 0.3001, 0.8])
# Lengths that OpenSim 4.6 gives for the model of `bent` with the piecewise linear function, saved as .osim.
OPENSIM = np.array(
    [
        0.2233182187384101,
        0.2687251662482665,
        0.26872712302526003,
        0.24079546785827177,
        0.24361943002705078,
        0.24363279076438957,
        0.24362638685744362,
        0.20491764609260005,
    ]
)


def bent(function: Function) -> Model:
    """A hinge, and a spring from the ground to a point that slides along the shank as the hinge turns."""
    slide = Component(function, "knee")
    points = (
        PathPoint("origin", "ground", (0.05, 0.1, 0.0)),
        MovingPathPoint("end", "shank", x=Component(Constant(0.04)), y=slide),
    )
    return Model(
        name="bent",
        bodies=[Body("shank", 3.0, (0.0, -0.2, 0.0), (0.04, 0.01, 0.04))],
        joints=[
            PinJoint(
                name="hinge",
                parent="ground",
                child="shank",
                coordinates=(Coordinate("knee", range=RANGE),),
            )
        ],
        forces=[PathSpring(name="band", path=Path(points), resting_length=0.1, stiffness=100.0)],
    )


SLIDES: dict[str, Function] = {
    "polynomials between breaks": PiecewiseLinear((-2.0, 0.0, 1.0), (-0.2, -0.1, -0.3)),
    "breaks at the ends": PiecewiseLinear((-1.2, -0.4, 0.3), (-0.2, -0.1, -0.3)),
    "breaks beyond": PiecewiseLinear((-2.0, -1.5, 0.5, 1.0), (-0.2, -0.3, -0.1, -0.3)),
    "no polynomials": Sine(0.1, 1.0, 0.3, -0.2),
}


def at(angles: np.ndarray) -> bo.Motion:
    q = angles[:, None]
    return bo.Motion(np.arange(len(angles), dtype=float), ("knee",), q, np.ones_like(q), np.zeros_like(q))


def length(function: Function, angles: np.ndarray) -> np.ndarray:
    """By hand: where the point is in the ground."""
    along = np.array([float(function.value(x)) for x in np.clip(angles, *RANGE)])
    x = 0.04 * np.cos(angles) - along * np.sin(angles)
    y = 0.04 * np.sin(angles) + along * np.cos(angles)
    return np.hypot(x - 0.05, y - 0.1)


@pytest.mark.parametrize("function", SLIDES.values(), ids=SLIDES.keys())
def test_beyond_the_range_of_its_coordinate_a_point_stays_where_the_end_puts_it(function: Function) -> None:
    got = bo.paths(bent(function), at(ANGLES))["length"].sel(path="band")
    np.testing.assert_allclose(got, length(function, ANGLES), rtol=1e-13)
    free = np.array([float(function.value(x)) for x in ANGLES])
    held = np.array([float(function.value(x)) for x in np.clip(ANGLES, *RANGE)])
    # Otherwise nothing is tested.
    assert np.abs(free - held).max() > 0.02


@pytest.mark.parametrize("function", SLIDES.values(), ids=SLIDES.keys())
def test_arms_and_speeds_beyond_the_range_are_slopes_of_the_length(function: Function) -> None:
    model, step = bent(function), 1e-6
    # At the two ends there are two slopes; between the ends and beyond, one.
    angles = ANGLES[RANGE[1] != ANGLES]
    slope = (length(function, angles + step) - length(function, angles - step)) / (2.0 * step)
    # Round-off of the difference, over the step.
    arms = bo.moment_arms(model, at(angles)).sel(path="band", coordinate="knee")
    np.testing.assert_allclose(arms, -slope, atol=1e-9)
    np.testing.assert_allclose(bo.paths(model, at(angles))["speed"].sel(path="band"), slope, atol=1e-9)


@pytest.mark.parametrize("function", SLIDES.values(), ids=SLIDES.keys())
def test_at_the_ends_of_the_range_the_slope_is_that_within(function: Function) -> None:
    model, ends, step = bent(function), np.array(RANGE), np.array([1e-7, -1e-7])
    arms = bo.moment_arms(model, at(ends)).sel(path="band", coordinate="knee")
    slope = (length(function, ends + step) - length(function, ends)) / step
    # The difference leans to one side: half its step times a curvature of at most one.
    np.testing.assert_allclose(arms, -slope, atol=1e-7)


def test_lengths_beyond_the_range_are_opensims() -> None:
    got = bo.paths(bent(SLIDES["polynomials between breaks"]), at(ANGLES))["length"].sel(path="band")
    np.testing.assert_allclose(got, OPENSIM, rtol=1e-12)
