"""After a result: where its page is, and the questions that it answers best."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

import borelli as bo
from borelli.cli.terminal.shell import shell

if TYPE_CHECKING:
    import xarray as xr

PAGE = "report.html"
"""Name of the page in a result folder."""
_QUESTIONS = 3


def show_next(
    folder: Path, page: Path, answers: Sequence[bo.Answer], result: xr.Dataset | bo.PlainResult
) -> None:
    """Say where folder and page are, what the largest joint loads are, and how to ask where they come from."""
    typer.echo(f"Written: {folder}")
    if page.is_file():
        typer.echo(f"Page:    {page}")
    asked = _questions(answers, result)
    if asked:
        typer.echo("Worth asking:")
    for told, output in asked:
        typer.echo(f"  {told}")
        typer.echo(f"    borelli explain {shell(folder)} --output {shell(output)} --by muscle")


def _questions(answers: Sequence[bo.Answer], result: xr.Dataset | bo.PlainResult) -> list[tuple[str, str]]:
    """The largest loads of joints, each a sentence and an output; without reactions, the largest moments."""
    if answers:
        return [(answer.sentence, f"{answer.words} force") for answer in answers[:_QUESTIONS]]
    try:
        told = [bo.explain(result, output) for output in bo.outputs(result) if output.unit == "N m"]
    except bo.BorelliError:
        return []
    told.sort(key=lambda each: -abs(each.total))
    return [(each.headline, each.output.name) for each in told[:_QUESTIONS]]
