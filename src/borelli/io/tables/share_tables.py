"""Splits as tables that OpenSim and scripts read: totals by their usual names, shares as ``output|source``."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from borelli.io.tables.sto import write_sto
from borelli.results.labelled.plain_result import Result, labels
from borelli.results.labelled.table import Table
from borelli.results.outputs.output import curves, outputs

GENERALIZED, SHARES, REACTIONS = "generalized_forces.sto", "shares.sto", "joint_reactions.sto"


def write_share_tables(result: Result, folder: str | os.PathLike[str]) -> None:
    """Write the tables of a split into a folder.

    ``generalized_forces.sto`` has OpenSim's columns (``knee_angle_r_moment``), ``joint_reactions.sto`` the
    components of every reaction, ``shares.sto`` a column ``knee_angle_r_moment|weight:tibia_r`` for each
    share of a generalized force that is not zero throughout.

    Parameters
    ----------
    result : Dataset of ``bo.contributions``
    """
    time = np.asarray(result.variables["time"].values, dtype=float)
    place = Path(folder)
    forces = result.variables["total_generalized_force"].values
    names = [curve.name for curve in curves(result, "generalized_force", "generalized_force")]
    title = "Inverse Dynamics Generalized Forces"
    write_sto(Table(time, tuple(names), forces, in_degrees=False, name=title), place / GENERALIZED)
    columns, parts = [], []
    for kind, letter in (("force", "f"), ("moment", "m")):
        values = result.variables[f"total_reaction_{kind}"].values
        joints = labels(result, "joint").names
        columns += [f"{joint}_{letter}{axis}" for joint in joints for axis in "xyz"]
        parts.append(values.reshape(len(time), -1))
    write_sto(
        Table(time, tuple(columns), np.hstack(parts), in_degrees=False, name="Joint Reaction Loads"),
        place / REACTIONS,
    )
    write_sto(_shares(result, time), place / SHARES)


def _shares(result: Result, time: np.ndarray) -> Table:
    sources = labels(result, "source").names
    columns, kept = [], []
    for output in outputs(result):
        if output.quantity == "generalized_force":
            heard = output.heard(result)
            columns += [f"{output.name}|{sources[index]}" for index in heard]
            kept.append(output.shares(result)[:, heard])
    table = np.hstack(kept) if kept else np.empty((len(time), 0))
    return Table(time, tuple(columns), table, in_degrees=False, name="Shares of generalized forces")
