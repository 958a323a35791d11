"""Force plates: from channels to force, centre of pressure and free moment in laboratory axes.

The four plate types of the C3D format [C3D.org user guide, FORCE_PLATFORM]. Plate axes: x from corner 2
to corner 1, y from corner 4 to corner 1, z = x × y, which points down into the floor. ORIGIN runs from
the sensors' origin to the middle of the working surface.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from borelli.errors import InvalidValueError, ShapeError, UnsupportedError
from borelli.io.c3d.plate_offset import TOLD_N, Offset, find_offset
from borelli.records import dataclass

Array = NDArray[np.float64]

# FORCE_PLATFORM:TYPE of the format (c3d.org): forces with the pressure point (1) or moments (2, 4), eight sensors (3).
CHANNELS_OF_TYPE = {1: 6, 2: 6, 3: 8, 4: 6}
# Below this load the centre of pressure is the quotient of two small, noisy numbers.
DEFAULT_THRESHOLD_N = 10.0


@dataclass(frozen=True, eq=False)
class ForcePlate:
    """The ground reaction that one plate recorded, on the subject, in laboratory axes.

    Attributes
    ----------
    name : str
        ``plate_1``, ``plate_2``, …
    type : int
        C3D force platform type, 1 to 4.
    time : (n_times,) float
        s.
    force : (n_times, 3) float
        N, on the subject.
    point : (n_times, 3) float
        m, centre of pressure on the plate's surface; NaN where the plate is not loaded.
    free_moment : (n_times, 3) float
        N m, about the plate's normal at the centre of pressure; zero where it is not loaded.
    moment : (n_times, 3) float
        N m, on the subject, about the middle of the surface; defined whatever the load.
    center : (3,) float
        m, middle of the working surface.
    corners : (4, 3) float
        m.
    notes : tuple of str
        What had to be corrected.
    offset : (3,) float
        N, mean force that the plate read while nothing stood on it, on the subject; NaN where it was always loaded.
    offset_removed : bool
        Whether that was taken off all samples.

    Examples
    --------
    >>> "center_of_pressure" in dir(bo.ForcePlate) or "time" in bo.ForcePlate.__dataclass_fields__
    True
    """

    name: str
    type: int
    time: Array
    force: Array
    point: Array
    free_moment: Array
    moment: Array
    center: Array
    corners: Array
    notes: tuple[str, ...] = ()
    offset: Array = field(default_factory=lambda: np.full(3, np.nan))
    offset_removed: bool = False


def plate_from_channels(
    channels: Array,
    *,
    kind: int,
    corners: Array,
    origin: Array,
    time: Array,
    calibration: Array | None = None,
    name: str = "plate",
    threshold_n: float = DEFAULT_THRESHOLD_N,
    remove_offset: bool = False,
    source: str = "",
) -> ForcePlate:
    """Compute what a plate measured.

    Parameters
    ----------
    channels : (n_times, 6 or 8) float
        Type 1: Fx Fy Fz, centre of pressure x y, free moment; types 2, 4: Fx Fy Fz Mx My Mz;
        type 3: Fx12 Fx34 Fy14 Fy23 Fz1 Fz2 Fz3 Fz4. N, m, N m (type 4: before calibration).
    kind : int
        C3D type, 1 to 4.
    corners : (4, 3) float
        m, in laboratory axes, in the order +x+y, -x+y, -x-y, +x-y of the plate.
    origin : (3,) float
        m, in plate axes.
    time : (n_times,) float
        s.
    calibration : (6, 6) float, optional
        Type 4: matrix that turns channels into force and moment.
    threshold_n : float
        Load along the normal below which there is no centre of pressure.
    remove_offset : bool
        Take off what the channels read while nothing stands on the plate.
    name, source : str
        Of the plate and of its file, for messages.
    """
    where = f"{source}, {name}" if source else name
    _check_channels(channels, kind, where)
    axes = _axes(corners, where)
    notes: list[str] = []
    place = _checked_origin(origin, kind, notes)
    force, moment = _on_subject(*_wrench(channels, kind, place, calibration, where), notes)
    found = find_offset(-force[:, 2])
    offset = np.full(3, np.nan) if found is None else force[found.rows].mean(axis=0)
    if found is not None and remove_offset:
        level = channels[found.rows].mean(axis=0)
        # A plate of type 1 tells points in its later channels: they have no level.
        level[3:] = 0.0 if kind == 1 else level[3:]
        force, moment = _on_subject(*_wrench(channels - level, kind, place, calibration, where), [])
    _tell_offset(found, remove_offset, notes)
    point, free = _center_of_pressure(force, moment, threshold_n)
    center = corners.mean(axis=0)
    return ForcePlate(
        name=name,
        type=kind,
        time=time,
        force=force @ axes.T,
        point=point @ axes.T + center,
        free_moment=free @ axes.T,
        moment=moment @ axes.T,
        center=center,
        corners=corners,
        notes=tuple(notes),
        offset=offset @ axes.T,
        offset_removed=found is not None and remove_offset,
    )


def _tell_offset(found: Offset | None, removed: bool, notes: list[str]) -> None:
    """Note a level that matters, or that none can be told."""
    if found is None:
        if removed:
            notes.append("it is always loaded, so its offset is unknown and was not removed")
    elif abs(found.normal) > TOLD_N:
        what = (
            "was removed"
            if removed
            else "counts as a load: remove_offset=True, --remove-offset, subtracts it"
        )
        notes.append(
            f"it reads {found.normal:.1f} N while nothing stands on it ({100 * found.share:.0f} % of the time), "
            f"which {what}"
        )


def _check_channels(channels: Array, kind: int, where: str) -> None:
    if kind not in CHANNELS_OF_TYPE:
        raise UnsupportedError(
            f"Force plate type {kind} is not known; types 1 to 4 are.", where=where, remedy="export as type 2"
        )
    if channels.ndim != 2 or channels.shape[1] != CHANNELS_OF_TYPE[kind]:
        raise ShapeError(
            f"A plate of type {kind} has {CHANNELS_OF_TYPE[kind]} channels, not {channels.shape[-1]}.",
            where=where,
        )


def _axes(corners: Array, where: str) -> Array:
    """Return the plate's axes as columns."""
    x, y = corners[0] - corners[1], corners[0] - corners[3]
    z = np.cross(x, y)
    lengths = [float(np.linalg.norm(v)) for v in (x, y, z)]
    # A billionth of a metre, or of a square metre: corners that fall together, whatever their digits.
    if not np.all(np.isfinite(corners)) or min(lengths) < 1e-9:
        raise InvalidValueError("The four corners of the plate do not span a rectangle.", where=where)
    y = np.cross(z, x)
    return np.column_stack([v / np.linalg.norm(v) for v in (x, y, z)])


