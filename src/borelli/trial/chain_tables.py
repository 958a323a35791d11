"""Files of a planar chain's answer: a result folder with wide and long tables, and sensitivities as a table."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from borelli.errors import UnknownNameError
from borelli.results.on_disk.whole import atomic_writer
from borelli.results.saving.save import save_result

if TYPE_CHECKING:
    import xarray as xr

# More than spreadsheets and patience can take; Parquet has no such limit.
MOST_CSV_ROWS = 2_000_000
ENDINGS = (".csv", ".parquet")


def save_chain_analysis(
    result: xr.Dataset,
    folder: str | os.PathLike[str],
    *,
    inputs: Mapping[str, str | os.PathLike[str]] | None = None,
    warnings: Sequence[str] = (),
) -> list[str]:
    """Write a result folder, and in it torques, reactions (wide) and shares (long) as CSV and Parquet.

    Parameters
    ----------
    result : xarray.Dataset
        That of :func:`borelli.planar.analyze`.
    folder : path
        A result folder, written whole or not at all.
    inputs : mapping of str to path, optional
        Files that the result was computed from, to be hashed.
    warnings : sequence of str
        Saved with the result.

    Returns
    -------
    list of str
        What was left out, and why.

    Examples
    --------
    >>> bo.save_chain("arm.json", bo.library.reaching_arm(), bo.library.reach())
    >>> done = bo.analyze_chain("arm.json")
    >>> bo.save_chain_analysis(done.result, "chain_results")  # no remarks
    []
    """
    left_out: list[str] = []
    save_result(
        result,
        folder,
        inputs=inputs or {},
        warnings=warnings,
        further=lambda partial: left_out.extend(_write_tables(result, partial)),
    )
    return left_out


def save_sensitivities(slopes: xr.Dataset, path: str | os.PathLike[str]) -> None:
    """Write every derivative as a row: time, output, parameter, value, unit of the output, unit of the parameter.

    Parameters
    ----------
    slopes : xarray.Dataset
        That of :func:`borelli.planar.sensitivities`.
    path : path
        A ``.csv`` or ``.parquet`` file.

    Examples
    --------
    >>> slopes = bo.planar.sensitivities(bo.library.reaching_arm(), bo.library.reach())
    >>> bo.save_sensitivities(slopes, "slopes.csv")
    """
    path = Path(path)
    check_table_ending(path)
    table = _long(slopes)
    with atomic_writer(path) as stream:
        if path.suffix.lower() == ".csv":
            table.to_csv(stream, index=False, lineterminator="\n")
        else:
            table.to_parquet(stream, index=False)


def check_table_ending(path: Path) -> None:
    """Refuse a file that is neither CSV nor Parquet."""
    if path.suffix.lower() not in ENDINGS:
        raise UnknownNameError.among(path.suffix or path.name, "kind of table", ENDINGS, where=str(path))


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


def _write_tables(result: xr.Dataset, folder: Path) -> list[str]:
    for name, frame in (("torque", _wide_torque(result)), ("reaction", _wide_reaction(result))):
        _write_csv(frame, folder / f"{name}.csv")
        with atomic_writer(folder / f"{name}.parquet") as stream:
            frame.to_parquet(stream, index=False)
    shares = folder / "shares.parquet"
    n_rows = pq.read_metadata(shares).num_rows
    if n_rows > MOST_CSV_ROWS:
        return [f"shares.csv would have {n_rows:,} rows and is not written; shares.parquet has all of them."]
    _write_csv(pd.read_parquet(shares), folder / "shares.csv")
    return []


def _write_csv(frame: pd.DataFrame, path: Path) -> None:
    with atomic_writer(path) as stream:
        frame.to_csv(stream, index=False, lineterminator="\n")


def _wide_torque(result: xr.Dataset) -> pd.DataFrame:
    columns = {"time [s]": result["time"].values}
    for joint in result["joint"].values:
        columns[f"{joint} [N m]"] = result["torque"].sel(joint=joint).values
    return pd.DataFrame(columns)


def _wide_reaction(result: xr.Dataset) -> pd.DataFrame:
    columns = {"time [s]": result["time"].values}
    for joint in result["joint"].values:
        for axis in result["axis"].values:
            columns[f"{joint} {axis} [N]"] = result["reaction"].sel(joint=joint, axis=axis).values
    return pd.DataFrame(columns)
