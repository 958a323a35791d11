"""The pull of many paths on the bodies: together it is the sum of what each does alone."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from borelli.compiled.compile import compile_model
from borelli.errors import BorelliWarning
from borelli.mechanics.paths.path_pass import paths_of
from borelli.mechanics.paths.pulls import pulls
from tests.path_models import random_paths

# More than two blocks of frames, the last of them not full.
N = 150


@pytest.mark.parametrize("seed", range(4))
def test_paths_together_pull_as_each_alone_whatever_points_come_and_go(seed):
    rng = np.random.default_rng(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BorelliWarning)
        model = random_paths(seed, n_paths=12, moving=True)
    compiled = compile_model(model)
    paths = paths_of(compiled)
    q = rng.uniform(-0.8, 0.8, (N, len(model.coordinate_names)))
    tension = rng.uniform(0.0, 300.0, (N, len(paths.names)))
    alone = pulls(compiled, paths, q, tension, apart=True)
    together = pulls(compiled, paths, q, tension, apart=False)[:, 0]
    # Sums of a dozen wrenches in another order.
    np.testing.assert_allclose(together, alone.sum(axis=1), atol=1e-11 * np.abs(alone).max())
    # Both ends of every piece act, so that nothing is left over.
    np.testing.assert_allclose(together.sum(axis=1), 0.0, atol=1e-11 * np.abs(alone).max())
