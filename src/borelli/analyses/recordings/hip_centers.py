"""Where are the centres of the hips, by the markers of the pelvis?

Regressions on the width and depth of the pelvis. Markers are on the skin, above the bones that the formulas name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from borelli.arrays import plain_recording
from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError
from borelli.mechanics.motion.prepare import warn_of_unknown
from borelli.results.labelled.dataset import AXES, data_array, labelled

if TYPE_CHECKING:
    import xarray as xr

CITATIONS = {
    "harrington2007": (
        "Harrington ME, Zavatsky AB, Lawson SEM, Yuan Z, Theologis TN (2007). Prediction of the hip joint centre in "
        "adults, children, and patients with cerebral palsy based on magnetic resonance imaging. J Biomech 40:595-602."
    ),
    "bell1990": (
        "Bell AL, Pedersen DR, Brand RA (1990). A comparison of the accuracy of several hip center location "
        "prediction methods. J Biomech 23:617-621."
    ),
    "davis1991": (
        "Davis RB, Ounpuu S, Tyburski D, Gage JR (1991). A gait analysis data collection and reduction technique. "
        "Hum Mov Sci 10:575-587."
    ),
}
METHODS = tuple(CITATIONS)
# Davis et al. (1991): angles of the hip centre's direction from the midpoint of the pelvis, and the offset (m).
_DAVIS_THETA, _DAVIS_BETA = np.radians(28.4), np.radians(18.0)


class PelvisMarkers(NamedTuple):
    """Names of the markers: right and left anterior, and right and left posterior superior iliac spine.

    Where there is one marker at the sacrum, its name stands for both posterior ones.

    Examples
    --------
    >>> bo.PelvisMarkers().right_asis
    'RASI'
    """

    right_asis: str = "RASI"
    left_asis: str = "LASI"
    right_psis: str = "RPSI"
    left_psis: str = "LPSI"


def hip_centers(
    markers: xr.DataArray,
    names: PelvisMarkers | Mapping[str, str] | tuple[str, str, str, str] = PelvisMarkers(),  # noqa: B008 (immutable)
    *,
    method: str = "harrington2007",
    leg_length: float | None = None,
    marker_radius: float = 0.0,
) -> xr.DataArray:
    """Predict the centres of both hips from the markers of the pelvis.

    Parameters
    ----------
    markers : DataArray (time, marker, axis)
        m, NaN where not seen.
    names : PelvisMarkers
        Which markers those of the pelvis are.
    method : {"harrington2007", "bell1990", "davis1991"}
        Regression. Davis' needs the length of the leg.
    leg_length : float, optional
        From the anterior spine to the inner ankle (m).
    marker_radius : float
        From the skin to the middle of a marker (m); used by Davis' alone.

    Returns
    -------
    DataArray (time, marker, axis)
        Markers ``RHJC`` and ``LHJC`` (m), NaN where a marker of the pelvis is not seen. Join them to the recording with
        ``xarray.concat([markers, centers], "marker")``.

    Guarantees, each a test
    -----------------------
    - equal to the numbers printed with the regressions

    Examples
    --------
    >>> centers = bo.hip_centers(bo.load_markers(walk.standing))
    >>> centers["marker"].values.tolist(), centers.dims
    (['RHJC', 'LHJC'], ('time', 'marker', 'axis'))
    """
    if method not in METHODS:
        raise UnknownNameError.among(method, "regression of the hip centre", METHODS)
    chosen = PelvisMarkers(**names) if isinstance(names, Mapping) else PelvisMarkers(*names)
    markers = plain_recording(markers, "the markers")
    known = markers["marker"].values.tolist()
    for name in chosen:
        if name not in known:
            raise UnknownNameError.among(name, "marker", known, of="the recording")
    ra, la, rp, lp = (markers.sel(marker=name).values for name in chosen)
    with np.errstate(invalid="ignore", divide="ignore"):
        axes, origin = _pelvis_axes(ra, la, rp, lp)
    seen = np.asarray(np.isfinite([ra, la, rp, lp]).all(axis=(0, 2)))
    warn_of_unknown(markers["time"].values, [seen])
    lost = seen & ~np.isfinite(axes).all(axis=(1, 2))
    if lost.any():
        raise InvalidValueError(
            f"The markers of the pelvis lie on one line at {float(markers['time'].values[lost][0]):g} s.",
            remedy="check which markers are those of the pelvis, or leave out these instants",
        )
    width = np.linalg.norm(ra - la, axis=1)
    depth = np.linalg.norm(origin - 0.5 * (rp + lp), axis=1)
    local = _local(method, width, depth, leg_length, marker_radius)
    centers = np.stack(
        [origin + np.einsum("tij,tj->ti", axes, local * [1.0, 1.0, side]) for side in (1.0, -1.0)], axis=1
    )
    return data_array(
        labelled(
            ("time", "marker", "axis"), centers, "m", "ground", method=method, citation=CITATIONS[method]
        ),
        {"time": markers["time"], "marker": ["RHJC", "LHJC"], "axis": list(AXES)},
        name="markers",
    )


def _pelvis_axes(
    ra: np.ndarray, la: np.ndarray, rp: np.ndarray, lp: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return axes (time, 3, 3), columns forward, up and right, and the origin between the anterior spines."""
    origin = 0.5 * (ra + la)
    right = ra - la
    right = right / np.linalg.norm(right, axis=1, keepdims=True)
    back = 0.5 * (rp + lp)
    forward = origin - back
    up = np.cross(right, forward)
    up = up / np.linalg.norm(up, axis=1, keepdims=True)
    return np.stack([np.cross(up, right), up, right], axis=2), origin


def _local(
    method: str, width: np.ndarray, depth: np.ndarray, leg_length: float | None, marker_radius: float
) -> np.ndarray:
    """Return the right centre forward, up and right of the middle of the anterior spines, (time, 3) m."""
    if method == "harrington2007":
        # Their equations, in millimetres: x = -0.24 PD - 9.9, y = -0.30 PW - 10.9, z = 0.33 PW + 7.3.
        return np.column_stack([-0.24 * depth - 9.9e-3, -0.30 * width - 10.9e-3, 0.33 * width + 7.3e-3])
    if method == "bell1990":
        # 19 % of the width behind, 30 % below, 36 % beside.
        return np.column_stack([-0.19 * width, -0.30 * width, 0.36 * width])
    if leg_length is None:
        raise MissingInputError(
            "The regression of Davis et al. (1991) needs the length of the leg.", remedy="give leg_length (m)"
        )
    across = 0.115 * leg_length - 0.0153
    theta, beta = _DAVIS_THETA, _DAVIS_BETA
    behind = 0.1288 * leg_length - 0.04856
    back = -(behind + marker_radius) * np.cos(beta) + across * np.cos(theta) * np.sin(beta)
    down = -(behind + marker_radius) * np.sin(beta) - across * np.cos(theta) * np.cos(beta)
    aside = 0.5 * width - across * np.sin(theta)
    return np.column_stack([np.full_like(width, back), np.full_like(width, down), aside])
