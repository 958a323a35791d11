"""Where is the centre or the axis of a joint, by the motion of the two segments that it connects?

A point (or a line) that is fixed in both segments is the same point of the laboratory in every instant: a linear
problem of least squares for its coordinates in the two segments (Ehrig et al. 2006, 2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from borelli.arrays import plain_recording
from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError
from borelli.results.labelled.dataset import AXES, dataset, labelled

if TYPE_CHECKING:
    import xarray as xr

SCORE = (
    "Ehrig RM, Taylor WR, Duda GN, Heller MO (2006). A survey of formal methods for determining the centre of rotation "
    "of ball joints. J Biomech 39:2798-2809."
)
SARA = (
    "Ehrig RM, Taylor WR, Duda GN, Heller MO (2007). A survey of formal methods for determining functional joint axes. "
    "J Biomech 40:2150-2157."
)
# Below this part of the largest singular value a direction is not determined: the segments hardly turned.
_DETERMINED = 1e-3
# Three points fix a segment. Two attitudes leave every point of one axis at rest, three a single one.
_FEWEST_MARKERS, _FEWEST_INSTANTS = 3, 3


def functional_center(markers: xr.DataArray, proximal: Sequence[str], distal: Sequence[str]) -> xr.Dataset:
    """Find the centre of a ball joint from a recording in which it moves (SCoRE, Ehrig et al. 2006).

    Parameters
    ----------
    markers : DataArray (time, marker, axis)
        m, NaN where not seen.
    proximal, distal : sequence of str
        At least three markers of each segment.

    Returns
    -------
    Dataset
        ``center`` (time, axis): mean of the centres that the two segments carry (m); ``gap`` (time): their distance;
        ``in_proximal``, ``in_distal`` (axis): the centre in the segment's axes, at their markers' mean.

    Guarantees, each a test
    -----------------------
    - exact markers give the exact centre; noise moves it by about its own size

    Examples
    --------
    >>> recorded = bo.load_markers(walk.markers)
    >>> hip = bo.functional_center(recorded, ["RASI", "LASI", "RPSI", "LPSI"], ["RTHI1", "RTHI2", "RTHI3", "RKNL"])
    >>> true = bo.body_poses(model, motion)["origin"].sel(body="femur_r")
    >>> bool(np.linalg.norm(hip["center"].values - true.values, axis=1).max() < 0.02)  # m
    True
    """
    first, second, used = _segments(markers, proximal, distal)
    (r1, t1), (r2, t2) = first, second
    rows, right = _coincidence(first, second)
    singular = np.linalg.svd(rows, compute_uv=False)
    if singular[-1] < _DETERMINED * singular[0]:
        raise InvalidValueError(
            "The segments hardly turn against each other, or about one axis alone: no centre is determined.",
            remedy="record movements about two axes, or ask for functional_axis",
        )
    c = np.linalg.lstsq(rows, right, rcond=None)[0]
    one, other = r1 @ c[:3] + t1, r2 @ c[3:] + t2
    return _result(
        markers,
        used,
        {"center": 0.5 * (one + other), "gap": np.linalg.norm(one - other, axis=1)},
        {"in_proximal": c[:3], "in_distal": c[3:]},
        "functional_center",
        SCORE,
    )


def functional_axis(markers: xr.DataArray, proximal: Sequence[str], distal: Sequence[str]) -> xr.Dataset:
    """Find the axis of a hinge from a recording in which it moves (SARA, Ehrig et al. 2007).

    Parameters
    ----------
    markers, proximal, distal
        As of :func:`functional_center`.

    Returns
    -------
    Dataset
        ``point``, ``direction`` (time, axis): the point of the axis nearest to the mean marker of the distal segment
        (m), and its direction; ``gap`` (time): distance of the points that the two segments carry;
        ``direction_in_proximal``, ``direction_in_distal`` (axis).

    Guarantees, each a test
    -----------------------
    - exact markers give the exact axis

    Examples
    --------
    >>> recorded = bo.load_markers(walk.markers)
    >>> knee = bo.functional_axis(recorded, ["RTHI1", "RTHI2", "RTHI3", "RKNL"], ["RSHA1", "RSHA2", "RSHA3", "RANL"])
    >>> bool(abs(knee["direction"].sel(axis="z")).min() > 0.9)  # from side to side
    True
    """
    first, second, used = _segments(markers, proximal, distal)
    (r1, t1), (r2, t2) = first, second
    rows, right = _coincidence(first, second)
    _, singular, directions = np.linalg.svd(rows, full_matrices=False)
    if singular[-2] < _DETERMINED * singular[0]:
        raise InvalidValueError(
            "The segments hardly turn against each other: no axis is determined.",
            remedy="record a movement of the joint",
        )
    # Along the axis nothing is determined: the least singular direction is the axis in both segments.
    axis = directions[-1]
    one, other = axis[:3] / np.linalg.norm(axis[:3]), axis[3:] / np.linalg.norm(axis[3:])
    c = np.linalg.lstsq(rows, right, rcond=0.5 * (singular[-1] + singular[-2]) / singular[0])[0]
    p1, p2 = r1 @ c[:3] + t1, r2 @ c[3:] + t2
    u = r1 @ one + r2 @ other
    u = u / np.linalg.norm(u, axis=1, keepdims=True)
    point = 0.5 * (p1 + p2)
    point = point + np.einsum("ti,ti->t", t2 - point, u)[:, None] * u
    return _result(
        markers,
        used,
        {"point": point, "direction": u, "gap": np.linalg.norm(p1 - p2, axis=1)},
        {"direction_in_proximal": one, "direction_in_distal": other},
        "functional_axis",
        SARA,
    )


Pose = tuple[np.ndarray, np.ndarray]


def _segments(
    markers: xr.DataArray, proximal: Sequence[str], distal: Sequence[str]
) -> tuple[Pose, Pose, np.ndarray]:
    """Return rotation (time, 3, 3) and origin (time, 3) of both segments in the instants that see all their markers."""
    markers = plain_recording(markers, "the markers")
    known = markers["marker"].values.tolist()
    for name in (*proximal, *distal):
        if name not in known:
            raise UnknownNameError.among(name, "marker", known, of="the recording")
    for group in (proximal, distal):
        if len(set(group)) < _FEWEST_MARKERS:
            raise MissingInputError(
                f"A segment needs {_FEWEST_MARKERS} markers, but {len(set(group))} are given.",
                remedy="name more of its markers",
            )
    here = markers.transpose("time", "marker", "axis")
    clouds = [here.sel(marker=list(group)).values for group in (proximal, distal)]
    used = np.logical_and(*(np.isfinite(cloud).all(axis=(1, 2)) for cloud in clouds))
    if int(used.sum()) < _FEWEST_INSTANTS:
        raise MissingInputError(
            f"Only {int(used.sum())} instants see all markers of both segments.", remedy="fill the gaps first"
        )
    first, second = (_rigid(cloud[used]) for cloud in clouds)
    return first, second, used


def _rigid(cloud: np.ndarray) -> Pose:
    """Return the pose of a segment in every instant, by its markers' least-squares fit to the first (Kabsch 1976)."""
    origin = cloud.mean(axis=1)
    shape = cloud - origin[:, None]
    covariance = np.einsum("tmi,mj->tij", shape, shape[0])
    u, _, vt = np.linalg.svd(covariance)
    mirror = np.linalg.det(u @ vt)
    u[:, :, 2] *= mirror[:, None]
    return u @ vt, origin


def _coincidence(first: Pose, second: Pose) -> tuple[np.ndarray, np.ndarray]:
    """Rows and right side of R1 c1 + t1 = R2 c2 + t2 in every instant: a point that two segments carry."""
    (r1, t1), (r2, t2) = first, second
    return np.concatenate([r1, -r2], axis=2).reshape(-1, 6), (t2 - t1).reshape(-1)


def _result(
    markers: xr.DataArray,
    used: np.ndarray,
    moving: dict[str, np.ndarray],
    fixed: dict[str, np.ndarray],
    analysis: str,
    citation: str,
) -> xr.Dataset:
    time = markers["time"].values[used]
    variables = {}
    for name, values in moving.items():
        dims = ("time", "axis") if values.ndim == 2 else ("time",)
        variables[name] = labelled(dims, values, "1" if name == "direction" else "m", "ground")
    for name, values in fixed.items():
        variables[name] = labelled(("axis",), values, "1" if "direction" in name else "m", "the segment")
    return dataset(
        variables, {"time": time, "axis": list(AXES)}, {"analysis": analysis, "citation": citation}
    )
