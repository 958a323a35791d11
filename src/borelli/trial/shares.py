"""Shares that were left for later: whether to compute them at once, and how to do it when they are asked for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from borelli.errors import FileFormatError, InvalidValueError, MissingInputError
from borelli.results.answers import answers_if_any
from borelli.results.saving.manifest import DAMAGED, file_hash, load_manifest
from borelli.results.saving.save import load_result
from borelli.trial.folder import FINGERPRINT, RECIPE, TABLES, noted, save_split
from borelli.trial.forces import Forces

if TYPE_CHECKING:
    import xarray as xr

    from borelli.io.signals.filtering import Mode
    from borelli.model.model import Model
    from borelli.model.motion import Motion

FEW_SHARES = 100_000
"""Numbers that take less time to split, write and draw than it took to read the files."""


def share_count(model: Model, motion: Motion, forces: Forces) -> int:
    """Return how many numbers a split has, nearly: instants times outputs times sources."""
    # Three components of force and of moment a joint; weight, acceleration and velocity of each body.
    outputs = len(model.speed_names) + 6 * len(model.joints)
    sources = 3 * len(model.bodies) + len(forces.external) + len(forces.tensions) + len(model.forces)
    return motion.n_times * outputs * sources


def with_shares(folder: str | os.PathLike[str]) -> xr.Dataset:
    """Read a result folder; shares that were left for later are computed now, and saved in it with the page.

    Parameters
    ----------
    folder : path
        A result folder of ``borelli run``, or any other, which is read as it is.

    Raises
    ------
    InvalidValueError
        If a file that the shares would be computed from is not the one that the result came from.

    Examples
    --------
    >>> from pathlib import Path
    >>> filters = {"cutoff_hz": 10.0, "loads_cutoff_hz": 10.0}
    >>> done = bo.run(bo.Trial(walk.model, walk.motion, Path("trial"), loads=walk.loads, **filters))
    >>> "source" in bo.with_shares(done.folder).dims
    True
    """
    complete(folder)
    return load_result(folder)


def complete(folder: str | os.PathLike[str]) -> None:
    """Compute the shares of a result folder and write its page, if they were left for later."""
    place = Path(folder)
    manifest = load_manifest(place)
    settings = manifest["settings"]
    recipe = settings.get(RECIPE)
    if not isinstance(recipe, dict):
        return
    # Loaded here: whoever reads a complete result does not wait for what would compute it.
    from borelli.trial.result import split
    from borelli.trial.setups import as_reported, closes_loops, files_of, tool_of

    path, setup = _setup(recipe, place)
    files = files_of(setup, path)
    # Whoever wrote the recipe cannot have other files read than those whose content the manifest knows already.
    _refuse_changed(files, manifest["inputs"], place)
    smoothing = settings.get("smoothing")
    if smoothing not in ("default", "opensim"):
        raise FileFormatError(
            f"The result is damaged: its smoothing is {smoothing!r}.", where=str(place), remedy=DAMAGED
        )
    with noted() as notes:
        tool = tool_of(setup, cast("Mode", smoothing))
        kept = {name: settings[name] for name in ("smoothing", FINGERPRINT, TABLES) if name in settings}
        motion, forces = as_reported(tool)
        found = split(tool.model, motion, forces, "body", kept, loops=closes_loops(tool))
        told = list(dict.fromkeys([*manifest["warnings"], *notes.told]))
        save_split(found, place, files, told, answers_if_any(found))


def _setup(recipe: dict[str, Any], place: Path) -> tuple[Path, Any]:
    # Loaded here, because it brings the tools, which a trial does without.
    from borelli.trial.setups import setup_of_recipe

    try:
        return setup_of_recipe(recipe, place)
    except MissingInputError as error:
        raise MissingInputError(
            f"The shares of this result are not computed yet, and an input file is missing: {error.what}",
            where=str(place),
            remedy="put it back, or run the setup again with --explain",
        ) from error


def _refuse_changed(files: dict[str, Path], known: dict[str, Any], place: Path) -> None:
    changed = [
        f"{name} ({file})"
        for name, file in files.items()
        if not file.is_file() or file_hash(file) != known.get(name, {}).get("sha256")
    ]
    if changed:
        raise InvalidValueError(
            "The shares of this result are not computed yet, and inputs have changed or are missing: "
            f"{', '.join(changed)}.",
            where=str(place),
            remedy="run the setup again with --explain",
        )
