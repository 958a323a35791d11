"""Compile every kernel for this processor now, so that nobody waits for it later.

For classrooms, containers and clusters. Compiled code is kept in the cache of the user (BORELLI_CACHE_DIR moves
it); what is there already is only loaded.

For example

    borelli warm-up
"""

from __future__ import annotations

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import borelli as bo
from borelli.cli.console import plain_console
from borelli.notice import told_to


def run() -> None:
    """Compile all kernels, with a bar."""
    console = plain_console(stderr=True)
    line = TextColumn("preparing kernels for this processor, once: {task.description:<32}")
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
    typer.echo(f"Kernels of {steps} analyses are ready for this processor.")
