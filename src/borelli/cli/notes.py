"""Warnings on the command line: one plain line each, on the error stream."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from borelli.errors import BorelliWarning


@contextmanager
def notes_on_stderr(kind: str = "note") -> Iterator[None]:
    """Print what Borelli warns about as ``note: …`` instead of with file and line of the source."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        finally:
            told = [str(item.message) for item in caught if issubclass(item.category, BorelliWarning)]
            for message in dict.fromkeys(told):
                typer.echo(f"{kind}: {message}", err=True)
