"""How the search for activations ended."""

from __future__ import annotations

SOLVED = 0
"""Balanced and optimal."""
INFEASIBLE = 1
"""Proven impossible: the bounds forbid the constraint; the unmet part is as small as it can be."""
STALLED = 2
"""Neither balanced nor proven impossible within the iterations allowed."""
