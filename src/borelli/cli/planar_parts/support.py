"""What ``borelli planar`` says about compression, shear and the support of the base."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from rich import box
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    import xarray as xr

_LARGEST_SOURCES = 2


def empty_table(first: str, title: str) -> Table:
    """Return a table without rows; names come from files: as Text, their brackets are no markup."""
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column(first, no_wrap=True)
    return table


def link_axes_table(result: xr.Dataset) -> Table:
    """Compression and shear of each joint at its peak, with the sources that make most of it."""
    whose = "proximal" if "the proximal link" in result.attrs["shear_on"] else "distal"
    table = empty_table("joint", f"Along and across the {whose} link, at the peak")
    for head in ("compression\nN", "at\ns", "shear\nN", "at\ns"):
        table.add_column(head, justify="right")
    table.add_column("largest parts of the shear", overflow="fold")
    times = result["time"].values
    for index, joint in enumerate(result["joint"].values):
        cells: list[str] = []
        for name in ("compression", "shear"):
            curve = result[name].values[:, index]
            instant = int(np.argmax(np.abs(curve)))
            cells += [f"{curve[instant]:.4g}", f"{times[instant]:.4g}"]
        shares = result["shear_share"].values[instant, index]
        order = np.argsort(-np.abs(shares))[:_LARGEST_SOURCES]
        loud = [f"{result['source'].values[k]} {shares[k]:+.4g}" for k in order if shares[k] != 0.0]
        table.add_row(Text(str(joint)), *cells, Text(", ".join(loud)))
    return table


def support_table(result: xr.Dataset) -> Table:
    """Support of the base where it is largest, and what the whole body lacks of a measured one."""
    force, moment = result["support_force"].values, result["support_moment"].values
    instant = int(np.argmax(np.hypot(*force.T)))
    where = f"at {float(result['time'][instant]):g} s" + (", its peak" if len(moment) > 1 else "")
    joint = str(result["joint"].values[0])
    table = empty_table("ground on the base", f"Support of the base {where}")
    for head in ("force x\nN", "force y\nN", "moment\nN m", "centre x\nm", "y\nm"):
        table.add_column(head, justify="right")
    place = result["centre_of_pressure"].values[instant]
    said = [f"{x:.4g}" if np.isfinite(x) else "–" for x in (*force[instant], moment[instant], *place)]
    proximal = result.attrs["data_set"] == "proximal"
    table.add_row("measured" if proximal else "demanded by motion and loads", *said)
    if "support_force_residual" in result:
        lack, turn = result["support_force_residual"].values, result["support_moment_residual"].values
        worst = int(np.argmax(np.hypot(*lack.T)))
        numbers = [f"{x:.4g}" for x in (*lack[worst], turn[worst])]
        table.add_row(f"whole-body residual at {float(result['time'][worst]):g} s", *numbers, "", "")
    table.caption = Text(f"moments are about {joint}; the centre is that of pressure")
    return table


def as_json(result: xr.Dataset) -> dict[str, Any]:
    """Support by name; what does not exist is null."""

    def plain(values: xr.DataArray) -> list[Any]:
        return [x if np.isfinite(x) else None for x in values.values.tolist()]

    content: dict[str, Any] = {
        "force_x": plain(result["support_force"].sel(axis="x")),
        "force_y": plain(result["support_force"].sel(axis="y")),
        "moment": plain(result["support_moment"]),
        "centre_of_pressure_x": plain(result["centre_of_pressure"].sel(axis="x")),
        "centre_of_pressure_y": plain(result["centre_of_pressure"].sel(axis="y")),
        "on": result.attrs["support_moment_on"],
    }
    for kind in ("force", "moment"):
        name = f"whole_body_residual_{kind}"
        if name in result:
            content[name] = float(result[name])
    return content
