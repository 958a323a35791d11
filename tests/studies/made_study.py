"""A study made of given numbers, without trials: its means, as running one would write them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from borelli.studies.load import Study
from borelli.studies.schema import checked_study

FILE = {"out": "x", "trials": {"motion": "{subject}.mot"}}


def made_study(
    folder: Path,
    numbers: list[dict[str, Any]] | None = None,
    curves: Mapping[tuple[str, str], np.ndarray] | None = None,
    *,
    conditions: tuple[str, ...] = ("before", "after"),
    groups: Mapping[str, tuple[str, ...]] | None = None,
    **file: Any,
) -> Study:
    """Write means: rows of numbers, and curves of one output, ``force``, by subject and condition."""
    (folder / "means").mkdir()
    if numbers is not None:
        rows = [
            {"number": "peak", "unit": "N", "output": "force", "source": "total", **row} for row in numbers
        ]
        pq.write_table(pa.Table.from_pylist(rows), folder / "means" / "numbers.parquet")
    if curves is not None:
        long = [
            {
                "subject": s,
                "condition": c,
                "output": "force",
                "unit": "N",
                "percent": float(p),
                "value": float(v),
            }
            for (s, c), values in curves.items()
            for p, v in zip(np.linspace(0, 100, len(values)), values, strict=True)
        ]
        pq.write_table(pa.Table.from_pylist(long), folder / "means" / "curves.parquet")
        if numbers is None:
            rows = [{**row, "number": "mean", "source": "total"} for row in long if row["percent"] == 0.0]
            pq.write_table(pa.Table.from_pylist(rows), folder / "means" / "numbers.parquet")
    named = dict.fromkeys([row["subject"] for row in numbers or ()] or [s for s, _ in curves or ()])
    own = {name: tuple((groups or {}).get(name, ())) for name in named}
    return Study(
        folder, "made", conditions, own, dict.fromkeys(named), checked_study({**FILE, **file}, "here")
    )