def _checked_origin(origin: Array, kind: int, notes: list[str]) -> Array:
    """Return the origin with the sign the format demands: the sensors lie below the surface."""
    if origin[2] <= 0.0:
        return origin
    notes.append("ORIGIN puts the sensors above the surface; its sign was changed")
    # For type 3 the first two entries are distances between sensors, not a direction.
    return np.array([origin[0], origin[1], -origin[2]]) if kind == 3 else -origin


def _wrench(
    channels: Array, kind: int, origin: Array, calibration: Array | None, where: str
) -> tuple[Array, Array]:
    """Return force, and moment about the middle of the surface, in plate axes, as recorded."""
    if kind == 1:
        force = channels[:, :3]
        point = np.column_stack([channels[:, 3:5], np.zeros(len(channels))])
        free = np.column_stack([np.zeros((len(channels), 2)), channels[:, 5]])
        return force, np.cross(point, force) + free
    if kind == 3:
        x12, x34, y14, y23, z1, z2, z3, z4 = channels.T
        a, b = np.abs(origin[:2])
        force = np.column_stack([x12 + x34, y14 + y23, z1 + z2 + z3 + z4])
        moment = np.column_stack(
            [b * (z1 + z2 - z3 - z4), a * (-z1 + z2 + z3 - z4), b * (-x12 + x34) + a * (y14 - y23)]
        )
        return force, moment + np.cross(force, np.array([0.0, 0.0, origin[2]]))
    if kind == 4:
        if calibration is None or calibration.shape != (6, 6):
            raise ShapeError("A plate of type 4 needs a calibration matrix of 6 × 6.", where=where)
        channels = channels @ calibration.T
    # The moment about P is the moment about O plus F × OP.
    return channels[:, :3], channels[:, 3:] + np.cross(channels[:, :3], origin)


def _on_subject(force: Array, moment: Array, notes: list[str]) -> tuple[Array, Array]:
    """Return the reaction on the subject.

    Files hold either the reaction or its opposite, the force on the plate. A plate cannot pull, so the
    reaction points out of the floor, against the plate's z axis.
    """
    normal = force[:, 2]
    if not normal.size or not np.any(np.isfinite(normal)):
        return force, moment
    if normal[int(np.nanargmax(np.abs(normal)))] <= 0.0:
        return force, moment
    notes.append("the file holds the force on the plate; its sign was changed to get the reaction")
    return -force, -moment


def _center_of_pressure(force: Array, moment: Array, threshold_n: float) -> tuple[Array, Array]:
    """Return the point of the surface about which the moment is along the normal, and that moment."""
    loaded = np.abs(force[:, 2]) > threshold_n
    point = np.full_like(force, np.nan)
    free = np.zeros_like(force)
    f, m = force[loaded], moment[loaded]
    x, y = -m[:, 1] / f[:, 2], m[:, 0] / f[:, 2]
    point[loaded] = np.column_stack([x, y, np.zeros(len(f))])
    free[loaded, 2] = m[:, 2] - (x * f[:, 1] - y * f[:, 0])
    return point, free
