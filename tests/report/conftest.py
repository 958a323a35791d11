"""What tests of the page share: one Chromium for all of them, which takes seconds to start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.report.browser import chromium


@pytest.fixture(scope="package")
def one_chromium() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def browser(one_chromium: Any) -> Iterator[Any]:
    """The browser; pages that a file of tests has opened are closed with it, so that none is busy behind the next."""
    yield one_chromium
    for context in one_chromium.contexts:
        context.close()
