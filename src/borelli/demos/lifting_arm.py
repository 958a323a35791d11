"""The demo called arm: a dumbbell curl and an overhead extension, after Du (2021), by the spatial engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from borelli.library import lifting_arm
from borelli.library.lifting_arm import LiftingArm
from borelli.model.motion import Motion
from borelli.report import figures_png
from borelli.results.figures.palette import colours_of
from borelli.results.figures.stack import Stack
from borelli.results.outputs.output import Output

if TYPE_CHECKING:
    import xarray as xr

TITLE = "Lifting a dumbbell"
_CURL_KG, _EXTENSION_KG = 8.0, 4.0


def curl() -> xr.Dataset:
    """Biceps curl with 8 kg."""
    arm = lifting_arm.exercising_arm(_CURL_KG)
    return _analysed(f"Biceps curl with {_CURL_KG:g} kg", arm, lifting_arm.curl_motion(arm))


def extension() -> xr.Dataset:
    """Overhead extension with 4 kg."""
    arm = lifting_arm.exercising_arm(_EXTENSION_KG)
    return _analysed(f"Overhead extension with {_EXTENSION_KG:g} kg", arm, lifting_arm.extension_motion(arm))


EXAMPLES: dict[str, Callable[[], xr.Dataset]] = {"curl": curl, "extension": extension}


def _analysed(title: str, arm: LiftingArm, motion: Motion) -> xr.Dataset:
    answer = lifting_arm.in_sagittal_axes(lifting_arm.arm_dynamics(arm, motion))
    # Nothing happens across the sagittal plane; what turns in it is the torque.
    flat = answer.drop_vars(["force", "moment"]).sel(axis=["x", "y"])
    note = f"Seen from the right. {tensions_told(answer)}"
    return flat.assign_attrs(title=title, note=note)


def tensions_told(result: xr.Dataset) -> str:
    """Say how hard each muscle pulls at most, and when."""
    said = []
    for muscle in map(str, result["muscle"].values):
        curve = result["tension"].sel(muscle=muscle).values
        peak = int(np.argmax(curve))
        when = f" at {float(result['time'].values[peak]):g} s" if curve[peak] > 0.0 else ""
        said.append(f"{muscle} up to {curve[peak]:.4g} N{when}")
    return f"Tensions: {', '.join(said)}."


def draw_tensions(result: xr.Dataset, folder: Path, name: str) -> None:
    """Draw the tensions of the muscles over time into ``<name>_tension.png``."""
    muscles = [str(muscle) for muscle in result["muscle"].values]
    labels = [f"muscle:{muscle}" for muscle in muscles]
    colours = colours_of([str(source) for source in result["source"].values])
    values = np.asarray(result["tension"].values, dtype=float)
    stack = Stack(
        Output("muscle_tension", "tension", "tension", {}, "N"),
        np.asarray(result["time"].values, dtype=float),
        values.sum(axis=1),
        tuple(labels),
        tuple(colours[label] for label in labels),
        values,
    )
    figure = figures_png.shares_figure([stack], f"{result.attrs['title']}: tensions")
    figures_png.write_png(figure, folder / f"{name}_tension.png")
