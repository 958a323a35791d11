"""Warnings on the command line: plain lines on the error stream, wrapped to the terminal, before the results."""

from __future__ import annotations

import shutil
import sys
import textwrap
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import typer

from borelli.errors import BorelliWarning

# Columns: prose in longer lines is hard to follow, shorter ones break words.
_NARROWEST, _WIDEST = 40, 100


@dataclass
class Notes:
    """What was warned of, and has not been shown yet."""

    kind: str
    caught: list[warnings.WarningMessage]
    shown: set[str] = field(default_factory=set)

    def show(self) -> None:
        """Print what is new, each thing once: before results whose meaning it changes."""
        told = [str(item.message) for item in self.caught if issubclass(item.category, BorelliWarning)]
        for message in dict.fromkeys(told):
            if message not in self.shown:
                self.shown.add(message)
                typer.echo(_wrapped(f"{self.kind}: {message}"), err=True)


@contextmanager
def notes_on_stderr(kind: str = "note") -> Iterator[Notes]:
    """Print what Borelli warns about as ``note: …`` instead of with file and line of the source."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        notes = Notes(kind, caught)
        try:
            yield notes
        finally:
            notes.show()


def _wrapped(text: str) -> str:
    """Wrap to the terminal; a file or another program gets each line whole, to search in."""
    if not sys.stderr.isatty():
        return text
    width = min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)
    lines = [textwrap.wrap(line, width, subsequent_indent="  ") or [""] for line in text.splitlines()]
    return "\n".join(part for line in lines for part in line)
