"""Loads and forces of files, at the instants of a motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from borelli.errors import InvalidValueError, warn
from borelli.io.load import load_table
from borelli.io.load_span import within_loads
from borelli.io.loads import load_loads
from borelli.mechanics.motion.body_places import body_places

if TYPE_CHECKING:
    from borelli.io.signals.filtering import Mode
    from borelli.mechanics.motion.ordered_motion import Load, Motion
    from borelli.model.model import Model


def read_loads(
    path: Path | None,
    model: Model,
    motion: Motion,
    mode: Mode,
    cutoff_hz: float | None = None,
    motion_cutoff_hz: float | None = None,
) -> tuple[Motion, list[Load]]:
    """Read external loads; return the motion, cut to their span, and the loads at its instants.

    Parameters
    ----------
    cutoff_hz : float or None
        Low-pass filter on forces and torques.
    motion_cutoff_hz : float or None
        That of the motion; loads with another one are told of.
    """
    if path is None:
        return motion, []
    if motion_cutoff_hz is not None and cutoff_hz != motion_cutoff_hz:
        how = "not filtered" if cutoff_hz is None else f"filtered at {cutoff_hz:g} Hz"
        warn(
            f"the loads are {how}, the motion at {motion_cutoff_hz:g} Hz: at foot strike, forces and "
            "accelerations then do not match, and joint moments have false peaks [Kristianslund et al. 2012]; "
            f"--loads-cutoff-hz {motion_cutoff_hz:g} (loads_cutoff_hz) filters both at the same cut-off"
        )
    motion, table = within_loads(motion, path)
    placed = body_places(model, motion)
    poses = {body: (placed.rotation[:, k], placed.origin[:, k]) for k, body in enumerate(model.body_names)}
    return motion, load_loads(path, motion, data_file=table, poses=poses, mode=mode, cutoff_hz=cutoff_hz)


def read_forces(path: Path, motion: Motion) -> dict[str, np.ndarray]:
    """Read every column of a table of forces at the instants of a motion."""
    table = load_table(path)
    # Tools print times with few digits; an instant this near to the ends is still inside.
    margin = 1e-4
    if motion.time[0] < table.time[0] - margin or motion.time[-1] > table.time[-1] + margin:
        raise InvalidValueError(
            f"the forces run from {table.time[0]:g} s to {table.time[-1]:g} s, the motion from "
            f"{motion.time[0]:g} s to {motion.time[-1]:g} s.",
            where=str(path),
            remedy="choose a time range within the forces",
        )
    if len(table.time) == motion.n_times and np.abs(table.time - motion.time).max() < margin:
        return {name: table.values[:, index] for index, name in enumerate(table.columns)}
    return {
        name: np.interp(motion.time, table.time, table.values[:, index])
        for index, name in enumerate(table.columns)
    }
