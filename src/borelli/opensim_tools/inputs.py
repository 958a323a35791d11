"""Loads and forces of files, at the instants of a motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from borelli.io.filtering import Mode
    from borelli.mechanics.motion.ordered_motion import Load, Motion
    from borelli.model.model import Model


def read_loads(path: Path | None, model: Model, motion: Motion, mode: Mode) -> tuple[Motion, list[Load]]:
    """Read external loads; return the motion, cut to their span, and the loads at its instants."""
    if path is None:
        return motion, []
    from borelli.analyses.body_poses import body_poses
    from borelli.io.load_span import within_loads
    from borelli.io.loads import load_loads

    motion, table = within_loads(motion, path)
    return motion, load_loads(path, motion, data_file=table, poses=body_poses(model, motion), mode=mode)


def read_forces(path: Path, motion: Motion) -> dict[str, np.ndarray]:
    """Read every column of a table of forces at the instants of a motion."""
    import numpy as np

    from borelli.errors import InvalidValueError
    from borelli.io.load import load_table

    table = load_table(path)
    # Tools print times with few digits; a frame this near to the ends is still inside.
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
