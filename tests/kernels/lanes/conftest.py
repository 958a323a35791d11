from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    """Small kernels of these tests never touch the user's cache; one directory serves them all."""
    directory = tmp_path_factory.getbasetemp() / "kernel-cache"
    monkeypatch.setenv("BORELLI_CACHE_DIR", str(directory))
    return directory
