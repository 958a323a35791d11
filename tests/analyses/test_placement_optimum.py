"""Where published postures of static trials are no optimum: ours are, by differences of marker positions alone.

Nothing here uses the solver's own derivatives. Marker positions come from the poses of bodies, slopes of the residuals
from differences of the sixth order (right to 1e-13), and Newton's method goes on from both postures.
"""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import borelli as bo
from tests.shared_data import DATA, needs_data

pytestmark = [needs_data, pytest.mark.filterwarnings("ignore::borelli.errors.BorelliWarning")]
STEP = 1e-3
WEIGHTS = np.array([-1.0, 9.0, -45.0, 45.0, -9.0, 1.0]) / 60.0
PLACES = np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])


class Trial:
    """A static trial, and OpenSim's objective: half a mean square of distances, and squares of coordinates' gaps."""

    def __init__(self, case: str) -> None:
        folder = DATA / "ik" / "scale" / case
        self.reference = given = np.load(folder / "ref_placer.npz")
        self.model = bo.load_model(folder / "out" / "scaled.osim")
        self.names = list(self.model.coordinate_names)
        order = list(given["coord_names"].astype(str))
        self.published = given["q_optimum"][[order.index(name) for name in self.names]]
        self.free = [k for k, each in enumerate(self.model.coordinates) if not each.locked]
        markers = list(self.model.marker_names)
        self.rows = [markers.index(name) for name in given["tracked_markers"].astype(str)]
        self.targets = given["tracked_targets"]
        seen = np.isfinite(self.targets).all(axis=1)
        weights = given["tracked_weights"] * seen
        self.roots = np.sqrt(0.5 * weights / weights.sum())[:, None]
        self.tasks = [self.names.index(name) for name in given["coordtask_names"].astype(str)]
        self.task_roots = np.sqrt(0.5 * given["coordtask_weights"])

    def ours(self) -> np.ndarray:
        """The posture of inverse kinematics."""
        names = self.reference["tracked_markers"].astype(str)
        markers = xr.DataArray(
            self.targets[None],
            dims=("time", "marker", "axis"),
            coords={"time": [0.0], "marker": names, "axis": list("xyz")},
            attrs={"units": "m"},
        )
        wanted = zip(
            self.tasks, self.reference["coordtask_weights"], self.reference["coordtask_values"], strict=True
        )
        tasks = {self.names[k]: (float(weight), float(value)) for k, weight, value in wanted}
        weights = dict(zip(names.tolist(), self.reference["tracked_weights"].tolist(), strict=True))
        return bo.inverse_kinematics(self.model, markers, weights=weights, tasks=tasks or None)["q"].values[0]

    def markers(self, q: np.ndarray) -> np.ndarray:
        """Positions of the followed markers (posture, marker, axis)."""
        still = np.zeros_like(q)
        motion = bo.Motion(np.arange(len(q)) * 1.0, self.names, q, still, still)
        return bo.marker_positions(self.model, motion).values[:, self.rows]

    def residuals(self, q: np.ndarray) -> np.ndarray:
        """Roots of the terms of the objective (posture, term)."""
        gaps = np.nan_to_num(self.roots * (self.markers(q) - self.targets)).reshape(len(q), -1)
        wanted = self.task_roots * (q[:, self.tasks] - self.reference["coordtask_values"])
        return np.hstack([gaps, wanted])

    def objective(self, q: np.ndarray) -> float:
        return float((self.residuals(q[None]) ** 2).sum())

    def gradient(self, q: np.ndarray) -> np.ndarray:
        """Of the free coordinates, at postures (posture, coordinate)."""
        ways = STEP * np.eye(len(self.names))[self.free]
        moved = q[:, None, None] + PLACES[:, None, None] * ways
        around = self.residuals(moved.reshape(-1, len(self.names))).reshape(*moved.shape[:3], -1)
        slopes = np.einsum("s,psct->pct", WEIGHTS, around) / STEP
        return 2.0 * np.einsum("pct,pt->pc", slopes, self.residuals(q))

    def optimum_from(self, q: np.ndarray) -> np.ndarray:
        """Newton's method, two steps, with second derivatives by differences of the gradient."""
        for _ in range(2):
            ways = 1e-4 * np.eye(len(q))[self.free]
            curvature = (self.gradient(q + ways) - self.gradient(q - ways)) / 2e-4
            step = np.zeros_like(q)
            step[self.free] = -np.linalg.solve(0.5 * (curvature + curvature.T), self.gradient(q[None])[0])
            q = q + step
        return q


def test_a_trial_with_a_gap_is_nearer_to_its_optimum_than_the_published_posture() -> None:
    trial = Trial("gait2354_nan_static")
    ours = trial.ours()
    ends = [trial.optimum_from(start) for start in (ours, trial.published)]
    # Newton's method ends in one posture, from wherever it begins: ours.
    assert np.abs(ends[0] - ends[1]).max() < 1e-10
    assert np.abs(ours - ends[0]).max() < 1e-10
    best, mine, theirs = trial.markers(np.array([ends[0], ours, trial.published]))
    # A placed marker is as far from its place as the posture has moved its body.
    assert np.abs(mine - best).max() < 1e-10
    # What the published placement is off, 1.7e-7 m, is its own: its gradient is 4e-10, ours 1e-14.
    assert 1e-7 < np.linalg.norm(theirs - best, axis=1).max() < 3e-7
    slopes = np.abs(trial.gradient(np.array([ours, trial.published]))).max(axis=1)
    assert slopes[0] < 1e-12 and 1e-10 < slopes[1] < 1e-9


def test_the_posture_of_the_walkers_first_trial_is_stationary_and_below_the_published_one() -> None:
    trial = Trial("rajagopal_walk_1")
    ours = trial.ours()
    coordinates = [trial.model.coordinates[k] for k in trial.free]
    low, high = np.array([each.range for each in coordinates]).T
    at_low, at_high = (np.abs(ours[trial.free] - bound) < 1e-12 for bound in (low, high))
    held = np.array([each.clamped for each in coordinates]) & (at_low | at_high)
    slope, theirs = trial.gradient(np.array([ours, trial.published]))
    # At a bound the objective falls only beyond it; elsewhere nowhere.
    assert np.all(np.where(at_low, slope, -slope)[held] > 0.0)
    assert np.abs(slope[~held]).max() < 1e-12
    assert trial.objective(ours) == pytest.approx(1.908193e-4, rel=1e-6)
    # The published posture has the objective and the slope that are published with it: it is no optimum, and higher.
    assert trial.objective(trial.published) == pytest.approx(
        float(trial.reference["objective_optimum"]), rel=1e-12
    )
    assert np.abs(theirs).max() == pytest.approx(float(trial.reference["kkt"]), rel=1e-6)
    assert trial.objective(ours) < 0.985 * trial.objective(trial.published)
