"""What does a recording hold, and what is missing for each step from markers to muscle forces?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.recordings.plate_loads import Plate, PlateContact, plate_loads
from borelli.arrays import plain_recording
from borelli.model.model import Model
from borelli.records import dataclass

if TYPE_CHECKING:
    import xarray as xr

# A subject stands still while no marker moves faster than this (m/s): sway does not, a step does.
_STILL = 0.1


@dataclass(frozen=True)
class RecordingSteps:
    """What a recording holds for each step.

    Attributes
    ----------
    missing : dict of str to float
        Part of the instants at which a marker was not seen, from 0 to 1, the worst first; without gaps it is not there.
    n_still, n_steps : int
        Steps from one instant to the next in which the subject stands still, and all of them.
    still_at : float or None
        Time of the first of them (s).
    recorded, absent : tuple of str
        Markers of the model that were recorded, and that were not.
    bare : tuple of str
        Bodies of the model without a recorded marker.
    contacts : tuple of PlateContact
        Whose foot stood on which plate.

    Examples
    --------
    >>> steps = bo.recording_steps(bo.load_markers(walk.markers))
    >>> steps.missing  # no marker has a gap
    {}
    """

    missing: dict[str, float]
    n_still: int
    n_steps: int
    still_at: float | None
    recorded: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()
    contacts: tuple[PlateContact, ...] = ()


def recording_steps(
    markers: xr.DataArray, plates: Sequence[Plate] = (), model: Model | None = None
) -> RecordingSteps:
    """Look through a recording: gaps, instants at rest, and with a model its markers and whose foot is on which plate.

    Parameters
    ----------
    markers : DataArray (time, marker, axis)
        Measured places (m), as :func:`borelli.load_markers` reads them.
    plates : sequence of ForcePlate
        Turned as the markers are.
    model : Model, optional
        The subject's model.

    Examples
    --------
    >>> steps = bo.recording_steps(bo.load_markers(walk.markers), model=model)
    >>> type(steps).__name__
    'RecordingSteps'
    """
    markers = plain_recording(markers, "the markers")
    names = [str(name) for name in markers["marker"].values]
    part = np.isnan(markers.values[:, :, 0]).mean(axis=0)
    missing = {names[i]: float(part[i]) for i in np.argsort(-part) if part[i] > 0.0}
    time = markers["time"].values
    speed = np.linalg.norm(np.diff(markers.values, axis=0), axis=2) / np.diff(time)[:, None]
    still = (np.nanmax(speed, axis=1, initial=0.0) if speed.size else np.zeros(0)) < _STILL
    first = float(time[np.flatnonzero(still)[0]]) if still.any() else None
    seen = RecordingSteps(missing, int(still.sum()), still.size, first)
    if model is None:
        return seen
    own = set(names)
    marked = {model.place(marker.frame)[0] for marker in model.markers if marker.name in own}
    return RecordingSteps(
        missing,
        seen.n_still,
        seen.n_steps,
        first,
        tuple(name for name in model.marker_names if name in own),
        tuple(name for name in model.marker_names if name not in own),
        tuple(body for body in model.body_names if body not in marked),
        tuple(plate_loads(model, markers, plates)[1]) if plates else (),
    )
