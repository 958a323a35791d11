"""The equations as the source of one Python function that needs nothing but NumPy."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from borelli.planar.symbolic.form import Form
from borelli.planar.symbolic.notation import TextNotation
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


class PythonNotation(SourceNotation):
    """Python, which has powers."""

    raised = "**{}"
    power = TextNotation.power


def equations_as_python(form: Form) -> str:
    """Write a function of the motion and the parameters that returns all torques and reactions."""
    n_links, space = form.n_links, form.space
    torques, reactions = form.torques(), form.reactions()
    sums = torques | reactions
    notation = PythonNotation(space)
    lines = [
        f'"""{chain_title(n_links, space)}."""',
        "",
        "import numpy as np",
        "",
        "",
        *_signature(form),
        *_docstring(form),
        *_unpacking(form),
        *_trigonometry(sums.values(), notation),
        *_velocity_products(sums.values(), notation),
    ]
    for name, shares in sums.items():
        lines += ["", *_sum(name, shares, notation)]
    lines += [
        "",
        *_listed("    tau = np.stack(np.broadcast_arrays(", list(torques), "), axis=-1)"),
        *_listed("    phi = np.stack(np.broadcast_arrays(", list(reactions), "), axis=-1)"),
        f"    return tau, phi.reshape(*phi.shape[:-1], {n_links}, 2)",
    ]
    return "\n".join(lines) + "\n"


def _listed(start: str, items: Sequence[str], end: str) -> list[str]:
    """Put items between brackets, on one line where they fit."""
    line = start + ", ".join(items) + end
    if len(line) <= WIDTH:
        return [line]
    return [start, *filled([f"{item}," for item in items], " " * 8, " " * 8), "    " + end]


def _signature(form: Form) -> list[str]:
    angle, velocity, acceleration = motion_letters(form.space)
    lines = [
        "def torques_and_reactions(",
        f"    {angle}, {velocity}, {acceleration}, {', '.join(SEGMENT_PARAMETERS)}, g=9.81,",
        f"    {', '.join(f'{letter}=None' for letter in contact_letters(form))}, F=None,",
    ]
    if form.base_letters:
        lines.append(f"    {', '.join(f'{letter}_0=0.0' for letter in form.base_letters)},")
    return [*lines, "):"]


def _docstring(form: Form) -> list[str]:
    n_links, space = form.n_links, form.space
    lines = [
        f'    """Joint torques and reactions of a planar chain in {space} space.',
        "",
        f"    {source_of(form)}.",
        f"    Arrays have the links last, shape (..., {n_links}), after any other axes such as time;",
        f"    what does not change may have shape ({n_links},). Contacts and muscles left out are zero.",
        "",
        "    Parameters",
        "    ----------",
    ]
    for letter in (*motion_letters(space), *SEGMENT_PARAMETERS, "g", *contact_letters(form)):
        unit, meaning, _ = MEANINGS[letter]
        shape = "" if letter == "g" else f"(..., {n_links}) "
        lines += [f"    {letter} : {shape}{unit}", f"        {meaning[0].upper()}{meaning[1:]}."]
    return [
        *lines,
        f"    F : (..., {n_links}, 2) N",
        "        Resultant of the muscles spanning joint i on its distal side, x and y.",
        *_base_lines(form),
        "",
        "    Returns",
        "    -------",
        f"    tau : (..., {n_links}) N m",
        "        Torque on link i by link i-1.",
        f"    phi : (..., {n_links}, 2) N",
        "        Force on link i-1 by link i at joint i, x and y.",
        '    """',
    ]


def _base_lines(form: Form) -> list[str]:
    if not form.base_letters:
        return []
    names = ", ".join(f"{letter}_0" for letter in form.base_letters)
    return [f"    {names} : (...)", f"        {BASE_NOTE[0].upper()}{BASE_NOTE[1:]}."]


def _unpacking(form: Form) -> list[str]:
    """Give each element of the arguments its name in the equations."""
    n_links, space = form.n_links, form.space
    links = range(1, n_links + 1)
    lines = [f"    {x} = np.zeros({n_links}) if {x} is None else {x}" for x in contact_letters(form)]
    lines.append(f"    F = np.zeros(({n_links}, 2)) if F is None else np.asarray(F, dtype=float)")
    for letter in (*motion_letters(space), *SEGMENT_PARAMETERS, *contact_letters(form)):
        names = [Symbol(letter, i).name for i in links]
        lines += _listed("    [", names, f"] = np.moveaxis(np.asarray({letter}, dtype=float), -1, 0)")
    lines += [f"    Fx_{i}, Fy_{i} = F[..., {i - 1}, 0], F[..., {i - 1}, 1]" for i in links]
    lines += [f"    {name} = {value}" for name, value in abbreviations(form)]
    return lines


def _trigonometry(sums: Collection[Sequence[Share]], notation: PythonNotation) -> list[str]:
    """Compute every sine and cosine that occurs, once."""
    lines = [""]
    for function, angle in functions_used(sums):
        argument = notation.argument(angle)
        argument[-1] += ")"
        lines += filled(argument, f"    {notation.function(function, angle)} = np.{function}(", " " * 8)
    return lines


def _velocity_products(sums: Collection[Sequence[Share]], notation: PythonNotation) -> list[str]:
    heads = heads_used(sums)
    lines = [""] if heads else []
    for head in heads:
        pieces = notation.summands(head)
        pieces[-1] += ")"
        lines += filled(pieces, f"    {products_name(head)} = (", " " * 8)
    return lines


def _sum(name: str, shares: Sequence[Share], notation: PythonNotation) -> list[str]:
    """Write one sum in brackets, each share on lines of its own."""
    lines = [line for share in shares for line in filled(notation.share(share), " " * 8, " " * 12)]
    # A sum may begin with a minus, never with a plus.
    first = lines[0].replace("+ ", "", 1) if lines[0].lstrip().startswith("+ ") else lines[0]
    return [f"    {name} = (", first, *lines[1:], "    )"]
