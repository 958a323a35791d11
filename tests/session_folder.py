"""A folder that all processes of one test run share: what one has compiled into it the others need not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def session_folder(factory: pytest.TempPathFactory, name: str) -> Path:
    """Return a folder that is empty when the run begins, the same in every worker, and the user's alone."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder
