"""What ``borelli planar`` shows and writes: tables of torques, reactions and shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from rich.text import Text

from borelli.cli.planar_parts import support
from borelli.cli.terminal.console import plain_console

if TYPE_CHECKING:
    import xarray as xr


def show(result: xr.Dataset, found: xr.Dataset | None, more: Table | None = None) -> None:
    """Print the joints of one instant, or their peaks over many, and one further table."""
    console = plain_console()
    if found is not None:
        console.print(_unknown_table(found))
    console.print(_one_instant(result) if result.sizes["time"] == 1 else _peaks(result))
    console.print(support.link_axes_table(result))
    console.print(support.support_table(result))
    if more is not None:
        console.print(more)
    console.print(
        f"{result.attrs['data_set']} data set, {result.sizes['time']} instant(s); closure "
        f"{float(result['closure']):.1e} (shares against an independent recursion). Torque and force are on the link "
        "beyond the joint, by the one before."
    )


def _one_instant(result: xr.Dataset) -> Table:
    table = support.empty_table("joint", f"{result.attrs['chain']} at {float(result['time'][0]):g} s")
    heads = ("torque\nN m", "muscles\nN m", "left over\nN m", "force x\nN", "force y\nN", "force\nN")
    for head in heads:
        table.add_column(head, justify="right")
    for index, joint in enumerate(result["joint"].values):
        torque = float(result["torque"][0, index])
        rest = float(result["residual_torque"][0, index])
        x, y = (float(part) for part in result["reaction"][0, index])
        numbers = (torque, torque - rest, rest, x, y, float(np.hypot(x, y)))
        table.add_row(Text(str(joint)), *(f"{number:.4g}" for number in numbers))
    return table


def _peaks(result: xr.Dataset) -> Table:
    start, end = (float(result["time"][row]) for row in (0, -1))
    table = support.empty_table("joint", f"{result.attrs['chain']}, peaks from {start:g} to {end:g} s")
    for head in ("torque\nN m", "at\ns", "left over\nN m", "at\ns", "force\nN", "at\ns"):
        table.add_column(head, justify="right")
    for joint, peaks in _peak_values(result).items():
        cells = [f"{peaks[name][part]:.4g}" for name in peaks for part in ("value", "time")]
        table.add_row(Text(joint), *cells)
    return table


def _unknown_table(found: xr.Dataset) -> Table:
    many = found.sizes["time"] > 1
    table = support.empty_table("found", "Unknown contacts")
    table.add_column("peak" if many else "value", justify="right")
    table.add_column("unit")
    for label, unit in zip(found["unknown"].values, found["unit"].values, strict=True):
        values = found["value"].sel(unknown=label).values
        table.add_row(Text(str(label)), f"{values[np.argmax(np.abs(values))]:.4g}", str(unit))
    worst = float(np.max(np.abs(found["residual"].values)))
    table.caption = f"largest imbalance {worst:.1e} (N or N m)"
    return table


def _peak_values(result: xr.Dataset) -> dict[str, dict[str, dict[str, float]]]:
    """Largest torque, torque left over and reaction of each joint, and when; signs are kept."""
    size = np.hypot(result["reaction"].values[..., 0], result["reaction"].values[..., 1])
    curves = {
        "torque": result["torque"].values,
        "residual_torque": result["residual_torque"].values,
        "reaction": size,
    }
    times = result["time"].values
    peaks: dict[str, dict[str, dict[str, float]]] = {}
    for index, joint in enumerate(result["joint"].values):
        peaks[str(joint)] = {}
        for name, values in curves.items():
            instant = int(np.argmax(np.abs(values[:, index])))
            peaks[str(joint)][name] = {"value": float(values[instant, index]), "time": float(times[instant])}
    return peaks


def as_json(result: xr.Dataset, found: xr.Dataset | None, notes: Sequence[str]) -> dict[str, Any]:
    """Everything but the shares, by name, with units."""
    content: dict[str, Any] = {
        "chain": result.attrs["chain"],
        "data_set": result.attrs["data_set"],
        "space": result.attrs["space"],
        "units": {
            "time": "s",
            "torque": "N m",
            "residual_torque": "N m",
            "reaction": "N",
            "compression": "N",
            "shear": "N",
        },
        **{f"{name}_on": result.attrs[f"{name}_on"] for name in ("reaction", "compression", "shear")},
        "time": result["time"].values.tolist(),
        "joints": {
            str(joint): {
                "torque": result["torque"].sel(joint=joint).values.tolist(),
                "residual_torque": result["residual_torque"].sel(joint=joint).values.tolist(),
                "reaction_x": result["reaction"].sel(joint=joint, axis="x").values.tolist(),
                "reaction_y": result["reaction"].sel(joint=joint, axis="y").values.tolist(),
                "compression": result["compression"].sel(joint=joint).values.tolist(),
                "shear": result["shear"].sel(joint=joint).values.tolist(),
            }
            for joint in result["joint"].values
        },
        "support": support.as_json(result),
        "peaks": _peak_values(result),
        "closure": float(result["closure"]),
        "warnings": list(notes),
    }
    if found is not None:
        content["unknown"] = {
            str(label): {"unit": str(unit), "value": found["value"].sel(unknown=label).values.tolist()}
            for label, unit in zip(found["unknown"].values, found["unit"].values, strict=True)
        }
        content["largest_imbalance"] = float(np.max(np.abs(found["residual"].values)))
    return content
