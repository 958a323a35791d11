"""What the tests of files share: the stored reference cases, and OpenSim where it is installed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.shared_data import reference


@pytest.fixture(scope="session")
def oracle() -> Path:
    """The folder of reference cases, which lies beside the repository where it exists."""
    return reference()


@pytest.fixture(scope="session")
def opensim() -> Any:
    """OpenSim's Python package; imported in a scratch folder because it drops a log file."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        try:
            module = pytest.importorskip("opensim", reason="OpenSim is not installed")
            module.Logger.setLevelString("off")
            module.Logger.removeFileSink()
        finally:
            os.chdir(here)
    return module
