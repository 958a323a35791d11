"""Words of a command line that can be copied: folders with blanks stay one word."""

from __future__ import annotations

import shlex
from pathlib import Path


def shell(text: str | Path) -> str:
    """Return a word as a shell reads it back."""
    return shlex.quote(str(text))
