"""Saved results as one HTML file that opens offline: residuals first, then motion, shares, muscles, methods."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

import borelli
from borelli.errors import MissingInputError
from borelli.report.blob import Blob
from borelli.report.methods import methods_text
from borelli.report.page_data import Shown
from borelli.results.explanation import Explanation
from borelli.results.whole import whole_file

_SOURCES_NAMED = 3
_LEAST_TELLING = 0.05
_CLOSURE_EXPLAINED = (
    "The shares of every output were added up and compared with its total, found in another way. "
    "Closure is the largest gap over the largest share."
)
# In this order: each file uses only names of those before it.
_SCRIPTS = (
    "basics.js",
    "numbers.js",
    "saving.js",
    "player.js",
    "scene2d.js",
    "scene3d.js",
    "shares.js",
    "muscles.js",
    "compare.js",
    "page.js",
)


def write_page(
    folders: Sequence[str | os.PathLike[str]], path: str | os.PathLike[str], title: str = ""
) -> Path:
    """Write a page of one or several result folders, whole or not at all.

    Parameters
    ----------
    folders : sequence of paths
        Result folders, in the order of the page.
    path : path
        The HTML file.
    title : str, optional
        By default the titles of the results.
    """
    if not folders:
        raise MissingInputError("A page needs at least one result folder.")
    target = Path(path)
    with whole_file(target) as partial:
        blob = Blob()
        shown = [Shown.of_folder(Path(folder), blob) for folder in folders]
        partial.write_text(page_text(shown, blob, title), encoding="utf-8")
    return target


def page_text(shown: Sequence[Shown], blob: Blob, title: str = "") -> str:
    """Return the page; every name that comes from a file is escaped."""
    from plotly.offline import get_plotlyjs

    title = title or ", ".join(dict.fromkeys(each.title for each in shown))
    several = len(shown) > 1
    links = [f'<li><a href="#result-{k}">{html.escape(each.title)}</a></li>' for k, each in enumerate(shown)]
    return _template("page.html").substitute(
        title=html.escape(title),
        lead="Joint loads, and where every newton of them comes from.",
        navigation=f'<nav aria-label="Results"><ul>{"".join(links)}</ul></nav>' if several else "",
        compared=_resource("compare.html") if several else "",
        sections="\n".join(_section(each, k) for k, each in enumerate(shown)),
        version=html.escape(borelli.__version__),
        data=_script_json({"results": [each.data for each in shown]}),
        numbers=blob.text(),
        style=_resource("page.css"),
        script="\n".join(_resource(name) for name in _SCRIPTS),
        plotly=get_plotlyjs(),
    )


def _section(shown: Shown, number: int) -> str:
    record, data = shown.record, shown.data
    times = record["times"]
    explained = _CLOSURE_EXPLAINED if "closure" in record["residuals"] else ""
    residuals = "\n".join(
        f"<div><dt>{html.escape(name.replace('_', ' '))}</dt><dd>{_residual(each)}</dd></div>"
        for name, each in record["residuals"].items()
    )
    warnings = "".join(f"<li>{html.escape(text)}</li>" for text in record["warnings"])
    span = f"{times['count']} frames from {times['first_s']:g} s to {times['last_s']:g} s"
    return _template("section.html").substitute(
        number=number,
        title=html.escape(shown.title),
        subtitle=html.escape(f"{record['analysis']}; {span}. {record['settings'].get('note', '')}".strip()),
        explained=f"<p class='hint'>{html.escape(explained)}</p>" if explained else "",
        residuals=residuals or "<div><dt>none</dt><dd>This result reports no residual.</dd></div>",
        warnings=f'<ul class="warnings">{warnings}</ul>' if warnings else "<p>No warnings.</p>",
        scene_hidden="" if data["scene"] else "hidden",
        shares_hidden="" if data["outputs"] else "hidden",
        muscles_hidden="" if data["muscles"] else "hidden",
        balance_hidden="" if data["balance"] else "hidden",
        peaks="\n".join(_peak_row(peak) for peak in shown.peaks),
        methods=html.escape(methods_text(record)),
        citations="\n".join(f"<li>{html.escape(text)}</li>" for text in record["citations"]),
    )


def _peak_row(peak: Explanation) -> str:
    loud = [share for share in peak.shares if share.value != 0.0][:_SOURCES_NAMED]
    # Of a total that is little beside its parts, percentages say nothing.
    telling = bool(loud) and abs(peak.total) >= _LEAST_TELLING * abs(loud[0].value)
    sources = ", ".join(
        f"{share.source} ({share.percent:+.0f}\u00a0%)" if telling else share.source for share in loud
    )
    when = peak.when.removeprefix("at ").partition(" (")[0]
    return (
        f"<tr><th scope='row'>{html.escape(peak.output.name.replace('_', ' '))}</th>"
        f"<td class='number'>{peak.total:.4g} {html.escape(peak.unit)}</td>"
        f"<td class='number'>{html.escape(when)}</td><td>{html.escape(sources)}</td></tr>"
    )


def _residual(residual: dict[str, Any]) -> str:
    unit = "" if residual["unit"] in ("", "1") else " " + html.escape(residual["unit"])
    return f"{residual['value']:.2g}{unit}"


def _script_json(data: Any) -> str:
    """Return JSON that can stand inside a script element: no tag can begin or end in it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _resource(name: str) -> str:
    return (resources.files("borelli.report") / "templates" / name).read_text(encoding="utf-8")


def _template(name: str) -> Template:
    return Template(_resource(name))
