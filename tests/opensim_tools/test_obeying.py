"""Loops of a model complete what a motion lacks; a motion that opens them is refused, or told of."""

from __future__ import annotations

import math

import numpy as np
import pytest

import borelli as bo
from borelli.errors import BorelliWarning, InvalidValueError
from borelli.model import Body, Model, PinJoint, Placement, PointConstraint
from borelli.opensim_tools.obeying import obeying

TIME = np.linspace(0.0, 0.5, 11)
CRANK = 0.8 + 0.3 * np.sin(4.0 * TIME)
COORDINATES = ("crank", "coupler", "rocker")


def parallelogram(enforced: bool = True) -> Model:
    """Four bars, opposite ones of one length: the rocker turns with the crank, and the coupler stays level."""
    bodies = [Body(name, 1.0, (0.2, 0, 0), (0.01, 0.01, 0.01)) for name in ("crank", "coupler", "rocker")]
    return Model(
        name="parallelogram",
        bodies=bodies,
        joints=[
            PinJoint(name="crank", parent="ground", child="crank"),
            PinJoint(
                name="coupler", parent="crank", child="coupler", parent_placement=Placement((0.3, 0.0, 0.0))
            ),
            PinJoint(
                name="rocker", parent="ground", child="rocker", parent_placement=Placement((0.5, 0.0, 0.0))
            ),
        ],
        constraints=[
            PointConstraint(
                name="closed",
                first="coupler",
                second="rocker",
                first_location=(0.5, 0.0, 0.0),
                second_location=(0.3, 0.0, 0.0),
                enforced=enforced,
            )
        ],
    )


def motion(rocker: np.ndarray = CRANK, **settings: object) -> bo.Motion:
    return bo.Motion(TIME, COORDINATES, np.column_stack([CRANK, -CRANK, rocker]), settings=settings)


def test_a_motion_that_closes_the_loop_is_left_alone() -> None:
    given = motion()
    assert obeying(parallelogram(), given) is given


def test_what_the_loop_determines_is_completed() -> None:
    lacking = bo.Motion(
        TIME,
        COORDINATES,
        np.column_stack([CRANK, np.full(11, -0.7), np.full(11, 0.9)]),
        settings={"at_default": ("coupler", "rocker")},
    )
    with pytest.warns(BorelliWarning, match="computed from the constraints of the model: coupler, rocker"):
        found = obeying(parallelogram(), lacking)
    angles = dict(zip(found.coordinates, found.q.T, strict=True))
    # Closed form of a parallelogram; assembly stops at 1e-10.
    np.testing.assert_allclose(angles["rocker"], CRANK, atol=1e-8)
    np.testing.assert_allclose(angles["coupler"], -CRANK, atol=1e-8)


def test_a_loop_that_gapes_is_refused_with_its_size_and_instant() -> None:
    open_by = np.where(np.arange(11) == 7, 0.1, 0.0)
    # The end of the rocker, 0.3 m long, moves by the chord of 0.1 rad; the larger of its components is told.
    with pytest.raises(InvalidValueError, match=r"violates constraint 'closed.*at 0\.35 s") as caught:
        obeying(parallelogram(), motion(CRANK + open_by, source="walk.mot"))
    told = str(caught.value)
    assert "walk.mot" in told and "--allow-violations" in told
    size = float(told.split(" by ")[1].split()[0])
    turn = CRANK[7] + 0.05
    chord = 0.6 * math.sin(0.05) * np.abs([math.sin(turn), math.cos(turn)])
    assert size == pytest.approx(chord.max(), rel=1e-2)


def test_it_is_taken_on_request_and_told() -> None:
    given = motion(CRANK + 0.1)
    with pytest.warns(BorelliWarning, match="The motion violates constraint 'closed"):
        assert obeying(parallelogram(), given, allow_violations=True) is given


def test_what_filters_leave_passes() -> None:
    given = motion(CRANK + 0.005)
    assert obeying(parallelogram(), given) is given


def test_a_loop_that_is_switched_off_is_not_looked_at() -> None:
    given = motion(CRANK + 1.0)
    assert obeying(parallelogram(enforced=False), given) is given
