"""Loads become a description (ExternalLoads xml) and the table that it names, as OpenSim reads them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from borelli.errors import InvalidValueError, MissingInputError
from borelli.io.load import save_table
from borelli.io.setups.external_loads import GROUND
from borelli.io.text.markup import block, document, flag, tag
from borelli.model.load import Load
from borelli.results.labelled.table import Table
from borelli.results.on_disk.whole import atomic_writer

# What XML cannot hold, and what ends a column's name.
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# Every OpenSim 4 reads it.
_VERSION = 40000


def save_loads(loads: Sequence[Load], path: str | os.PathLike[str]) -> Path:
    """Write loads as OpenSim's external loads.

    Parameters
    ----------
    loads : sequence of Load
        With their own times, the same for all.
    path : path
        The description (.xml). The table lies beside it, with the ending ``.mot``.

    Returns
    -------
    Path
        The table.

    Examples
    --------
    >>> bo.save_loads(loads, "ground.xml").name
    'ground.mot'
    >>> bool(np.allclose(bo.load_loads("ground.xml")[0].force, loads[0].force))  # N
    True
    """
    target = Path(path)
    if target.suffix.casefold() != ".xml":
        raise InvalidValueError(
            "Loads are written as a description, an .xml file.",
            where=os.fspath(path),
            remedy="name a file that ends in .xml; its table lies beside it",
        )
    if not loads or any(load.time is None for load in loads):
        raise MissingInputError(
            "There are no loads to write." if not loads else "A load without times cannot be written.",
            remedy="give Load(…, time=…)",
        )
    time = np.asarray(loads[0].time)
    for load in loads:
        _refuse_what_files_cannot_hold(load)
    for load in loads[1:]:
        if not np.array_equal(time, np.asarray(load.time)):
            raise InvalidValueError(f"Loads {loads[0].name!r} and {load.name!r} have different times.")
    table = target.with_suffix(".mot")
    columns, units, values = [], [], []
    for load in loads:
        for kind, unit, part in (("v", "N", "force"), ("p", "m", "point"), ("t", "N m", "moment")):
            columns += [f"{load.name}_{kind}{axis}" for axis in "xyz"]
            units += [unit] * 3
            # A point may be unknown where nothing pushes; OpenSim's tables have no gaps.
            values.append(np.nan_to_num(np.broadcast_to(getattr(load, part), (time.size, 3))))
    save_table(
        Table(time, tuple(columns), np.hstack(values), tuple(units), in_degrees=False, name=target.stem),
        table,
    )
    listed = [line for load in loads for line in _description(load)]
    inside = block("ExternalLoads", block("objects", listed), tag("datafile", table.name), called=target.stem)
    with atomic_writer(target) as stream:
        stream.write("\n".join([*document(inside, _VERSION), ""]).encode("utf-8"))
    return table


def _refuse_what_files_cannot_hold(load: Load) -> None:
    for what, name in (("name", load.name), ("body", load.body)):
        if _UNWRITABLE.search(name):
            raise InvalidValueError(
                f"The {what} of load {load.name!r} holds a character that an .xml file cannot hold.",
                remedy="give it a name of letters, digits and marks",
            )
    for what, part in (("force", load.force), ("moment", load.moment)):
        if np.isnan(part).any():
            row = int(np.argmax(np.isnan(part).any(axis=1)))
            raise InvalidValueError(
                f"The {what} of load {load.name!r} is NaN at {np.asarray(load.time)[row]:g} s; OpenSim's tables have "
                "no gaps.",
                remedy="fill the gap, or write zero where nothing acts",
            )


def _description(load: Load) -> list[str]:
    return block(
        "ExternalForce",
        tag("appliesForce", flag(True)),
        tag("applied_to_body", load.body),
        tag("force_expressed_in_body", GROUND),
        tag("point_expressed_in_body", GROUND),
        tag("force_identifier", f"{load.name}_v"),
        tag("point_identifier", f"{load.name}_p"),
        tag("torque_identifier", f"{load.name}_t"),
        called=load.name,
    )
