"""The shares of one number, ranked: which sources make up this output, at this time?"""

from __future__ import annotations

import math
import os
import textwrap
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from borelli.errors import InvalidValueError
from borelli.records import dataclass
from borelli.results.bars import draw_bars
from borelli.results.gait.cycle_spans import cycle_peak, cycle_percent, has_cycles
from borelli.results.labelled.plain_result import Result, labels
from borelli.results.outputs.grouping import OTHERS, Grouping, group_shares
from borelli.results.outputs.output import SOURCE, Output, find_output
from borelli.results.outputs.plain_names import joint_named, plain_grouping
from borelli.results.outputs.resultant import is_joint_force

if TYPE_CHECKING:
    import pandas as pd

# Loaded where needed: pandas, which is slow to load.

Array = NDArray[np.float64]
When = float | Literal["peak", "mean"]

# A total this small beside its largest share is what round-off leaves of a balance: no percentage means anything.
_NO_TOTAL = 1e-9
_BARS = ("#0072B2", "#D55E00")
"""Of positive and negative shares in a notebook (Okabe and Ito 2008)."""
_MOST_SILENT = 12
"""Most sources without a part that are named."""


class Share(NamedTuple):
    """One source's part of a number; `percent` is of the total, NaN where the total is nothing."""

    source: str
    value: float
    percent: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """One number and where every part of it comes from.

    Attributes
    ----------
    output : Output
        What is explained.
    sentence : str
        What the output is: on whom, where, in which axes.
    when : str
        Which instant, or the mean over which span.
    total : float
        The number, in `unit`.
    shares : tuple of Share
        Largest size first.
    closure : float
        Gap between the sum of the shares and the total, in `unit`.

    Examples
    --------
    >>> told = bo.explain(bo.contributions(model, motion, loads), "knee_angle_r_moment")
    >>> told.unit, abs(sum(share.value for share in told.shares) - told.total) < 1e-9
    ('N m', True)
    """

    output: Output
    sentence: str
    when: str
    total: float
    unit: str
    shares: tuple[Share, ...]
    closure: float

    @property
    def headline(self) -> str:
        """The number in one line."""
        return f"{self.output.name} = {self.total:.4g} {self.unit} {self.when}"

    def to_frame(self) -> pd.DataFrame:
        """Return the shares as a table: ``source``, ``value``, ``unit``, ``percent_of_total``."""
        import pandas as pd

        return pd.DataFrame(
            {
                "source": [share.source for share in self.shares],
                "value": [share.value for share in self.shares],
                "unit": self.unit,
                "percent_of_total": [share.percent for share in self.shares],
            }
        )

    def largest(self, most: int, least: float = 0.0) -> tuple[Share, ...]:
        """Return the shares that are not zero, all beyond `most` added up in a last one.

        So are those smaller than the fraction `least` of the largest; the sum is kept.
        """
        heard = [share for share in self.shares if share.value != 0.0]
        floor = least * abs(heard[0].value) if heard else 0.0
        kept = [share for share in heard if abs(share.value) >= floor]
        if len(kept) == len(heard) <= most:
            return tuple(heard)
        kept = kept[: most - 1]
        rest = heard[len(kept) :]
        value, percent = sum(share.value for share in rest), sum(share.percent for share in rest)
        return (*kept, Share(f"{OTHERS} ({len(rest)})", value, percent))

    def text(self, width: int = 80, most: int = 20) -> str:
        """Return headline, sentence and ranked bars as plain text of at most `width` columns."""
        sentence = textwrap.wrap(self.sentence, width)
        return "\n".join(
            [
                self.headline,
                *sentence,
                "",
                *draw_bars(self, width, most),
                "",
                *textwrap.wrap(self.check, width),
            ]
        )

    @property
    def check(self) -> str:
        """Say how well the shares add up, and which sources have none."""
        silent = [share.source for share in self.shares if share.value == 0.0]
        check = f"The shares add up to the total within {self.closure:.1e} {self.unit}."
        if not silent:
            return check
        more = f" and {len(silent) - _MOST_SILENT} more" if len(silent) > _MOST_SILENT else ""
        return f"{check} No part in it: {', '.join(silent[:_MOST_SILENT])}{more}."

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self, most: int = 20) -> str:
        """Return ranked bars for a notebook; names from files are text, never markup."""
        kept = self.largest(most)
        longest = max((abs(share.value) for share in kept), default=0.0) or 1.0
        rows = "".join(
            f"<tr><td>{escape(share.source)}</td><td style='text-align:right'>{share.value:.4g}</td>"
            f"<td style='text-align:right'>{'' if math.isnan(share.percent) else f'{share.percent:+.1f} %'}</td>"
            f"<td style='min-width:14em'><div style='height:0.8em;width:{100.0 * abs(share.value) / longest:.1f}%;"
            f"background:{_BARS[share.value < 0.0]}'></div></td></tr>"
            for share in kept
        )
        head = f"<th>source</th><th>{escape(self.unit)}</th><th>of the total</th><th></th>"
        return (
            f"<p><b>{escape(self.headline)}</b><br>{escape(self.sentence)}</p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table><p>{escape(self.check)}</p>"
        )


