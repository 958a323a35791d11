"""Laboratory recordings: C3D markers, analog channels, force plates and events."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from borelli.errors import (
    FileFormatError,
    InvalidValueError,
    MissingInputError,
    ShapeError,
    UnsupportedError,
    warn,
)
from borelli.io.c3d.c3d_file import EXPECTED, C3dContent, parse_c3d_content
from borelli.io.c3d.force_plate import CHANNELS_OF_TYPE, DEFAULT_THRESHOLD_N, ForcePlate, plate_from_channels
from borelli.io.c3d.up_axis import turn_to_y_up, up_axis
from borelli.io.text.files import read_bytes
from borelli.records import dataclass
from borelli.results.labelled.table import Cell, Table

Array = NDArray[np.float64]

Z_UP_TO_Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""Turns laboratory axes with z up into OpenSim's, with y up (a quarter turn about x)."""

# POINT:UNITS of the recording; one that says nothing is in millimetres, the usual unit.
_METRES = {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "dm": 0.1, "in": 0.0254, "": 1e-3}


@dataclass(frozen=True)
class Event:
    """A labelled moment: foot strike, foot off."""

    label: str
    context: str
    time: float


@dataclass(frozen=True, eq=False)
class Recording:
    """What a C3D file holds.

    Attributes
    ----------
    markers : Table
        Positions (m), NaN where a marker was not seen.
    analog : Table
        Channels with their units.
    plates : tuple of ForcePlate
        Ground reactions in the same axes as the markers.
    events : tuple of Event
        In order of time.
    source : str
        File name.
    up : str
        The axis of the file that points up (``x``, ``y``, ``z``, ``-x`` …), from ``POINT:Y_SCREEN`` or from the
        force plates; empty where the file does not tell.

    Examples
    --------
    >>> [name for name in ("markers", "plates") if name in bo.Recording.__dataclass_fields__]
    ['markers', 'plates']
    """

    markers: Table
    analog: Table
    plates: tuple[ForcePlate, ...]
    events: tuple[Event, ...]
    source: str = ""
    up: str = ""


def load_c3d(
    path: str | os.PathLike[str],
    *,
    rotation: Array | None = None,
    up: str | None = None,
    threshold_n: float = DEFAULT_THRESHOLD_N,
    remove_offset: bool = False,
) -> Recording:
    """Read a C3D file.

    Parameters
    ----------
    path : path
        The file.
    rotation : (3, 3) float, optional
        Applied to every position, force and moment: :data:`Z_UP_TO_Y_UP` for OpenSim's axes.
    up : str, optional
        Instead of a rotation, the file's axis that points up (``"z"``, ``"-x"`` …): it is turned to OpenSim's y.
    threshold_n : float
        Load (N) below which a plate has no centre of pressure.
    remove_offset : bool
        Take off what each plate reads while nothing stands on it. An offset of more than 5 N that is left is warned of.

    Examples
    --------
    >>> try:
    ...     bo.load_c3d("missing.c3d")
    ... except bo.BorelliError as error:
    ...     print(type(error).__name__)
    MissingInputError
    """
    if up is not None:
        if rotation is not None:
            raise InvalidValueError(
                "Give either a rotation or the axis that points up, not both.", remedy="give one"
            )
        rotation = turn_to_y_up(up)
    return parse_c3d(
        read_bytes(path, EXPECTED),
        os.fspath(path),
        rotation=rotation,
        threshold_n=threshold_n,
        remove_offset=remove_offset,
    )


def load_plates(
    path: str | os.PathLike[str], *, up: str = "", remove_offset: bool = False
) -> tuple[ForcePlate, ...]:
    """Read the force plates of a C3D file, turned as :func:`borelli.load_markers` turns its markers.

    Parameters
    ----------
    path : path
        The file.
    up : str
        The file's axis that points up, which becomes y: ``markers.attrs["up"]``. Empty leaves the axes as they are.
    remove_offset : bool
        Take off what each plate reads while nothing stands on it.

    Examples
    --------
    >>> try:
    ...     bo.load_plates("missing.c3d")
    ... except bo.BorelliError as error:
    ...     print(type(error).__name__)
    MissingInputError
    """
    return load_c3d(path, up=up or None, remove_offset=remove_offset).plates


