"""A table for SPSS, R and spreadsheets: one row a subject and condition, one column a number of an output."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from borelli.errors import MissingInputError, UnknownNameError
from borelli.io.tables.labels import as_text_cell
from borelli.results.on_disk.whole import whole_file
from borelli.studies.names import TOTAL

if TYPE_CHECKING:
    import pandas as pd

    from borelli.studies.load import Study

ENDINGS = (".csv", ".xlsx")


def wide_table(study: Study, *, sources: bool = False) -> pd.DataFrame:
    """Return one row for each subject and condition.

    Parameters
    ----------
    sources : bool
        Whether the parts of every number are columns as well.

    Returns
    -------
    DataFrame
        Columns ``subject``, ``groups``, ``mass [kg]``, ``condition``, and one for each number of each output, such as
        ``knee_moment_peak [N m]``; with sources ``knee_moment_peak:muscle:vasti [N m]``. Means are over cycles, then
        over trials.
    """
    rows = study.means("numbers")
    if not sources:
        rows = rows[rows["source"] == TOTAL]
    part = rows["source"].where(rows["source"] != TOTAL, "").radd(":").replace(":", "")
    unit = rows["unit"].where(~rows["unit"].isin(["", "1"]), "")
    label = rows["output"] + "_" + rows["number"] + part
    rows = rows.assign(column=label.where(unit == "", label + " [" + unit + "]"))
    wide = rows.pivot(index=["subject", "condition"], columns="column", values="value")
    # Every output has its numbers in the same order, whichever a row happened to begin with.
    places = rows.assign(**{name: rows[name].factorize()[0] for name in ("output", "number", "source")})
    columns = places.sort_values(["output", "number", "source"], kind="stable")["column"]
    wide = wide[list(dict.fromkeys(columns))].reset_index()
    order = {name: k for k, name in enumerate(study.conditions)}
    wide = wide.sort_values(
        ["subject", "condition"], key=lambda c: c.map(order) if c.name == "condition" else c
    )
    wide.insert(1, "groups", [";".join(study.groups.get(name, ())) for name in wide["subject"]])
    wide.insert(2, "mass [kg]", [study.masses.get(name) for name in wide["subject"]])
    wide.columns.name = None
    return wide.reset_index(drop=True)


def export_study(study: Study, path: str | os.PathLike[str], *, sources: bool = False) -> Path:
    """Write :func:`wide_table` as ``.csv`` or ``.xlsx``, whole or not at all.

    Texts that a spreadsheet would take for formulas get an apostrophe.
    """
    target = Path(path)
    ending = target.suffix.casefold()
    if ending not in ENDINGS:
        raise UnknownNameError.among(ending, "format of an export", ENDINGS, where=str(target))
    table = wide_table(study, sources=sources)
    for column in ("subject", "groups", "condition"):
        table[column] = [as_text_cell(text) for text in table[column]]
    table.columns = [as_text_cell(label) for label in table.columns]
    if ending == ".csv":
        content = table.to_csv(index=False).encode()
    else:
        content = _excel(table)
    with whole_file(target) as partial:
        partial.write_bytes(content)
    return target


def _excel(table: pd.DataFrame) -> bytes:
    stream = io.BytesIO()
    try:
        table.to_excel(stream, index=False, sheet_name="study")
    except ImportError:
        raise MissingInputError(
            "Excel files are written by openpyxl, which is not installed.",
            remedy="pip install 'borelli[excel]', or export to .csv",
        ) from None
    return stream.getvalue()
