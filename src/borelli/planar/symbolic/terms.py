"""The grammar of the closed-form equations: symbols, angles, terms and shares.

A torque or a reaction is a sum of *shares*, one for each variable that causes it. A share is a head
(the variable, such as an angular acceleration) times a sum of *terms*; a term is a product of segment
parameters and at most one sine or cosine of one combined angle. Nothing here knows how to print or
evaluate: that is what the printers and the SymPy converter do with the same grammar.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from borelli.records import dataclass

Space = Literal["segment", "joint"]
"""Absolute link angles (segment space), or the relative angles of the joints (joint space)."""


class Symbol(NamedTuple):
    """A letter with the number of its link or joint; link 0 is the base. Gravity alone has no number."""

    letter: str
    number: int = 0

    @property
    def name(self) -> str:
        """The one name used in text, SymPy and Python: ``lC_2``."""
        return self.letter if self.letter == "g" else f"{self.letter}_{self.number}"


class Angle(NamedTuple):
    """Angle of link ``of`` (0: the world's x axis) from link ``to`` (likewise), plus an offset fixed in link ``of``.

    The offset is ``""`` (none), ``"eps"`` (to the mass centre), ``"gR"`` (to the contact force), or
    ``"arm"``: the angle ``gR - eR`` from the point's position vector to the force, in which no link angle occurs.
    """

    of: int
    to: int = 0
    offset: Literal["", "eps", "gR", "arm"] = ""


class Term(NamedTuple):
    """An integer times parameters times at most one ``cos`` or ``sin`` of an angle."""

    factor: int
    parameters: tuple[Symbol, ...]
    function: Literal["", "cos", "sin"] = ""
    angle: Angle | None = None


class Product(NamedTuple):
    """An integer times symbols: one summand of the head of a share."""

    factor: int
    symbols: tuple[Symbol, ...]


@dataclass(frozen=True)
class Share:
    """What one variable contributes to a torque or to one component of a reaction.

    Attributes
    ----------
    source : str
        ``weight``, ``load``, ``couple``, ``acceleration``, ``velocity`` or ``muscles``.
    number : int
        Of the link, or in joint space of the joint, whose variable this is.
    head : tuple of Product
        The variable; a sum only for the velocity products of joint space.
    terms : tuple of Term
        What multiplies it.
    """

    source: str
    number: int
    head: tuple[Product, ...]
    terms: tuple[Term, ...]

    @property
    def label(self) -> str:
        """Name of the share, ``acceleration:2``."""
        return f"{self.source}:{self.number}"


def angle_symbols(angle: Angle, space: Space) -> list[tuple[int, Symbol]]:
    """Write an angle out as signed symbols, in the order in which Biscarini (2021) prints them."""
    if angle.offset == "arm":
        return [(1, Symbol("gR", angle.of)), (-1, Symbol("eR", angle.of))]
    if space == "segment":
        apart = angle.of != angle.to
        link = [(1, Symbol("theta", angle.of))] if angle.of and apart else []
        reference = [(-1, Symbol("theta", angle.to))] if angle.to and apart else []
    else:
        link = [(1, Symbol("alpha", joint)) for joint in range(angle.to + 1, angle.of + 1)]
        reference = [(-1, Symbol("alpha", joint)) for joint in range(angle.of + 1, angle.to + 1)]
    offset = [(1, Symbol(angle.offset, angle.of))] if angle.offset else []
    if angle.offset == "gR":
        return offset + link + reference
    return link + offset + reference


def negated(terms: Iterable[Term]) -> Iterator[Term]:
    """Return the terms with their signs turned."""
    return (term._replace(factor=-term.factor) for term in terms)


def merged(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Add up equal monomials and drop those that cancel; the first appearance sets the order."""
    factors: dict[Term, int] = {}
    for term in terms:
        monomial = term._replace(factor=1)
        factors[monomial] = factors.get(monomial, 0) + term.factor
    return tuple(monomial._replace(factor=factor) for monomial, factor in factors.items() if factor)
