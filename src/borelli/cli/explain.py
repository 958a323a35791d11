"""Show what one number of a saved result is made of.

Ranks the share of every weight, load, acceleration, velocity and muscle in an output, such as knee_torque or
hip_reaction_x: at a time, at its peak, or on average. --plot draws the shares over time. Without --output, all
outputs are listed. Without --time-s, --peak and --mean, the force at a joint is told at its largest within whole gait
cycles, as on the cards of the page; other outputs, and forces of a result without cycles, at their peak.

For example

    borelli explain results/ --output knee_torque
    borelli explain results/ --output hip_reaction_y --time-s 0.52 --by kind
    borelli explain results/ --output knee_torque --mean --plot knee.png
    borelli explain results/ --output "right knee force" --by muscle
    borelli explain results/ --output "right knee compression" --by anatomy
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer
from rich.console import Console
from rich.text import Text

import borelli as bo
from borelli.cli.info_parts.result import show_outputs
from borelli.cli.terminal.console import plain_console
from borelli.cli.terminal.notes import notes_on_stderr
from borelli.errors import InvalidValueError, MissingInputError

if TYPE_CHECKING:
    import xarray as xr

# Columns: narrower, no room is left for bars beside the names; wider, they tell no more.
_NARROWEST, _WIDEST = 60, 120


def run(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="A result folder.")],
    output: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The number to explain, such as 'right knee force'; omit it to list all."
        ),
    ] = None,
    time_s: Annotated[
        float | None, typer.Option(metavar="T", help="At the instant nearest to this time, in seconds.")
    ] = None,
    peak: Annotated[bool, typer.Option("--peak", help="At its peak in the whole recording.")] = False,
    mean: Annotated[bool, typer.Option("--mean", help="On average over time.")] = False,
    by: Annotated[
        str, typer.Option(metavar="GROUPING", help="source, kind, body, muscle, anatomy or muscle group.")
    ] = "source",
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Plot the shares over time: .png or .html.")
    ] = None,
) -> None:
    """Print the ranked shares, and draw them if asked."""
    at = _when(time_s, peak, mean)
    write = None if plot is None else bo.plot_writer(plot)
    if output is None:
        show_outputs(results, _with_shares(results), plain_console(soft_wrap=True))
        return
    try:
        # A folder that has its shares answers by itself, in half the time.
        explanation = bo.explain(results, output, at, cast("Any", by))
    except MissingInputError:
        explanation = bo.explain(_with_shares(results), output, at, cast("Any", by))
    show(explanation, plain_console())
    if write is not None:
        write(_with_shares(results), explanation.output, cast("Any", by))
        typer.echo(f"Shares over time: {plot}")


def _with_shares(results: Path) -> xr.Dataset:
    with notes_on_stderr():
        return bo.with_shares(results)


def _when(time_s: float | None, peak: bool, mean: bool) -> float | Literal["peak", "mean"] | None:
    if (time_s is not None) + peak + mean > 1:
        raise InvalidValueError("Use only one of --time-s, --peak and --mean.", remedy="leave the others out")
    if time_s is not None:
        return time_s
    return "mean" if mean else "peak" if peak else None


def show(explanation: bo.Explanation, console: Console) -> None:
    """Print an explanation: bars in two colours where the terminal has them, readable without."""
    width = min(max(console.width, _NARROWEST), _WIDEST)
    for line in explanation.text(width).splitlines():
        text = Text(line)
        if line == explanation.headline:
            text.stylize("bold")
        elif "│" in line:
            at = line.index("│")
            # Blue to the right, orange to the left: told apart by colour-blind eyes too, and by their side.
            text.stylize("#0072B2", at + 1)
            text.stylize("#D55E00", len(line[:at].rstrip("█")), at)
        console.print(text, soft_wrap=True)
