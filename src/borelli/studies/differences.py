"""What a condition changes, paired by subject, and where every newton of the change comes from.

A number is a sum of shares, so its difference between two conditions is the sum of their differences: the split is
exact, no estimate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from borelli.errors import MissingInputError, UnknownNameError
from borelli.records import dataclass
from borelli.studies.group_means import members
from borelli.studies.names import EVERYBODY, TOTAL
from borelli.studies.schema import NUMBERS

if TYPE_CHECKING:
    import pandas as pd

    from borelli.studies.load import Study

Array = NDArray[np.float64]
# Parts that a sentence names.
_NAMED = 3
_LEAST_NAMED = 0.02
"""Of the largest part: what is smaller is not worth a name in a sentence."""
# Subjects: one has no standard deviation.
_FEWEST = 2
_HARDLY = "hardly changed"


@dataclass(frozen=True)
class PairedTest:
    """Student's t-test of paired differences.

    Attributes
    ----------
    n : int
        Pairs.
    mean, sd : float
        Of the differences.
    low, high : float
        Confidence interval of the mean.
    t, p : float
        Two-sided; NaN with fewer than two pairs, or where all differences are alike.
    """

    n: int
    mean: float
    sd: float
    low: float
    high: float
    t: float
    p: float


@dataclass(frozen=True)
class Difference:
    """How a number of an output differs between a condition and the reference.

    Attributes
    ----------
    output, number, unit : str
    condition, reference, group : str
    before, after : float
        Mean over subjects in the reference and in the condition.
    test : PairedTest
    p_corrected : float
        By Holm's method over all tests of the study in this group.
    parts : mapping of source to float
        What each group of sources adds to the difference, the largest first; they add up to ``test.mean``.
    """

    output: str
    number: str
    unit: str
    condition: str
    reference: str
    group: str
    before: float
    after: float
    test: PairedTest
    p_corrected: float
    parts: dict[str, float]

    @property
    def closure(self) -> float:
        """Gap between the sum of the parts and the difference; NaN where the output is not split."""
        return abs(sum(self.parts.values()) - self.test.mean) if self.parts else math.nan

    @property
    def sentence(self) -> str:
        """Say what changed, by how much, and what made it; the parts that are shown add up to what is shown.

        A peak is told by its size: one that goes from −300 N to −400 N rose by 100 N.
        """
        sign = -1.0 if self.number == "peak" and self.before < 0.0 else 1.0
        change = sign * self.test.mean
        largest = max([abs(change), *map(abs, self.parts.values())])
        digits = max(0, 2 - math.floor(math.log10(largest))) if largest > 0.0 else 0
        word = "rose" if round(change, digits) > 0.0 else "fell" if round(change, digits) < 0.0 else _HARDLY
        output = self.output.replace("_", " ")
        told = f"From {self.reference} to {self.condition} the {self.number} of {output} {word}"
        if word != _HARDLY:
            told += f" by {abs(change):.{digits}f}{_unit(self.unit)}"
        if self.parts:
            told += ": " + _told(self.parts, sign, round(change, digits), digits)
        return f"{told} ({_evidence(self.test, sign, self.p_corrected, self.unit, digits)})."


def _told(parts: dict[str, float], sign: float, change: float, digits: int) -> str:
    """List the largest parts; what is left of the change is that of all others."""
    floor = _LEAST_NAMED * max(map(abs, parts.values()))
    named = [(name, sign * value) for name, value in parts.items() if abs(value) > floor][:_NAMED]
    left = change - sum(round(value, digits) for _, value in named)
    shown = [*named, ("all others", left)] if round(left, digits) else named
    words = [f"{value + 0.0:+.{digits}f} {name.partition(':')[2] or name}" for name, value in shown]
    return ", ".join(words).replace("-", "−")


def _unit(unit: str) -> str:
    """Return a unit as it stands behind a number: nothing for what has none."""
    return "" if unit in ("", "1") else f" {unit}"


def _evidence(test: PairedTest, sign: float, corrected: float, unit: str, digits: int) -> str:
    if math.isnan(test.p):
        return f"{test.n} subjects, not tested"
    size = "p < 0.001" if corrected < 0.001 else f"p = {corrected:.3f}"
    # Zero has no sign.
    low, high = (round(each, digits) + 0.0 for each in sorted((sign * test.low, sign * test.high)))
    interval = f"{low:.{digits}f} to {high:.{digits}f}{_unit(unit)}".replace("-", "−")
    return f"{test.n} subjects, 95 % interval {interval}, {size} corrected"


def paired_test(first: ArrayLike, second: ArrayLike, confidence: float = 0.95) -> PairedTest:
    """Test whether second − first has the mean zero.

    Parameters
    ----------
    first, second : (n,) float
        The same subjects in both.
    confidence : float
        Of the interval.
    """
    # Loaded here, because a study need not be read to be run.
    from scipy.special import stdtr, stdtrit

    gaps = np.asarray(second, dtype=float) - np.asarray(first, dtype=float)
    n = len(gaps)
    mean = float(gaps.mean()) if n else math.nan
    sd = float(gaps.std(ddof=1)) if n >= _FEWEST else math.nan
    if n < _FEWEST or not sd > 0.0:
        return PairedTest(n, mean, sd, math.nan, math.nan, math.nan, math.nan)
    error = sd / math.sqrt(n)
    half = float(stdtrit(n - 1, 0.5 + confidence / 2.0)) * error
    t = mean / error
    return PairedTest(n, mean, sd, mean - half, mean + half, t, float(2.0 * stdtr(n - 1, -abs(t))))


def holm(p: ArrayLike) -> Array:
    """Correct p-values for their number, by Holm's method (1979); NaN are no tests and stay."""
    values = np.asarray(p, dtype=float)
    found = np.full(values.shape, np.nan)
    tested = np.flatnonzero(np.isfinite(values))
    order = tested[np.argsort(values[tested], kind="stable")]
    steps = values[order] * np.arange(len(order), 0, -1)
    found[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(order) else steps
    return found


def differences(
    study: Study, numbers: Sequence[str] | None = None, group: str = EVERYBODY
) -> list[Difference]:
    """Compare every condition with the first, output by output, paired by subject.

    Parameters
    ----------
    study : Study
    numbers : sequence of str, optional
        Those of ``peak``, ``max``, ``min``, ``range``, ``mean`` and ``impulse`` to compare; by default those that the
        study file names.
    group : str
        Group of subjects; by default all.

    Returns
    -------
    list of Difference
        The surest first.
    """
    chosen = list(study.file.statistics.numbers if numbers is None else numbers)
    for number in chosen:
        if number not in NUMBERS:
            raise UnknownNameError.among(number, "number of a cycle", NUMBERS)
    if len(study.conditions) < 2:
        raise MissingInputError(
            "The study has only one condition, so there is nothing to compare.",
            remedy="name several conditions",
        )
    rows = study.means("numbers", number=chosen)
    rows = rows[rows["subject"].isin(members(study, group))]
    reference = study.conditions[0]
    found: list[Difference] = []
    for condition in study.conditions[1:]:
        found += _compared(rows, reference, condition, group)
    corrected = holm([each.test.p for each in found])
    told = [
        Difference(**{**vars(each), "p_corrected": float(p)})
        for each, p in zip(found, corrected, strict=True)
    ]
    return sorted(told, key=lambda each: (not each.test.p <= 1.0, each.test.p, each.output))


def _compared(rows: pd.DataFrame, reference: str, condition: str, group: str) -> list[Difference]:
    keys = ["output", "number", "unit", "source", "subject"]
    sides = [
        rows[rows["condition"] == which].set_index(keys)["value"].rename(which)
        for which in (reference, condition)
    ]
    both = sides[0].to_frame("before").join(sides[1].rename("after"), how="inner").dropna().reset_index()
    found = []
    for names, own in both.groupby(["output", "number", "unit"], sort=True):
        output, number, unit = map(str, names)
        total = own[own["source"] == TOTAL].sort_values("subject")
        gaps = (own["after"] - own["before"]).groupby(own["source"]).mean().drop(TOTAL, errors="ignore")
        parts = {name: float(gaps[name]) for name in sorted(gaps.index, key=lambda n: (-abs(gaps[n]), n))}
        test = paired_test(total["before"], total["after"])
        before, after = float(total["before"].mean()), float(total["after"].mean())
        found.append(
            Difference(
                output, number, unit, condition, reference, group, before, after, test, math.nan, parts
            )
        )
    return found
