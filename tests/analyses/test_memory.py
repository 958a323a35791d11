"""Frames are streamed: scratch does not grow with the recording."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from borelli.compiled.compile import compile_model
from borelli.kernels.tree.numpy_backend import NumpyBackend
from tests.random_trees import random_model


def scratch(question, n_instants):
    """Bytes used at the peak of a question beyond its own answer."""
    model = random_model(3, 4, ("pin", "slider", "ball"))
    mechanism = compile_model(model).mechanism
    rng = np.random.default_rng(0)
    q = rng.normal(size=(n_instants, mechanism.n_coordinates))
    u = rng.normal(size=(n_instants, mechanism.n_speeds))
    rest = {"poses": ([0, 1],), "mass_matrix": (), "inverse_dynamics": (u, u), "forward_dynamics": (u, u)}
    tracemalloc.start()
    try:
        answer = getattr(NumpyBackend(), question)(mechanism, q, *rest[question])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    parts = answer if isinstance(answer, tuple) else (answer,)
    return peak - sum(np.asarray(part).nbytes for part in parts)


@pytest.mark.parametrize("question", ["poses", "mass_matrix", "inverse_dynamics", "forward_dynamics"])
def test_scratch_is_the_same_for_ten_times_as_many_instants(question):
    small, large = scratch(question, 3_000), scratch(question, 30_000)
    # A few hundred kilobytes of bookkeeping may differ; ten times the scratch would be megabytes.
    assert large < 1.2 * small + 200_000
