"""The one place that knows where the larger reference data lie: OpenSim's answers on published models.

They are not part of this repository: the folder ``shared`` beside the checkout, or the one that ``BORELLI_DATA``
names. Where they are absent, the tests that need them are skipped, and say why in one line; if they were expected,
the whole run fails at once. They are expected where ``BORELLI_DATA`` is set, where ``BORELLI_EXPECT_DATA=1``, and
where the folder is there but not whole. What every machine has lies in ``tests/fixtures``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

PARTS = ("oracle/index.json", "conformance/run.py")
"""What a whole folder of data has: the stored cases, and the script that compares them."""


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return where the data are, or would be."""
    named = environment.get("BORELLI_DATA")
    return Path(named).expanduser() if named else Path(__file__).resolve().parents[2] / "shared"


DATA = data_folder()
ORACLE = DATA / "oracle"
CASES = sorted(file.parent.name for file in ORACLE.glob("*/ref.npz"))
"""Models with a motion and OpenSim's answers."""
ABSENT = (
    "larger reference data are not on this machine (a folder 'shared' beside the checkout, or BORELLI_DATA)"
)


def each_of(cases: Iterable[str]) -> list[Any]:
    """Return cases to parametrize with; where there are none, one that is skipped and says why."""
    return list(cases) or [pytest.param("", marks=pytest.mark.skip(reason=ABSENT), id="absent")]


needs_data = pytest.mark.skipif(not CASES, reason=ABSENT)


def complaint(environment: Mapping[str, str] = os.environ) -> str | None:
    """Say what is missing of data that were expected; None where all is well."""
    folder = data_folder(environment)
    wanted = environment.get("BORELLI_EXPECT_DATA", "0") not in ("", "0") or "BORELLI_DATA" in environment
    missing = [part for part in PARTS if not (folder / part).is_file()]
    if missing and (wanted or folder.is_dir()):
        return f"reference data were expected in {folder}, but there is no {' and no '.join(missing)}"
    return None


def reference(*parts: str) -> Path:
    """Return a file or folder of the stored cases; skip the test where it is absent."""
    path = ORACLE.joinpath(*parts)
    if not path.exists():
        pytest.skip(ABSENT)
    return path
