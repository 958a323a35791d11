"""Tables of records: how Python and the emitted code agree on the columns of flat arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from borelli.kernels.lanes.values import Doubles, Integer, Integers, Lanes


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
        table: np.ndarray = np.zeros((max(1, len(records)), self.width), dtype=kind)
        for row, record in zip(table, records, strict=False):
            for name, value in record.items():
                values: np.ndarray = np.ravel(np.asarray(value, dtype=kind))
                assert len(values) <= self._count[name]
                first = self._first[name]
                row[first : first + len(values)] = values
        return table


class IntegerRecord:
    """One record of an integer table in emitted code; a field is loaded where it is asked for."""

    def __init__(self, kind: RecordType, table: Integers, index: int | Integer) -> None:
        self._kind = kind
        self._table = table
        self._base = table.emitter.integer(index) * kind.width

    def __call__(self, name: str, k: int = 0) -> Integer:
        """Return the k-th number of a field."""
        return self._table[self._base + self._kind.column(name, k)]


class FloatRecord:
    """One record of a float table in emitted code; a field is loaded into all lanes where it is asked for."""

    def __init__(self, kind: RecordType, table: Doubles, index: int | Integer) -> None:
        self._kind = kind
        self._table = table
        self._base = table.emitter.integer(index) * kind.width

    def __call__(self, name: str, k: int = 0) -> Lanes:
        """Return the k-th number of a field in all lanes."""
        return self._table.spread(self._base + self._kind.column(name, k))

    def numbers(self, name: str, count: int) -> tuple[Lanes, ...]:
        """Return the first numbers of a field."""
        return tuple(self(name, k) for k in range(count))
