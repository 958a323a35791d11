"""Back ends under test: each kernel test that takes ``backend`` runs on all that work here."""

from __future__ import annotations

import pytest

from borelli.kernels.tree.numpy_backend import NumpyBackend
from tests.session_folder import session_folder


@pytest.fixture(scope="session", params=["numpy", "lanes"])
def backend(request, tmp_path_factory):
    """Return a back end; the lanes are compiled from an empty cache."""
    if request.param == "numpy":
        yield NumpyBackend()
        return
    driver = pytest.importorskip("borelli.kernels.lanes.driver")
    from borelli.kernels.lanes.signatures import (
        ENERGY,
        FORWARD_DYNAMICS,
        INVERSE_DYNAMICS,
        MASS_MATRIX,
        POSES,
        SOLVE,
    )

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BORELLI_CACHE_DIR", str(session_folder(tmp_path_factory, "empty-cache")))
        lanes = driver.LanesBackend()
        for kernel in (POSES, INVERSE_DYNAMICS, MASS_MATRIX, SOLVE, FORWARD_DYNAMICS, ENERGY):
            lanes._kernel(kernel)
    yield lanes
