"""When does a foot touch the ground and leave it? Contact found in external loads, as a force plate shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from borelli.arrays import one_number
from borelli.errors import InvalidValueError, MissingInputError
from borelli.results.labelled.plain_result import PlainResult, plain_result

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]

CONTACT, RELEASE = "contact", "release"
# Noise of a force plate is a few newtons, so that neither 20 N nor 10 N is met by it; two thresholds keep a force that
# lingers at one of them from being many contacts. A foot is on the ground for about 0.1 s even in sprinting.
THRESHOLD_N, RELEASE_N, SHORTEST_S = 20.0, 10.0, 0.05


class Span(NamedTuple):
    """One contact: when it begins and ends (s); NaN where that lies outside the recording."""

    begin: float
    end: float


def contact_spans(
    time: ArrayLike,
    force: ArrayLike,
    *,
    threshold_n: float = THRESHOLD_N,
    release_n: float = RELEASE_N,
    shortest_s: float = SHORTEST_S,
) -> list[Span]:
    """Find the contacts in the force of the ground along the vertical.

    A contact begins where the force rises to `threshold_n` and ends where it falls to `release_n`: two numbers,
    so that noise about one of them is no event. Both lie between instants, on the line through their
    forces. Gaps shorter than `shortest_s` are closed first; contacts that are still shorter are then left out.

    Parameters
    ----------
    time : (n_times,) float
        s.
    force : (n_times,) float
        N, positive upwards on the body; NaN counts as none.

    Guarantees, each a test
    -----------------------
    - the instants of a force that rises and falls on straight lines are exact
    - noise smaller than the distance of the two thresholds makes no event
    """
    if not 0.0 < release_n <= threshold_n:
        raise InvalidValueError(
            f"contact ends at {release_n:g} N and begins at {threshold_n:g} N.",
            remedy="give two positive forces, the one that ends a contact not above the one that begins it",
        )
    instants, level = np.asarray(time, dtype=float), np.nan_to_num(np.asarray(force, dtype=float))
    inside = _inside(level, threshold_n, release_n)
    changes = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    begins = _crossings(instants, level, changes[inside[changes]], threshold_n)
    ends = _crossings(instants, level, changes[~inside[changes]], release_n)
    if inside[:1].any():
        begins = np.r_[np.nan, begins]
    if inside[-1:].any():
        ends = np.r_[ends, np.nan]
    if not begins.size:
        return []
    apart = ~(begins[1:] - ends[:-1] < shortest_s)
    begins, ends = begins[np.r_[True, apart]], ends[np.r_[apart, True]]
    long_enough = ~(ends - begins < shortest_s)
    return list(map(Span, begins[long_enough].tolist(), ends[long_enough].tolist()))


def _inside(level: Array, threshold: float, release: float) -> NDArray[np.bool_]:
    """Tell for every instant whether the last force that was decisive, here or before, was that of a contact."""
    begun, over = level >= threshold, level < release
    decisive = np.where(begun | over, np.arange(level.size), 0)
    return np.asarray(begun[np.maximum.accumulate(decisive)])


def _crossings(time: Array, level: Array, instants: NDArray[np.int64], threshold: float) -> Array:
    """Where the lines through these instants and the ones before them meet the threshold."""
    before, after = level[instants - 1], level[instants]
    part = np.clip((threshold - before) / (after - before), 0.0, 1.0)
    return np.asarray(time[instants - 1] + part * (time[instants] - time[instants - 1]))


def contact_events(
    result: xr.Dataset,
    gravity: ArrayLike,
    *,
    loads: Sequence[str] | None = None,
    threshold_n: float = THRESHOLD_N,
    release_n: float = RELEASE_N,
    shortest_s: float = SHORTEST_S,
) -> xr.Dataset:
    """Contacts of every body that an external load pushes up and lets go again.

    All loads on a body are added up, so that a foot may step on several plates. A body whose load is always
    there, or never, has no events.

    Parameters
    ----------
    result : Dataset
        With ``load_force`` (time, load, axis) and, if it knows them, the bodies in ``load_body`` (load).
    gravity : (n_axes,) float
        m/s². Up is against it; without gravity the size of the force counts.
    loads : sequence of str, optional
        Names of those that come from the ground; all by default.
    threshold_n, release_n : float
        A contact begins where the force rises to the first and ends where it falls to the second (N).
    shortest_s : float
        Contacts and gaps that are shorter count as noise (s).

    Returns
    -------
    Dataset
        ``event_time`` (event), in order, with the coordinates ``event_side`` (body) and ``event_kind``
        (``"contact"`` or ``"release"``); empty without events.

    Examples
    --------
    >>> result = bo.analyze(model, motion, loads, muscles="none")
    >>> events = bo.contact_events(result, model.gravity)
    >>> events["event_kind"].values[:2].tolist(), events["event_time"].attrs["units"]
    (['contact', 'release'], 's')
    """
    limits = {"threshold_n": threshold_n, "release_n": release_n, "shortest_s": shortest_s}
    limits = {name: one_number(value, name) for name, value in limits.items()}
    return plain_contact_events(PlainResult.of(result), gravity, loads, **limits).to_dataset()


def plain_contact_events(
    result: PlainResult,
    gravity: ArrayLike,
    loads: Sequence[str] | None = None,
    *,
    threshold_n: float = THRESHOLD_N,
    release_n: float = RELEASE_N,
    shortest_s: float = SHORTEST_S,
) -> PlainResult:
    """Return what :func:`contact_events` does, without labels of xarray."""
    if "load_force" not in result:
        raise MissingInputError(
            "The result has no loads, in which contact could be found.",
            remedy="analyse the motion with its external loads, and save their forces with the result",
        )
    names = result.labels("load").names
    bodies = tuple(map(str, result["load_body"].values)) if "load_body" in result else names
    sides = [
        body if loads is None or name in loads else None for name, body in zip(names, bodies, strict=True)
    ]
    time, forces = result["time"].values, result["load_force"].transpose("time", "load", "axis").values
    found: list[tuple[float, str, str]] = []
    for side in dict.fromkeys(side for side in sides if side is not None):
        total = np.nansum(forces[:, [k for k, own in enumerate(sides) if own == side]], axis=1)
        limits = {"threshold_n": threshold_n, "release_n": release_n, "shortest_s": shortest_s}
        for span in contact_spans(time, _upward(total, np.asarray(gravity, dtype=float)), **limits):
            found += [(span.begin, side, CONTACT), (span.end, side, RELEASE)]
    kept = sorted(event for event in found if np.isfinite(event[0]))
    return plain_result(
        {"event_time": ("event", np.array([event[0] for event in kept]), {"units": "s"})},
        {
            "event_side": ("event", np.array([event[1] for event in kept], dtype=str)),
            "event_kind": ("event", np.array([event[2] for event in kept], dtype=str)),
        },
        {"events": f"contact from {threshold_n:g} N on, until {release_n:g} N, of at least {shortest_s:g} s"},
    )


def _upward(force: Array, gravity: Array) -> Array:
    size = float(np.linalg.norm(gravity))
    return np.asarray(-force @ gravity / size if size else np.linalg.norm(force, axis=1))
