"""The traffic light in the terminal: how far to trust a result, and what to do about it."""

from __future__ import annotations

import textwrap

import typer
from rich.text import Text

import borelli as bo
from borelli.cli.terminal.console import plain_console

STATUS_RED = 3
"""Exit status of ``--strict`` where the verdict is red: the input could be read, the answer should not be used."""
# Columns: prose in longer lines is hard to follow.
_WIDEST = 100
_COLOURS = {"green": "black on #009E73", "yellow": "black on #E69F00", "red": "white on #C0392B"}


def show_verdict(verdict: bo.Verdict) -> None:
    """Print the light, every check that asks for a second look, and its remedy."""
    if not verdict.checks:
        return
    console = plain_console()
    width = min(console.width, _WIDEST)
    lamp = Text(f" {verdict.light.upper()} ", style=_COLOURS[verdict.light])
    console.print(Text("Verdict: ").append_text(lamp).append(f" {verdict.sentence}"), soft_wrap=True)
    for check in verdict.doubts:
        head = Text(f"  {check.light:<7}", style="bold" if check.light == "red" else "")
        # Nine columns are the light's; a narrower terminal than this breaks words anyway.
        first, *more = textwrap.wrap(check.message, max(width - 9, 40)) or [""]
        console.print(head.append(first, style=""), soft_wrap=True)
        rest = [
            *more,
            *(textwrap.wrap(f"Remedy: {check.remedy}", max(width - 9, 40)) if check.remedy else []),
        ]
        for line in rest:
            console.print(Text(f"         {line}"), soft_wrap=True)


def refuse_red(verdict: bo.Verdict) -> None:
    """End the command with its own status where the verdict is red."""
    if verdict.light == "red":
        typer.echo("The verdict is red (--strict).", err=True)
        raise typer.Exit(STATUS_RED)
