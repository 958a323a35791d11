"""The equations as plain text and as LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

from borelli.planar.symbolic.form import Form
from borelli.planar.symbolic.notation import LatexNotation, TextNotation
from borelli.planar.symbolic.symbols import MEANINGS, numbered_letters
from borelli.planar.symbolic.terms import Share, Space

# Letters of a line on the screen.
WIDTH = 100
# Set in LaTeX, a line of this many characters of plain text fits a page of one column.
LATEX_LINE = 80

SOURCES = {
    "segment": "Biscarini (2021), equations (9), (13) and (23), with their errors of print corrected",
    "joint": "Cesari et al. (2001), equation (24), for any number of links and offset mass centres",
}
SIDES = {
    "proximal": "Biscarini (2021), equation (10), and the torque from the base's side that goes with it",
    "mixed": "Biscarini (2021), equations (10) and (24), with their errors of print corrected",
}
BASE_NOTE = "link 0 is the base: its places and angles are measured from joint 1 and the world's x axis"
ANGLES = {"segment": "absolute link angles", "joint": "relative joint angles"}


def chain_title(n_links: int, space: Space) -> str:
    """Say which chain the equations describe."""
    links = "link" if n_links == 1 else "links"
    return f"Planar chain of {n_links} {links} in {space} space ({ANGLES[space]})"


def source_of(form: Form) -> str:
    """Say where the equations come from."""
    return SOURCES[form.space] if form.data_set == "distal" else SIDES[form.data_set]


def filled(pieces: Sequence[str], first: str, following: str, width: int = WIDTH) -> list[str]:
    """Put pieces on lines no wider than the given width where a single piece allows it."""
    lines = [first + pieces[0]]
    for piece in pieces[1:]:
        if len(lines[-1]) + 1 + len(piece) > width:
            lines.append(following + piece)
        else:
            lines[-1] += " " + piece
    return lines


def equations_as_text(form: Form) -> str:
    """Write legend, torques and reactions as lines of at most about a hundred characters."""
    lines = [chain_title(form.n_links, form.space), source_of(form), "", *_legend(form)]
    notation = TextNotation(form.space)
    lines += ["", "Torques: of all muscles and actuators that span joint i, on link i by link i-1, N m"]
    for k in range(1, form.n_links + 1):
        lines += ["", f"tau_{k} =", *_text_sum(form.torque_shares(k), notation)]
    lines += ["", "Reactions: force on link i-1 by link i at joint i, N"]
    for k in range(1, form.n_links + 1):
        for axis in ("x", "y"):
            lines += ["", f"phi_{axis}_{k} =", *_text_sum(form.reaction_shares(k, axis), notation)]
    return "\n".join(lines) + "\n"


def _text_sum(shares: Sequence[Share], notation: TextNotation) -> list[str]:
    return [line for share in shares for line in filled(notation.share(share), "  ", "        ")]


def _legend(form: Form) -> list[str]:
    letters = numbered_letters(form.space, form.couples)
    rows = [(f"{letter}_i", *MEANINGS[letter][:2]) for letter in letters]
    rows.append(("g", *MEANINGS["g"][:2]))
    lines = [f"  {name:<10} {unit:<8} {meaning}" for name, unit, meaning in rows]
    if form.n_links > 2 and form.data_set == "distal":
        lines.append(f"  M_i = m_i + ... + m_{form.n_links}, the mass of link i and all beyond it")
    if form.space == "segment":
        lines.append("  IJ_i = I_i + m_i*lC_i^2, the moment of inertia of link i about joint i")
    if form.base_letters:
        lines.append(f"  {BASE_NOTE}")
    return lines


def equations_as_latex(form: Form) -> str:
    """Write torques and reactions as ``align*`` environments (package amsmath)."""
    notation = LatexNotation(form.space)
    parts = [f"% {chain_title(form.n_links, form.space)}", f"% {source_of(form)}"]
    parts += [f"% {BASE_NOTE}"] if form.base_letters else []
    abbreviations = []
    if form.n_links > 2 and form.data_set == "distal":
        abbreviations.append(rf"M_{{i}} &= \sum_{{j=i}}^{{{form.n_links}}} m_{{j}}")
    if form.space == "segment":
        abbreviations.append(r"I_{J_{i}} &= I_{C_{i}} + m_{i} l_{C_{i}}^{2}")
    if abbreviations:
        parts.append(_aligned(abbreviations))
    for k in range(1, form.n_links + 1):
        parts.append(_latex_sum(rf"\tau_{{{k}}}", form.torque_shares(k), notation))
    for k in range(1, form.n_links + 1):
        for axis in ("x", "y"):
            shares = form.reaction_shares(k, axis)
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