def parse_c3d(
    data: bytes,
    source: str = "<bytes>",
    *,
    rotation: Array | None = None,
    threshold_n: float = DEFAULT_THRESHOLD_N,
    remove_offset: bool = False,
) -> Recording:
    """Parse the bytes of a C3D file; see :func:`load_c3d`."""
    turn = np.eye(3) if rotation is None else np.asarray(rotation, dtype=np.float64)
    if turn.shape != (3, 3):
        raise ShapeError(f"A rotation is a 3 × 3 matrix, not {turn.shape}.")
    content = parse_c3d_content(data, source)
    unit = next(iter(content.strings("POINT:UNITS")), "").strip()
    if unit.lower() not in _METRES:
        raise UnsupportedError(
            f"POINT:UNITS is {unit[:20]!r}.", where=source, remedy="known are m, dm, cm, mm, in"
        )
    metres = _METRES[unit.lower()]
    start = (content.first_frame - 1) / content.rate
    with np.errstate(all="ignore"):
        # Damaged numbers overflow here; they stay visible as inf and NaN.
        markers = _markers(content, metres, start, turn, source)
        analog = _analog(content, start, source)
        plates = _plates(content, analog, metres, turn, threshold_n, remove_offset, source)
    notes = [f"{plate.name}: {note}" for plate in plates for note in plate.notes]
    if notes:
        warn(f"{source}: " + "; ".join(notes) + ".")
    up = up_axis(content, np.array([plate.corners @ turn for plate in plates]).reshape(-1, 4, 3))
    return Recording(markers, analog, plates, _events(content), source, up)


def _labels(content: C3dContent, key: str, count: int, stem: str) -> tuple[str, ...]:
    given = content.strings(key)[:count]
    names = [label or f"{stem}_{index}" for index, label in enumerate(given, 1)]
    return tuple(names + [f"{stem}_{index}" for index in range(len(names) + 1, count + 1)])


def _markers(content: C3dContent, metres: float, start: float, turn: Array, source: str) -> Table:
    n_frames, n_points, _ = content.points.shape
    return Table(
        time=start + np.arange(n_frames) / content.rate,
        columns=_labels(content, "POINT:LABELS", n_points, "point"),
        values=content.points * metres @ turn.T,
        units=("m",) * n_points,
        name="Markers",
        metadata={"DataRate": f"{content.rate:g}", "OrigDataStartFrame": str(content.first_frame)},
        cells=Cell.VEC3,
        source=source,
    )


def _analog(content: C3dContent, start: float, source: str) -> Table:
    n_samples, n_channels = content.analog.shape
    rate = content.rate * max(content.samples_per_frame, 1)
    units = content.strings("ANALOG:UNITS")[:n_channels]
    return Table(
        time=start + np.arange(n_samples) / rate,
        columns=_labels(content, "ANALOG:LABELS", n_channels, "channel"),
        values=content.analog,
        units=tuple(units + [""] * (n_channels - len(units))),
        name="Analog",
        metadata={"DataRate": f"{rate:g}"},
        source=source,
    )


def _plates(
    content: C3dContent,
    analog: Table,
    metres: float,
    turn: Array,
    threshold_n: float,
    remove_offset: bool,
    source: str,
) -> tuple[ForcePlate, ...]:
    used = int(content.number("FORCE_PLATFORM:USED", 0.0))
    types = content.numbers("FORCE_PLATFORM:TYPE").ravel()
    plates = []
    # A laboratory has a handful of plates; a damaged number must not make thousands.
    for index in range(max(0, min(used, 100))):
        name = f"plate_{index + 1}"
        where = f"{source}, {name}"
        kind = int(types[index]) if index < types.size and np.isfinite(types[index]) else 0
        n_channels = CHANNELS_OF_TYPE.get(kind, 6)
        corners = _slice(content, "CORNERS", (3, 4), index, where).T * metres @ turn.T
        origin = _slice(content, "ORIGIN", (3,), index, where) * metres
        numbers = _slice(content, "CHANNEL", (n_channels,), index, where)
        if analog.n_columns == 0 or not numbers.any():
            # Editing programs leave the plates of a recording whose analog part is gone; the markers are whole.
            warn(f"{where} is left out: it has no analog channels.")
            continue
        if not np.all((numbers >= 1) & (numbers <= analog.n_columns)):
            raise FileFormatError(
                f"The plate names channels {numbers.tolist()}, the file has {analog.n_columns}.", where=where
            )
        columns = numbers.astype(int) - 1
        channels = analog.values[:, columns]
        calibration = _slice(content, "CAL_MATRIX", (6, 6), index, where) if kind == 4 else None
        lengths = _length_factors(kind, [analog.units[i] for i in columns], metres)
        if calibration is None:
            channels = channels * lengths
        else:
            calibration = calibration * lengths[:, None]
        plates.append(
            plate_from_channels(
                channels,
                kind=kind,
                corners=corners,
                origin=origin,
                time=analog.time,
                calibration=calibration,
                name=name,
                threshold_n=threshold_n,
                remove_offset=remove_offset,
                source=source,
            )
        )
    return tuple(plates)


