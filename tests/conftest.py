"""What all tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from borelli import notice
from tests.shared_data import complaint


def pytest_sessionstart() -> None:
    """Fail at once where data were expected, rather than skip in silence what they would have shown."""
    if problem := complaint():
        raise pytest.UsageError(problem)


@pytest.fixture(autouse=True)
def wording_of_notices() -> Iterator[None]:
    """What one test finds wrong with a cache is not said in the next."""
    before = list(notice._wording)
    yield
    notice._wording[:] = before
