"""The equations as plain text and as LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

from borelli.planar.symbolic.build import reaction_shares, torque_shares
from borelli.planar.symbolic.notation import LatexNotation, TextNotation
from borelli.planar.symbolic.symbols import MEANINGS, numbered_letters
from borelli.planar.symbolic.terms import Share, Space

WIDTH = 100
# Set in LaTeX, a line of this many characters of plain text fits a page of one column.
LATEX_LINE = 80

SOURCES = {
    "segment": "Biscarini (2021), equations (9), (13) and (23), with their errors of print corrected",
    "joint": "Cesari et al. (2001), equation (24), for any number of links and offset mass centres",
}
ANGLES = {"segment": "absolute link angles", "joint": "relative joint angles"}


def chain_title(n_links: int, space: Space) -> str:
    """Say which chain the equations describe."""
    links = "link" if n_links == 1 else "links"
    return f"Planar chain of {n_links} {links} in {space} space ({ANGLES[space]})"


def filled(pieces: Sequence[str], first: str, following: str, width: int = WIDTH) -> list[str]:
    """Put pieces on lines no wider than the given width where a single piece allows it."""
    lines = [first + pieces[0]]
    for piece in pieces[1:]:
        if len(lines[-1]) + 1 + len(piece) > width:
            lines.append(following + piece)
        else:
            lines[-1] += " " + piece
    return lines


def equations_as_text(n_links: int, space: Space) -> str:
    """Write legend, torques and reactions as lines of at most about a hundred characters."""
    lines = [chain_title(n_links, space), SOURCES[space], "", *_legend(n_links, space)]
    notation = TextNotation(space)
    lines += ["", "Torques: of all muscles and actuators that span joint i, on link i by link i-1, N m"]
    for k in range(1, n_links + 1):
        lines += ["", f"tau_{k} =", *_text_sum(torque_shares(n_links, k, space), notation)]
    lines += ["", "Reactions: force on link i-1 by link i at joint i, N"]
    for k in range(1, n_links + 1):
        for axis in ("x", "y"):
            shares = reaction_shares(n_links, k, axis, space)
            lines += ["", f"phi_{axis}_{k} =", *_text_sum(shares, notation)]
    return "\n".join(lines) + "\n"


def _text_sum(shares: Sequence[Share], notation: TextNotation) -> list[str]:
    return [line for share in shares for line in filled(notation.share(share), "  ", "        ")]


def _legend(n_links: int, space: Space) -> list[str]:
    rows = [(f"{letter}_i", *MEANINGS[letter][:2]) for letter in numbered_letters(space)]
    rows.append(("g", *MEANINGS["g"][:2]))
    lines = [f"  {name:<10} {unit:<8} {meaning}" for name, unit, meaning in rows]
    if n_links > 2:
        lines.append(f"  M_i = m_i + ... + m_{n_links}, the mass of link i and all beyond it")
    if space == "segment":
        lines.append("  IJ_i = I_i + m_i*lC_i^2, the moment of inertia of link i about joint i")
    return lines


def equations_as_latex(n_links: int, space: Space) -> str:
    """Write torques and reactions as ``align*`` environments (package amsmath)."""
    notation = LatexNotation(space)
    parts = [f"% {chain_title(n_links, space)}", f"% {SOURCES[space]}"]
    abbreviations = []
    if n_links > 2:
        abbreviations.append(rf"M_{{i}} &= \sum_{{j=i}}^{{{n_links}}} m_{{j}}")
    if space == "segment":
        abbreviations.append(r"I_{J_{i}} &= I_{C_{i}} + m_{i} l_{C_{i}}^{2}")
    if abbreviations:
        parts.append(_aligned(abbreviations))
    for k in range(1, n_links + 1):
        parts.append(_latex_sum(rf"\tau_{{{k}}}", torque_shares(n_links, k, space), notation))
    for k in range(1, n_links + 1):
        for axis in ("x", "y"):
            shares = reaction_shares(n_links, k, axis, space)
            parts.append(_latex_sum(rf"\phi_{{{axis},{k}}}", shares, notation))
    return "\n".join(parts) + "\n"


def _latex_sum(left_side: str, shares: Sequence[Share], notation: LatexNotation) -> str:
    plain = TextNotation(notation.space)
    lines: list[str] = []
    for share in shares:
        room = 0
        for piece, visible in zip(notation.share(share), plain.share(share), strict=True):
            if room >= len(visible):
                lines[-1] += " " + piece
            else:
                lines.append((r"&\qquad " if room else r"&\quad ") + piece)
                room = LATEX_LINE
            room = max(room - len(visible), 1)
    lines[0] = f"{left_side} &= " + lines[0].removeprefix(r"&\quad ").removeprefix("+ ")
    return _aligned(lines)


def _aligned(lines: Sequence[str]) -> str:
    body = " \\\\\n  ".join(lines)
    return f"\\begin{{align*}}\n  {body}\n\\end{{align*}}"
