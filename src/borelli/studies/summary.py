"""All that a study says, as plain values: lights of trials, means and bands, differences with their parts, outliers."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from borelli import __version__
from borelli.errors import BorelliError, MissingInputError
from borelli.results.saving.manifest import PAGE, load_manifest
from borelli.studies.differences import Difference
from borelli.studies.group_means import groups_of, mean_curves_by_output, members
from borelli.studies.names import TOTAL
from borelli.studies.outliers import outliers
from borelli.studies.spm import CurveTest

if TYPE_CHECKING:
    from borelli.studies.ledger import Entry
    from borelli.studies.load import Study

MOST_PARTS = 7
"""Sources of a difference that are drawn by themselves; all others are added up."""
UNKNOWN = "none"


def summary_of(study: Study, entries: list[Entry]) -> dict[str, Any]:
    """Return the summary of a study; JSON knows every value in it."""
    found = outliers(study)
    # By trial, once: asking every outlier about every trial would take the square of their number.
    odd: dict[tuple[str, str, str], list[str]] = {}
    for each in found:
        odd.setdefault((each.subject, each.condition, each.trial), []).append(each.output)
    compared = len(study.conditions) > 1
    groups = groups_of(study)
    return {
        "name": study.name,
        "borelli_version": __version__,
        "conditions": list(study.conditions),
        "groups": {name: list(subjects) for name, subjects in groups.items()},
        "trials": [_trial(study, entry, odd) for entry in entries],
        "outputs": study.split_outputs(),
        "bands": {group: _bands(study, group) for group in groups},
        "differences": {
            group: [_difference(each) for each in study.differences(group=group)] if compared else []
            for group in groups
        },
        "splits": {group: _splits(study, group) if compared else [] for group in groups},
        "tests": {group: _tests(study, group) if compared else {} for group in groups},
        "outliers": [_plain(asdict(each)) for each in found],
        "alpha": study.file.statistics.alpha,
    }


def _trial(study: Study, entry: Entry, odd: dict[tuple[str, str, str], list[str]]) -> dict[str, Any]:
    """Return name, state, light and page of a trial, and why it is doubtful."""
    own = entry.trial
    told: dict[str, Any] = {"subject": own.subject, "condition": own.condition, "trial": own.trial}
    told |= {"state": entry.state, "error": entry.error.splitlines()[0] if entry.error else ""}
    light, doubts, page = UNKNOWN, [], ""
    if entry.state == "done":
        try:
            verdict = load_manifest(entry.folder).get("verdict")
        except BorelliError:
            verdict = None
        if isinstance(verdict, dict):
            light = str(verdict.get("light", UNKNOWN))
            checks = [each for each in verdict.get("checks", []) if isinstance(each, dict)]
            doubts = [str(each.get("message", "")) for each in checks if each.get("light") != "green"]
        if (entry.folder / PAGE).is_file():
            page = Path(entry.folder / PAGE).relative_to(study.folder).as_posix()
    far = odd.get((own.subject, own.condition, own.trial), [])
    return {**told, "light": light, "doubts": doubts, "page": page, "outlier": far}


def _bands(study: Study, group: str) -> dict[str, Any]:
    """Mean and standard deviation over the cycle of every split output, by condition."""
    outputs = list(study.split_outputs())
    found: dict[str, Any] = {output: {} for output in outputs}
    rows = mean_curves_by_output(study, outputs, group)
    for (output, condition), own in rows.groupby(["output", "condition"], sort=False):
        found[str(output)][condition] = {
            "n": int(own["n"].max()),
            "mean": _numbers(own["mean"]),
            "sd": _numbers(own["sd"]),
        }
    return found


def _difference(each: Difference) -> dict[str, Any]:
    return _plain({**asdict(each), "sentence": each.sentence if each.parts else "", "closure": each.closure})


def _splits(study: Study, group: str) -> list[dict[str, Any]]:
    """Differences over the cycle with the part of every source, paired by subject."""
    rows = study.means("shares")
    rows = rows[rows["output"].isin(study.split_outputs()) & rows["subject"].isin(members(study, group))]
    keys = ["output", "source", "percent", "subject"]
    before = rows[rows["condition"] == study.conditions[0]].set_index(keys)["value"]
    found = []
    for condition in study.conditions[1:]:
        after = rows[rows["condition"] == condition].set_index(keys)["value"]
        gaps: Any = (after - before).dropna().groupby(level=["output", "source", "percent"], sort=True).mean()
        for output, own in gaps.groupby(level="output", sort=True):
            curves = own.droplevel("output").unstack("percent")
            total = curves.loc[TOTAL].to_numpy()
            parts = curves.drop(index=TOTAL)
            size = parts.abs().max(axis=1).sort_values(ascending=False, kind="stable")
            shown = [name for name in size.index[:MOST_PARTS] if size[name] > 0.0]
            drawn = {name: _numbers(parts.loc[name]) for name in shown}
            rest = parts.drop(index=shown).sum(axis=0).to_numpy()
            if np.abs(rest).max(initial=0.0) > 0.0:
                drawn["all others"] = _numbers(rest)
            found.append({"output": output, "condition": condition, "total": _numbers(total), "parts": drawn})
    return found


def _tests(study: Study, group: str) -> dict[str, Any]:
    """Tests over the cycle of every split output, and what was not tested and why."""
    if not study.file.statistics.spm:
        return {"made": [], "left_out": ["the study file asks for none"]}
    asked = [(output, condition) for output in study.split_outputs() for condition in study.conditions[1:]]
    made, left_out = [], []
    for output, condition in asked:
        try:
            found = study.curve_test(output, condition, group=group, curves=len(asked))
        except MissingInputError as reason:
            left_out.append(f"{output}: {reason.what}")
            continue
        made.append(_test(found))
    return {"made": made, "left_out": list(dict.fromkeys(left_out))}


def _test(found: CurveTest) -> dict[str, Any]:
    told = {k: v for k, v in vars(found).items() if k not in ("percent", "t", "clusters")}
    clusters = [_plain(asdict(each)) for each in found.clusters]
    return {**_plain(told), "t": _numbers(found.t), "clusters": clusters}


def _numbers(values: Any) -> list[float | None]:
    """Return numbers to six digits, which is more than a drawing shows; None where one is not finite."""
    return [
        float(f"{value:.6g}") if math.isfinite(value) else None for value in np.asarray(values, dtype=float)
    ]


def _plain(value: Any) -> Any:
    """Return what JSON knows: numbers that are not finite become None."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value
