"""The answer first: how much each joint bears, when in the cycle, and from what, in one sentence a joint."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from borelli.errors import MissingInputError
from borelli.records import dataclass
from borelli.results.gait.cycle_spans import cycle_peak, cycle_percent
from borelli.results.labelled.plain_result import PlainResult, Result
from borelli.results.outputs.body_size import WEIGHT_N
from borelli.results.outputs.grouping import group_shares
from borelli.results.outputs.output import SOURCE, outputs
from borelli.results.outputs.plain_names import joint_named, plain_grouping
from borelli.results.outputs.resultant import Resultant, is_joint_force, resultants

Array = NDArray[np.float64]

# Parts that a sentence names; the page lists all.
_TOLD = 2
_LEAST_TOLD = 5.0
"""Per cent of the total; smaller parts are not worth a word."""
_LITTLE = 0.02
"""Of the largest force of all joints; a joint with less has no answer worth a card."""
_MINOR = ("subtalar joint", "toe joint", "kneecap", "forearm")
"""Joints that nobody asks for first."""
ROOTS = ("ground", "root")
"""What joints that float between ground and body are called; they bear nothing that could be explained."""


@dataclass(frozen=True, slots=True)
class Part:
    """One group's share of an answer; `percent` is of the total."""

    name: str
    value: float
    percent: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The largest force of one joint.

    Attributes
    ----------
    joint, words : str
        As the model calls it, and in plain words.
    side : str
        ``"right"``, ``"left"`` or empty.
    output : Resultant
        The curve that the answer is the peak of.
    total : float
        N.
    body_weights : float
        The same in body weights; NaN where the result does not know the weight.
    instant : int
        Index of the peak.
    time : float
        s.
    percent : float
        Of the cycle of its side; NaN where there is none.
    parts : tuple of Part
        In plain words, the largest first; they add up to the total.
    axial, shear : float
        N along the segment that the joint carries, of ankle and wrist that above it (positive: compression), and across
        it; NaN without a drawing.

    Examples
    --------
    >>> first = bo.answers(bo.analyze(model, motion, loads))[0]
    >>> type(first).__name__
    'Answer'
    """

    joint: str
    words: str
    side: str
    output: Resultant
    total: float
    body_weights: float
    instant: int
    time: float
    percent: float
    parts: tuple[Part, ...]
    axial: float
    shear: float

    @property
    def is_minor(self) -> bool:
        """Whether it is a joint that nobody asks for first, such as that of the toes."""
        return self.words.endswith(_MINOR)

    @property
    def size(self) -> str:
        """How much: in body weights, else in newtons."""
        return (
            f"{self.total:.0f} N"
            if math.isnan(self.body_weights)
            else f"{self.body_weights:.1f} × body weight"
        )

    @property
    def when(self) -> str:
        """In the cycle, else in seconds."""
        if math.isnan(self.percent):
            return f"at {self.time:.2f} s"
        return f"at {self.percent:.0f} % of the gait cycle"

    @property
    def told(self) -> tuple[Part, ...]:
        """The largest parts, those that are worth a word."""
        return tuple(part for part in self.parts if abs(part.percent) >= _LEAST_TOLD)[:_TOLD]

    @property
    def sentence(self) -> str:
        """``Right knee 3.4 × body weight at 47 % of the gait cycle: gastrocnemius 59 %, ground 31 %``."""
        parts = ", ".join(
            f"{self.short(part.name)} {part.percent:.0f} %".replace("-", "\u2212") for part in self.told
        )
        head = f"{self.words[:1].upper()}{self.words[1:]} {self.size} {self.when}"
        return f"{head}: {parts}" if parts else head

    def short(self, name: str) -> str:
        """Leave out the side where it is that of the joint."""
        plain = name.partition(":")[2] or name
        return plain.removeprefix(f"{self.side} ") if self.side else plain


def answers(result: Result) -> tuple[Answer, ...]:
    """Return the largest force of every joint with its parts, the largest joints first.

    Parameters
    ----------
    result : Dataset
        With shares of forces at joints, such as those of ``contributions``, ``analyze`` and ``planar.analyze``.

    Returns
    -------
    tuple of Answer
        None of a joint that floats between ground and body, and of joints that bear next to nothing. Where there are
        whole cycles of the joint's side, the largest force within them.

    Guarantees, each a test
    -----------------------
    - the parts of an answer add up to its total, which is the magnitude of the force

    Examples
    --------
    >>> told = bo.answers(bo.analyze(model, motion, loads))
    >>> len(told) > 0
    True
    """
    result = PlainResult.of(result)
    forces = [each for each in resultants(outputs(result)) if is_joint_force(each)]
    if not forces:
        raise MissingInputError(
            "The result holds no shares of forces at joints.", remedy="give the result of borelli analyze"
        )
    sources = result.labels(SOURCE).names
    groups = plain_grouping(result)
    found = [_answer(result, force, sources, groups) for force in forces if not _floats(force.place["joint"])]
    known = [each for each in found if each is not None]
    largest = max((each.total for each in known), default=0.0)
    kept = [each for each in known if each.total > _LITTLE * largest]
    return tuple(sorted(kept, key=lambda each: (each.is_minor, -each.total)))


def answers_if_any(result: Result) -> tuple[Answer, ...]:
    """The same, and nothing of a result that holds no shares of forces at joints."""
    try:
        return answers(result)
    except MissingInputError:
        return ()


def _floats(joint: str) -> bool:
    return joint_named(joint).what.casefold().startswith(ROOTS)


def _answer(
    result: PlainResult, force: Resultant, sources: Sequence[str], groups: Mapping[str, list[str]]
) -> Answer | None:
    size = force.total(result)
    if not np.isfinite(size).any() or not np.nanmax(size) > 0.0:
        return None
    joint = force.place["joint"]
    named = joint_named(joint)
    at = cycle_peak(result, size, named.side)
    total, time = float(size[at]), float(result.variables["time"].values[at])
    names, shares = group_shares(force.shares_at(result, at), sources, groups)
    order = np.argsort(-np.abs(shares), kind="stable")
    parts = tuple(
        Part(names[k], float(shares[k]), 100.0 * float(shares[k]) / total) for k in order if shares[k]
    )
    along, across = (
        float(each.total(result)[at]) if each is not None else math.nan
        for each in (force.towards("axial", result), force.towards("shear", result))
    )
    weight = float(result.attrs.get(WEIGHT_N, math.nan) or math.nan)
    return Answer(
        joint,
        named.words,
        named.side,
        force,
        total,
        total / weight,
        at,
        time,
        cycle_percent(result, named.side, time),
        parts,
        along,
        across,
    )
