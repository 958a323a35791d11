"""Tables of records: how Python and the emitted code agree on the columns of flat arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

TABLE_INTEGER = np.int32
"""Type of the integers in tables: half the space in the caches, and rows are few."""


class RecordType:
    """Named fields, each of one or several columns.

    Parameters
    ----------
    **fields : int
        Name of each field and how many columns it takes, in order.
    """

    def __init__(self, **fields: int) -> None:
        self._first: dict[str, int] = {}
        self._count = fields
        width = 0
        for name, count in fields.items():
            self._first[name] = width
            width += count
        self.width = width

    def column(self, name: str, k: int = 0) -> int:
        """Return the column of the k-th number of a field."""
        assert 0 <= k < self._count[name]
        return self._first[name] + k

    def rows(self, records: Sequence[Mapping[str, object]], kind: type) -> np.ndarray:
        """Return records as a table (n_records, width); fields that are not given are zero."""
        # One record at least, so that the table always has an address.
        table: list[list[Any]] = [[0] * self.width for _ in range(max(1, len(records)))]
        for row, record in zip(table, records, strict=False):
            for name, value in record.items():
                numbers = value if isinstance(value, (list, tuple)) else (value,)
                assert len(numbers) <= self._count[name]
                first = self._first[name]
                row[first : first + len(numbers)] = numbers
        return np.array(table, dtype=kind)
