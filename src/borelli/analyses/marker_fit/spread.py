"""What noise of the markers does to the answer of inverse kinematics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.arrays import one_number
from borelli.errors import InvalidValueError
from borelli.kernels.markers.solve import SOLVED
from borelli.kernels.markers.track import Found, Recording
from borelli.mechanics.markers.problem import PostureProblem
from borelli.mechanics.markers.targets import Markers, Tasks, instants, no_sensors, recording
from borelli.mechanics.markers.uncertainty import uncertainty
from borelli.results.labelled.dataset import labelled

if TYPE_CHECKING:
    import xarray as xr


def with_covariance(
    result: xr.Dataset,
    problem: PostureProblem,
    markers: Markers,
    aims: Recording,
    found: Found,
    noise: bool | float,
) -> xr.Dataset:
    """Add standard deviations and covariances of the coordinates, and the singular values that they come from."""
    solved = np.flatnonzero(found.status == SOLVED)
    sigma = _sigma(result, problem, noise)
    n, n_q = found.q.shape
    time = result["time"].values
    nothing = Tasks(np.zeros((n, n_q)), np.zeros((n, n_q)))
    squared = recording(problem, time, markers, nothing, no_sensors(n), power=2)
    own = uncertainty(
        problem, instants(aims, solved), instants(squared, solved), found.q[solved], found.unseen[solved]
    )
    spread = np.full((n, n_q, n_q), np.nan)
    # Rows and columns in the order of the model.
    spread[np.ix_(solved, problem.order, problem.order)] = sigma**2 * own.covariance
    size = np.full((n, n_q), np.nan)
    size[solved] = own.singular_value
    std = np.sqrt(np.maximum(np.diagonal(spread, axis1=1, axis2=2), 0.0))
    result = result.assign(
        q_std=labelled(("time", "coordinate"), std, "rad or m"),
        q_covariance=labelled(("time", "coordinate", "coordinate_"), spread, "products of rad and m"),
        singular_value=labelled(("time", "direction"), size, "m per rad or m"),
    )
    result = result.assign_coords(coordinate_=("coordinate_", list(result["coordinate"].values)))
    result.attrs["marker_noise_m"] = sigma
    return result


def _sigma(result: xr.Dataset, problem: PostureProblem, noise: bool | float) -> float:
    """Return the standard deviation of the markers (m): as given, or as the residuals of all instants tell."""
    if noise is not True:
        sigma = one_number(noise, "the noise of the markers")
        if not sigma > 0.0:
            raise InvalidValueError(
                f"the noise of the markers must be more than zero, not {noise!r} m.",
                where="argument covariance",
            )
        return sigma
    error = result["marker_error"].values
    seen = np.isfinite(error)
    freedoms = problem.free.sum() * (seen.any(axis=1)).sum()
    left = 3 * seen.sum() - freedoms
    if left <= 0:
        raise InvalidValueError(
            "there are no more marker coordinates than freedoms: the noise cannot be estimated from the residuals.",
            where="argument covariance",
            remedy="give the standard deviation of the markers in metres",
        )
    return float(np.sqrt((error[seen] ** 2).sum() / left))
