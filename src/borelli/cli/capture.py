"""Show what is in a recording, and what is missing.

For each step from markers to muscle forces it says what is there and what is missing. Lists markers with their
gaps, force plates with their contacts, and events. With a model it also lists which of the model's markers were
recorded, and which foot is on which plate, with a confidence.

For example

    borelli capture walk.c3d
    borelli capture walk.c3d --remove-offset
    borelli capture walk.c3d --model subject.osim
    borelli capture walk.trc --model subject.osim
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

import borelli as bo
from borelli.cli.terminal.notes import notes_on_stderr

if TYPE_CHECKING:
    import xarray as xr

# Names in a line: so many fill the eighty columns of a terminal, the others are counted.
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
    remove_offset: Annotated[
        bool,
        typer.Option("--remove-offset", help="Subtract what force plates read while nothing is on them."),
    ] = False,
) -> None:
    """Print what is there, and what each step lacks."""
    with notes_on_stderr():
        markers = bo.load_markers(file, up=up)
        plates = _plates(file, str(markers.attrs["up"]), remove_offset)
        subject = None if model is None else bo.load_model(model)
        found = bo.recording_steps(markers, plates, subject)
    _show_markers(markers, found)
    for plate in plates:
        _show_plate(plate)
    typer.echo("")
    typer.echo(f"scaling: {_scaling(found)}")
    typer.echo(f"inverse kinematics: {_kinematics(found, subject)}")
    typer.echo(f"inverse dynamics: {_dynamics(found, plates, subject)}")
    muscles = (
        "name the subject's model with --model" if subject is None else f"{len(subject.muscles)} muscles"
    )
    typer.echo(f"muscle forces: {muscles}")


def _plates(file: Path, up: str, remove_offset: bool) -> list[bo.ForcePlate]:
    """Return the plates of a C3D file, turned as its markers are."""
    if file.suffix.casefold() != ".c3d":
        return []
    recording = bo.load_c3d(file, up=up or None, remove_offset=remove_offset)
    for event in recording.events:
        typer.echo(f"event at {event.time:.3f} s: {event.context} {event.label}".rstrip())
    return list(recording.plates)


def _show_markers(markers: xr.DataArray, found: bo.RecordingSteps) -> None:
    time, n = markers["time"].values, markers.sizes["marker"]
    typer.echo(
        f"{n} markers, {time.size} instants from {time[0]:g} s to {time[-1]:g} s at {markers.attrs['rate_hz']:.6g} Hz"
    )
    shown = [f"{name} {100 * part:.1f} %" for name, part in list(found.missing.items())[:_MOST]]
    more = f", and {len(found.missing) - _MOST} more" if len(found.missing) > _MOST else ""
    typer.echo("gaps: " + (", ".join(shown) + more if shown else "none"))


def _show_plate(plate: bo.ForcePlate) -> None:
    loaded = np.isfinite(plate.point).all(axis=1)
    typer.echo(
        f"{plate.name}: {plate.time.size} samples, loaded {100 * loaded.mean():.0f} % of the time, "
        f"up to {np.abs(plate.force[:, 1]).max(initial=0.0):.0f} N; {_offset(plate)}"
    )


def _offset(plate: bo.ForcePlate) -> str:
    """Say what the plate reads while nothing stands on it."""
    if not np.isfinite(plate.offset).all():
        return "always loaded, so its offset is unknown"
    return f"offset {plate.offset[1]:.1f} N{' (removed)' if plate.offset_removed else ''}"


def _scaling(found: bo.RecordingSteps) -> str:
    if not found.n_steps:
        return "one instant, enough for a static trial"
    if found.still_at is None:
        return "no instant in which the subject stands still; record a static trial"
    return (
        f"the subject stands still in {found.n_still} of {found.n_steps} steps, first at {found.still_at:g} s"
    )


def _kinematics(found: bo.RecordingSteps, model: bo.Model | None) -> str:
    if model is None:
        return "name the subject's model with --model"
    text = f"{len(found.recorded)} markers of the model were recorded"
    for what, names in (("not recorded", found.absent), ("bodies without a marker", found.bare)):
        if names:
            text += f"; {what}: {', '.join(names[:_MOST])}{' …' if len(names) > _MOST else ''}"
    return text


def _dynamics(found: bo.RecordingSteps, plates: list[bo.ForcePlate], model: bo.Model | None) -> str:
    if not plates:
        return "no force plates in this file; give the loads as ExternalLoads (.xml)"
    if model is None:
        return f"{len(plates)} force plates; --model finds the foot on each"
    lines = [
        f"\n    {each.plate}, {each.begin:.3f} to {each.end:.3f} s: "
        + (
            f"{each.body} ({100 * each.certainty:.0f} % of the instants, {1000 * each.distance:.0f} mm away)"
            if each.body
            else "no foot is near"
        )
        for each in found.contacts
    ]
    return f"{len(found.contacts)} contacts" + "".join(lines)
