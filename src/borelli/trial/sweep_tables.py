"""A sweep as files: moment arms and lengths as tables in OpenSim's naming, and their curves."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from borelli.analyses.muscles.sweep import Sweep
from borelli.errors import UnknownNameError
from borelli.io.tables.sto import write_sto
from borelli.model.model import Model
from borelli.report.curves import Curves, write_curves
from borelli.results.labelled.table import Table
from borelli.results.on_disk.whole import make_folder


def save_sweep(
    found: Sweep, model: Model, folder: str | os.PathLike[str], paths: Iterable[str] | None = None
) -> list[str]:
    """Write the moment arms and lengths of a sweep (.sto, in OpenSim's naming), and curves of the arms (PNG, HTML).

    Parameters
    ----------
    found : Sweep
        That of :func:`borelli.sweep`.
    model : Model
        The model that was swept.
    folder : path
        Made where it does not exist.
    paths : iterable of str, optional
        Paths to write; all by default.

    Returns
    -------
    list of str
        Names of the files in the folder.

    Examples
    --------
    >>> bent = bo.sweep(model, "knee_angle_r", 0.0, 1.5, paths=["vaslat_r"], steps=16)
    >>> len(bo.save_sweep(bent, model, "arms")) > 0
    True
    """
    place, is_angle = Path(folder), model.coordinates[found.coordinate].unit == "rad"
    kept = list(range(len(found.paths)))
    if paths is not None:
        names = list(paths)
        for name in names:
            if name not in found.paths:
                raise UnknownNameError.among(name, "path", found.paths, of="the sweep")
        kept = [found.paths.index(name) for name in names]
    make_folder(place)
    values = np.degrees(found.values) if is_angle else found.values
    start = f"{_file_name(model.name)}_MuscleAnalysis"
    about = _file_name(found.about)
    guided = [k for k in kept if k in found.guided]
    tables = [(f"{start}_MomentArm_{about}", found.arm, kept), (f"{start}_Length", found.length, kept)]
    if guided:
        tables.insert(1, (f"{start}_EffectiveTorqueArm_{about}", found.effective, guided))
    for stem, numbers, columns in tables:
        table = Table(
            time=values,
            columns=tuple(found.paths[k] for k in columns),
            values=numbers[:, columns],
            name=stem.removeprefix(f"{start}_"),
            metadata={
                "time_is": f"{found.coordinate} in {'degrees' if is_angle else 'metres'}",
                "values_in": "metres",
                **({"angle": found.about} if found.about != found.coordinate else {}),
            },
        )
        write_sto(table, place / f"{stem}.sto")
    curves = Curves(
        title=f"Moment arms about {found.about}",
        x=values,
        x_label=f"{found.coordinate} ({'°' if is_angle else 'm'})",
        y={found.paths[k]: 1e3 * found.arm[:, k] for k in kept},
        y_label="moment arm (mm)",
    )
    return [*(f"{stem}.sto" for stem, _, _ in tables), *write_curves(curves, place / tables[0][0])]


def _file_name(name: str) -> str:
    """Letters, digits and a few marks of a name: what is safe in the name of a file."""
    return (
        "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name).strip(".")
        or "model"
    )
