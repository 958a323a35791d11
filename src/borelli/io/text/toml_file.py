"""One TOML reader for all formats: limits on size, on the parts of a key and on nesting.

The standard library's parser remembers every part of every dotted key, which makes the work grow with the square
of a key's length: a file of 100 KB could ask for gigabytes. Keys are measured before it starts.
"""

from __future__ import annotations

import os
import re
from typing import Any

from borelli.errors import FileFormatError
from borelli.io.text.files import decode_text, read_bytes

# No file read here has keys of more than a few parts, or more than a few levels: a long key alone can take all memory.
MOST_KEY_PARTS = 16
MOST_LEVELS = 32

# Comments, texts and words. Each alternative takes all it has begun, so that nothing is looked at twice.
_PIECE = re.compile(
    r"""
    (?P<aside> \#[^\n]*+
        | \"\"\"(?:[^"\\]++|\\.|"(?!""))*+(?:\"\"\")?
        | '''(?:[^']++|'(?!''))*+(?:''')? )
    | (?P<part> "(?:[^"\\\n]++|\\.)*+"? | '[^'\n]*+'? | [A-Za-z0-9_-]++ )
    | (?P<dot> \. )
    | (?P<other> [^\s"'\#.A-Za-z0-9_-]++ | \n )
    """,
    re.VERBOSE | re.DOTALL,
)


def read_toml(path: str | os.PathLike[str], expected: str, max_bytes: int) -> dict[str, Any]:
    """Read a TOML file.

    Parameters
    ----------
    path : path
    expected : str
        What it should be, for messages.
    max_bytes : int
        Larger files are refused.

    Returns
    -------
    dict
        Tables, lists and plain values, at most ``MOST_LEVELS`` inside each other.
    """
    # Loaded here: it compiles expressions, and most who load this module read no TOML.
    import tomllib

    source = os.fspath(path)
    text = decode_text(read_bytes(path, expected, max_bytes), source, expected)
    _refuse_long_keys(text, source)
    try:
        content = tomllib.loads(text)
    except ValueError as error:
        raise FileFormatError(
            f"The file is not TOML: {error}.", where=source, remedy="see https://toml.io for the syntax"
        ) from None
    except RecursionError:
        raise _too_deep(source) from None
    refuse_depth(content, source)
    return content


def _refuse_long_keys(text: str, source: str) -> None:
    dots = 0
    for piece in _PIECE.finditer(text):
        if piece.lastgroup == "dot":
            dots += 1
            if dots >= MOST_KEY_PARTS:
                raise FileFormatError(
                    f"A key has more than {MOST_KEY_PARTS} parts.",
                    where=f"{source}, line {text.count(chr(10), 0, piece.start()) + 1}",
                    remedy="write tables inside each other as [[tables]]; no format read here needs long keys",
                )
        elif piece.lastgroup != "part":
            dots = 0


def refuse_depth(content: Any, source: str) -> None:
    """Refuse lists and tables more than ``MOST_LEVELS`` inside each other, of TOML or JSON."""
    level: list[Any] = [content] if isinstance(content, dict | list) else []
    for _ in range(MOST_LEVELS):
        level = [
            item
            for holder in level
            for item in (holder.values() if isinstance(holder, dict) else holder)
            if isinstance(item, dict | list)
        ]
        if not level:
            return
    raise _too_deep(source)


def _too_deep(source: str) -> FileFormatError:
    return FileFormatError(
        "Lists or tables are nested too deeply.",
        where=source,
        remedy=f"at most {MOST_LEVELS} levels are read",
    )
