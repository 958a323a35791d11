"""Error bars of coordinates: what noise of markers does, against recordings with noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

import borelli as bo
from borelli import model as bm
from borelli.errors import InvalidValueError
from borelli.kernels.markers.hessians import second_derivatives

from .linkages import four_bar
from .marked_body import marked_body, recorded, swing, with_coordinate

MODEL = marked_body()
MOTION = swing(MODEL)
# Bounds, locks, tasks and moved markers keep the model from its markers on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:The model misses the markers")


def solved(result: xr.Dataset) -> bool:
    return bool((result["status"] == 0).all() and result["kkt_residual"].max() < 1e-10)


def noisy_repeats(model: bm.Model, q: np.ndarray, sigma: float, n: int) -> xr.DataArray:
    """The markers of one posture, n times with noise that differs."""
    still = bo.Motion(np.arange(float(n)), model.coordinate_names, np.tile(q, (n, 1)))
    return recorded(model, still, noise=sigma, seed=5)


@pytest.mark.parametrize("bounded", [False, True])
def test_the_covariance_is_that_of_many_noisy_recordings(bounded: bool) -> None:
    sigma, n = 2e-4, 1500
    coupler = bm.CoordinateCoupler(
        name="knees", dependent="knee_l", independent=("knee_r",), function=bm.Polynomial((0.3, 1.0, 0.2))
    )
    model = replace(MODEL, constraints=(coupler,))
    if bounded:
        model = with_coordinate(model, "hip_flexion_r", clamped=True, range=(-1.0, 0.05))
    # Far from the model's posture, so that the misfit has curvature that Gauss and Newton's matrix does not have.
    around = noisy_repeats(MODEL, MOTION.q[0], 0.03, 1)[0]
    markers = (
        noisy_repeats(MODEL, MOTION.q[0], sigma, n) - noisy_repeats(MODEL, MOTION.q[0], 0.0, n)
    ) + around
    weights = {m.name: 1.0 + (k % 3) for k, m in enumerate(MODEL.markers)}
    result = bo.inverse_kinematics(model, markers, weights=weights, covariance=sigma)
    assert solved(result)
    told = result["q_covariance"].mean("time").values
    sampled = np.cov(result["q"].values.T)
    # Of n samples a variance is known to sqrt(2/n), 4 % here; three times that, of the products of deviations.
    size = np.sqrt(np.outer(np.diag(told), np.diag(told)))
    np.testing.assert_allclose(sampled, told, atol=0.12 * size.max())
    assert (np.abs(sampled - told) <= 0.13 * size + 1e-18).all()
    held = model.coordinate_names.index("hip_flexion_r")
    assert (told[held, held] == 0.0) == bounded
    variance = np.diagonal(result["q_covariance"].values, axis1=1, axis2=2)
    np.testing.assert_allclose(result["q_std"].values ** 2, variance)


def test_residuals_tell_the_noise_and_singular_values_what_is_hardly_seen() -> None:
    result = bo.inverse_kinematics(MODEL, recorded(MODEL, MOTION, noise=0.003), covariance=True)
    # 26 instants with 38 more measured numbers than freedoms each: known to 2 %.
    assert result.attrs["marker_noise_m"] == pytest.approx(0.003, rel=0.08)
    size = result["singular_value"].values
    assert (np.diff(size, axis=1) <= 0).all()
    assert size.min() > 1e-3
    with pytest.raises(InvalidValueError, match="noise of the markers must be more than zero"):
        bo.inverse_kinematics(MODEL, recorded(MODEL, MOTION), covariance=-1.0)


def test_loops_keep_their_freedom_in_the_covariance() -> None:
    model = four_bar("point")
    spots = [bm.Marker(f"{b}_{k}", b, (0.1 * k, 0.05, 0.0)) for b in model.body_names for k in range(2)]
    model = replace(model, markers=tuple(spots))
    n, sigma = 600, 1e-4
    still = np.zeros((1, 1))
    posture = bo.assemble(model, bo.Motion(np.zeros(1), ("crank",), still + 0.6, still, still)).q
    repeated = bo.Motion(np.arange(float(n)), model.coordinate_names, np.tile(posture, (n, 1)))
    result = bo.inverse_kinematics(model, recorded(model, repeated, noise=sigma), covariance=sigma)
    assert solved(result)
    # What Numba compiles takes seven times as long at first.
    assert second_derivatives.signatures and not second_derivatives.left_to_numba
    told = result["q_covariance"].mean("time").values
    assert np.linalg.matrix_rank(told, tol=1e-6 * np.trace(told)) == 1
    np.testing.assert_allclose(np.cov(result["q"].values.T), told, atol=0.2 * np.diag(told).max())
