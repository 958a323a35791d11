"""States files: labels of both generations, and rows that are missing."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.errors import MissingInputError
from borelli.io.states_file import load_states
from borelli.model import Thelen2003Muscle
from tests.analyses.test_muscle_states import FIBRES, swinging

TIME = np.arange(5) / 10


def model():
    return swinging(Thelen2003Muscle(name="soleus_r", **FIBRES))[0]


@pytest.mark.parametrize(
    "labels",
    [
        ("/jointset/swing/swing/speed", "/forceset/soleus_r/activation", "/forceset/soleus_r/fiber_length"),
        ("swing_u", "soleus_r.activation", "soleus_r.fiber_length"),
    ],
)
def test_labels_of_both_generations_are_understood(labels, tmp_path):
    values = np.arange(15.0).reshape(5, 3)
    bo.save_table(bo.Table(TIME, labels, values, in_degrees=False), tmp_path / "s.sto")
    found = load_states(tmp_path / "s.sto", model(), TIME[1:4])
    np.testing.assert_array_equal(found.speeds["swing"], values[1:4, 0])
    np.testing.assert_array_equal(found.muscles["activation"]["soleus_r"], values[1:4, 1])
    np.testing.assert_array_equal(found.muscles["fiber_length"]["soleus_r"], values[1:4, 2])


def test_speeds_in_degrees_become_radians(tmp_path):
    bo.save_table(bo.Table(TIME, ("swing_u",), np.full((5, 1), 180.0), in_degrees=True), tmp_path / "s.sto")
    np.testing.assert_allclose(load_states(tmp_path / "s.sto", model(), TIME).speeds["swing"], np.pi)


def test_rows_that_the_file_lacks_are_told(tmp_path):
    bo.save_table(bo.Table(TIME, ("swing_u",), np.ones((5, 1))), tmp_path / "s.sto")
    with pytest.raises(MissingInputError, match="the file of states or speeds lacks rows of the motion"):
        load_states(tmp_path / "s.sto", model(), np.array([0.05]))


def test_steps_shorter_than_a_microsecond_have_states_of_their_own(tmp_path):
    """Computed muscle control of OpenSim begins with such steps."""
    time = np.array([0.12, 0.120000331496, 0.120000662992, 0.120002320473])
    values = np.arange(1.0, 5.0)[:, None]
    bo.save_table(bo.Table(time, ("swing_u",), values, in_degrees=False), tmp_path / "s.sto")
    found = load_states(tmp_path / "s.sto", model(), np.append(time, 0.120002))
    assert found.speeds["swing"].tolist() == [1.0, 2.0, 3.0, 4.0, 4.0]
