"""Still pictures with matplotlib: stacked shares, ranked bars, stick figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from borelli.results.explanation import Explanation
from borelli.results.figures.palette import BLUE, GREY, VERMILION
from borelli.results.figures.stack import Stack
from borelli.results.on_disk.whole import whole_file

if TYPE_CHECKING:
    import xarray as xr

# A picture of eight inches is 960 pixels wide.
_DPI = 120
_INK = "#222222"
_LEAST_BAR = 0.005  # of the longest bar: shorter ones cannot be seen


def shares_figure(stacks: Sequence[Stack], title: str = "") -> Figure:
    """Draw shares over time, one panel an output: positive up, negative down, the total as a line."""
    figure = Figure(figsize=(8.0, 0.6 + 2.9 * len(stacks)), layout="constrained")
    panels = figure.subplots(len(stacks), 1, squeeze=False, sharex=True)[:, 0]
    for panel, stack in zip(panels, stacks, strict=True):
        _draw_stack(panel, stack)
    panels[-1].set_xlabel("time (s)")
    if title:
        figure.suptitle(_literal(title), fontsize=12, fontweight="bold")
    return figure


def _draw_stack(panel: Any, stack: Stack) -> None:
    for parts, labelled in ((stack.rising, True), (stack.falling, False)):
        edge = np.cumsum(parts, axis=1)
        for k, (name, colour) in enumerate(zip(stack.names, stack.colours, strict=True)):
            panel.fill_between(
                stack.time,
                edge[:, k] - parts[:, k],
                edge[:, k],
                facecolor=colour,
                edgecolor="white",
                linewidth=0.4,
                label=_literal(name) if labelled else None,
            )
    panel.plot(stack.time, stack.total, color=_INK, linewidth=1.8, label="total")
    panel.axhline(0.0, color=_INK, linewidth=0.6)
    panel.set_ylabel(_literal(stack.label))
    if len(stack.time) > 1:
        panel.set_xlim(stack.time[0], stack.time[-1])
    _plain_axes(panel)
    panel.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=8)


def bars_figure(explanation: Explanation, most: int = 12) -> Figure:
    """Draw the ranked shares of one number as horizontal bars."""
    shares = explanation.largest(most, least=_LEAST_BAR)
    figure = Figure(figsize=(8.0, 1.3 + 0.32 * max(len(shares), 1)), layout="constrained")
    panel = figure.subplots()
    values = [share.value for share in shares]
    colours = [BLUE if value > 0 else VERMILION for value in values]
    bars = panel.barh(range(len(shares)), values, color=colours, height=0.7)
    panel.bar_label(bars, fmt="{:.4g}", fontsize=8, padding=3)
    panel.margins(x=0.12)
    panel.set_yticks(range(len(shares)), [_literal(share.source) for share in shares])
    panel.invert_yaxis()
    panel.axvline(0.0, color=_INK, linewidth=0.8)
    panel.axvline(explanation.total, color=_INK, linewidth=1.2, linestyle="--")
    panel.text(
        explanation.total,
        0.02,
        "total ",
        rotation=90,
        ha="right",
        fontsize=8,
        transform=panel.get_xaxis_transform(),
    )
    panel.set_xlabel(f"share ({explanation.unit})")
    panel.set_title(_literal(explanation.headline), fontsize=10, loc="left")
    _plain_axes(panel)
    return figure


def stick_figure(result: xr.Dataset, title: str = "", poses: int = 7) -> Figure:
    """Draw the chain at evenly spaced frames, early ones pale, the last one dark; with the path of its end.

    Parameters
    ----------
    result : xarray.Dataset
        With ``joint_position`` (time, point, axis), m.
    """
    places = np.asarray(result["joint_position"].transpose("time", "point", "axis").values)[..., :2]
    figure = Figure(figsize=(4.6, 4.6), layout="constrained")
    panel = figure.subplots()
    panel.plot(*places[:, -1].T, color=GREY, linewidth=0.8, linestyle=":")
    frames = np.unique(np.linspace(0, len(places) - 1, poses).round().astype(int))
    for number, frame in enumerate(frames):
        last = number == len(frames) - 1
        depth = 1.0 if last else 0.15 + 0.5 * number / len(frames)
        panel.plot(*places[frame].T, color=BLUE, alpha=depth, linewidth=3.0, solid_capstyle="round")
        panel.plot(*places[frame, :-1].T, "o", color=_INK, alpha=depth, markersize=4.0)
    panel.plot(*places[0, 0], "^", color=_INK, markersize=9.0)
    panel.set_aspect("equal", adjustable="datalim")
    panel.set_xlabel("x (m)")
    panel.set_ylabel("y (m)")
    panel.margins(0.12)
    if title:
        panel.set_title(_literal(title), fontsize=11)
    _plain_axes(panel)
    return figure


def write_png(figure: Figure, path: Path) -> None:
    """Write a figure as PNG, whole or not at all."""
    with whole_file(path) as partial:
        figure.savefig(partial, format="png", dpi=_DPI)


def _plain_axes(panel: Any) -> None:
    panel.spines[["top", "right"]].set_visible(False)
    panel.grid(axis="both", color="#dddddd", linewidth=0.5)
    panel.set_axisbelow(True)
    panel.tick_params(labelsize=8)


def _literal(text: str) -> str:
    """Keep matplotlib from reading dollar signs as mathematics, and a leading underscore as "no legend"."""
    return text.replace("$", r"\$") if not text.startswith("_") else " " + text.replace("$", r"\$")
