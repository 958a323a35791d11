"""Show what a recording holds, and what is missing for each step from markers to muscle forces.

Markers with their gaps, force plates with their contacts, events; with a model, which of its markers were recorded and
which foot stands on which plate, and how sure that is.

For example

    borelli capture walk.c3d
    borelli capture walk.c3d --model subject.osim
    borelli capture walk.trc --model subject.osim
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from borelli.cli.notes import notes_on_stderr

if TYPE_CHECKING:
    import xarray as xr

    from borelli.io.force_plate import ForcePlate
    from borelli.model import Model

# A subject stands still while no marker moves faster than this (m/s): sway does not, a step does.
_STILL = 0.1
_MOST = 8


def run(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A recording: .c3d, .trc, or .sto of markers.")
    ],
    model: Annotated[
        Path | None, typer.Option(metavar="MODEL", help="The subject's model, to compare its markers with.")
    ] = None,
    up: Annotated[
        str | None, typer.Option(metavar="AXIS", help="The file's axis that points up: x, y, z, -x …")
    ] = None,
) -> None:
    """Print what is there, and what each step lacks."""
    from borelli.io.load_model import load_model
    from borelli.io.markers import load_markers

    with notes_on_stderr():
        markers = load_markers(file, up=up)
        plates = _plates(file, str(markers.attrs["up"]))
        subject = None if model is None else load_model(model)
    _show_markers(markers)
    for plate in plates:
        _show_plate(plate)
    typer.echo("")
    _show_steps(markers, plates, subject)


def _plates(file: Path, up: str) -> list[ForcePlate]:
    """Return the plates of a C3D file, turned as its markers are."""
    if file.suffix.casefold() != ".c3d":
        return []
    from borelli.io.c3d import load_c3d
    from borelli.io.up_axis import turn_to_y_up

    recording = load_c3d(file, rotation=turn_to_y_up(up) if up else None)
    for event in recording.events:
        typer.echo(f"event at {event.time:.3f} s: {event.context} {event.label}".rstrip())
    return list(recording.plates)


def _show_markers(markers: xr.DataArray) -> None:
    time, n = markers["time"].values, markers.sizes["marker"]
    typer.echo(
        f"{n} markers, {time.size} instants from {time[0]:g} s to {time[-1]:g} s at {markers.attrs['rate_hz']:.6g} Hz"
    )
    missing = np.isnan(markers.values[:, :, 0]).mean(axis=0)
    order = [i for i in np.argsort(-missing) if missing[i] > 0.0]
    shown = [f"{markers['marker'].values[i]} {100 * missing[i]:.1f} %" for i in order[:_MOST]]
    more = f", and {len(order) - _MOST} more" if len(order) > _MOST else ""
    typer.echo("gaps: " + (", ".join(shown) + more if shown else "none"))


def _show_plate(plate: ForcePlate) -> None:
    loaded = np.isfinite(plate.point).all(axis=1)
    typer.echo(
        f"{plate.name}: {plate.time.size} samples, loaded {100 * loaded.mean():.0f} % of the time, "
        f"up to {np.abs(plate.force[:, 1]).max(initial=0.0):.0f} N"
    )


def _show_steps(markers: xr.DataArray, plates: list[ForcePlate], model: Model | None) -> None:
    typer.echo(f"scaling: {_scaling(markers)}")
    typer.echo(f"inverse kinematics: {_kinematics(markers, model)}")
    typer.echo(f"inverse dynamics: {_dynamics(markers, plates, model)}")
    muscles = "name the subject's model with --model" if model is None else f"{len(model.muscles)} muscles"
    typer.echo(f"muscle forces: {muscles}")


def _scaling(markers: xr.DataArray) -> str:
    time, position = markers["time"].values, markers.values
    if time.size < 2:
        return "one instant, enough for a static trial"
    speed = np.linalg.norm(np.diff(position, axis=0), axis=2) / np.diff(time)[:, None]
    fastest = np.nanmax(speed, axis=1, initial=0.0) if speed.size else np.zeros(0)
    still = fastest < _STILL
    if not still.any():
        return "no instant in which the subject stands still; record a static trial"
    rows = np.flatnonzero(still)
    return f"the subject stands still in {still.sum()} of {still.size} steps, first at {time[rows[0]]:g} s"


def _kinematics(markers: xr.DataArray, model: Model | None) -> str:
    if model is None:
        return "name the subject's model with --model"
    recorded = set(map(str, markers["marker"].values))
    shared = [name for name in model.marker_names if name in recorded]
    absent = [name for name in model.marker_names if name not in recorded]
    bare = [
        body
        for body in model.body_names
        if not any(model.place(m.frame)[0] == body for m in model.markers if m.name in recorded)
    ]
    text = f"{len(shared)} markers of the model were recorded"
    if absent:
        text += f"; not recorded: {', '.join(absent[:_MOST])}{' …' if len(absent) > _MOST else ''}"
    if bare:
        text += f"; bodies without a marker: {', '.join(bare[:_MOST])}{' …' if len(bare) > _MOST else ''}"
    return text


def _dynamics(markers: xr.DataArray, plates: list[ForcePlate], model: Model | None) -> str:
    if not plates:
        return "no force plates in this file; give the loads as ExternalLoads (.xml)"
    if model is None:
        return f"{len(plates)} force plates; --model tells whose feet are on them"
    from borelli.analyses.plate_loads import plate_loads

    _, contacts = plate_loads(model, markers, plates)
    lines = [
        f"\n    {each.plate}, {each.begin:.3f} to {each.end:.3f} s: "
        + (
            f"{each.body} ({100 * each.certainty:.0f} % of the instants, {1000 * each.distance:.0f} mm away)"
            if each.body
            else "no foot is near"
        )
        for each in contacts
    ]
    return f"{len(contacts)} contacts" + "".join(lines)
