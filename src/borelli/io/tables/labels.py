"""Labels of columns as lines of text and spreadsheets hold them: between tabs, on one line, never computed."""

from __future__ import annotations

import re

from borelli.errors import InvalidValueError

_BREAKS = re.compile(r"[\t\r\n]")
_FORMULA = ("=", "@", "+", "-", "|", "＝", "＠", "＋", "－")
"""What a cell begins with that a spreadsheet computes and does not show; blanks before it change nothing. The wide
ones are those of Japanese and Chinese keyboards."""


def as_text_cell(label: str) -> str:
    """Return a text with an apostrophe before it if a spreadsheet would take it for a formula and compute it."""
    return f"'{label}" if label.lstrip().startswith(_FORMULA) or label.startswith(("\t", "\r")) else label


def refuse_unwritable(label: str, where: str, remedy: str, *, may_be_blank: bool = False) -> None:
    """Raise if a label would be read back as none, as two, or as the end of a line."""
    if _BREAKS.search(label) or not (may_be_blank or label.strip()):
        raise InvalidValueError(
            f"The label {label!r} cannot be written: it is blank or contains a tab or line break.",
            where=where,
            remedy=remedy,
        )