def _slice(content: C3dContent, name: str, shape: tuple[int, ...], index: int, where: str) -> Array:
    """Return one plate's part of a FORCE_PLATFORM parameter, whose last dimension counts plates."""
    values = content.numbers(f"FORCE_PLATFORM:{name}")
    fits = values.ndim == len(shape) + 1 and values.shape[-1] > index
    if not fits or any(have < need for have, need in zip(values.shape, shape, strict=False)):
        raise FileFormatError(
            f"FORCE_PLATFORM:{name} has shape {values.shape}; plate {index + 1} needs {shape} of it.",
            where=where,
        )
    part: Array = values[..., index]
    return part[tuple(slice(0, need) for need in shape)]


def _length_factors(kind: int, units: list[str], metres: float) -> Array:
    """Return the factors that turn the channels' lengths into metres; forces are in newtons."""
    factors = np.ones(len(units))
    if kind == 3:
        return factors
    for index in range(3, 6):
        word = units[index].lower().replace(".", "").replace(" ", "").replace("*", "")
        if word in ("nm", "m"):
            factors[index] = 1.0
        elif word in ("nmm", "mm"):
            factors[index] = 1e-3
        else:
            # The format's rule where the channel does not say: every length is in POINT:UNITS.
            factors[index] = metres
    return factors


def _events(content: C3dContent) -> tuple[Event, ...]:
    times = content.numbers("EVENT:TIMES")
    labels, contexts = content.strings("EVENT:LABELS"), content.strings("EVENT:CONTEXTS")
    if times.ndim != 2 or times.shape[0] != 2:
        return ()
    count = min(times.shape[1], int(content.number("EVENT:USED", times.shape[1])))
    events = [
        Event(
            label=labels[index] if index < len(labels) else "",
            context=contexts[index] if index < len(contexts) else "",
            # Minutes and seconds are stored apart.
            time=float(60.0 * times[0, index] + times[1, index]),
        )
        for index in range(max(count, 0))
    ]
    return tuple(sorted(events, key=lambda event: event.time))


def plates_table(recording: Recording) -> Table:
    """Return the ground reactions as the table that OpenSim's external loads expect.

    Columns ``ground_force_<n>_vx``, ``ground_force_<n>_px``, ``ground_torque_<n>_x`` and so on. Where a
    plate is not loaded its force and torque are zero and its point is the middle of the plate.

    Parameters
    ----------
    recording : Recording
        With its plates.

    Examples
    --------
    >>> try:
    ...     bo.plates_table(bo.load_c3d("missing.c3d"))
    ... except bo.BorelliError as error:
    ...     print(type(error).__name__)
    MissingInputError
    """
    if not recording.plates:
        raise MissingInputError("The recording has no force plates.", where=recording.source)
    names: list[str] = []
    units: list[str] = []
    blocks: list[Array] = []
    for number, plate in enumerate(recording.plates, 1):
        loaded = np.isfinite(plate.point).all(axis=1, keepdims=True)
        blocks += [
            np.where(loaded, plate.force, 0.0),
            np.where(loaded, plate.point, plate.center),
            np.where(loaded, plate.free_moment, 0.0),
        ]
        for stem in (f"ground_force_{number}_v", f"ground_force_{number}_p", f"ground_torque_{number}_"):
            names += [stem + axis for axis in "xyz"]
        units += ["N"] * 3 + ["m"] * 3 + ["N m"] * 3
    return Table(
        time=recording.plates[0].time,
        columns=tuple(names),
        values=np.column_stack(blocks),
        units=tuple(units),
        in_degrees=False,
        name="Ground reactions",
        source=recording.source,
    )
