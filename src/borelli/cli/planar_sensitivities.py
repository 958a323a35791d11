"""What ``borelli planar --sensitivities`` writes and shows: torques and reactions by every parameter."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr
from rich.table import Table
from rich.text import Text

from borelli.cli.planar_support import empty_table
from borelli.errors import UnknownNameError

ENDINGS = (".csv", ".parquet")
_SHOWN = 4


def check_ending(path: Path) -> None:
    """Refuse a file that is neither CSV nor Parquet, before anything is computed."""
    if path.suffix.lower() not in ENDINGS:
        raise UnknownNameError.among(
            path.suffix or path.name, "kind of table", ENDINGS, where="--sensitivities"
        )


def write(slopes: xr.Dataset, path: Path) -> None:
    """Write every derivative as a row: time, output, parameter, value, unit of the output, unit of the parameter."""
    from borelli.results.whole import atomic_writer

    frame = _long(slopes)
    with atomic_writer(path) as stream:
        if path.suffix.lower() == ".csv":
            frame.to_csv(stream, index=False, lineterminator="\n")
        else:
            frame.to_parquet(stream, index=False)


def _long(slopes: xr.Dataset) -> pd.DataFrame:
    parameters = slopes["parameter"].values
    parts = []
    for joint in slopes["joint"].values:
        curves = {f"{joint}_torque": (slopes["torque_sensitivity"].sel(joint=joint), "N m")}
        for axis in slopes["axis"].values:
            curves[f"{joint}_reaction_{axis}"] = (
                slopes["reaction_sensitivity"].sel(joint=joint, axis=axis),
                "N",
            )
        for output, (values, unit) in curves.items():
            parts.append(
                pd.DataFrame(
                    {
                        "time": np.repeat(slopes["time"].values, len(parameters)),
                        "output": output,
                        "parameter": np.tile(parameters, slopes.sizes["time"]),
                        "value": values.values.ravel(),
                        "unit": unit,
                        "parameter_unit": np.tile(slopes["parameter_unit"].values, slopes.sizes["time"]),
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


def table(slopes: xr.Dataset, result: xr.Dataset) -> Table:
    """What the torque of each joint at its peak depends on most: its change for one per cent more of a parameter."""
    shown = empty_table("joint", "What the peak torques depend on: change for one per cent more")
    shown.add_column("torque\nN m", justify="right")
    shown.add_column("largest changes, N m", overflow="fold")
    names = slopes["parameter"].values
    for index, joint in enumerate(result["joint"].values):
        torque = result["torque"].values[:, index]
        frame = int(np.argmax(np.abs(torque)))
        change = (
            0.01 * slopes["torque_sensitivity"].values[frame, index] * slopes["parameter_value"].values[frame]
        )
        order = [k for k in np.argsort(-np.abs(change))[:_SHOWN] if change[k] != 0.0]
        said = ", ".join(f"{names[k]} {change[k]:+.3g}" for k in order)
        shown.add_row(Text(str(joint)), f"{torque[frame]:.4g}", Text(said))
    return shown
