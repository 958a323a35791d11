"""Columns of tables are what pyarrow would make of the same arrays."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from borelli.results.saving.arrow_arrays import numbers, texts


@pytest.mark.parametrize(
    "values",
    [
        np.array([1.0, np.nan, -0.0]),
        np.arange(12.0).reshape(4, 3)[:, 1],
        np.arange(3, dtype=np.int32),
        np.array([1.5, 2.5], dtype=np.float32),
        np.array([True, False, True]),
        np.zeros(0),
    ],
)
def test_numbers_are_those_of_pyarrow(values):
    assert numbers(values).equals(pa.array(values)) or np.isnan(values).any()
    assert numbers(values).type == pa.array(values).type
    np.testing.assert_array_equal(numbers(values).to_numpy(zero_copy_only=False), values)


def test_numbers_in_the_byte_order_of_another_processor_are_the_same_numbers():
    values = np.array([1.0, 2.0, 3.5])
    assert numbers(values.astype(values.dtype.newbyteorder())).equals(pa.array(values))


@pytest.mark.parametrize("values", [["knee", "", "Hüfte °"], []])
def test_texts_are_those_of_pyarrow(values):
    assert texts(values).equals(pa.array(values, pa.string()))
