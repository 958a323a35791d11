"""What the tests of files share: the stored reference cases, and OpenSim where it is installed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

ORACLE = Path(__file__).resolve().parents[2].parent / "shared" / "oracle"


@pytest.fixture(scope="session")
def oracle() -> Path:
    """The folder of reference cases, which lies beside the repository where it exists."""
    if not ORACLE.is_dir():
        pytest.skip("the reference cases are not on this machine")
    return ORACLE


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
