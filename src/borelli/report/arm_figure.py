"""Pictures of an arm that holds something still: segments, muscles by tension, what each joint bears."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from borelli.errors import MissingInputError
from borelli.report.figures_png import write_png
from borelli.results.figures.palette import BLUE, GREY, VERMILION

if TYPE_CHECKING:
    import xarray as xr

# Title of each view, and the axes that it shows across and up.
_VIEWS = (("from the side", "x", "z"), ("from the front", "y", "z"), ("from above", "x", "y"))
_ARROW = 0.25
"""Length of the longest arrow, of the arm's extent."""


def arm_figure(answer: xr.Dataset, instant: int = 0, title: str = "") -> Figure:
    """Draw one instant of ``lifting_arm.model_1``, ``model_2`` or ``model_3`` from three sides.

    Parameters
    ----------
    answer : Dataset
        With ``joint_position``, ``segment_end`` and, if there are muscles, ``muscle_path`` and ``tension``.
    instant : int
    title : str
    """
    for name in ("joint_position", "segment_end", "load_force"):
        if name not in answer:
            raise MissingInputError(
                f"there is nothing to draw: the result has no {name!r}.",
                remedy="give the result of lifting_arm.model_1, model_2, model_3 or held_still",
            )
    at = answer.isel(instant=instant)
    figure = Figure(figsize=(12.0, 4.6), layout="constrained")
    for panel, (name, across, up) in zip(figure.subplots(1, 3), _VIEWS, strict=True):
        _draw_view(panel, at, across, up)
        panel.set(title=name, xlabel=f"{across} (m)", ylabel=f"{up} (m)", aspect="equal")
        panel.spines[["top", "right"]].set_visible(False)
    figure.suptitle(title or str(answer.attrs.get("title", "Arm at rest")), fontsize=12, fontweight="bold")
    return figure


def write_arm_figure(answer: xr.Dataset, path: Path | str, instant: int = 0, title: str = "") -> None:
    """Draw one instant into a PNG file; see :func:`arm_figure`."""
    write_png(arm_figure(answer, instant, title), Path(path))


def _draw_view(panel: Any, at: xr.Dataset, across: str, up: str) -> None:
    joints, ends = (at[name].sel(axis=[across, up]).values for name in ("joint_position", "segment_end"))
    for number, (start, end) in enumerate(zip(joints, ends, strict=True)):
        panel.plot(*zip(start, end, strict=True), color=GREY, linewidth=5.0, solid_capstyle="round", zorder=1)
        panel.annotate(
            str(at["segment"].values[number]).replace("_", " "), 0.5 * (start + end), fontsize=7, zorder=5
        )
    panel.scatter(*joints.T, color="white", edgecolor="#222222", s=30, zorder=4)
    if "muscle_path" in at:
        _draw_muscles(panel, at, across, up)
    force = at["load_force_with_muscles" if "load_force_with_muscles" in at else "load_force"]
    size = np.linalg.norm(force.values, axis=1)
    extent = np.ptp(np.concatenate([at["joint_position"].values, at["segment_end"].values]), axis=0).max()
    scale = _ARROW * extent / max(float(size.max()), np.finfo(float).tiny)
    tips = joints + scale * force.sel(axis=[across, up]).values
    # Arrows do not widen the view by themselves.
    panel.scatter(*tips.T, s=0)
    for joint, pull, newtons in zip(joints, force.sel(axis=[across, up]).values, size, strict=True):
        panel.annotate(
            "", joint + scale * pull, joint, arrowprops={"arrowstyle": "-|>", "color": VERMILION}, zorder=3
        )
        panel.annotate(f"{newtons:.0f} N", joint + scale * pull, fontsize=7, color=VERMILION, zorder=5)
    panel.margins(0.2)


def _draw_muscles(panel: Any, at: xr.Dataset, across: str, up: str) -> None:
    strongest = max(float(at["tension"].max()), np.finfo(float).tiny)
    for muscle in at["muscle"].values:
        path = at["muscle_path"].sel(muscle=muscle, axis=[across, up]).values
        tension = float(at["tension"].sel(muscle=muscle))
        path = path[np.isfinite(path).all(axis=1)]
        works = tension > 0.0
        panel.plot(
            *path.T,
            color=BLUE,
            linewidth=1.0 + 2.5 * tension / strongest,
            alpha=1.0 if works else 0.35,
            zorder=2,
        )
        if works:
            panel.annotate(f"{muscle} {tension:.0f} N", path.mean(axis=0), fontsize=7, color=BLUE, zorder=5)
