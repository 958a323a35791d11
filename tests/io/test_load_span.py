"""Motions and loads of two devices: a fraction of a step apart is the same instant, more is cut off."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.errors import BorelliWarning, InvalidValueError
from borelli.io.load_span import within_loads
from borelli.model.load import Interpolation
from tests.io.test_loads import FORCE, study


def motion(first: float, last: float, step: float = 0.1) -> bo.Motion:
    time = np.arange(first, last + 0.5 * step, step)
    return bo.Motion(time, ("a",), np.zeros((time.size, 1)))


def test_an_instant_half_a_step_outside_takes_the_nearest_value_and_is_told(tmp_path):
    # Steps of 0.1 s; -0.002 s is a time that was rounded to three decimals.
    near = motion(-0.002, 0.9)
    with pytest.warns(
        BorelliWarning, match=r"one instant lies up to 0\.002 s outside .* the nearest value is used"
    ):
        (load,) = bo.load_loads(study(tmp_path), near)
    np.testing.assert_allclose(load.force[0], FORCE[0], atol=1e-12)
    assert within_loads(near, tmp_path / "grf.xml")[0] is near


def test_the_longer_step_counts(tmp_path):
    """Loads are recorded ten times as often as motions; the motion's own step says how exact its times are."""
    fine = bo.Load("x", "b", time=np.arange(101) / 1000, moment=np.ones((101, 3)))
    assert fine.at(np.array([-0.004, 0.006, 0.016])).moment[0, 0] == 1.0
    with pytest.raises(InvalidValueError, match=r"known from 0 to 0\.1 s, but the motion runs from -0\.006"):
        fine.at(np.array([-0.006, 0.004, 0.014]))


def test_outside_its_span_a_natural_spline_is_straight():
    time = np.arange(11) / 10
    curve = np.column_stack([np.sin(time), np.cos(time), time])
    load = bo.Load("x", "b", time=time, moment=curve)
    far, end, before = (
        load.at(np.array([t]), Interpolation.CUBIC).moment[0] for t in (1.04, 1.0, 1.0 - 1e-7)
    )
    np.testing.assert_allclose((far - end) / 0.04, (end - before) / 1e-7, rtol=1e-6)


def test_a_motion_that_is_longer_than_its_loads_is_cut_and_told(tmp_path):
    path = study(tmp_path)
    with pytest.warns(
        BorelliWarning, match=r"loads run from 0 to 1 s, the motion from -0\.5 to 1\.5 s: 10 of 21"
    ):
        rest, table = within_loads(motion(-0.5, 1.5), path)
    np.testing.assert_allclose(rest.time, np.linspace(0, 1, 11), atol=1e-12)
    assert table is not None
    assert len(bo.load_loads(path, rest, data_file=table)[0].force) == 11


def test_a_motion_without_any_load_is_refused(tmp_path):
    with pytest.raises(InvalidValueError, match="No instant of the motion has loads") as refused:
        within_loads(motion(3.0, 4.0), study(tmp_path))
    assert "same trial" in str(refused.value)
