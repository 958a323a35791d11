"""Compile all kernels for this processor now.

So that nobody waits for it later: for classrooms, containers and clusters. Compiled code is kept in the user's
cache (set BORELLI_CACHE_DIR to move it). Kernels that are already there are not compiled again.

For example

    borelli warm-up
"""

from __future__ import annotations

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import borelli as bo
from borelli.cli.terminal.console import plain_console
from borelli.notice import told_to


def run() -> None:
    """Compile all kernels, with a bar."""
    console = plain_console(stderr=True)
    line = TextColumn("compiling kernels for this processor, once: {task.description:<32}")
    columns = (line, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar,
        # The bar says it already.
        told_to(lambda line: None),
    ):
        task = bar.add_task("", total=None)
        steps = bo.warm_up(
            lambda name, number, of: bar.update(task, description=name, completed=number, total=of)
        )
    typer.echo(f"The kernels of {steps} analyses are compiled for this processor.")
