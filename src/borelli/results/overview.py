"""A result at a glance: every variable with its unit, axes, size and range, as text and for a notebook."""

from __future__ import annotations

from collections.abc import Hashable
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import xarray as xr

# Looking for the range of more numbers than this would take longer than a glance.
_MOST = 10_000_000
_HEAD = ("variable", "unit", "for each", "what it is", "lowest", "highest")
_STYLE = (
    "<style>.borelli-overview td, .borelli-overview th {text-align: left; padding: 0.1em 0.8em 0.1em 0}"
    ".borelli-overview td.number {text-align: right; font-variant-numeric: tabular-nums}</style>"
)


class Row(NamedTuple):
    """One variable."""

    name: str
    unit: str
    dims: str
    says: str
    lowest: str
    highest: str


def rows(result: xr.Dataset) -> list[Row]:
    """Describe every variable of a result."""
    return [_row(name, array) for name, array in result.data_vars.items()]


def overview_text(result: xr.Dataset) -> str:
    """Return a table of plain text, with what the result is above it."""
    cells = [Row(*_HEAD), *rows(result)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(_HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]
    return "\n".join([_title(result), *(line.rstrip() for line in lines)])


def overview_html(result: xr.Dataset) -> str:
    """Return a table for a notebook; names from files are text, never markup."""
    head = "".join(f"<th>{word}</th>" for word in _HEAD)
    body = "".join(
        "<tr>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[:4])
        + "".join(f'<td class="number">{cell}</td>' for cell in row[4:])
        + "</tr>"
        for row in rows(result)
    )
    return (
        f'{_STYLE}<div class="borelli-overview"><p>{escape(_title(result))}</p>'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _title(result: xr.Dataset) -> str:
    analysis = str(result.attrs.get("analysis", "result"))
    model = result.attrs.get("model")
    meaning = result.attrs.get("meaning")
    return analysis + (f" of {model}" if model else "") + (f": {meaning}" if meaning else "")


def _row(name: Hashable, array: xr.DataArray) -> Row:
    attributes = array.attrs
    axes = attributes.get("expressed_in")
    parts = [
        str(attributes[key])
        for key in ("description", "long_name")
        if isinstance(attributes.get(key), str) and attributes[key]
    ]
    parts += [f"on {attributes['on']}"] if "on" in attributes else []
    parts += [f"about {attributes['about']}"] if "about" in attributes else []
    parts += [f"in axes of {axes}"] if axes else []
    sizes = " × ".join(f"{size} {dim}" for dim, size in array.sizes.items())
    return Row(str(name), str(attributes.get("units", "")), sizes, ", ".join(parts), *_range(array))


def _range(array: xr.DataArray) -> tuple[str, str]:
    if array.dtype.kind not in "fiu" or not 0 < array.size <= _MOST:
        return "", ""
    values = np.asarray(array.values, dtype=float)
    known = values[np.isfinite(values)]
    return (f"{known.min():.4g}", f"{known.max():.4g}") if known.size else ("", "")
