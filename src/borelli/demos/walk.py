"""The demo called walk: from markers and ground forces to muscles, joint reactions and the page."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import borelli as bo
from borelli import library
from borelli.report import figures_png
from borelli.results.figures.stack import Stack

if TYPE_CHECKING:
    import xarray as xr

TITLE = "A walk, explained"
FILES = "walk_files"
CUTOFF_HZ = 10.0
"""The walk has nothing above 5.5 Hz; marker noise has."""
SPAN_S = (0.15, 1.85)
"""A filter knows nothing beyond the ends of a recording, which are left out; what remains has a cycle of each foot."""


def walk() -> xr.Dataset:
    """Markers to motion, motion and ground forces to torques, muscles and reactions."""
    files = library.sample_walk()
    model = bo.load_model(files.model)
    fit = bo.inverse_kinematics(model, bo.load_markers(files.markers))
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "walk.mot"
        bo.save_motion(fit.borelli.motion(), model, table)
        motion = bo.load_motion(table, model, cutoff_hz=CUTOFF_HZ)
    inside = (motion.time >= SPAN_S[0]) & (motion.time <= SPAN_S[1])
    result = bo.analyze(model, motion.instants(inside), bo.load_loads(files.loads))
    off_mm = 1e3 * float(fit["rms_error"].mean())
    return result.assign_attrs(
        title=TITLE,
        note=f"The motion fits {fit.sizes['marker']} markers within {off_mm:.1f} mm (root mean square). Reactions are "
        "what the parent exerts on the child, in ground axes: y points up.",
    )


def copy_files(folder: Path) -> None:
    """Put the inputs beside the result, to go on with."""
    library.sample_walk(folder / FILES)


EXAMPLES: dict[str, Callable[[], xr.Dataset]] = {"walk": walk}


def draw(result: xr.Dataset, folder: Path, name: str) -> None:
    """Draw what makes up the moments and the vertical reactions of the right leg."""
    known = {output.name: output for output in bo.outputs(result)}
    groups = {
        "moments": [f"{each}_r_moment" for each in ("hip_flexion", "knee_angle", "ankle_angle")],
        "reactions": [f"{each}_r_reaction_force_y" for each in ("hip", "knee", "ankle")],
    }
    for kind, names in groups.items():
        stacks = [Stack.of(result, known[each], "kind" if kind == "moments" else "source") for each in names]
        figure = figures_png.shares_figure(stacks, f"{TITLE}: {kind} of the right leg and their sources")
        figures_png.write_png(figure, folder / f"{name}_{kind}.png")
    peak = max(
        (bo.explain(result, known[each]) for each in groups["reactions"]), key=lambda told: np.abs(told.total)
    )
    figures_png.write_png(figures_png.bars_figure(peak), folder / f"{name}_peak.png")
