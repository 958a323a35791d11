"""What commands print: text as it is, whatever brackets it holds, and control characters shown, never obeyed."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from borelli.cli.terminal.escapes import shown, spelled


class _SafeConsole(Console):
    """A console whose own colours are obeyed, and nothing that stands in the texts it is given."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else spelled(shown(text), self.encoding), style, control)


def plain_console(**settings: Any) -> Console:
    """Return a console that takes every text as it is.

    Names and units come from files: ``[bold]`` in one of them must be shown and not obeyed, and ``[/]``, which closes
    nothing, must not end the command. Style is given by ``rich.text.Text``.
    """
    given = {"highlight": False, "markup": False, "emoji": False, **settings}
    stream = sys.stderr if given.pop("stderr", False) else sys.stdout
    return _SafeConsole(**{"file": getattr(stream, "behind", stream), **given})
