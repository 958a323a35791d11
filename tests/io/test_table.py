"""The table itself."""

from __future__ import annotations

import numpy as np
import pytest

from borelli.errors import DuplicateNameError, ShapeError, UnknownNameError
from borelli.results.labelled.table import Cell, Table


def table() -> Table:
    return Table(np.arange(3.0), ("knee", "hip"), np.arange(6.0).reshape(3, 2), ("deg", "mm"), name="T")


def test_columns_are_found_by_name() -> None:
    assert table().column("hip").tolist() == [1.0, 3.0, 5.0]
    assert table().select(["hip", "knee"]).values[0].tolist() == [1.0, 0.0]
    with pytest.raises(UnknownNameError, match=r"'Knee' is not a column of table 'T'(.|\n)*Closest: 'knee'"):
        table().column("Knee")


def test_a_name_that_two_columns_share_is_ambiguous() -> None:
    twice = Table(np.zeros(1), ("a", "a"), np.zeros((1, 2)))
    with pytest.raises(
        DuplicateNameError, match="2 columns are named 'a', so it is not clear which one is meant"
    ):
        twice.column("a")


def test_known_units_become_si() -> None:
    si = table().to_si()
    assert si.units == ("rad", "m")
    assert si.values[1].tolist() == pytest.approx([np.radians(2.0), 0.003])
    assert si.to_si() is si


def test_shapes_must_fit() -> None:
    with pytest.raises(
        ShapeError, match=r"have shape \(3, 3\); 3 times and 2 columns of double need \(3, 2\)"
    ):
        Table(np.arange(3.0), ("a", "b"), np.zeros((3, 3)))
    with pytest.raises(ShapeError, match="1 units were given for 2 columns"):
        Table(np.arange(3.0), ("a", "b"), np.zeros((3, 2)), ("m",))


def test_datasets_carry_units_and_components() -> None:
    assert table().to_dataset()["knee"].attrs["units"] == "deg"
    vectors = Table(np.zeros(1), ("a",), np.zeros((1, 1, 4)), cells=Cell.QUATERNION).to_dataset()
    assert vectors["component"].values.tolist() == ["w", "x", "y", "z"]
