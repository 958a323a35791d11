"""What is in a result folder: verdict, what each joint bears, and the outputs that can be explained."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

import borelli as bo
from borelli.cli.outcome.verdict import show_verdict
from borelli.cli.terminal.shell import shell

if TYPE_CHECKING:
    import xarray as xr

# Half a screen, below the verdict; ``--all`` shows the others.
_FIRST = 12
_NOT_SPLIT = {
    "coordinate_value": "angles",
    "coordinate_speed": "speeds",
    "power": "power",
    "joint_work": "work",
    "ground_force": "ground reaction",
    "centre_of_pressure": "centre of pressure",
}


def show_result(folder: Path, console: Console, every: bool) -> None:
    """Print a summary of a result folder."""
    result = bo.load_result(folder)
    times = result["time"].values
    what = str(result.attrs.get("analysis", "result"))
    model = result.attrs.get("model")
    console.print(f"{folder}: {what}{f' of {model}' if model else ''}")
    console.print(f"{len(times)} instants from {times[0]:g} s to {times[-1]:g} s")
    show_verdict(bo.verdict(result))
    for line in _answers(result):
        console.print(f"  {line}")
    show_outputs(folder, result, console, every)


def _answers(result: xr.Dataset) -> list[str]:
    try:
        return [answer.sentence for answer in bo.answers(result)]
    except bo.BorelliError:
        return []


def show_outputs(folder: Path, result: xr.Dataset, console: Console, every: bool = True) -> None:
    """List what borelli explain can be asked for, with its unit and its words."""
    try:
        known = bo.outputs(result)
    except bo.BorelliError:
        console.print("It holds no shares yet: borelli explain computes them from the input files.")
        return
    shown = known if every else known[:_FIRST]
    width = max(len(output.name) for output in shown)
    console.print(f"Outputs that borelli explain {shell(folder)} --output NAME can explain:")
    for output in shown:
        console.print(f"  {output.name:<{width}}  {output.unit:<4} {bo.output_words(output)}")
    if len(shown) < len(known):
        console.print(f"  … and {len(known) - len(shown)} more (--all lists them)")
    console.print("Plain words work too: right knee force, right knee compression, right knee shear.")
    whole = [words for name, words in _NOT_SPLIT.items() if name in result]
    if whole:
        console.print(f"Saved without shares, in totals.csv and on the page: {', '.join(whole)}.")
