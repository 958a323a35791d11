"""What paths compute is looked at while it is computed: absurd numbers, and NaN, are told."""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.compiled.compile import compile_model
from borelli.errors import UnsolvableError
from borelli.mechanics.paths.path_pass import PathForces, path_forces, paths_of
from tests.path_models import random_paths

N = 30


def found(moving: bool, speed: float = 1.0, angle: float = 1.0) -> PathForces:
    compiled = compile_model(random_paths(2, moving=moving))
    rng = np.random.default_rng(0)
    q = rng.normal(size=(N, compiled.mechanism.n_coordinates)) * angle
    u = rng.normal(size=(N, compiled.mechanism.n_speeds)) * speed
    return path_forces(compiled, paths_of(compiled), q, 2, u, time_last=True)


@pytest.mark.parametrize("moving", [False, True], ids=["fixed points", "moving points"])
def test_what_is_plausible_is_known_to_be(moving: bool) -> None:
    assert found(moving).is_plausible
    assert bool(found(moving).guides) == moving


@pytest.mark.parametrize("moving", [False, True], ids=["fixed points", "moving points"])
def test_speeds_of_no_body_and_numbers_that_are_none_are_told(moving: bool) -> None:
    assert not found(moving, speed=1e15).is_plausible
    assert not found(moving, speed=np.nan).is_plausible
    assert not found(moving, angle=np.nan).is_plausible


def test_one_instant_is_enough() -> None:
    compiled = compile_model(random_paths(2))
    q = np.zeros((N, compiled.mechanism.n_coordinates))
    u = np.ones((N, compiled.mechanism.n_speeds))
    u[-1] = 1e15
    assert not path_forces(compiled, paths_of(compiled), q, 1, u).is_plausible


def test_they_are_refused_with_their_place() -> None:
    model = random_paths(2)
    names, speeds = model.coordinate_names, model.speed_names
    u = np.ones((N, len(speeds)))
    u[3] = 9e11
    q, rest = np.ones((N, len(names))), np.zeros((N, len(speeds)))
    motion = bo.Motion(np.arange(N) * 0.1, names, q, u, rest, speeds=speeds)
    with pytest.raises(UnsolvableError, match=r"^speed would be .* m/s .*at 0\.3 s, which is not plausible"):
        bo.paths(model, motion, forces=True)
