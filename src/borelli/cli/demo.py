"""Run a built-in example; no files are needed.

Computes joint torques and joint reactions and the share of every source in them, writes tables, pictures and a page
to open in a browser, and prints a summary. The examples:

    walk: a walking trial, from markers and ground forces to what every joint bears; copies its input files for you
    squat: a person stands up from a squat (Biscarini 2021).
    reach: an arm reaches out against a spring (Cesari et al. 2001).
    body: squat and reach together; this is the default.
    arm: an arm lifts a dumbbell in three dimensions (Du 2021).
    moment-arms: a neck that nods (Sherman, Seth & Delp 2013).
    lagrange: a two-link arm, with its equations as formulas (Schaffner).

For example

    borelli demo
    borelli demo walk
    borelli demo squat
    borelli demo arm
    borelli demo --out my-demo
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

import borelli as bo
from borelli.cli.outcome.next_steps import show_next
from borelli.cli.outcome.verdict import show_verdict
from borelli.cli.terminal.console import plain_console
from borelli.cli.terminal.shell import shell

if TYPE_CHECKING:
    import xarray as xr


def run(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Which demo: body (the default) or another of those above.")
    ] = "body",
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder to write.")] = Path("demo-results"),
) -> None:
    """Run the demo and print what it found."""
    console = plain_console()
    with console.status("Computing …") as status:
        done = bo.run_demo(name, out, progress=lambda what: status.update(f"{what} …"))
    told_by_peaks = [example for example in done.examples.values() if example.peaks]
    for example in told_by_peaks:
        _print_peaks(console, example)
    if told_by_peaks:
        _print_places(console, done)
    else:
        _print_trials(console, done)


def _print_trials(console: Console, done: bo.DemoResult) -> None:
    """Say what is said of any trial: how far to trust it, what each joint bears, where it is and what to ask next."""
    for name, example in done.examples.items():
        console.print(str(example.result.attrs["title"]), style="bold")
        for remark in example.remarks:
            console.print(remark)
        show_verdict(bo.verdict(example.result))
        _print_closure(console, example.result)
        show_next(done.folder / name, done.folder / done.page, example.answers, example.result)
    beside = sorted(
        entry.name for entry in done.folder.iterdir() if entry.is_dir() and entry.name not in done.examples
    )
    console.print(f"Beside it: {', '.join(str(done.folder / name) for name in beside)}", soft_wrap=True)


def _print_peaks(console: Console, example: bo.DemoExample) -> None:
    result = example.result
    table = Table(
        title=str(result.attrs["title"]), title_justify="left", title_style="bold", box=None, pad_edge=False
    )
    for heading, side in (
        ("peak of", "left"),
        ("value", "right"),
        ("at", "right"),
        ("largest sources", "left"),
    ):
        table.add_column(heading, justify=side, no_wrap=heading != "largest sources", header_style="dim")  # type: ignore[arg-type]
    for peak in example.peaks:
        sources = [f"{share.source} {share.percent:+.0f}%" for share in peak.shares[:3] if share.value != 0.0]
        when = peak.when.removeprefix("at ").partition(" (")[0]
        table.add_row(peak.output.name, f"{peak.total:.4g} {peak.unit}", when, ", ".join(sources))
    console.print(table)
    for remark in example.remarks:
        console.print(remark)
    _print_closure(console, result)
    console.print()


def _print_closure(console: Console, result: xr.Dataset) -> None:
    gaps = [
        (name, unit) for name, unit in (("torque", "N m"), ("reaction", "N")) if f"{name}_closure" in result
    ]
    told = ", ".join(f"{float(result[f'{name}_closure']):.1e} {unit}" for name, unit in gaps)
    console.print(
        f"Shares add up to the totals within {float(result.closure):.1e} of the largest share"
        f"{f' ({told})' if told else ''}."
    )


def _print_places(console: Console, done: bo.DemoResult) -> None:
    places = {
        done.page: "open in a browser",
        ", ".join(done.examples): "result folders: NetCDF, Parquet, CSV",
        "pictures": "PNG and HTML",
    }
    console.print(f"Written to {done.folder}:", soft_wrap=True)
    for name, what in places.items():
        console.print(f"  {name:<17}{what}", soft_wrap=True)
    example, _, options = done.explained.partition(" ")
    console.print(f"\nNext: borelli explain {shell(done.folder / example)} {options}", soft_wrap=True)
