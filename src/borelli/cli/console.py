"""The console that commands print tables with: what it is given is text, whatever brackets it holds."""

from __future__ import annotations

from typing import Any

from rich.console import Console


def plain_console(**settings: Any) -> Console:
    """Return a console that takes every text as it is.

    Names and units come from files: ``[bold]`` in one of them must be shown and not obeyed, and ``[/]``, which closes
    nothing, must not end the command. Style is given by ``rich.text.Text``.
    """
    return Console(**{"highlight": False, "markup": False, "emoji": False, **settings})
