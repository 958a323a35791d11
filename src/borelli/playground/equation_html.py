"""The closed-form equations as HTML, each share an element that a script can light up."""

from __future__ import annotations

from collections.abc import Sequence

from borelli.planar.symbolic.build import Axis
from borelli.planar.symbolic.form import Form
from borelli.planar.symbolic.notation import TextNotation
from borelli.planar.symbolic.terms import Share, Symbol

# Letter and what stands before the number in its index.
_LETTERS = {
    "theta": ("θ", ""),
    "thetad": ("θ", ""),
    "thetadd": ("θ", ""),
    "eps": ("ε", ""),
    "lC": ("l", "C"),
    "lR": ("l", "R"),
    "eR": ("ε", "R"),
    "gR": ("γ", ""),
    "IJ": ("I", "J"),
    "Fx": ("F", "x"),
    "Fy": ("F", "y"),
}


# Dots above a letter are drawn by the style of the page: many fonts misplace combining ones.
_DOTS = {"thetad": ' class="dotted"', "thetadd": ' class="dotted twice"'}


class HtmlNotation(TextNotation):
    """HTML with italic letters and true indices: ``<i>m</i><sub>2</sub>``."""

    times = "\u2009"
    ellipsis = "…"
    raised = "<sup>{}</sup>"

    def symbol(self, symbol: Symbol) -> str:
        """Write one symbol."""
        letter, before = _LETTERS.get(symbol.letter, (symbol.letter, ""))
        index = "" if symbol.letter == "g" else f"<sub>{before}{symbol.number}</sub>"
        return f"<i{_DOTS.get(symbol.letter, '')}>{letter}</i>{index}"


def equation_rows(n_links: int) -> list[dict[str, str]]:
    """Torque and both components of the reaction of every joint, each a row of HTML.

    A share is ``<span class="term" data-term="weight:2">``, the label that the printed JavaScript has for it too.
    """
    form, notation = Form(n_links, "segment"), HtmlNotation("segment")

    def row(left: str, shares: Sequence[Share]) -> str:
        terms = [_term(share, notation, first=number == 0) for number, share in enumerate(shares)]
        return f'<span class="left">{left} =</span> ' + " ".join(terms)

    def reaction(joint: int, axis: Axis) -> str:
        return row(f"<i>φ</i><sub>{axis}{joint}</sub>", form.reaction_shares(joint, axis))

    return [
        {
            "torque": row(f"<i>τ</i><sub>{k}</sub>", form.torque_shares(k)),
            "x": reaction(k, "x"),
            "y": reaction(k, "y"),
        }
        for k in range(1, n_links + 1)
    ]


def _term(share: Share, notation: HtmlNotation, first: bool) -> str:
    pieces = " ".join(notation.share(share)).replace("- ", "− ")
    if first:
        pieces = pieces.removeprefix("+ ")
    return f'<span class="term" data-term="{share.label}">{pieces}</span>'
