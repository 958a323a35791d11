"""Continuity on shared models: lengths and arms jump only where something is named that switches."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.analyses.path_sweep import LENGTH_JUMP
from tests.laws.path_continuity import ORACLE, cases, free_coordinates, our_sweep, quiet_model, unexplained

pytestmark = pytest.mark.skipif(not ORACLE.is_dir(), reason="the shared reference cases are not here")


@pytest.mark.parametrize("case", cases())
def test_jumps_on_a_fine_sweep_are_named_and_lengths_break_only_at_switches(case):
    model = quiet_model(cases()[case])
    whole = {
        wrap.name for wrap in model.wrap_objects if wrap.quadrant.value == "all" and wrap.kind != "cylinder"
    }
    for name in free_coordinates(model):
        swept = our_sweep(model, name)
        assert unexplained(swept.jumps) == []
        for jump in swept.jumps:
            # A surface without a wanted half and without ends may bend the length, but never breaks it.
            if jump.cause.removeprefix("wrap object ").partition(":")[0] in whole:
                assert abs(jump.length) < LENGTH_JUMP


def test_slope_of_the_length_is_the_moment_arm():
    model = quiet_model(cases()["wrap_unit_ellipsoid"])
    swept = our_sweep(model, free_coordinates(model)[0])
    steps = np.diff(swept.values)[:, None]
    middle = 0.5 * (swept.arm[1:] + swept.arm[:-1])
    excess = np.abs(np.diff(swept.length, axis=0) / steps + middle)
    # Trapezoidal rule over steps of 0.1 degrees, away from touch-down, where the arm's slope is infinite.
    assert np.median(excess) < 1e-7
