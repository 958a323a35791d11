"""What all tests share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from borelli import notice
from tests.shared_data import complaint

# What modules hold stays: to look through it for garbage some thousand times took a third of the time of the tests.
gc.disable()
# Allocations between two looks; Python's own 700 is for programs with less memory than arrays take.
_THRESHOLD = 10_000


def pytest_sessionstart() -> None:
    """Fail at once where data were expected, rather than skip in silence what they would have shown."""
    if problem := complaint():
        raise pytest.UsageError(problem)


def pytest_collection_finish() -> None:
    """Look for garbage in what tests make, no longer in what all test files have loaded."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_THRESHOLD)
    gc.enable()


@pytest.fixture(autouse=True)
def wording_of_notices() -> Iterator[None]:
    """What one test finds wrong with a cache is not said in the next."""
    before = list(notice._wording)
    yield
    notice._wording[:] = before
