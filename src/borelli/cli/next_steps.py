"""After a result: where its page is, and the questions that it answers best."""

from __future__ import annotations

import shlex
from pathlib import Path

import typer

import borelli as bo

_QUESTIONS = 3


def show_next(found: bo.RunResult) -> None:
    """Say where folder and page are, what the largest joint loads are, and how to ask where they come from."""
    place = found.folder
    typer.echo(f"Written: {place}")
    page = place / "report.html"
    if page.is_file():
        typer.echo(f"Page:    {page}")
    asked = _questions(found)
    if asked:
        typer.echo("Worth asking:")
    for told, output in asked:
        typer.echo(f"  {told}")
        typer.echo(f"    borelli explain {_shell(place)} --output {_shell(output)} --by muscle")


def _questions(found: bo.RunResult) -> list[tuple[str, str]]:
    """The largest loads of joints, each a sentence and an output; without reactions, the largest moments."""
    try:
        best = [
            (answer.sentence, f"{answer.words} force") for answer in bo.answers(found.result)[:_QUESTIONS]
        ]
    except bo.BorelliError:
        best = []
    if best:
        return best
    try:
        told = [
            bo.explain(found.result, output) for output in bo.outputs(found.result) if output.unit == "N m"
        ]
    except bo.BorelliError:
        return []
    told.sort(key=lambda each: -abs(each.total))
    return [(each.headline, each.output.name) for each in told[:_QUESTIONS]]


def _shell(text: str | Path) -> str:
    return shlex.quote(str(text))
