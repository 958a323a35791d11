"""Result folders: a Dataset to disk and back, whole or not at all.

A folder holds

- ``result.nc``: everything, as NetCDF, in its classic form;
- ``result.json``: what was computed and how far to trust it: settings, versions, citations, residuals,
  warnings, hashes of the inputs and of the files beside it;
- ``shares.parquet``: every share that is not zero throughout, a row an instant (time, output, source, value, unit);
- ``totals.csv``: every curve that is not split, with its unit in the column's name;
- ``cycles.parquet``: these curves over 0 to 100 % of every cycle, where feet touch the ground.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from borelli.errors import InvalidValueError, MissingInputError
from borelli.results.gait.cycle_spans import cycles_of
from borelli.results.labelled.plain_result import PlainResult, Result
from borelli.results.on_disk.whole import whole_folder
from borelli.results.outputs.totals import has_shares
from borelli.results.saving import attributes
from borelli.results.saving.cycle_table import write_cycles
from borelli.results.saving.manifest import (
    DATA,
    MANIFEST,
    file_hash,
    listed,
    manifest_text,
    replaceable,
)
from borelli.results.saving.provenance import manifest_of
from borelli.results.saving.read_plain import cannot_be_read, read_plain
from borelli.results.saving.tables import write_shares, write_totals
from borelli.results.saving.write_netcdf import CODED, write_netcdf

if TYPE_CHECKING:
    import xarray as xr

TableName = Literal["shares", "totals", "cycles"]

_TABLES = {
    "shares": ("shares.parquet", write_shares),
    "totals": ("totals.csv", write_totals),
    "cycles": ("cycles.parquet", write_cycles),
}
# Tables that not every result has.
_NEEDS: dict[str, Callable[[PlainResult], object]] = {"shares": has_shares, "cycles": cycles_of}


def save_result(
    result: Result,
    folder: str | os.PathLike[str],
    tables: Collection[TableName] = ("shares", "totals", "cycles"),
    *,
    inputs: Mapping[str, str | os.PathLike[str]] | None = None,
    warnings: Sequence[str] = (),
    further: Callable[[Path], None] | None = None,
) -> Path:
    """Write a result folder.

    Parameters
    ----------
    result : xarray.Dataset
        With a ``time`` dimension; attributes may be text, numbers, and lists and mappings of these.
    folder : path
        Made here. An earlier result folder of that name is replaced, files that are not Borelli's are
        kept in it; any other folder is refused.
    tables : collection of "shares", "totals" and "cycles"
        Which tables to write beside the NetCDF file; shares and cycles only where the result has any.
    inputs : mapping of name to path
        The files that the result was computed from; their hashes are recorded.
    warnings : sequence of str
        What a careful reader should know.
    further : function of a folder, optional
        Writes more files, which belong to the result as its own do: they appear together with it, and
        are replaced with it. It is given the temporary folder.

    Returns
    -------
    pathlib.Path
        The folder.

    Guarantees, each a test
    -----------------------
    - an interrupted or failed run leaves the place as it was
    - :func:`load_result` returns what was saved, to the last bit, attributes included

    Examples
    --------
    >>> answer = bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach())
    >>> folder = bo.save_result(answer, "reach")
    >>> bo.load_result(folder).identical(answer)
    True
    """
    unknown = set(tables) - set(_TABLES)
    if unknown:
        raise InvalidValueError(
            f"{sorted(unknown)[0]!r} is not a table of a result folder.",
            closest=tuple(_TABLES),
            remedy="choose among these",
        )
    plain = PlainResult.of(result)
    if "time" not in plain.sizes:
        raise InvalidValueError(
            "The result has no dimension 'time'.",
            where="save_result",
            remedy="give the Dataset of an analysis",
        )
    hashes = {name: file_hash(_existing(path, name)) for name, path in (inputs or {}).items()}
    manifest = manifest_of(plain, inputs=hashes, warnings=warnings)
    place = Path(folder)
    with whole_folder(place, replaceable, "a Borelli result folder") as partial:
        write_netcdf(attributes.encode(plain), partial / DATA)
        for name, (filename, write) in _TABLES.items():
            if name in tables and (name not in _NEEDS or _NEEDS[name](plain)):
                write(plain, partial / filename)
        if further is not None:
            further(partial)
        manifest["files"] = {path.name: listed(path) for path in sorted(partial.iterdir()) if path.is_file()}
        (partial / MANIFEST).write_text(manifest_text(manifest), encoding="utf-8")
    return place


def load_result(folder: str | os.PathLike[str]) -> xr.Dataset:
    """Read a result folder back into the Dataset that was saved.

    Raises
    ------
    MissingInputError
        If there is no such folder, or it is not a result folder.
    FileFormatError
        If a file in it is damaged, or was written by another version of Borelli.

    Examples
    --------
    >>> _ = bo.save_result(bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach()), "reach")
    >>> bo.load_result("reach").sizes["joint"]
    3
    """
    plain = read_plain(folder)
    try:
        result = plain.to_dataset()
        if not result.attrs.pop(CODED, 0):
            return result
        # Loaded here, as all of xarray: whoever saves a result need not wait for it.
        import xarray as xr

        return xr.decode_cf(result, decode_coords=False)
    except (ValueError, KeyError, TypeError) as error:
        # Arrays that fit into no Dataset: nobody saved them from one.
        raise cannot_be_read(Path(folder), error) from error


def _existing(path: str | os.PathLike[str], name: str) -> Path:
    if not Path(path).is_file():
        raise MissingInputError(f"The input {name!r} is not a file.", where=os.fspath(path))
    return Path(path)
