"""The page of a study: one HTML file that opens offline, beside the pages of its trials."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any
from urllib.parse import quote

from borelli.report.shell import resource, script_json, template
from borelli.results.figures.palette import colours_of
from borelli.results.figures.policy import META
from borelli.results.on_disk.whole import whole_file

# A list that is read; the rest is in summary.json.
_MOST_SENTENCES = 20
_WORDS = {"green": "green", "yellow": "yellow", "red": "red", "none": "no verdict"}
_METHODS = (
    "Means are over the cycles of a trial, then over the trials of a subject; bands are one standard deviation "
    "between subjects. Conditions are compared with the first, paired by subject: Student's t-test, p-values corrected "
    "by Holm's method over all numbers that were tested in a group. Differences over the cycle are tested by "
    "statistical parametric mapping: {correction}. Parts of a difference add up to it, because shares add up to their "
    "output; the largest gap here is {closure:.1e} of the largest difference. A trial is an outlier where its distance "
    "from the median of its condition has a modified z-score above 3.5."
)
_CITATIONS = (
    "Holm, S. (1979). A simple sequentially rejective multiple test procedure. "
    "Scandinavian Journal of Statistics 6, 65–70.",
    "Pataky, T. C. (2012). One-dimensional statistical parametric mapping in Python. "
    "Computer Methods in Biomechanics and Biomedical Engineering 15, 295–301.",
    "Iglewicz, B., Hoaglin, D. C. (1993). How to detect and handle outliers. ASQC Quality Press.",
)


def write_study_page(summary: dict[str, Any], path: Path) -> Path:
    """Write the page of a study, whole or not at all.

    Parameters
    ----------
    summary : dict
        Plain values, as ``summary.json`` of a study holds them; pages of trials are named relative to the page.
    """
    text = study_page_text(summary)
    with whole_file(path) as partial:
        partial.write_text(text, encoding="utf-8")
    return path


def study_page_text(summary: dict[str, Any]) -> str:
    """Return the page; every name that comes from a file is escaped."""
    # Loaded here: the script is large, and only a page needs it.
    from plotly.offline import get_plotlyjs

    drawn = {key: summary[key] for key in ("conditions", "groups", "outputs", "bands", "splits", "tests")}
    sources = [name for group in summary["splits"].values() for each in group for name in each["parts"]]
    data = {**drawn, "colours": colours_of(list(dict.fromkeys(sources))), "sentences": _by_output(summary)}
    return template("study.html").substitute(
        policy=META,
        title=html.escape(summary["name"]),
        lead=html.escape(_lead(summary)),
        sentences=_sentences(summary),
        lights=_lights(summary["trials"]),
        rows="\n".join(map(_row, summary["trials"])),
        outliers=_outliers(summary),
        methods=html.escape(_methods(summary)),
        citations="\n".join(f"<li>{html.escape(text)}</li>" for text in _CITATIONS),
        compared_hidden="" if len(summary["conditions"]) > 1 else "hidden",
        version=html.escape(summary["borelli_version"]),
        data=script_json(data),
        style=resource("page.css") + resource("study.css"),
        script=resource("study.js"),
        plotly=get_plotlyjs(),
    )


def _lead(summary: dict[str, Any]) -> str:
    trials = summary["trials"]
    failed = sum(each["state"] != "done" for each in trials)
    subjects = len({each["subject"] for each in trials})
    told = f"{len(trials)} trials of {subjects} subjects in {len(summary['conditions'])} conditions"
    return f"{told}; {failed} failed." if failed else f"{told}."


def _everybody(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """Differences of the group of all, which comes first."""
    return next(iter(summary["differences"].values()), [])


def _sentences(summary: dict[str, Any]) -> str:
    told = [each for each in _everybody(summary) if each["sentence"]]
    if not told:
        return "<p class='hint'>One condition: there is nothing to compare.</p>"
    sure = [
        each for each in told if each["p_corrected"] is not None and each["p_corrected"] <= summary["alpha"]
    ]
    items = "".join(f"<li>{html.escape(each['sentence'])}</li>" for each in sure[:_MOST_SENTENCES])
    alpha = f"{summary['alpha']:g}"
    more = len(sure) - _MOST_SENTENCES
    note = f"{len(sure)} of {len(told)} numbers differ at the corrected level of {alpha}" + (
        f"; the {_MOST_SENTENCES} surest are listed, {more} more are in summary.json." if more > 0 else "."
    )
    return f"<ol class='sentences'>{items}</ol><p class='hint'>{html.escape(note)}</p>"


def _by_output(summary: dict[str, Any]) -> dict[str, dict[str, list[str]]]:
    """Sentences of each output, by group."""
    found: dict[str, dict[str, list[str]]] = {}
    for group, all_of_it in summary["differences"].items():
        for each in all_of_it:
            if each["sentence"]:
                found.setdefault(group, {}).setdefault(each["output"], []).append(each["sentence"])
    return found


def _lights(trials: list[dict[str, Any]]) -> str:
    counts = {
        light: sum(each["state"] == "done" and each["light"] == light for each in trials) for light in _WORDS
    }
    shown = [f"{_lamp(light)} {count}" for light, count in counts.items() if count]
    failed = sum(each["state"] != "done" for each in trials)
    return " ".join([*shown, *([f"{_lamp('red', 'failed')} {failed}"] if failed else [])])


def _lamp(light: str, word: str = "") -> str:
    known = light if light in _WORDS else "none"
    return f"<span class='light {known}'>{html.escape(word or _WORDS[known])}</span>"


def _row(trial: dict[str, Any]) -> str:
    name = html.escape(trial["trial"])
    link = f"<a href='{_address(trial['page'])}'>{name}</a>" if trial["page"] else name
    lamp = _lamp(trial["light"]) if trial["state"] == "done" else _lamp("red", trial["state"])
    odd = [f"far from the others: {', '.join(trial['outlier'][:4])}"] if trial["outlier"] else []
    told = "; ".join([*filter(None, [trial["error"]]), *trial["doubts"], *odd])
    doubtful = trial["state"] != "done" or trial["light"] in ("yellow", "red") or trial["outlier"]
    cells = f"<td>{html.escape(trial['condition'])}</td><td>{link}</td><td>{lamp}</td><td>{html.escape(told)}</td>"
    kind = "doubtful" if doubtful else "plain"
    return f"<tr class='{kind}'><th scope='row'>{html.escape(trial['subject'])}</th>{cells}</tr>"


def _outliers(summary: dict[str, Any]) -> str:
    pages = {(t["subject"], t["condition"], t["trial"]): t["page"] for t in summary["trials"]}
    rows = []
    for each in summary["outliers"]:
        name = html.escape(f"{each['subject']} / {each['condition']} / {each['trial']}")
        page = pages.get((each["subject"], each["condition"], each["trial"]), "")
        link = f"<a href='{_address(page)}'>{name}</a>" if page else name
        distance = html.escape(f"{each['distance']:.3g} {each['unit']}")
        output = html.escape(each["output"].replace("_", " "))
        rows.append(
            f"<tr><th scope='row'>{link}</th><td>{output}</td><td class='number'>{distance}</td>"
            f"<td class='number'>{each['score']:.1f}</td></tr>"
        )
    if not rows:
        return "<p class='hint'>No trial is far from the others of its condition.</p>"
    head = "".join(
        f"<th scope='col'>{text}</th>" for text in ("Trial", "Output", "Distance (RMS)", "Modified z-score")
    )
    return f"<div class='scroll tall'><table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"


def _methods(summary: dict[str, Any]) -> str:
    made: list[Any] = next((g["made"] for g in summary["tests"].values() if g.get("made")), [])
    reasons: list[str] = next((g["left_out"] for g in summary["tests"].values() if g.get("left_out")), [])
    correction = (
        made[0]["correction"] if made else f"none was made ({'; '.join(reasons[:2]) or 'one condition'})"
    )
    gaps = [each["closure"] for each in _everybody(summary) if each["closure"] is not None]
    sizes = [abs(each["test"]["mean"]) for each in _everybody(summary) if each["test"]["mean"] is not None]
    largest = max(sizes, default=0.0)
    return _METHODS.format(
        correction=correction, closure=max(gaps, default=0.0) / largest if largest else 0.0
    )


def _address(page: str) -> str:
    """Return a relative address: no name of a subject can make another address of it."""
    return html.escape("./" + "/".join(quote(part, safe="") for part in page.split("/")), quote=True)
