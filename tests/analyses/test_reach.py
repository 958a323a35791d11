"""How far a coordinate in a loop can go: closed forms of the four-bar linkage."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.analyses.muscles.sweep import sweep
from borelli.analyses.postures.reach import reach
from borelli.errors import UnsolvableError
from tests.analyses.linkages import BASE, COUPLER, CRANK, ROCKER, four_bar, rocker_angle


def rocker_end(distance: float) -> float:
    """Angle of the rocker when crank and coupler lie in one line, so that its pin is so far from the crank's pivot."""
    return float(np.arccos((distance**2 - BASE**2 - ROCKER**2) / (2 * BASE * ROCKER)))


LOW, HIGH = rocker_end(COUPLER + CRANK), rocker_end(COUPLER - CRANK)


def test_a_rocker_swings_between_the_two_stretched_positions():
    way = reach(four_bar("point"), "rocker", 0.0, 3.1)
    # A hundredth of each way is left out, and the end is found to 1e-4 of the range.
    assert LOW < way.values[0] < LOW + 0.012 * (HIGH - LOW)
    assert HIGH - 0.012 * (HIGH - LOW) < way.values[-1] < HIGH
    assert (np.diff(way.values) > 0).all()


def test_postures_on_the_way_are_those_of_the_linkage():
    model = four_bar("point")
    way = reach(model, "rocker", 0.0, 3.1)
    crank = way.q[:, model.coordinate_names.index("crank")]
    # Assembled to 1e-9; close to the ends the crank turns some ten times as fast as the rocker.
    np.testing.assert_allclose(rocker_angle(crank), way.values, atol=1e-7)
    assert np.abs(np.diff(crank)).max() < 0.5


def test_where_nothing_stops_it_the_whole_range_is_reached():
    way = reach(four_bar("point"), "crank", -1.0, 1.0)
    assert way.values[0] == -1.0
    assert way.values[-1] == 1.0


def test_a_sweep_beyond_reach_says_how_far_it_goes():
    model = four_bar("point")
    with pytest.raises(UnsolvableError, match=r"'rocker' cannot go from 0 to 3\.1.* from 1\.4\d+ to 2\.6\d+"):
        sweep(model, "rocker", 0.0, 3.1)


def test_a_sweep_within_reach_leaves_out_the_rest():
    swept = sweep(four_bar("point"), "rocker", 0.0, 3.1, steps=50, within_reach=True)
    assert LOW < swept.values[0] < swept.values[-1] < HIGH
    assert swept.q.shape == (51, 3)
