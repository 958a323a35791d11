"""The verdict on a trial: every check that its model, motion, loads and answer allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from borelli.results.verdict import VERDICT, Check, Verdict, checks_of_numbers
from borelli.trial.answer_checks import end_check, reserve_check
from borelli.trial.load_checks import load_checks
from borelli.trial.motion_checks import motion_checks

if TYPE_CHECKING:
    from borelli.model.model import Model
    from borelli.model.motion import Motion
    from borelli.results.labelled.plain_result import PlainResult
    from borelli.trial.forces import Forces


def with_verdict(result: PlainResult, model: Model, motion: Motion, forces: Forces) -> PlainResult:
    """Add the verdict as an attribute; it is saved with the result."""
    found: list[Check | None] = [
        *load_checks(result, model, motion, forces),
        *motion_checks(model, motion),
        reserve_check(result, model),
        end_check(result, model),
        *checks_of_numbers(result),
    ]
    known = Verdict.of(check for check in found if check is not None)
    return result.with_attrs({VERDICT: known.to_dict()})
