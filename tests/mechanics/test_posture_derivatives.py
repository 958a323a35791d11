"""Gradient and second derivatives of the misfit equal differences, for every kind of joint, marker and sensor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import xarray as xr
from scipy.spatial.transform import Rotation

import borelli as bo
from borelli import model as bm
from borelli.kernels.markers.objective import gauss_newton_at, gradient_at, newton_at, value_at
from borelli.kernels.markers.ties import follow
from borelli.kernels.markers.track import aim_at
from borelli.mechanics.markers.problem import PostureProblem, posture_problem
from borelli.mechanics.markers.targets import Sensors, Tasks, recording, weighed

from ..random_trees import random_model

KINDS = (
    "pin",
    "slider",
    "universal",
    "gimbal",
    "planar",
    "ball_angles",
    "free_angles",
    "ellipsoid",
    "arc",
    "custom",
)


class Misfit:
    """The misfit of random markers and sensors on all bodies of a model, as a function of its coordinates."""

    def __init__(self, model: bm.Model, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.problem: PostureProblem = posture_problem(model)
        self.locations = rng.normal(0, 0.2, (len(model.body_names), 3, 3))
        n, n_q = len(model.body_names), self.problem.n_coordinates
        self.weights = rng.uniform(0.5, 2, 3 * n), rng.uniform(0.5, 2, len(model.body_names[::2]))
        self.work = self.problem.scratch()
        turned = Rotation.random(len(self.weights[1]), random_state=rng).as_matrix()[None]
        tasks = Tasks(rng.uniform(0, 0.1, (1, n_q)), rng.normal(size=(1, n_q)))
        self.aim(rng.normal(0, 1, (1, 3 * n, 3)), turned, tasks)

    def aim(self, places: np.ndarray, turned: np.ndarray, tasks: Tasks) -> None:
        compiled, frames = self.problem.system.compiled, []
        for name, own in zip(self.problem.model.body_names, self.locations, strict=True):
            frame = compiled.attachment(name)
            for location in own:
                place = frame.placement.of_point(location)
                frames.append(replace(frame, placement=replace(frame.placement, translation=place)))
        markers = weighed(tuple(frames), self.weights[0], places)
        bodies = tuple(compiled.attachment(name) for name in self.problem.model.body_names[::2])
        sensors = Sensors(bodies, self.weights[1], turned, 0.3)
        self.aims = recording(self.problem, np.zeros(1), markers, tasks, sensors)

    def measure(self, poses: xr.Dataset, q: np.ndarray) -> None:
        """Aim at where everything is in a posture."""
        rotation, origin = poses["rotation"].values[0], poses["origin"].values[0]
        places = np.einsum("bij,bkj->bki", rotation, self.locations) + origin[:, None]
        self.aim(places.reshape(1, -1, 3), rotation[None, ::2], Tasks(np.full((1, len(q)), 0.1), q[None]))

    def tables(self):
        return self.problem.tree, self.problem.functions

    def value(self, q: np.ndarray) -> float:
        q = q.copy()
        follow(self.problem.ties, self.problem.functions, q, self.work)
        return value_at(*self.tables(), aim_at(self.aims, 0), q, self.work)

    def derivatives(self, q: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        q = q.copy()
        follow(self.problem.ties, self.problem.functions, q, self.work)
        aim = aim_at(self.aims, 0)
        value = gradient_at(*self.tables(), self.problem.ties, aim, q, self.work)
        newton_at(*self.tables(), self.problem.ties, aim, self.work)
        lower = np.tril(self.work.hessian)
        return value, self.work.gradient.copy(), lower + np.tril(lower, -1).T

    def gauss_newton(self, q: np.ndarray) -> np.ndarray:
        self.derivatives(q)
        gauss_newton_at(*self.tables(), self.problem.ties, aim_at(self.aims, 0), self.work)
        lower = np.tril(self.work.gauss_newton)
        return lower + np.tril(lower, -1).T


def check(misfit: Misfit, seed: int) -> None:
    free = np.flatnonzero(misfit.problem.free)
    q = np.random.default_rng(seed).uniform(-0.8, 0.8, misfit.problem.n_coordinates)
    value, gradient, hessian = misfit.derivatives(q)
    assert value == pytest.approx(misfit.value(q), rel=1e-12)
    step = 1e-5
    for k in free:
        ahead, behind = q.copy(), q.copy()
        ahead[k] += step
        behind[k] -= step
        # Central differences: step² of the third derivatives, and round-off over the step.
        slope = (misfit.value(ahead) - misfit.value(behind)) / (2 * step)
        assert gradient[k] == pytest.approx(slope, abs=1e-8)
        curve = (misfit.derivatives(ahead)[1] - misfit.derivatives(behind)[1]) / (2 * step)
        np.testing.assert_allclose(hessian[k, free], curve[free], atol=1e-7)


@pytest.mark.parametrize("seed", range(6))
def test_derivatives_equal_differences_on_random_trees(seed: int) -> None:
    check(Misfit(random_model(seed, 6, KINDS, 24), seed), seed)


def test_derivatives_equal_differences_of_a_shoulder_blade() -> None:
    check(Misfit(random_model(3, 3, ("scapulothoracic",)), 3), 3)


def coupled() -> bm.Model:
    """A random tree in which two coordinates follow others through curved functions, one of them a follower."""
    model = random_model(5, 5, ("universal", "gimbal", "pin"), 20)
    first, _, third, fourth = model.coordinate_names[:4]
    couplers = (
        bm.CoordinateCoupler(
            name="one",
            dependent=third,
            independent=(first,),
            function=bm.Polynomial((0.3, 0.2, -0.5)),
            scale=1.5,
        ),
        bm.CoordinateCoupler(
            name="two", dependent=fourth, independent=(third,), function=bm.Polynomial((-0.2, 0.7, 0.1))
        ),
    )
    return replace(model, constraints=couplers)


def test_derivatives_equal_differences_along_couplers() -> None:
    misfit = Misfit(coupled(), 1)
    assert (~misfit.problem.free).sum() == 2
    check(misfit, 1)


def test_without_misfit_the_second_derivatives_are_those_of_gauss_and_newton() -> None:
    misfit = Misfit(random_model(2, 6, KINDS, 24), 2)
    problem = misfit.problem
    q = np.random.default_rng(0).uniform(-0.5, 0.5, problem.n_coordinates)
    _, _, exact = misfit.derivatives(q)
    # Negative control: with a misfit of metres the two differ.
    assert np.abs(exact - misfit.gauss_newton(q)).max() > 0.01
    posture = bo.Motion(np.zeros(1), problem.model.coordinate_names, q[problem.place][None])
    misfit.measure(bo.body_poses(problem.model, posture), q)
    _, gradient, exact = misfit.derivatives(q)
    np.testing.assert_allclose(gradient, 0.0, atol=1e-14)
    np.testing.assert_allclose(exact, misfit.gauss_newton(q), atol=1e-13)
