"""Where in the cycle do two conditions differ? Statistical parametric mapping, by spm1d (Pataky 2012).

A paired t at every percent of the cycle; random field theory gives the threshold that chance exceeds anywhere in the
cycle with probability alpha. That controls the error over one curve. Where several curves are tested, alpha is divided
by their number (Bonferroni), unless the study file says otherwise; the result says which alpha was used and why.
"""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from borelli.errors import MissingInputError, UnknownNameError
from borelli.records import dataclass
from borelli.studies.group_means import members
from borelli.studies.names import EVERYBODY

if TYPE_CHECKING:
    from borelli.studies.load import Study

Array = NDArray[np.float64]
FEWEST = 3
"""Subjects: two have no residuals whose smoothness could be estimated."""


@dataclass(frozen=True)
class Cluster:
    """A part of the cycle where the difference exceeds the threshold: first and last percent, and its p-value."""

    first_percent: float
    last_percent: float
    p: float


@dataclass(frozen=True)
class CurveTest:
    """A paired test over the cycle.

    Attributes
    ----------
    output, condition, reference, group : str
    n : int
        Subjects.
    percent, t : (n_points,) float
        Student's t of condition − reference at every percent; NaN where all differences are alike.
    threshold : float
        Of its size.
    alpha : float
        Probability that chance exceeds it anywhere.
    correction : str
        What that accounts for.
    clusters : tuple of Cluster
    """

    output: str
    condition: str
    reference: str
    group: str
    n: int
    percent: Array
    t: Array
    threshold: float
    alpha: float
    correction: str
    clusters: tuple[Cluster, ...]


def curve_test(
    study: Study, output: str, condition: str, *, group: str = EVERYBODY, curves: int = 1
) -> CurveTest:
    """Test where in the cycle an output differs between a condition and the first, paired by subject.

    Parameters
    ----------
    curves : int
        How many curves are tested altogether, for Bonferroni's correction.

    Raises
    ------
    MissingInputError
        If spm1d is not installed, there are fewer than three subjects, or the curves do not vary.
    """
    if condition not in study.conditions[1:]:
        raise UnknownNameError.among(condition, "condition to compare", study.conditions[1:])
    percent, first, second = paired_curves(study, output, condition, group)
    if len(first) < FEWEST:
        raise MissingInputError(
            f"{output!r} has {len(first)} subjects in both conditions; a test over the cycle needs {FEWEST}."
        )
    share = curves if study.file.statistics.correction == "family" else 1
    alpha = study.file.statistics.alpha / share
    t, threshold, clusters = paired_map(first, second, alpha)
    over = f", divided by {share} curves (Bonferroni)" if share > 1 else ""
    correction = f"random field theory over the cycle at alpha = {study.file.statistics.alpha:g}{over}"
    scale = float(percent[-1] - percent[0]) / (len(percent) - 1)
    found = tuple(Cluster(percent[0] + scale * a, percent[0] + scale * b, p) for a, b, p in clusters)
    return CurveTest(
        output,
        condition,
        study.conditions[0],
        group,
        len(first),
        percent,
        t,
        threshold,
        alpha,
        correction,
        found,
    )


def paired_curves(study: Study, output: str, condition: str, group: str) -> tuple[Array, Array, Array]:
    """Percent, and the mean curves (n_subjects, n_points) of those who have both conditions."""
    rows = study.means("curves", output=study.require_output(output))
    rows = rows[rows["subject"].isin(members(study, group))]
    wide = [
        rows[rows["condition"] == which]
        .pivot(index="subject", columns="percent", values="value")
        .sort_index()
        for which in (study.conditions[0], condition)
    ]
    shared = wide[0].index.intersection(wide[1].index)
    first, second = (each.loc[shared] for each in wide)
    return np.asarray(first.columns, dtype=float), first.to_numpy(), second.to_numpy()


def paired_map(
    first: Array, second: Array, alpha: float
) -> tuple[Array, float, list[tuple[float, float, float]]]:
    """Return t of second − first (n_points,), its threshold, and clusters: first and last point, p-value."""
    try:
        # Loaded here: it is an extra, and takes a second.
        import spm1d
    except ImportError:
        raise MissingInputError(
            "Tests over the cycle are made by spm1d, which is not installed.",
            remedy="pip install 'borelli[stats]'",
        ) from None
    gaps = second - first
    # A standard deviation of round-off is none: t would be noise. 1e-300 lets curves that are all alike through to the
    # error.
    varied = gaps.std(axis=0, ddof=1) > 1e-12 * max(float(np.abs(gaps).max()), 1e-300)
    if not varied.all() or not np.isfinite(gaps).all():
        raise MissingInputError(
            "The curves are alike, or not defined, in a part of the cycle: there is no test over it."
        )
    with warnings.catch_warnings():
        # Of libraries that it uses in their old ways.
        warnings.simplefilter("ignore")
        found = spm1d.stats.ttest_paired(second, first).inference(alpha, two_tailed=True)
    clusters = [
        (float(each.endpoints[0]), float(each.endpoints[1]), float(each.P)) for each in found.clusters
    ]
    return np.asarray(found.z, dtype=float), float(found.zstar), [c for c in clusters if not math.isnan(c[2])]
