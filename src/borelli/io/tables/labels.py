"""Labels of columns as lines of text hold them: between tabs, on one line."""

from __future__ import annotations

import re

from borelli.errors import InvalidValueError

_BREAKS = re.compile(r"[\t\r\n]")


def refuse_unwritable(label: str, where: str, remedy: str, *, may_be_blank: bool = False) -> None:
    """Raise if a label would be read back as none, as two, or as the end of a line."""
    if _BREAKS.search(label) or not (may_be_blank or label.strip()):
        raise InvalidValueError(
            f"The label {label!r} cannot be written: it is blank or contains a tab or line break.",
            where=where,
            remedy=remedy,
        )
