"""Two ways of writing the same sums, plain text and LaTeX, and the rules that they share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from borelli.planar.symbolic.symbols import MEANINGS
from borelli.planar.symbolic.terms import Angle, Product, Share, Space, Symbol, Term, angle_symbols

# From this many summands on, alpha_2 + alpha_3 + alpha_4 + alpha_5 is written alpha_2 + ... + alpha_5.
LONG_SUM = 4


class TextNotation:
    """Plain text: ``m_2*l_1^2*cos(theta_2 - theta_1)``."""

    times = "*"
    ellipsis = "..."
    raised = "^{}"
    brackets = "()"

    def __init__(self, space: Space) -> None:
        self.space = space

    def symbol(self, symbol: Symbol) -> str:
        """Write one symbol."""
        return symbol.name

    def function(self, name: str, angle: Angle) -> str:
        """Write a sine or cosine with its argument."""
        return f"{name}({self.angle(angle)})"

    def power(self, symbol: Symbol, exponent: int) -> str:
        """Write a symbol raised to a power."""
        return self.symbol(symbol) + (self.raised.format(exponent) if exponent > 1 else "")

    def angle(self, angle: Angle) -> str:
        """Write an angle as a sum of symbols."""
        summands = angle_symbols(angle, self.space)
        pieces: list[str] = []
        for letter, run in groupby(summands, key=lambda summand: summand[1].letter):
            written = [("- " if sign < 0 else "+ ") + self.symbol(symbol) for sign, symbol in run]
            if letter == "alpha" and len(written) >= LONG_SUM:
                written = [written[0], f"{written[0][0]} {self.ellipsis}", written[-1]]
            pieces += written
        return " ".join(pieces).removeprefix("+ ")

    def product(self, factor: int, symbols: Sequence[Symbol]) -> list[str]:
        """Write the factors of a product, equal symbols as powers; a factor of one is left out."""
        number = [] if abs(factor) == 1 else [str(abs(factor))]
        return number + [self.power(symbol, len(list(same))) for symbol, same in groupby(symbols)]

    def term(self, term: Term) -> list[str]:
        """Write the factors of a term without its sign."""
        factors = self.product(term.factor, term.parameters)
        if term.angle is not None:
            factors.append(self.function(term.function, term.angle))
        return factors

    def head(self, head: Sequence[Product]) -> list[str]:
        """Write the factors of the head of a share; a sum gets its brackets."""
        if len(head) == 1:
            return self.product(head[0].factor, head[0].symbols)
        summands = [self.times.join(self.product(*product)) for product in head]
        if len(summands) > LONG_SUM:
            summands = [summands[0], self.ellipsis, *summands[-2:]]
        return [f"({' + '.join(summands)})"]

    def share(self, share: Share) -> list[str]:
        """Write a share as pieces between which a line may be broken; the first one begins with its sign.

        One term is multiplied out; of several, a common minus sign stands before the bracket.
        """
        head = self.head(share.head)
        outer = -1 if all(term.factor < 0 for term in share.terms) else 1
        sign = "- " if outer < 0 else "+ "
        if len(share.terms) == 1:
            return [sign + (self.times.join(head + self.term(share.terms[0])) or "1")]
        pieces = [
            ("- " if term.factor * outer < 0 else "+ ") + self.times.join(self.term(term))
            for term in share.terms
        ]
        pieces[0] = sign + self.times.join([*head, self.brackets[0] + pieces[0].removeprefix("+ ")])
        pieces[-1] += self.brackets[1]
        return pieces


class LatexNotation(TextNotation):
    r"""LaTeX with the letters of Biscarini (2021): ``m_{2} l_{C_{2}} \cos(\theta_{2} - \theta_{1})``."""

    times = " "
    ellipsis = r"\dots"
    raised = "^{{{}}}"
    brackets = "[]"

    def symbol(self, symbol: Symbol) -> str:
        """Write one symbol."""
        return MEANINGS[symbol.letter].latex.replace("#", str(symbol.number))

    def function(self, name: str, angle: Angle) -> str:
        """Write a sine or cosine with its argument."""
        return rf"\{name}({self.angle(angle)})"
