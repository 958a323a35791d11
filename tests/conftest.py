"""What all tests share."""

from __future__ import annotations

import pytest

from tests.shared_data import complaint


def pytest_sessionstart() -> None:
    """Fail at once where data were expected, rather than skip in silence what they would have shown."""
    if problem := complaint():
        raise pytest.UsageError(problem)