def explain(
    result: Result | str | os.PathLike[str],
    output: str | Output,
    at: When | None = None,
    by: Grouping = "source",
) -> Explanation:
    """Rank the shares of one output.

    Parameters
    ----------
    result : xarray.Dataset, or path of a result folder
        Any result with a variable that has the dimensions ``time`` and ``source``.
    output : str or Output
        Such as ``"knee torque"`` or ``"hip_reaction_x"``; see :func:`borelli.results.outputs.output.find_output`.
    at : float, "peak" or "mean", optional
        A time (s; the nearest instant is taken), the instant of the recording where the output is largest in size, or
        its mean over time. By default the peak; of the force at a joint, of its compression and of its shear, that
        within whole gait cycles of its side where there are any, as :func:`answers` and the cards of a page tell it.
    by : "source", "kind", "body", "muscle group", "muscle", "anatomy", or mapping of group to sources
        How to group the sources; the sum is kept.

    Returns
    -------
    Explanation
        Prints itself as ranked bars; its headline says which instant, and which peak, it is.

    Guarantees, each a test
    -----------------------
    - by default, the force at a joint is that of its answer

    Examples
    --------
    >>> shares = bo.contributions(model, motion, loads)
    >>> told = bo.explain(shares, "ankle_angle_r_moment", at="peak", by="kind")
    >>> told.shares[0].source, round(told.total, -1)  # N m
    ('load', -100.0)
    """
    if isinstance(result, str | os.PathLike):
        # Loaded here: what is in memory need not be read.
        from borelli.results.saving.read_plain import read_plain

        result = read_plain(result)
    which = find_output(result, output) if isinstance(output, str) else output
    times = np.asarray(result.variables["time"].values, dtype=float)
    curve = which.total(result)
    if by == "source" and at != "mean":
        instant, reason = _instant(result, which, times, curve, at)
        when = f"at {times[instant]:g} s (instant {instant}{reason})"
        names, values = labels(result, SOURCE).names, which.shares_at(result, instant)
        return _explanation(result, which, when, float(curve[instant]), names, values)
    if by in ("muscle", "anatomy"):
        by = plain_grouping(result, anatomical=by == "anatomy")
    names, grouped = group_shares(
        which.shares(result),
        labels(result, SOURCE).names,
        by,
        source_bodies(result) if by == "body" else None,
    )
    if at == "mean":
        weight = _mean_weights(times)
        total, values = float(weight @ curve), weight @ grouped
        when = f"on average from {times[0]:g} s to {times[-1]:g} s"
    else:
        instant, reason = _instant(result, which, times, curve, at)
        total, values = float(curve[instant]), grouped[instant]
        when = f"at {times[instant]:g} s (instant {instant}{reason})"
    return _explanation(result, which, when, total, names, values)


