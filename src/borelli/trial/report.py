"""The page of one or several results: what `borelli report` does."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from borelli.errors import MissingInputError
from borelli.io.norms import load_norms
from borelli.report.page import write_page
from borelli.report.page_data import Saved
from borelli.results.gait.norms import Norms
from borelli.results.saving.manifest import PAGE, load_manifest
from borelli.trial.geometry import (
    GEOMETRY,
    Surfaces,
    find_meshes,
    named_folder,
    remember_places,
    remembered_places,
)
from borelli.trial.shares import complete

File = str | os.PathLike[str]


def write_report(
    results: File | Sequence[File],
    path: File | None = None,
    *,
    title: str = "",
    norms: Norms | File | None = None,
    geometry: File | Sequence[File] | None = None,
) -> Path:
    """Write a page of saved results: one HTML file that opens offline.

    Shares that were left for later are computed first.

    Parameters
    ----------
    results : path, or sequence of paths
        Result folders, in the order of the page.
    path : path, optional
        The HTML file; by default ``report.html`` in the first folder.
    title : str, optional
        By default the titles of the results.
    norms : Norms, or path, optional
        Bands to draw behind the curves of joints and ground; see :func:`load_norms`.
    geometry : path, or sequence of paths, optional
        Folder with the surfaces of the model's bones (``.vtp``, ``.stl``, ``.obj``); of one folder it is told what
        is missing in it. By default where they were found for the page in the result folder, if they are still there
        and the same.

    Returns
    -------
    pathlib.Path
        The page.

    Examples
    --------
    >>> folder = bo.save_result(bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach()), "reach")
    >>> bo.write_report(folder, "reach.html").name
    'reach.html'
    """
    folders = [Path(results)] if isinstance(results, str | os.PathLike) else [Path(each) for each in results]
    if not folders:
        raise MissingInputError("A page needs at least one result folder.")
    bands = load_norms(norms) if isinstance(norms, str | os.PathLike) else norms
    for folder in folders:
        complete(folder)
    return draw_report(folders, folders[0] / PAGE if path is None else path, bands, geometry, title)


def draw_report(
    folders: Sequence[Path],
    path: File,
    norms: Norms | None,
    geometry: File | Sequence[File] | None,
    title: str = "",
    saved: Sequence[Saved] = (),
) -> Path:
    """Write the page of complete result folders; what one of them holds need not be read where it is at hand."""
    named = isinstance(geometry, str | os.PathLike)
    places = (
        named_folder(geometry)
        if isinstance(geometry, str | os.PathLike)
        else [Path(g) for g in geometry or ()]
    )
    meshes = [_meshes(folder, places, named) for folder in folders]
    page = write_page(folders, path, title, norms, meshes, saved)
    for folder in folders:
        if places and page.parent.resolve() == folder.resolve():
            remember_places(folder, load_manifest(folder)["settings"].get(GEOMETRY), places)
    return page


def _meshes(folder: Path, places: Sequence[Path], named: bool) -> Surfaces:
    """Surfaces in the folders that are told, else where they were when the result was written."""
    manifest = load_manifest(folder)
    told = manifest["settings"].get(GEOMETRY)
    found = find_meshes(told, places, named) if places else {}
    if found or named:
        return found
    before, known = remembered_places(folder, manifest)
    return find_meshes(told, before, False, known) if known else {}
