"""Means and bands of a study: by group of subjects and by condition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from borelli.errors import UnknownNameError
from borelli.studies.names import EVERYBODY, TOTAL

if TYPE_CHECKING:
    import pandas as pd

    from borelli.studies.load import Study


def groups_of(study: Study) -> dict[str, tuple[str, ...]]:
    """Every group with its subjects; first that of all."""
    named = dict.fromkeys(group for groups in study.groups.values() for group in groups)
    own = {name: tuple(s for s, groups in study.groups.items() if name in groups) for name in named}
    return {EVERYBODY: study.subjects, **own}


def members(study: Study, group: str) -> tuple[str, ...]:
    """Return the subjects of a group."""
    known = groups_of(study)
    if group not in known:
        raise UnknownNameError.among(group, "group", known, of=f"the study {study.name!r}")
    return known[group]


def mean_curves(study: Study, output: str, group: str = EVERYBODY) -> pd.DataFrame:
    """Mean, standard deviation and 95 % confidence band of an output over the cycle, between subjects.

    Returns
    -------
    DataFrame
        Columns ``condition``, ``percent``, ``mean``, ``sd``, ``low``, ``high``, ``n`` (subjects) and ``unit``. The band
        is that of the mean (Student's t), each point by itself.
    """
    own = study.means("curves", output=study.require_output(output))
    return _summary(own[own["subject"].isin(members(study, group))], ["condition", "percent"])


def mean_curves_by_output(study: Study, outputs: Sequence[str], group: str = EVERYBODY) -> pd.DataFrame:
    """Return what :func:`mean_curves` gives for several outputs, by one reading; ``output`` is the first column."""
    own = study.means("curves", output=outputs)
    return _summary(own[own["subject"].isin(members(study, group))], ["output", "condition", "percent"])


def mean_numbers(study: Study, group: str = EVERYBODY, source: str = TOTAL) -> pd.DataFrame:
    """Mean, standard deviation and 95 % confidence interval of every number of every output, between subjects."""
    own = study.means("numbers", source=source)
    return _summary(own[own["subject"].isin(members(study, group))], ["condition", "output", "number"])


def _summary(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    # Loaded here, because a study need not be read to be run.
    from scipy.special import stdtrit

    found: Any = rows.groupby(keys, sort=True)["value"].agg(["mean", "std", "count"])
    units = rows.groupby(keys, sort=True)["unit"].first()
    n = found["count"].to_numpy()
    with np.errstate(invalid="ignore", divide="ignore"):
        # Two-sided interval of 95 %, of Student's t.
        half = stdtrit(np.maximum(n - 1, 1), 0.975) * found["std"].to_numpy() / np.sqrt(n)
    half = np.where(n > 1, half, np.nan)
    found = found.rename(columns={"std": "sd", "count": "n"})
    found = found.assign(low=found["mean"] - half, high=found["mean"] + half, unit=units)
    return found.reset_index()[[*keys, "mean", "sd", "low", "high", "n", "unit"]]
