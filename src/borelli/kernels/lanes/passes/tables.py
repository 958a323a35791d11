"""The tables of a mechanism as the emitted code receives them."""

from __future__ import annotations

from borelli.kernels.lanes.code.record_views import IntegerRecord
from borelli.kernels.lanes.code.values import Doubles, Integer, Integers
from borelli.kernels.lanes.tables.record_types import HEADER
from borelli.records import dataclass


@dataclass(frozen=True)
class Tables:
    """Arguments of a kernel that describe the mechanism; see record_types.py for their records."""

    header_table: Integers
    steps: Integers
    nodes: Integers
    hinges: Integers
    functions: Integers
    polynomials: Integers
    monomials: Integers
    factors: Integers
    balls: Integers
    arcs: Integers
    uncoupled: Integers
    couplings: Integers
    constants: Doubles
    function_data: Doubles
    ball_data: Doubles
    gravity: Doubles

    def header(self, name: str) -> Integer:
        """Return a size or a row of the header."""
        return IntegerRecord(HEADER, self.header_table, 0)(name)
