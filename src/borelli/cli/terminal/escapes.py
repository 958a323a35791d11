"""Control characters in what commands print: shown, never obeyed.

Names and units come from files. One that holds the escape sequences of a terminal could otherwise hide or forge lines.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

# C0 but tab and line feed, DEL, C1, separators of lines, and the marks that turn the direction of writing around.
_OBEYED = re.compile(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def shown(text: str) -> str:
    r"""Return a text in which no character drives the terminal: an escape becomes ``\x1b``."""
    return _OBEYED.sub(lambda found: ascii(found[0])[1:-1], text)


# What we draw with, where a console knows only its own letters (cp1252, ascii).
_SPELLED = str.maketrans(
    {
        **dict.fromkeys("█▉▊▋▌▍▎▏", "#"),
        **{
            "│": "|",
            "─": "-",
            "−": "-",
            "–": "-",
            "…": "...",
            "×": "x",
            "→": "->",
            "•": "*",
            "≤": "<=",
            "≥": ">=",
        },
    }
)


def spelled(text: str, encoding: str | None) -> str:
    """Return a text with what an encoding lacks drawn with plain letters; names from files stay as they are escaped."""
    try:
        text.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        letters = (letter if _has(letter, encoding) else letter.translate(_SPELLED) for letter in text)
        return "".join(letters)
    return text


def _has(letter: str, encoding: str | None) -> bool:
    try:
        letter.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


class SafeStream:
    """A text stream that shows control characters instead of passing them on, and spells out letters it lacks."""

    buffer = None
    """None: whoever looks for the bytes behind would get around the stream."""

    def __init__(self, behind: TextIO) -> None:
        self.behind = behind
        if isinstance(behind, io.TextIOWrapper):
            behind.reconfigure(errors="backslashreplace")

    def write(self, text: str) -> int:
        """Write a text, its control characters escaped."""
        self.behind.write(spelled(shown(text), self.behind.encoding))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.behind, name)


@contextmanager
def safe_streams() -> Iterator[None]:
    """Let everything that a command prints pass through :class:`SafeStream`."""
    before = sys.stdout, sys.stderr
    # Python has no stream where the one of the process is closed, as some services start their programs.
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        sys.stdout, sys.stderr = (SafeStream(stream or nowhere) for stream in before)
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before
