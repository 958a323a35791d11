"""Closed-form equations of planar chains: SymPy, text, LaTeX, Python source and term counts."""

from __future__ import annotations

from borelli.planar.symbolic.count import term_count_formula
from borelli.planar.symbolic.equation_set import Equations, equations

__all__ = ["Equations", "equations", "term_count_formula"]
