"""Centres and axes of joints: regressions on the pelvis, and what the motion of two segments tells."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr
from scipy.spatial.transform import Rotation

import borelli as bo
from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError


def recorded(positions: dict[str, np.ndarray]) -> xr.DataArray:
    values = np.stack(list(positions.values()), axis=1)
    return xr.DataArray(
        values,
        dims=("time", "marker", "axis"),
        coords={"time": np.arange(len(values)) / 100.0, "marker": list(positions), "axis": list("xyz")},
    )


# Looking along x, y up, z to the right: 240 mm wide, 150 mm deep, and level.
PELVIS = {
    "RASI": np.array([[0.0, 0.0, 0.12]]),
    "LASI": np.array([[0.0, 0.0, -0.12]]),
    "RPSI": np.array([[-0.15, 0.0, 0.05]]),
    "LPSI": np.array([[-0.15, 0.0, -0.05]]),
}


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        # By hand from the printed equations, in mm: -0.24·150 - 9.9, -0.30·240 - 10.9, 0.33·240 + 7.3.
        ("harrington2007", (-45.9, -82.9, 86.5)),
        # 19, 30 and 36 % of 240.
        ("bell1990", (-45.6, -72.0, 86.4)),
        # C = 0.115·900 - 15.3 = 88.2, trochanter 0.1288·900 - 48.56 = 67.36, θ = 28.4°, β = 18°.
        ("davis1991", (-40.0881, -94.6032, 78.0500)),
    ],
)
def test_regressions_give_the_printed_numbers(method: str, expected: tuple[float, ...]) -> None:
    centers = bo.hip_centers(recorded(PELVIS), method=method, leg_length=0.9)
    right, left = centers.values[0]
    # Four digits after the point were computed by hand.
    assert 1000 * right == pytest.approx(expected, abs=2e-4)
    assert left == pytest.approx(right * [1, 1, -1], abs=1e-15)
    assert method.rstrip("0123456789").title() in centers.attrs["citation"]


def test_centres_move_with_the_pelvis_and_gaps_stay_gaps() -> None:
    turns = Rotation.from_rotvec(np.random.default_rng(1).normal(size=(6, 3)))
    shift = np.random.default_rng(2).normal(size=(6, 3))
    moving = {name: turns.apply(np.repeat(at, 6, axis=0)) + shift for name, at in PELVIS.items()}
    moving["LPSI"][4] = np.nan
    with pytest.warns(bo.BorelliWarning, match=r"1 of 6 instants contain NaN \(the first at"):
        centers = bo.hip_centers(recorded(moving))
    still = bo.hip_centers(recorded(PELVIS)).values[0, 0]
    expected = turns.apply(np.repeat(still[None], 6, axis=0)) + shift
    assert np.isnan(centers.values[4]).all()
    assert np.allclose(np.delete(centers.values[:, 0] - expected, 4, axis=0), 0, atol=1e-14)


def test_one_marker_at_the_sacrum_serves_as_both() -> None:
    sacral = {"R": PELVIS["RASI"], "L": PELVIS["LASI"], "S": np.array([[-0.15, 0.0, 0.0]])}
    ours = bo.hip_centers(recorded(sacral), bo.PelvisMarkers("R", "L", "S", "S"))
    assert np.allclose(ours.values, bo.hip_centers(recorded(PELVIS)).values, atol=1e-15)


def test_what_a_regression_lacks_is_told() -> None:
    with pytest.raises(UnknownNameError, match="'RASIS' is not a marker of the recording"):
        bo.hip_centers(recorded(PELVIS), ("RASIS", "LASI", "RPSI", "LPSI"))
    with pytest.raises(UnknownNameError, match="'andriacchi' is not a regression of the hip centre"):
        bo.hip_centers(recorded(PELVIS), method="andriacchi")
    with pytest.raises(MissingInputError, match="needs the length of the leg"):
        bo.hip_centers(recorded(PELVIS), method="davis1991")


CENTER = {"thigh": np.array([0.02, 0.2, -0.03]), "pelvis": np.array([0.05, -0.08, 0.09])}


def joint(turns: Rotation, noise: float = 0.0) -> xr.DataArray:
    """A pelvis that wanders, and a thigh that turns about a point of it."""
    rng, n = np.random.default_rng(4), len(turns)
    base = Rotation.from_rotvec(0.3 * rng.normal(size=(n, 3)))
    origin = rng.normal(size=(n, 3))
    center = base.apply(CENTER["pelvis"]) + origin
    thigh = base * turns
    shapes = {"pelvis": rng.normal(0, 0.1, (4, 3)), "thigh": rng.normal(0, 0.1, (4, 3))}
    positions = {}
    for k in range(4):
        positions[f"p{k}"] = base.apply(shapes["pelvis"][k]) + origin
        positions[f"t{k}"] = thigh.apply(shapes["thigh"][k] - CENTER["thigh"]) + center
    marked = recorded({name: at + rng.normal(0, noise, at.shape) for name, at in positions.items()})
    return marked.assign_attrs(center=center, axis=base)


P, T = [f"p{k}" for k in range(4)], [f"t{k}" for k in range(4)]


def test_the_centre_of_a_ball_joint_is_found_exactly() -> None:
    turns = Rotation.from_rotvec(0.5 * np.random.default_rng(3).normal(size=(40, 3)))
    marked = joint(turns)
    marked.values[7, 2] = np.nan
    found = bo.functional_center(marked, P, T)
    keep = np.arange(40) != 7
    assert np.allclose(found["center"].values, marked.attrs["center"][keep], atol=1e-12)
    assert float(found["gap"].max()) < 1e-12


def test_noise_moves_the_centre_by_about_its_own_size() -> None:
    turns = Rotation.from_rotvec(0.5 * np.random.default_rng(3).normal(size=(400, 3)))
    marked = joint(turns, noise=1e-3)
    error = bo.functional_center(marked, P, T)["center"].values - marked.attrs["center"]
    assert 1e-4 < np.sqrt((error**2).mean()) < 3e-3


def test_the_axis_of_a_hinge_is_found_exactly() -> None:
    axis = np.array([0.6, 0.0, 0.8])
    angles = np.linspace(0.0, 1.2, 30)
    marked = joint(Rotation.from_rotvec(angles[:, None] * axis))
    found = bo.functional_axis(marked, P, T)
    direction = marked.attrs["axis"].apply(axis)
    assert np.allclose(np.abs(np.einsum("ti,ti->t", found["direction"].values, direction)), 1.0, atol=1e-12)
    # The centre lies on the line.
    to_center = marked.attrs["center"] - found["point"].values
    aside = to_center - np.einsum("ti,ti->t", to_center, direction)[:, None] * direction
    assert np.abs(aside).max() < 1e-10


def test_motions_that_determine_nothing_are_refused() -> None:
    hinge = joint(Rotation.from_rotvec(np.linspace(0, 1, 30)[:, None] * [0, 0, 1.0]))
    with pytest.raises(InvalidValueError, match="about one axis alone: no centre is determined"):
        bo.functional_center(hinge, P, T)
    stiff = joint(Rotation.from_rotvec(np.zeros((30, 3))))
    with pytest.raises(InvalidValueError, match="no axis is determined"):
        bo.functional_axis(stiff, P, T)
    with pytest.raises(MissingInputError, match="A segment needs 3 markers, but 2 are given"):
        bo.functional_center(hinge, P[:2], T)
    with pytest.raises(UnknownNameError, match="'q0' is not a marker of the recording"):
        bo.functional_center(hinge, ["q0", *P], T)
    hinge.values[2:] = np.nan
    with pytest.raises(MissingInputError, match="Only 2 instants see all markers"):
        bo.functional_center(hinge, P, T)
