"""What ``borelli planar --sensitivities`` shows: torques and reactions by every parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rich.table import Table
from rich.text import Text

from borelli.cli.planar_parts.support import empty_table

if TYPE_CHECKING:
    import xarray as xr

# What fits in a cell; the file of sensitivities has all of them.
_SHOWN = 4


def table(slopes: xr.Dataset, result: xr.Dataset) -> Table:
    """What the torque of each joint at its peak depends on most: its change for one per cent more of a parameter."""
    shown = empty_table("joint", "Sensitivity of the peak torques: change for 1 % more")
    shown.add_column("torque\nN m", justify="right")
    shown.add_column("largest changes, N m", overflow="fold")
    names = slopes["parameter"].values
    for index, joint in enumerate(result["joint"].values):
        torque = result["torque"].values[:, index]
        instant = int(np.argmax(np.abs(torque)))
        change = (
            0.01
            * slopes["torque_sensitivity"].values[instant, index]
            * slopes["parameter_value"].values[instant]
        )
        order = [k for k in np.argsort(-np.abs(change))[:_SHOWN] if change[k] != 0.0]
        said = ", ".join(f"{names[k]} {change[k]:+.3g}" for k in order)
        shown.add_row(Text(str(joint)), f"{torque[instant]:.4g}", Text(said))
    return shown
