"""Continuity on shared models: lengths and arms jump only where something is named that switches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from borelli.analyses.muscles.sweep import LENGTH_JUMP
from tests.laws.path_continuity import cases, free_coordinates, kind_of, our_sweep, quiet_model
from tests.shared_data import each_of, needs_data

pytestmark = needs_data


@pytest.mark.parametrize("case", each_of(cases()))
def test_jumps_on_a_fine_sweep_are_named_and_a_tie_does_not_break_the_length(case):
    model = quiet_model(cases()[case])
    for name in free_coordinates(model):
        for jump in our_sweep(model, name).jumps:
            assert kind_of(jump.cause) != "nothing"
            # A surface without a wanted half, which no point enters, may bend the length, but never breaks it.
            if kind_of(jump.cause) == "tie":
                assert abs(jump.length) < LENGTH_JUMP


@pytest.mark.parametrize(
    ("case", "coordinate", "expected"),
    [
        (
            "arm26",
            "r_shoulder_elev",
            {
                ("TRIlong", "lift-off over the end of wrap object TRIlongglen"),
                (
                    "TRIlong",
                    "quadrant constraint of wrap object TRIlonghh, quadrant constraint of wrap object TRIlongglen",
                ),
                ("BIClong", "lift-off from wrap object BIClonghh: point BIClong-P2 enters it"),
                ("BIClong", "lift-off from wrap object BIClonghh: point BIClong-P2 leaves it"),
            },
        ),
        ("wrap_unit_sphere", "rz", {("mus", "quadrant constraint of wrap object wrap")}),
        (
            "rajagopal_walk",
            "hip_rotation_r",
            {
                ("glmax1_r", "lift-off from wrap object Gmax1_at_pelvis_r: point glmax1_r-P3 leaves it"),
                ("glmax2_r", "lift-off from wrap object Gmax2_at_pelvis_r: point glmax2_r-P3 leaves it"),
            },
        ),
    ],
)
def test_jumps_of_shared_models_have_these_causes(case, coordinate, expected):
    swept = our_sweep(quiet_model(cases()[case]), coordinate)
    assert {(jump.path, jump.cause) for jump in swept.jumps} == expected


@pytest.mark.parametrize(
    ("case", "coordinate", "surface"),
    [("arm26", "r_shoulder_elev", "TRIlongglen"), ("wrap_unit_sphere", "rz", "wrap")],
)
def test_jumps_of_a_quadrant_go_when_the_whole_surface_may_be_touched(case, coordinate, surface):
    model = quiet_model(cases()[case])
    objects = [replace(own, quadrant="all") if own.name == surface else own for own in model.wrap_objects]
    swept = our_sweep(replace(model, wrap_objects=tuple(objects)), coordinate)
    broken = [jump for jump in swept.jumps if abs(jump.length) > LENGTH_JUMP]
    assert [jump for jump in broken if surface in jump.cause or "quadrant" in jump.cause] == []


def test_slope_of_the_length_is_the_moment_arm():
    model = quiet_model(cases()["wrap_unit_ellipsoid"])
    swept = our_sweep(model, free_coordinates(model)[0])
    steps = np.diff(swept.values)[:, None]
    middle = 0.5 * (swept.arm[1:] + swept.arm[:-1])
    excess = np.abs(np.diff(swept.length, axis=0) / steps + middle)
    # Trapezoidal rule over steps of 0.1 degrees, away from touch-down, where the arm's slope is infinite.
    assert np.median(excess) < 1e-7
