"""A warning is about the line that called, however deep it arises."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo

from .marked_body import marked_body, recorded, swing

MODEL = marked_body()


def test_a_warning_names_the_line_of_the_caller() -> None:
    markers = recorded(MODEL, swing(MODEL, np.arange(30) * 0.01), noise=0.08)
    with pytest.warns(bo.BorelliWarning) as told:
        bo.inverse_kinematics(MODEL, markers)
    assert {warning.filename for warning in told} == {__file__}
