"""Whose foot stands on which force plate?

A plate knows a force and where it acts, not on whom. While a plate is loaded, the foot that it carries is the one
whose markers are nearest to the centre of pressure. Every contact is decided for itself, so that two feet may step on
one plate in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from borelli.arrays import plain_recording
from borelli.errors import MissingInputError, UnknownNameError
from borelli.model.load import Load
from borelli.model.model import Model
from borelli.results.gait.contact_events import Span, contact_spans

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]
# What feet are called in published models; without such a body every body with markers may be meant.
_FEET = ("calcn", "foot", "hindfoot", "calcaneus")
_UP = 1
_FAR = 0.35
"""A centre of pressure further than this (m) from all markers of a foot is not under it."""


class Plate(Protocol):
    """What is asked of a force plate: its load on the subject, y up, in ground axes."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def time(self) -> Array:
        """(n,) s."""
        ...

    @property
    def force(self) -> Array:
        """(n, 3) N."""
        ...

    @property
    def point(self) -> Array:
        """(n, 3) m; NaN where it is not loaded."""
        ...

    @property
    def free_moment(self) -> Array:
        """(n, 3) N m."""
        ...

    @property
    def center(self) -> Array:
        """(3,) m."""
        ...


class PlateContact(NamedTuple):
    """One contact with a plate, and the foot that was found there.

    Attributes
    ----------
    plate : str
    begin, end : float
        s.
    body : str
        Empty where no foot is near.
    distance : float
        Mean distance between the centre of pressure and the mean marker of the foot, on the floor (m).
    certainty : float
        Share of the instants in which this foot was the nearest, from 0 to 1.
    """

    plate: str
    begin: float
    end: float
    body: str
    distance: float
    certainty: float


def plate_loads(
    model: Model,
    markers: xr.DataArray,
    plates: Sequence[Plate],
    *,
    bodies: Sequence[str] | None = None,
) -> tuple[list[Load], list[PlateContact]]:
    """Turn force plates into loads on the feet that stand on them.

    Parameters
    ----------
    model : Model
        Its markers say which body each recorded marker is on.
    markers : DataArray (time, marker, axis)
        Recorded with the plates, in the same axes (m), y up.
    plates : sequence of ForcePlate
        In the same axes.
    bodies : sequence of str, optional
        Bodies that may stand on a plate; by default those called calcn, foot or alike, else all that carry markers.

    Returns
    -------
    loads : list of Load
        One for each plate and foot, at the times of the plate; zero while another foot, or none, is on it.
    contacts : list of PlateContact
        Every contact, with how sure it is.

    Guarantees, each a test
    -----------------------
    - each foot gets the load of the plate under it; a load far from all feet is nobody's

    Examples
    --------
    >>> recorded = bo.load_markers(walk.markers)
    >>> bo.plate_loads(model, recorded, [])  # no plates, no loads
    ([], [])
    """
    markers = plain_recording(markers, "the markers")
    feet = _feet(model, markers, bodies)
    loads: list[Load] = []
    contacts: list[PlateContact] = []
    for plate in plates:
        own = [_contact(plate, span.begin, span.end, markers, feet) for span in _spans(plate)]
        contacts += own
        for body in dict.fromkeys(each.body for each in own if each.body):
            during = np.zeros(plate.time.size, dtype=bool)
            for each in own:
                if each.body == body:
                    during |= (plate.time >= each.begin) & (plate.time <= each.end)
            during &= np.isfinite(plate.point).all(axis=1)
            mask = during[:, None]
            loads.append(
                Load(
                    f"{plate.name}_{body}",
                    body,
                    np.where(mask, plate.force, 0.0),
                    np.where(mask, plate.point, plate.center),
                    np.where(mask, plate.free_moment, 0.0),
                    plate.time,
                )
            )
    return loads, contacts


def _spans(plate: Plate) -> list[Span]:
    found = contact_spans(plate.time, plate.force[:, _UP])
    first, last = float(plate.time[0]), float(plate.time[-1])
    return [
        span._replace(
            begin=first if np.isnan(span.begin) else span.begin, end=last if np.isnan(span.end) else span.end
        )
        for span in found
    ]


def _feet(model: Model, markers: xr.DataArray, bodies: Sequence[str] | None) -> dict[str, list[str]]:
    """Return the recorded markers of every body that may stand on a plate."""
    recorded = set(map(str, markers["marker"].values))
    carried: dict[str, list[str]] = {}
    for marker in model.markers:
        if marker.name in recorded:
            carried.setdefault(model.place(marker.frame)[0], []).append(marker.name)
    for body in bodies or ():
        if not model.bodies.has(body):
            raise UnknownNameError.among(body, "body", model.body_names, of=f"model {model.name!r}")
    if bodies is None:
        named = [body for body in carried if any(word in body.casefold() for word in _FEET)]
        bodies = named or list(carried)
    feet = {body: carried[body] for body in bodies if body in carried}
    if not feet:
        raise MissingInputError(
            "No foot of the model carries a recorded marker, so the feet on the plates are unknown.",
            where=f"model {model.name!r}",
            remedy="name the bodies that stand on plates, and put recorded markers on them",
        )
    return feet


def _contact(
    plate: Plate, begin: float, end: float, markers: xr.DataArray, feet: dict[str, list[str]]
) -> PlateContact:
    time = markers["time"].values
    rows = np.flatnonzero((time >= begin) & (time <= end))
    if not rows.size:
        rows = np.array([int(np.argmin(np.abs(time - 0.5 * (begin + end))))])
    point = np.column_stack([_at(time[rows], plate.time, plate.point[:, k]) for k in range(3)])
    gaps = np.full((rows.size, len(feet)), np.nan)
    for column, names in enumerate(feet.values()):
        cloud = markers.sel(marker=names).values[rows]
        middle = np.full((rows.size, 3), np.nan)
        seen = np.isfinite(cloud).any(axis=(1, 2))
        middle[seen] = np.nanmean(cloud[seen], axis=1)
        # On the floor: the height of markers above it says nothing about whose they are.
        gaps[:, column] = np.hypot(middle[:, 0] - point[:, 0], middle[:, 2] - point[:, 2])
    known = np.isfinite(gaps).any(axis=1)
    if not known.any():
        return PlateContact(plate.name, begin, end, "", float("nan"), 0.0)
    nearest = np.nanargmin(gaps[known], axis=1)
    count = np.bincount(nearest, minlength=len(feet))
    best = int(np.argmax(count))
    distance = float(np.nanmean(gaps[known, best]))
    if distance > _FAR:
        return PlateContact(plate.name, begin, end, "", distance, 0.0)
    return PlateContact(plate.name, begin, end, list(feet)[best], distance, float(count[best] / known.sum()))


def _at(time: Array, own: Array, values: Array) -> Array:
    """Return values at other times, linearly between those known."""
    known = np.isfinite(values)
    if not known.any():
        return np.full(time.shape, np.nan)
    return np.interp(time, own[known], values[known])
