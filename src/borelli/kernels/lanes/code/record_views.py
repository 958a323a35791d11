"""Records of tables as the emitted code reads them."""

from __future__ import annotations

from borelli.kernels.lanes.code.values import Doubles, Integer, Integers, Lanes
from borelli.kernels.lanes.tables.table_records import RecordType


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
