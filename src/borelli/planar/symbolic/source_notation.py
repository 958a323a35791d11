"""What sources of any programming language share: names of intermediate values, and which of them occur."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from borelli.planar.symbolic.form import Form
from borelli.planar.symbolic.notation import TextNotation
from borelli.planar.symbolic.symbols import CONTACT_PARAMETERS
from borelli.planar.symbolic.terms import Angle, Product, Share, Symbol, angle_symbols

_OFFSET_LETTERS = {"": "", "eps": "C", "gR": "R", "arm": "L"}


class SourceNotation(TextNotation):
    """Source code in which every sine, cosine and sum of velocity products is a local variable."""

    def power(self, symbol: Symbol, exponent: int) -> str:
        """Write a power as a product, which every language understands."""
        return self.times.join([self.symbol(symbol)] * exponent)

    def function(self, name: str, angle: Angle) -> str:
        """Name the variable that holds a sine or cosine: ``cC_3_1``."""
        relative = f"_{angle.to}" if angle.to else ""
        return f"{name[0]}{_OFFSET_LETTERS[angle.offset]}_{angle.of}{relative}"

    def head(self, head: Sequence[Product]) -> list[str]:
        """Write a single product as it is and name the variable that holds a sum of them."""
        return super().head(head) if len(head) == 1 else [products_name(head)]

    def argument(self, angle: Angle) -> list[str]:
        """Write every summand of an angle, none left out, each but the first with its sign before it."""
        signed = angle_symbols(angle, self.space)
        summands = [f"{'-' if sign < 0 else '+'} {symbol.name}" for sign, symbol in signed]
        return [summands[0].removeprefix("+ ").replace("- ", "-"), *summands[1:]]

    def summands(self, head: Sequence[Product]) -> list[str]:
        """Write every product of a sum of velocity products."""
        products = ["*".join(self.product(*product)) for product in head]
        return [products[0], *(f"+ {product}" for product in products[1:])]


def products_name(head: Sequence[Product]) -> str:
    """Name the variable that holds a sum of velocity products."""
    return f"alphad_products_{head[-1].symbols[0].number}"


def contact_letters(form: Form) -> tuple[str, ...]:
    """Return the letters of what acts on a link from outside."""
    return (*CONTACT_PARAMETERS, *(("N",) if form.couples else ()))


def functions_used(sums: Iterable[Sequence[Share]]) -> list[tuple[str, Angle]]:
    """List every sine and cosine that occurs, once."""
    terms = (term for shares in sums for share in shares for term in share.terms)
    return list(dict.fromkeys((term.function, term.angle) for term in terms if term.angle is not None))


def heads_used(sums: Iterable[Sequence[Share]]) -> list[tuple[Product, ...]]:
    """List every sum of velocity products that occurs, once."""
    return list(dict.fromkeys(share.head for shares in sums for share in shares if len(share.head) > 1))


def abbreviations(form: Form) -> list[tuple[str, str]]:
    """Return the masses beyond each link and, in segment space, the moments of inertia about the joints."""
    n_links = form.n_links
    masses = [
        (f"M_{i}", f"m_{i} + {Symbol('M' if i + 1 < n_links else 'm', i + 1).name}")
        for i in range(n_links - 1, 1, -1)
    ]
    if form.space == "joint":
        return masses
    return [*masses, *((f"IJ_{i}", f"I_{i} + m_{i}*lC_{i}*lC_{i}") for i in range(1, n_links + 1))]
