"""Loads that a file cannot hold as they are: refused, never changed in silence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import borelli as bo
from borelli.errors import InvalidValueError

TIME = np.arange(4) / 10


def load(name: str = "push", body: str = "leg", **changed: np.ndarray) -> bo.Load:
    values = {"force": np.ones((4, 3)), "point": np.zeros((4, 3)), "moment": np.zeros((4, 3))} | changed
    return bo.Load(name, body, **values, time=TIME)


@pytest.mark.parametrize("what", ["force", "moment"])
def test_unknown_forces_are_not_written_as_zero(tmp_path: Path, what: str) -> None:
    values = np.ones((4, 3))
    values[2, 1] = np.nan
    with pytest.raises(
        InvalidValueError, match=rf"The {what} of load 'push' is NaN at 0\.2 s(.|\n)*fill the gap"
    ):
        bo.save_loads([load(**{what: values})], tmp_path / "loads.xml")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a\x1b[31m", "a\tb", "a\nb", "\ud800", "\x07"])
def test_names_that_no_file_can_hold_are_refused(tmp_path: Path, name: str) -> None:
    for given in (load(name=name), load(body=name)):
        with pytest.raises(InvalidValueError, match=r"holds a character that an \.xml file cannot hold"):
            bo.save_loads([given], tmp_path / "loads.xml")


def test_unknown_points_of_zero_forces_and_odd_letters_are_written(tmp_path: Path) -> None:
    point = np.zeros((4, 3))
    point[1] = np.nan
    given = load("linker Fuß & Co", force=np.array([[0, 0, 0]] * 2 + [[0, 1.0, 0]] * 2), point=point)
    bo.save_loads([given], tmp_path / "loads.xml")
    (read,) = bo.load_loads(tmp_path / "loads.xml")
    assert np.array_equal(read.force, given.force)
