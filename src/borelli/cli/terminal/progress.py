"""A bar with the stages of a run, on the error stream and only on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from borelli.cli.terminal.console import plain_console
from borelli.notice import told_to

_STAGES = ("reading", "optimizing", "splitting", "writing")


@contextmanager
def stages() -> Iterator[Callable[[str], None]]:
    """Show the bar; give the function that a run tells its stages to."""
    console = plain_console(stderr=True)
    if not console.is_terminal:
        yield lambda name: None
        return
    # Loaded here: without a terminal there is no bar.
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<10}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=len(_STAGES))

        def enter(name: str) -> None:
            progress.update(task, description=name, completed=_STAGES.index(name))

        with told_to(lambda line: progress.update(task, description=line)):
            yield enter
