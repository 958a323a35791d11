from __future__ import annotations

import pytest

from tests.session_folder import session_folder


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    """Small kernels of these tests never touch the user's cache; one directory serves them all."""
    directory = session_folder(tmp_path_factory, "empty-cache")
    monkeypatch.setenv("BORELLI_CACHE_DIR", str(directory))
    return directory
