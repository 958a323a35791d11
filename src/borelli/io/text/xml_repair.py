"""XML that is broken in ways that OpenSim's own reader overlooks: mended, and told.

Published files hold letters in Windows' encoding although they say UTF-8, ampersands that stand alone, control
characters, and comments with ``--`` inside. XML forbids all of them, OpenSim reads them all. Lines stay where
they are; every step is a single pass over the bytes.
"""

from __future__ import annotations

_COMMENT = (b"<!--", b"-->")
_LINE_ENDS = b"\r\n"
_TO_BLANKS = bytes(byte if byte in _LINE_ENDS else ord(" ") for byte in range(256))
# What a byte that is no UTF-8 becomes under "surrogateescape", and what Windows means by it.
_WINDOWS = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}
# A zero byte stays: a file that has one is no text, and refused.
_CONTROLS = {code: " " for code in (*range(1, 9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF)}
# More of them would take too much memory to look at one by one, and are no slips of the pen.
_MOST_AMPERSANDS = 100_000
_ENTITIES = ("amp;", "lt;", "gt;", "quot;", "apos;", "#")


def mended(data: bytes) -> tuple[bytes, list[str]]:
    """Return a document as UTF-8 without those faults, and what was found where."""
    text = data.decode("utf-8", "surrogateescape")
    notes: list[str] = []
    text = _replaced(text, _WINDOWS, "a character that is not UTF-8, read as Windows-1252", notes)
    text = _replaced(text, _CONTROLS, "a control character, read as a space", notes)
    if 0 < text.count("&") < _MOST_AMPERSANDS:
        text = _without_bare_ampersands(text, notes)
    return text.encode("utf-8"), notes


def without_comments(data: bytes) -> bytes:
    """Put blanks in place of comments, so that lines and columns stay where they are."""
    opening, closing = _COMMENT
    pieces: list[bytes] = []
    done = 0
    while True:
        start = data.find(opening, done)
        end = data.find(closing, start + len(opening)) if start >= 0 else -1
        if end < 0:
            return b"".join((*pieces, data[done:]))
        end += len(closing)
        pieces += (data[done:start], data[start:end].translate(_TO_BLANKS))
        done = end


def _replaced(text: str, table: dict[int, str], what: str, notes: list[str]) -> str:
    clean = text.translate(table)
    if clean != text:
        first = next(place for place, (old, new) in enumerate(zip(text, clean, strict=True)) if old != new)
        notes.append(f"line {text.count(chr(10), 0, first) + 1}: {what} ({clean[first]!r})")
    return clean


def _without_bare_ampersands(text: str, notes: list[str]) -> str:
    """Leave out ampersands that begin no entity, as OpenSim does."""
    first, *rest = text.split("&")
    bare = [not piece.startswith(_ENTITIES) for piece in rest]
    if not any(bare):
        return text
    before = sum(piece.count("\n") for piece in (first, *rest[: bare.index(True)]))
    notes.append(f"line {before + 1}: a single ampersand, ignored (XML writes it &amp;)")
    return first + "".join(piece if alone else f"&{piece}" for piece, alone in zip(rest, bare, strict=True))
