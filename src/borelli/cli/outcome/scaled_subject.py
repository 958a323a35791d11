"""A scaled subject on the screen: how much larger each segment is, and how well its markers fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import typer

if TYPE_CHECKING:
    import borelli as bo


def show_subject(done: bo.ScaledSubject, with_mass: bool = False) -> None:
    """Say what was measured, moved and written; before the files, what the subject weighs."""
    _show_factors(done.factors)
    if done.placed is not None:
        _show_fit(done.placed)
    for note in done.notes:
        typer.echo(note)
    mass = f"{sum(float(body.mass) for body in done.model.bodies):.2f} kg: " if with_mass else ""
    for path in done.written:
        typer.echo(f"{mass}{path}")


def _show_factors(factors: bo.ScaleFactors) -> None:
    """Print every measured length, and the factors of the bodies that changed."""
    for each in factors.measured:
        typer.echo(f"{each.name}: {each.factor:.4f}")
        for first, second, here, there in each.pairs:
            typer.echo(f"    {first} to {second}: model {here:.4f} m, subject {there:.4f} m")
    changed = {name: three for name, three in factors.items() if np.any(three != 1.0)}
    width = max(map(len, changed), default=0)
    for name, three in changed.items():
        typer.echo(f"{name:{width}s}  x {three[0]:.4f}  y {three[1]:.4f}  z {three[2]:.4f}")


def _show_fit(placed: bo.PlacedMarkers) -> None:
    """Print how far markers were from where they were seen, and how far they were moved."""
    report = placed.report
    used = report["before"].values[:, report["weight"].values > 0.0]
    rms = float(np.sqrt(np.nanmean(used**2))) if np.isfinite(used).any() else float("nan")
    typer.echo(f"static pose: RMS {1000 * rms:.1f} mm over {used.shape[1]} markers (before they are placed)")
    moved = report["moved"]
    order = np.argsort(-moved.values)[:5]
    far = ", ".join(f"{moved['marker'].values[i]} {1000 * float(moved[i]):.0f} mm" for i in order)
    typer.echo(f"moved most: {far}")
