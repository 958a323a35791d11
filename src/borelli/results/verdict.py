"""One traffic light for a result: what was checked, what it means, and what to do about it.

The same verdict stands in ``result.json``, on the page, in the terminal and in a study. An analysis puts its checks
into the attribute ``verdict`` of its result; what any result can be asked (closure, optimality, constraints) is
checked here.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, Literal

import numpy as np

from borelli.errors import MissingInputError
from borelli.records import dataclass
from borelli.results.labelled.plain_result import Result

Light = Literal["green", "yellow", "red"]
LIGHTS: tuple[Light, ...] = ("green", "yellow", "red")
"""From best to worst."""
VERDICT = "verdict"
"""Attribute of a result, and key of its manifest."""


@dataclass(frozen=True, slots=True)
class Check:
    """One question that a result was asked.

    Attributes
    ----------
    name : str
        What was looked at, such as ``"residual force"``.
    light : "green", "yellow" or "red"
    value, threshold : float
        What was found, and up to which value it is green; in `unit`.
    unit : str
        ``"1"`` for a plain number.
    message : str
        What was found, in a sentence.
    remedy : str
        What to do about it; empty where all is well.

    Examples
    --------
    >>> check = bo.verdict(bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach())).checks[0]
    >>> check.light
    'green'
    """

    name: str
    light: Light
    value: float
    threshold: float
    unit: str
    message: str
    remedy: str = ""

    @classmethod
    def graded(
        cls, name: str, value: float, limits: tuple[float, float], unit: str, message: str, remedy: str
    ) -> Check:
        """Check a number: green up to the first limit, yellow up to the second, red beyond."""
        light = LIGHTS[sum(not value <= limit for limit in limits)]
        return cls(name, light, float(value), limits[0], unit, message, "" if light == "green" else remedy)


@dataclass(frozen=True, slots=True)
class Verdict:
    """All checks of a result, the worst first; its light is that of the worst.

    Examples
    --------
    >>> bo.Verdict().checks
    ()
    """

    checks: tuple[Check, ...] = ()

    @classmethod
    def of(cls, checks: Iterable[Check]) -> Verdict:
        """Put checks in order: the worst first, else as they come."""
        return cls(tuple(sorted(checks, key=lambda check: -LIGHTS.index(check.light))))

    @property
    def light(self) -> Light:
        """Of the worst check; green without any."""
        return max((check.light for check in self.checks), key=LIGHTS.index, default="green")

    @property
    def doubts(self) -> tuple[Check, ...]:
        """Checks that are not green."""
        return tuple(check for check in self.checks if check.light != "green")

    @property
    def sentence(self) -> str:
        """The verdict in one line."""
        if not self.checks:
            return "Nothing could be checked."
        if not self.doubts:
            several = len(self.checks) > 1
            return f"All {len(self.checks)} checks passed." if several else "The only check passed."
        red = sum(check.light == "red" for check in self.checks)
        asks = "ask" if len(self.doubts) > 1 else "asks"
        ask = f"{len(self.doubts)} of {len(self.checks)} checks {asks} for a second look"
        says = "say" if red > 1 else "says"
        what = (
            f"{red} {says} that the numbers cannot be right"
            if red
            else "none says that the numbers are wrong"
        )
        return f"{ask}; {what}."

    def to_dict(self) -> dict[str, Any]:
        """Return what is saved: ``light`` and ``checks``."""
        return {"light": self.light, "checks": [asdict(check) for check in self.checks]}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Verdict:
        """Read what :meth:`to_dict` gave."""
        return cls.of(Check(**check) for check in saved["checks"])

    def text(self) -> str:
        """Return the light, what asks for a second look, and what to do, as plain lines."""
        lines = [f"Verdict: {self.light.upper()}. {self.sentence}"]
        for check in self.doubts:
            lines.append(f"  {check.light.upper():<6} {check.message}")
            if check.remedy:
                lines.append(f"         Remedy: {check.remedy}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()


def verdict(result: Result) -> Verdict:
    """Return the verdict on a result: that of its analysis, else what any result can be asked.

    Parameters
    ----------
    result : Dataset
        Of an analysis, or of ``load_result``.

    Examples
    --------
    >>> bo.verdict(bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach())).light
    'green'
    """
    saved = result.attrs.get(VERDICT)
    if saved is not None:
        if not is_verdict(saved):
            raise MissingInputError("The attribute 'verdict' of the result is not what Borelli writes.")
        return Verdict.from_dict(saved)
    return Verdict.of(checks_of_numbers(result))


# Name of the residual: words, green up to, yellow up to, meaning, remedy. The limits are round-off; the solver's own
# aim; a milliradian or a millimetre, and ten of them.
_NUMBERS = {
    "closure": (
        "shares add up",
        (1e-9, 1e-6),
        "The shares miss their totals by {:.1e} of the largest share.",
        "compute anew; if it stays, please report it: shares are exact by construction",
    ),
    "optimality": (
        "muscle forces are optimal",
        (1e-6, 1e-3),
        "The muscle forces of static optimization violate the conditions of the optimum by {:.1e}.",
        "look for muscles without strength, or give larger reserves (--reserves)",
    ),
    "constraint_violation": (
        "constraints of the model",
        (1e-3, 1e-2),
        "The motion violates the model's constraints by up to {:.1e} rad or m.",
        "leave out columns that constraints determine, or take the motion of borelli ik",
    ),
}


_UNKNOWN = (0.0, 50.0)
"""Per cent of the instants. What is said of fewer than half of a recording is not said of the recording."""
_LEADING = ("total_generalized_force", "generalized_force")
"""Where a result has one of these, it tells; what follows from it may lack numbers for reasons of its own."""


def _known_check(result: Result) -> Check | None:
    """Count the instants without results, where the motion or a load is NaN; None where there are none."""
    # Shares that have a total are left aside: they are many, and it tells.
    curves = {
        str(name): variable
        for name, variable in result.variables.items()
        if len(variable.dims) > 1
        and "time" in variable.dims
        and f"total_{name}" not in result.variables
        and variable.values.dtype.kind == "f"
    }
    asked = [curves[name] for name in _LEADING if name in curves][:1] or list(curves.values())
    if not asked:
        return None
    lost = sum(
        np.isnan(each.values)
        .any(axis=tuple(k for k, dim in enumerate(each.dims) if dim != "time"))
        .astype(int)
        for each in asked
    )
    # One quantity may have no number at all instants, as the centre of pressure of a foot in the air; most have one.
    lost = np.asarray(lost) > len(asked) / 2
    if not lost.any():
        return None
    share = 100.0 * float(lost.mean())
    first = float(result.variables["time"].values[int(np.argmax(lost))])
    return Check.graded(
        "results at every instant",
        share,
        _UNKNOWN,
        "%",
        f"{int(lost.sum())} of {lost.size} instants ({share:.2g} %), the first at {first:g} s, have no results: the "
        "motion or a load is NaN there. Means, peaks and every other check are of the other instants.",
        "fill the gaps of the motion and the loads, or analyse the time between them",
    )


def checks_of_numbers(result: Result) -> list[Check]:
    """Check what any analysis may report: instants without numbers, closure, optimality, violated constraints."""
    known = _known_check(result)
    found = [] if known is None else [known]
    for name, (words, limits, message, remedy) in _NUMBERS.items():
        own = result.variables.get(name)
        if own is not None and not own.dims:
            value = float(own.values)
            value = value if math.isfinite(value) else math.inf
            unit = str(result[name].attrs.get("units", "1")) or "1"
            shown = Check.graded(words, value, limits, unit, message.format(value), remedy)
            found.append(shown if math.isfinite(value) else _unknown(shown))
    return found


def _unknown(check: Check) -> Check:
    """Return a check whose number is not known: red, and a number that JSON can hold."""
    return Check(
        check.name, "red", -1.0, check.threshold, check.unit, f"{check.name}: not known.", check.remedy
    )


def is_verdict(value: object) -> bool:
    """Whether something from a file has the shape of a saved verdict."""
    if not isinstance(value, Mapping) or value.get("light") not in LIGHTS:
        return False
    checks = value.get("checks")
    return isinstance(checks, list) and all(map(_is_check, checks))


def _is_check(value: object) -> bool:
    if not isinstance(value, Mapping) or set(value) != set(Check.__slots__):
        return False
    texts = [value[key] for key in ("name", "unit", "message", "remedy")]
    numbers = [value[key] for key in ("value", "threshold")]
    return (
        value["light"] in LIGHTS
        and all(isinstance(text, str) for text in texts)
        and all(map(_is_number, numbers))
    )


def _is_number(value: object) -> bool:
    # A whole number of a file may have more digits than any floating-point number.
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
