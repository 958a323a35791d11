"""The equations as SymPy expressions; the only part of the equations that needs SymPy."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from borelli.errors import MissingInputError
from borelli.planar.symbolic.symbols import numbered_letters
from borelli.planar.symbolic.terms import Angle, Product, Share, Space, Symbol, Term, angle_symbols


def loaded_sympy() -> ModuleType:
    """Import SymPy, or say how to get it."""
    try:
        return importlib.import_module("sympy")
    except ImportError as error:
        raise MissingInputError(
            "SymPy is not installed, so the equations cannot be given as SymPy expressions.",
            where="planar.equations",
            remedy="pip install borelli[symbolic]; text, LaTeX and Python source need no SymPy",
        ) from error


class SymbolicConverter:
    """Turns shares into SymPy expressions over symbols named as in the text.

    Parameters
    ----------
    n_links : int
        Number of links of the chain.
    space : {"segment", "joint"}
        Angles in which it is written.
    couples : bool
        Whether links carry couples.
    base_letters : tuple of str
        Letters that the base, link 0, has.
    """

    def __init__(
        self, n_links: int, space: Space, couples: bool = False, base_letters: tuple[str, ...] = ()
    ) -> None:
        self.sympy = loaded_sympy()
        self.n_links = n_links
        self.space = space
        self.couples = couples
        self.base_letters = base_letters

    def symbol(self, symbol: Symbol) -> Any:
        """Return the SymPy symbol; the abbreviation ``M_i`` becomes a sum of masses."""
        if symbol.letter == "M":
            masses = [Symbol("m", link) for link in range(symbol.number, self.n_links + 1)]
            return self.sympy.Add(*map(self.symbol, masses))
        return self.sympy.Symbol(symbol.name)

    def all_symbols(self) -> dict[str, Any]:
        """Return every symbol of the equations by its name."""
        own = ["IJ"] if self.space == "segment" else []
        letters = [*numbered_letters(self.space, self.couples), *own]
        numbered = [Symbol(letter, i) for letter in letters for i in range(1, self.n_links + 1)]
        numbered += [Symbol(letter, 0) for letter in self.base_letters]
        return {symbol.name: self.symbol(symbol) for symbol in [*numbered, Symbol("g")]}

    def central_inertia(self) -> dict[Any, Any]:
        """Return ``IJ_i -> I_i + m_i lC_i^2`` (Huygens-Steiner), empty in joint space."""
        if self.space == "joint":
            return {}
        numbers = range(1, self.n_links + 1)
        inertia, mass, arm, about_joint = (
            [self.symbol(Symbol(letter, i)) for i in numbers] for letter in ("I", "m", "lC", "IJ")
        )
        return {about_joint[i]: inertia[i] + mass[i] * arm[i] ** 2 for i in range(self.n_links)}

    def share(self, share: Share) -> Any:
        """Return one share as an expression."""
        return self._head(share.head) * self.sympy.Add(*map(self._term, share.terms))

    def total(self, shares: Sequence[Share]) -> Any:
        """Return the sum of shares."""
        return self.sympy.Add(*map(self.share, shares))

    def _head(self, head: Sequence[Product]) -> Any:
        products = (self.sympy.Mul(factor, *map(self.symbol, symbols)) for factor, symbols in head)
        return self.sympy.Add(*products)

    def _term(self, term: Term) -> Any:
        product = self.sympy.Mul(term.factor, *map(self.symbol, term.parameters))
        if term.angle is None:
            return product
        function = self.sympy.cos if term.function == "cos" else self.sympy.sin
        return product * function(self._angle(term.angle))

    def _angle(self, angle: Angle) -> Any:
        signed = angle_symbols(angle, self.space)
        return self.sympy.Add(*(sign * self.symbol(symbol) for sign, symbol in signed))
