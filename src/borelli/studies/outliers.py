"""Trials that are far from the others: the distance of a curve from the median of its condition, judged robustly.

The distance is the root mean square over the cycle; it is called far where its modified z-score (Iglewicz & Hoaglin
1993: 0.6745 times the distance from the median over the median absolute deviation) is above 3.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from borelli.records import dataclass
from borelli.studies.names import TOTAL
from borelli.studies.subject_means import partitions

if TYPE_CHECKING:
    from borelli.studies.load import Study

# Iglewicz & Hoaglin (1993); 0.6745 below is the median absolute deviation of the normal distribution.
FAR = 3.5
FEWEST = 5
"""Trials of a condition, below which nobody is called an outlier."""


@dataclass(frozen=True)
class Outlier:
    """A trial whose output is far from that of the others: by how much (score), and its distance in `unit`."""

    subject: str
    condition: str
    trial: str
    output: str
    unit: str
    distance: float
    score: float


def modified_z(values: ArrayLike) -> NDArray[np.float64]:
    """Distance of every value from the median, in robust standard deviations; zero where all are alike."""
    given = np.asarray(values, dtype=float)
    gaps = given - np.median(given)
    spread = float(np.median(np.abs(gaps)))
    # Half of a normal distribution lies within 0.6745 standard deviations of its median.
    return 0.6745 * gaps / spread if spread > 0.0 else np.zeros_like(gaps)


def outliers(study: Study) -> list[Outlier]:
    """Find the trials whose split outputs are far from the median of their condition, the farthest first."""
    split = study.split_outputs()
    rows = study.means("curves")
    rows = rows[rows["output"].isin(split)]
    medians: Any = rows.groupby(["condition", "output", "percent"], sort=True)["value"].median()
    middles = {key: curve.to_numpy() for key, curve in medians.groupby(level=["condition", "output"])}
    distances: dict[tuple[str, str], list[tuple[str, str, float]]] = {}
    # A partition at a time, so that memory does not grow with the number of trials.
    for who, table in partitions(study, "shares", source=TOTAL):
        own = table.to_pandas()
        own = own[own["output"].isin(split)].sort_values(["trial", "output", "percent"], kind="stable")
        # All curves of a study have as many points: one row each.
        curves = own["value"].to_numpy().reshape(-1, study.file.cycles.points)
        names = own[["trial", "output"]].iloc[:: study.file.cycles.points]
        for (trial, output), curve in zip(names.itertuples(index=False), curves, strict=True):
            size = float(np.sqrt(np.mean((curve - middles[who["condition"], output]) ** 2)))
            if np.isfinite(size):
                distances.setdefault((who["condition"], output), []).append((who["subject"], trial, size))
    found = []
    for (condition, output), trials in distances.items():
        if len(trials) < FEWEST:
            continue
        for (subject, trial, size), score in zip(
            trials, modified_z([each[2] for each in trials]), strict=True
        ):
            if score > FAR:
                found.append(Outlier(subject, condition, trial, output, split[output], size, float(score)))
    return sorted(found, key=lambda each: (-each.score, each.subject, each.trial, each.output))
