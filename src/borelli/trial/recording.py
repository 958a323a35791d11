"""A recording in place of a motion: markers become coordinates, force plates become loads on the feet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from borelli.errors import warn
from borelli.io.c3d.recording import load_plates
from borelli.io.markers import load_markers
from borelli.io.motion import save_motion
from borelli.io.save_loads import save_loads
from borelli.results.on_disk.whole import check_parent

if TYPE_CHECKING:
    import xarray as xr

    from borelli.analyses.recordings.plate_loads import PlateContact
    from borelli.model.model import Model

_DOUBTFUL = 0.9
"""A foot that was nearest in fewer instants of a contact than this is told as doubtful."""


class Recorded(NamedTuple):
    """What was found in a recording.

    Attributes
    ----------
    fit : Dataset
        Of inverse kinematics.
    motion : Path
        Where its coordinates were written.
    loads : Path or None
        Where the loads of force plates were written; None where loads are given otherwise, or the file has no plates.
    lines : tuple of str
        What to say of it.
    """

    fit: xr.Dataset
    motion: Path
    loads: Path | None
    lines: tuple[str, ...]


def read_recording(
    model: Model, markers: Path, out: Path, with_plates: bool, *, remove_offset: bool = False
) -> Recorded:
    """Find the motion that fits a recording and write it beside the result folder; turn its plates into loads.

    Parameters
    ----------
    out : Path
        The result folder; the motion is called after it.
    with_plates : bool
        Whether force plates are wanted.
    remove_offset : bool
        Whether to take off them what they read while nothing stands on them.
    """
    # Loaded here: the solver behind it takes a second, and a motion from a file does not need it.
    from borelli.analyses.recordings.inverse_kinematics import inverse_kinematics

    recorded = load_markers(markers)
    fit = inverse_kinematics(model, recorded)
    target = out.with_name(f"{out.name}_ik.mot")
    target.parent.mkdir(parents=True, exist_ok=True)
    check_parent(target)
    save_motion(fit.borelli.motion(), model, target)
    error = 1e3 * float(fit["rms_error"].mean())
    lines = [f"Motion from {fit.sizes['marker']} markers, {error:.1f} mm off on average: {target}"]
    loads = out.with_name(f"{out.name}_grf.xml")
    contacts: list[str] = []
    written = False
    if with_plates:
        contacts, written = write_plate_loads(model, markers, loads, recorded, remove_offset=remove_offset)
    return Recorded(fit, target, loads if written else None, (*lines, *contacts))


def write_plate_loads(
    model: Model,
    markers: Path,
    target: Path,
    recorded: xr.DataArray | None = None,
    *,
    remove_offset: bool = False,
) -> tuple[list[str], bool]:
    """Turn the force plates of a C3D file into loads on the feet that stand on them; say whose they are.

    Parameters
    ----------
    target : Path
        Written where a plate bears anything.
    recorded : DataArray, optional
        The markers of the file, where they were read already.
    remove_offset : bool
        Whether to take off the plates what they read while nothing stands on them.

    Returns
    -------
    lines : list of str
        Whose foot was on a plate, contact by contact.
    written : bool
        Whether there are loads.
    """
    if markers.suffix.casefold() != ".c3d":
        return [], False
    recorded = load_markers(markers) if recorded is None else recorded
    plates = load_plates(markers, up=str(recorded.attrs["up"]), remove_offset=remove_offset)
    if not plates:
        return [], False
    # Loaded here for the same reason.
    from borelli.analyses.recordings.plate_loads import plate_loads

    found, contacts = plate_loads(model, recorded, plates)
    _tell_doubts(contacts)
    if found:
        save_loads(found, target)
    return _contact_lines(contacts), bool(found)


def _contact_lines(contacts: Sequence[PlateContact]) -> list[str]:
    """Say of every contact whose foot it was, and how sure that is."""
    return [
        f"{each.plate}, {each.begin:.3f} to {each.end:.3f} s: "
        + (
            f"{each.body} ({100 * each.certainty:.0f} % of the instants, {1000 * each.distance:.0f} mm away)"
            if each.body
            else "no foot is near"
        )
        for each in contacts
    ]


def _tell_doubts(contacts: Sequence[PlateContact]) -> None:
    doubtful = [each for each in contacts if not each.body or each.certainty < _DOUBTFUL]
    if doubtful:
        warn(
            "the assignment of feet to force plates is uncertain: "
            + "; ".join(_contact_lines(doubtful))
            + ". Contacts without a foot are left out. To assign "
            "them yourself, give the loads as ExternalLoads (--loads, or loads in a trial file)"
        )