def explain_peak(
    result: Result, output: Output, curve: Array, sources: Sequence[int] | None = None
) -> tuple[int, Explanation]:
    """Return the instant where an output is largest in the recording, and its shares then, by source.

    Parameters
    ----------
    curve : (n_times,) float
        The output itself, with a number at some instant.
    sources : sequence of int, optional
        Which sources to rank, those that have a part in the output; by default all.
    """
    times = np.asarray(result.variables["time"].values, dtype=float)
    instant, reason = _peak(result, output, times, curve, within_cycles=False)
    names, values = labels(result, SOURCE).names, output.shares_at(result, instant)
    if sources is not None:
        names, values = tuple(names[k] for k in sources), values[sources]
    when = f"at {times[instant]:g} s (instant {instant}{reason})"
    return instant, _explanation(result, output, when, float(curve[instant]), names, values)


def _explanation(
    result: Result, which: Output, when: str, total: float, names: Sequence[str], values: Array
) -> Explanation:
    total, values = total + 0.0, values + 0.0  # no negative zeros
    largest = float(np.abs(values).max(initial=0.0))
    percent = values / total * 100.0 if abs(total) > _NO_TOTAL * largest else np.full(len(values), math.nan)
    order = np.argsort(-np.abs(values), kind="stable")
    return Explanation(
        output=which,
        sentence=which.describe(result),
        when=when,
        total=total,
        unit=which.unit,
        shares=tuple(
            map(
                Share._make,
                zip(
                    [names[i] for i in order.tolist()],
                    values[order].tolist(),
                    percent[order].tolist(),
                    strict=True,
                ),
            )
        ),
        closure=abs(float(values.sum()) - total),
    )


def source_bodies(result: Result) -> list[str] | None:
    """Body that each source belongs to, where the result says so."""
    if "source_body" not in result.variables:
        return None
    return [str(body) for body in result.variables["source_body"].values]


def _instant(result: Result, output: Output, times: Array, curve: Array, at: When | None) -> tuple[int, str]:
    """Which instant is meant, and why it is that one."""
    if at is None or at == "peak":
        if not np.isfinite(curve).any():
            raise InvalidValueError(f"{output.name!r} has no finite value, so it has no peak.")
        return _peak(result, output, times, curve, within_cycles=at is None)
    if isinstance(at, str) or not math.isfinite(at):
        raise InvalidValueError(
            f"{at!r} is not a time.", closest=("peak", "mean"), remedy="give seconds, or one of these"
        )
    # Half a step beyond the ends is still nearest to the ends; farther away nothing was recorded.
    margin = 0.5 * float(np.max(np.diff(times), initial=0.0))
    if not times[0] - margin <= at <= times[-1] + margin:
        raise InvalidValueError(
            f"{at:g} s lies outside the result, which runs from {times[0]:g} s to {times[-1]:g} s.",
            remedy="give a time within it",
        )
    instant = int(np.argmin(np.abs(times - at)))
    return instant, "" if times[instant] == at else f", the instant nearest to {at:g} s"


def _peak(
    result: Result, output: Output, times: Array, curve: Array, *, within_cycles: bool
) -> tuple[int, str]:
    """Where an output is largest, and of which span that is the peak."""
    size = np.abs(curve)
    largest = int(np.argmax(size))
    if math.isnan(size[largest]):
        largest = int(np.nanargmax(size))
    side = joint_named(output.place["joint"]).side if is_joint_force(output) else ""
    if not is_joint_force(output) or not has_cycles(result, side):
        return largest, ", its peak"
    if not within_cycles:
        return largest, ", its peak in the whole recording"
    instant = cycle_peak(result, size, side)
    percent = cycle_percent(result, side, float(times[instant]))
    place = "" if math.isnan(percent) else f", {percent:.0f} % of the gait cycle"
    return instant, f"{place}, its peak within whole cycles"


def _mean_weights(times: Array) -> Array:
    """Weights of the trapezoidal mean over time, (n_times,); instants may be unevenly spaced."""
    if len(times) == 1:
        return np.ones(1)
    steps = np.diff(times)
    weight = np.zeros(len(times))
    weight[:-1] += 0.5 * steps
    weight[1:] += 0.5 * steps
    return np.asarray(weight / (times[-1] - times[0]))
