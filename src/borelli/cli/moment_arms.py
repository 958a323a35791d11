"""Print moment arms of muscles over a coordinate's range.

Sweeps one coordinate in steps of at most 0.1 degrees; the others keep their default values or follow by
constraints. Prints the smallest and largest moment arm of every muscle that the coordinate lengthens or shortens,
and where they occur. Every jump of a moment arm or length is listed with its cause, a wrap object or a conditional
point. For paths with moving points the effective torque arm is printed as well: the effect of the tension on the
bones, without the work on the guides of these points. --angle computes moment arms about any formula of the
coordinates. --out writes moment arms and lengths as tables with OpenSim's names (.sto), and the curves as PNG and
HTML.

For example

    borelli moment-arms gait2392.osim --coordinate knee_angle_r
    borelli moment-arms arm.osim --coordinate elbow --muscles BIClong,TRIlong --range-deg 0 120 --out results/
    borelli moment-arms hand.osim --coordinate flexion_1 --angle "wrist = flexion_1 + flexion_2" --method perturbation
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import borelli as bo
from borelli.cli.terminal.notes import notes_on_stderr
from borelli.errors import InvalidValueError

if TYPE_CHECKING:
    import numpy as np

# An arm that never reaches this (m) is none.
_NOTHING = 1e-9


def run(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model (.osim or .toml).")],
    coordinate: Annotated[str, typer.Option(metavar="NAME", help="Coordinate to sweep.")],
    muscles: Annotated[
        str | None, typer.Option(metavar="A,B,…", help="Only these paths; default: all whose length changes.")
    ] = None,
    range_deg: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="LOW HIGH", help="Range in degrees; default: the coordinate's own."),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="METHOD", help="generalized_force, path_velocity, partial_velocity or perturbation."
        ),
    ] = "generalized_force",
    angle: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=FORMULA", help="Moment arms about this angle, a formula of coordinates (rad)."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the table and pictures.")
    ] = None,
) -> None:
    """Sweep, print, and write."""
    about = None if angle is None else _angle(angle)
    with notes_on_stderr():
        loaded = bo.load_model(model)
        low, high = _range(loaded, coordinate, range_deg)
        names = None if muscles is None else tuple(name.strip() for name in muscles.split(","))
        found = bo.sweep(
            loaded, coordinate, low, high, names, within_reach=range_deg is None, method=method, angle=about
        )
    kept = range(len(found.paths)) if names else _that_matter(found)
    is_angle = loaded.coordinates[coordinate].unit == "rad"
    _print(loaded, found, list(kept), is_angle)
    if out is not None:
        written = bo.save_sweep(found, loaded, out, [found.paths[k] for k in kept])
        typer.echo(f"\nWritten to {out}: {', '.join(written)}")


def _angle(text: str) -> tuple[str, str]:
    """Name and formula of an angle."""
    name, equals, formula = text.partition("=")
    if not (equals and name.strip() and formula.strip()):
        raise InvalidValueError(
            f"{text!r} is not an angle.",
            where="--angle",
            remedy='write --angle "wrist = flexion_1 + flexion_2"',
        )
    return name.strip(), formula.strip()


def _range(model: bo.Model, coordinate: str, range_deg: tuple[float, float] | None) -> tuple[float, float]:
    """Range to sweep, in rad or m."""
    known = model.coordinates[coordinate]
    if range_deg is None:
        low, high = known.range
    elif known.unit != "rad":
        raise InvalidValueError(
            f"{coordinate!r} is not an angle, so it has no range in degrees.", where="--range-deg"
        )
    else:
        low, high = (math.radians(value) for value in range_deg)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise InvalidValueError(
            f"{coordinate!r} has no range of its own.",
            where="--range-deg",
            remedy="give --range-deg LOW HIGH",
        )
    if not low < high:
        raise InvalidValueError(
            f"the range of {coordinate!r} ends ({high:g}) before it begins ({low:g}).",
            where="--range-deg",
            remedy="give the lower end first",
        )
    return low, high


def _that_matter(found: bo.Sweep) -> list[int]:
    return [k for k in range(len(found.paths)) if abs(found.arm[:, k]).max() > _NOTHING]


def _shown(value: float, is_angle: bool) -> str:
    return f"{math.degrees(value):9.2f}°" if is_angle else f"{value:8.4f} m"


def _print(model: bo.Model, found: bo.Sweep, kept: list[int], is_angle: bool) -> None:
    ends = " to ".join(_shown(value, is_angle).strip() for value in (found.values[0], found.values[-1]))
    unit = "mm" if is_angle or found.about != found.coordinate else "mm per metre"
    swept = ends if found.about == found.coordinate else f"{found.coordinate} {ends}"
    typer.echo(f"Moment arms about {found.about} ({swept}), {unit}; positive drives the coordinate up.\n")
    width = max([len(found.paths[k]) for k in kept], default=6)
    _print_extremes(found, found.arm, kept, width, is_angle)
    guided = [k for k in kept if k in found.guided]
    if guided:
        typer.echo(
            f"\nEffective torque arms, {unit}: the effect of tension on the bones, without guides of moving points\n"
        )
        _print_extremes(found, found.effective, guided, width, is_angle)
    names = {found.paths[k] for k in kept}
    jumps = [jump for jump in found.jumps if jump.path in names]
    typer.echo(f"\nDiscontinuities: {len(jumps) or 'none'}")
    for jump in jumps:
        typer.echo(
            f"{jump.path:{width}}  at {_shown(jump.value, is_angle)}  length {1e3 * jump.length:+9.4f} mm  "
            f"arm {1e3 * jump.arm:+9.4f} mm  {jump.cause}"
        )


def _print_extremes(found: bo.Sweep, arms: np.ndarray, kept: list[int], width: int, is_angle: bool) -> None:
    typer.echo(f"{'path':{width}}  {'least':>9} {'at':>10}  {'greatest':>9} {'at':>10}")
    for k in kept:
        low, high = int(arms[:, k].argmin()), int(arms[:, k].argmax())
        typer.echo(
            f"{found.paths[k]:{width}}  {1e3 * arms[low, k]:9.3f} {_shown(found.values[low], is_angle)}"
            f"  {1e3 * arms[high, k]:9.3f} {_shown(found.values[high], is_angle)}"
        )
