"""What is told of a result on the terminal: what to distrust first, then what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import typer

if TYPE_CHECKING:
    from borelli import PlainResult, RunResult


def show_summary(run: RunResult) -> None:
    """Print forces at the root, closure and constraints, and how much there is."""
    result = run.plain
    joint, speeds = run.root
    known = result.labels("coordinate").places
    names = [name for name in speeds if name in known]
    if names:
        typer.echo(f"Residuals at the root joint {joint!r} (forces that nothing in the model provides):")
        for name in names:
            curve = result["total_generalized_force"].at("coordinate", known[name])
            unit = str(result["unit"].values[known[name]])
            rms = float(np.sqrt(np.nanmean(curve**2)))
            typer.echo(f"  {name:<24} rms {rms:10.3g}   largest {np.nanmax(np.abs(curve)):10.3g} {unit}")
    if "closure" in result:
        typer.echo(
            f"Shares add up to their totals within {_number(result, 'closure'):.1e} of the largest share."
        )
    if "largest_reserve_moment" in result:
        typer.echo(
            f"Static optimization: reserves carry up to {_number(result, 'largest_reserve_moment'):.3g} N m."
        )
    for name in ("largest_actuator_force", "largest_actuator_moment"):
        if name in result:
            size, unit = _number(result, name), result[name].attrs["units"]
            typer.echo(f"Actuators other than muscles carry up to {size:.3g} {unit}.")
    if "constraint_violation" in result:
        typer.echo(
            f"Constraints are violated by up to {_number(result, 'constraint_violation'):.1e} (rad or m)."
        )
    _show_sizes(result)


def _number(result: PlainResult, name: str) -> float:
    return float(result[name].values)


def _show_sizes(result: PlainResult) -> None:
    sizes = result.sizes
    counted = {"coordinate": "generalized forces", "joint": "joint reactions", "source": "sources"}
    parts = [f"{sizes[name]} {what}" for name, what in counted.items() if name in sizes]
    typer.echo(f"{', '.join([str(sizes['time']) + ' instants', *parts])}.")
