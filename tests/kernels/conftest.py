"""Back ends under test: each kernel test that takes ``backend`` runs on all that work here."""

from __future__ import annotations

import pytest

from borelli.kernels.tree.numpy_backend import NumpyBackend


@pytest.fixture(scope="session", params=["numpy", "lanes"])
def backend(request, tmp_path_factory):
    """Return a back end; the lanes are compiled from an empty cache."""
    if request.param == "numpy":
        yield NumpyBackend()
        return
    driver = pytest.importorskip("borelli.kernels.lanes.driver")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BORELLI_CACHE_DIR", str(tmp_path_factory.mktemp("empty-cache")))
        yield driver.LanesBackend()
