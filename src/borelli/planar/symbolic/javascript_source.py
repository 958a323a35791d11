"""The equations as the source of one JavaScript function, for browsers: every share by its name, and the totals."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from borelli.planar.symbolic.form import Form
from borelli.planar.symbolic.source_notation import (
    SourceNotation,
    abbreviations,
    contact_letters,
    functions_used,
    heads_used,
    products_name,
)
from borelli.planar.symbolic.symbols import MEANINGS, SEGMENT_PARAMETERS, motion_letters
from borelli.planar.symbolic.terms import Share, Symbol
from borelli.planar.symbolic.text import BASE_NOTE, WIDTH, chain_title, filled, source_of

_TOTAL = "const total = (shares) => Object.values(shares).reduce((sum, share) => sum + share, 0);"


def equations_as_javascript(form: Form) -> str:
    """Write a function of one instant that returns all torques and reactions, and each share of them."""
    links = range(1, form.n_links + 1)
    torques, reactions = form.torques(), form.reactions()
    sums = torques | reactions
    notation = SourceNotation(form.space)
    body = [
        *_unpacking(form),
        *_intermediate(form, sums.values(), notation),
        *(line for name, shares in sums.items() for line in _object(name, shares, notation)),
        _TOTAL,
        *_listed("const tauShares = [", list(torques), "];"),
        *_listed("const phiShares = [", [f"{{ x: phi_x_{k}, y: phi_y_{k} }}" for k in links], "];"),
        "return {",
        "  tau: tauShares.map(total),",
        "  phi: phiShares.map(({ x, y }) => [total(x), total(y)]),",
        "  tauShares,",
        "  phiShares,",
        "};",
    ]
    lines = [*_comment(form), *_signature(form), *(f"  {line}" for line in body), "}"]
    return "\n".join(lines) + "\n"


def _comment(form: Form) -> list[str]:
    n_links, space = form.n_links, form.space
    lines = [
        f"{chain_title(n_links, space)}.",
        f"{source_of(form)}.",
        "",
        f"Of one instant; arrays hold one number for each of the {n_links} link(s), from the base outwards.",
        "What acts from outside, and muscles, may be left out and are then zero.",
        "",
    ]
    for letter in (*motion_letters(space), *SEGMENT_PARAMETERS, "g", *contact_letters(form)):
        unit, meaning, _ = MEANINGS[letter]
        lines.append(f"  {letter:<8} {unit:<8} {meaning}")
    lines.append("  F        N        [x, y] of the muscles spanning joint i, resultant on its distal side")
    lines += [f"  {BASE_NOTE}"] if form.base_letters else []
    lines += [
        "",
        "Returns tau (N m), on link i by link i-1; phi (N), [x, y] on link i-1 by link i at joint i;",
        'and their shares, such as tauShares[0]["weight:1"] and phiShares[0].y["load:2"], whose sums they are.',
    ]
    return [f"// {line}".rstrip() for line in lines]


def _signature(form: Form) -> list[str]:
    nothing = "[" + ", ".join(["0"] * form.n_links) + "]"
    no_force = "[" + ", ".join(["[0, 0]"] * form.n_links) + "]"
    pieces = [f"{letter}," for letter in (*motion_letters(form.space), *SEGMENT_PARAMETERS)]
    pieces += ["g = 9.81,", *(f"{letter} = {nothing}," for letter in contact_letters(form))]
    pieces += [f"F = {no_force},", *(f"{letter}_0 = 0," for letter in form.base_letters)]
    return ["function torquesAndReactions({", *filled(pieces, "  ", "  "), "}) {"]


def _unpacking(form: Form) -> list[str]:
    """Give each element of the arguments its name in the equations."""
    links = range(1, form.n_links + 1)
    lines = []
    for letter in (*motion_letters(form.space), *SEGMENT_PARAMETERS, *contact_letters(form)):
        lines += _listed("const [", [Symbol(letter, i).name for i in links], f"] = {letter};")
    lines += _listed("const [", [f"[Fx_{i}, Fy_{i}]" for i in links], "] = F;")
    return lines + [f"const {name} = {value};" for name, value in abbreviations(form)]


def _intermediate(form: Form, sums: Collection[Sequence[Share]], notation: SourceNotation) -> list[str]:
    lines = []
    for function, angle in functions_used(sums):
        pieces = notation.argument(angle)
        pieces[-1] += ");"
        lines += filled(pieces, f"const {notation.function(function, angle)} = Math.{function}(", "    ")
    for head in heads_used(sums):
        pieces = notation.summands(head)
        pieces[-1] += ";"
        lines += filled(pieces, f"const {products_name(head)} = ", "    ")
    return lines


def _object(name: str, shares: Sequence[Share], notation: SourceNotation) -> list[str]:
    """Write a sum as an object of its shares, by their labels."""
    lines = [f"const {name} = {{"]
    for share in shares:
        pieces = list(notation.share(share))
        sign = "-" if pieces[0].startswith("- ") else ""
        pieces[0] = sign + pieces[0][2:]
        pieces[-1] += ","
        lines += filled(pieces, f'  "{share.label}": ', "      ")
    return [*lines, "};"]


def _listed(start: str, items: Sequence[str], end: str) -> list[str]:
    line = start + ", ".join(items) + end
    if len(line) <= WIDTH:
        return [line]
    return [start, *filled([f"{item}," for item in items], "  ", "  "), end]
