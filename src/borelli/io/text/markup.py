"""Small pieces of XML text: tags, numbers, vectors, angles, names."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from borelli.errors import UnsupportedError
from borelli.io.text.xml_text import escape, quoteattr
from borelli.model import Placement
from borelli.model.values import is_concrete

Lines = list[str]


def tag(name: str, text: str) -> Lines:
    """Return ``<name>text</name>``."""
    return [f"<{name}>{escape(text)}</{name}>"]


def block(name: str, *contents: Iterable[str], called: str | None = None) -> Lines:
    """Return an element with other elements inside, indented."""
    attribute = "" if called is None else f" name={quoteattr(called)}"
    inside = ["\t" + line for content in contents for line in content]
    if not inside:
        return [f"<{name}{attribute} />"]
    return [f"<{name}{attribute}>", *inside, f"</{name}>"]


def document(
    inside: Lines, version: int, declaration: str = '<?xml version="1.0" encoding="UTF-8"?>'
) -> Lines:
    """Return an OpenSim document with an element inside."""
    indented = ("\t" + line for line in inside)
    return [declaration, f'<OpenSimDocument Version="{version}">', *indented, "</OpenSimDocument>"]


def number(value: object) -> str:
    """Write a number with all its digits, as OpenSim spells it."""
    if not is_concrete(value):
        raise UnsupportedError(
            f"a model with abstract numbers ({value!r}) cannot be written.",
            remedy="replace symbols by numbers first",
        )
    plain = float(value)  # type: ignore[arg-type]
    if math.isinf(plain):
        return "Inf" if plain > 0 else "-Inf"
    return repr(plain)


def numbers(values: Iterable[object]) -> str:
    """Write numbers with blanks between them."""
    return " ".join(number(value) for value in values)


def flag(value: bool) -> str:
    """Write true or false."""
    return "true" if value else "false"


def body_fixed_angles(rotation: object) -> tuple[float, float, float]:
    """Return the angles of R = Rx(a) Ry(b) Rz(c).

    The first angle is taken out of the matrix before the others are read, so that the three together are
    accurate also near b = ±90°, where a and c alone are not.
    """
    r = [[float(x) for x in row] for row in rotation]  # type: ignore[attr-defined]
    # At b = ±90° only the sum or the difference of a and c is determined: a is then zero.
    a = math.atan2(-r[1][2], r[2][2]) if math.hypot(r[1][2], r[2][2]) > 1e-12 else 0.0
    s, c = math.sin(a), math.cos(a)
    second = [c * r[1][j] + s * r[2][j] for j in range(3)]
    third = [c * r[2][j] - s * r[1][j] for j in range(3)]
    return a, math.atan2(r[0][2], third[2]), math.atan2(second[0], second[1])


def placement(where: Placement, translation: str = "translation", orientation: str = "orientation") -> Lines:
    """Write where a frame sits."""
    return [
        *tag(translation, numbers(where.translation)),
        *tag(orientation, numbers(body_fixed_angles(where.rotation))),
    ]


# The last three ranges are what no XML holds; names of dots alone mean places in a path.
_FORBIDDEN = re.compile(r"[\\/*+\s]+|^\.+$|[\x00-\x1f\x7f-\x9f]+|[\ud800-\udfff]+|[\ufffe\uffff]+")


def plain_name(name: str) -> str:
    """Return a name without what OpenSim refuses (blanks, slashes, ``*`` and ``+``) and what XML cannot hold."""
    return _FORBIDDEN.sub("_", name.strip()) or "unnamed"


class Names:
    """Names of one kind of part as they are written: allowed in OpenSim and all different."""

    def __init__(self, names: Iterable[str], changed: list[str]) -> None:
        self._written: dict[str, str] = {}
        used: set[str] = set()
        for name in names:
            wanted = plain_name(name)
            written, count = wanted, 0
            while written in used:
                written, count = f"{wanted}_{count}", count + 1
            used.add(written)
            self._written[name] = written
            if written != name:
                changed.append(f"{name!r} is called {written!r}")

    def __getitem__(self, name: str) -> str:
        return self._written[name]
