"""Saved results as one HTML file that opens offline: verdict first, then motion, shares, muscles, methods."""

from __future__ import annotations

import html
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import borelli
from borelli.errors import MissingInputError
from borelli.report.blob import Blob
from borelli.report.cards import about, about_html, cards_html
from borelli.report.compression import packed
from borelli.report.detail import PAGE_BYTES
from borelli.report.mesh_data import Surface
from borelli.report.methods import methods_text
from borelli.report.page_data import Saved, Shown
from borelli.report.shell import resource, script_json, template
from borelli.report.verdict_html import verdict_html
from borelli.results.figures.policy import META
from borelli.results.gait.norms import Norms
from borelli.results.on_disk.whole import check_parent, whole_file
from borelli.results.outputs.resultant import Resultant
from borelli.results.saving.manifest import add_to_manifest

# Loaded where needed: plotly, which is slow to load.

_SOURCES_NAMED = 3
# Of the largest source; beside it, what is smaller is not worth a name.
_LEAST_NAMED = 0.01
_LEAST_TELLING = 0.05
_EXPLAINED = {
    "closure": "Largest gap between shares and independent total, relative to the largest share.",
    "torque_closure": "The same for all torques.",
    "reaction_closure": "The same for all reactions.",
    "whole_body_residual_force": "Largest gap between measured and required support force.",
    "whole_body_residual_moment": "The same for the support moment, about the first joint.",
    "root_residual_force": "Largest force at the root joint that nothing in the model provides.",
    "root_residual_moment": "Largest moment at the root joint that nothing in the model provides.",
    "optimality": "Largest violation of the optimality conditions of the muscle forces (KKT).",
    "largest_actuator_force": "Largest force of an actuator other than a muscle.",
    "largest_actuator_moment": "Largest moment of an actuator other than a muscle.",
    "largest_reserve_moment": "Largest moment of a reserve actuator at a joint with muscles.",
    "constraint_violation": "Largest violation of the model's constraints by the motion.",
}
# Beyond these a reader should look twice: round-off, the solver's own aim, a milliradian or a millimetre.
_DOUBTFUL = {"closure": 1e-9, "optimality": 1e-6, "constraint_violation": 1e-3}
# In this order: each file uses only names of those before it.
_SCRIPTS = (
    "basics.js",
    "numbers.js",
    "saving.js",
    "chart.js",
    "axis.js",
    "player.js",
    "muscle_colours.js",
    "scene2d.js",
    "figure.js",
    "meshes.js",
    "webgl.js",
    "scene3d.js",
    "shares.js",
    "muscles.js",
    "balance.js",
    "gait.js",
    "markers.js",
    "overlay.js",
    "compare.js",
    "tables.js",
    "parent.js",
    "page.js",
)


def write_page(
    folders: Sequence[str | os.PathLike[str]],
    path: str | os.PathLike[str],
    title: str = "",
    norms: Norms | None = None,
    meshes: Sequence[Mapping[str, Sequence[Surface]]] = (),
    saved: Sequence[Saved | None] = (),
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
    norms : Norms, optional
        Bands to draw behind the curves of joints and ground.
    meshes : sequence of mappings of body to surfaces, optional
        Of each folder: points (n, 3) in the axes of the body (m) and triangles (m, 3) that show its bones.
    saved : sequence of Saved, optional
        Of each folder: what it holds, where that is at hand.
    """
    if not folders:
        raise MissingInputError("A page needs at least one result folder.")
    target = Path(path)
    check_parent(target)
    blob = Blob()
    # Two results are compared in full; a difference of thinned curves would show where they were thinned.
    room = PAGE_BYTES * min(2, len(folders)) / len(folders)
    surfaces, at_hand = [*meshes, *({} for _ in folders)], [*saved, *(None for _ in folders)]
    shown = [
        Shown.of_folder(Path(folder), blob, room, norms, surfaces[k], at_hand[k])
        for k, folder in enumerate(folders)
    ]
    text = page_text(shown, blob, title)
    with whole_file(target) as partial:
        partial.write_text(text, encoding="utf-8")
    if any(_same_folder(target.parent, folder) for folder in folders):
        # The page belongs to the result that it lies in: it is verified and replaced with it.
        add_to_manifest(target.parent, target.name)
    return target


def _same_folder(one: Path, other: str | os.PathLike[str]) -> bool:
    return one.exists() and os.path.samefile(one, other)


def page_text(shown: Sequence[Shown], blob: Blob, title: str = "") -> str:
    """Return the page; every name that comes from a file is escaped."""
    title = title or ", ".join(dict.fromkeys(each.title for each in shown))
    several = len(shown) > 1
    names = _names(shown)
    links = [f'<li><a href="#result-{k}">{html.escape(name)}</a></li>' for k, name in enumerate(names)]
    return template("page.html").substitute(
        policy=META,
        title=html.escape(title),
        lead="Joint loads, and where every newton of them comes from.",
        navigation=f'<nav aria-label="Results"><ul>{"".join(links)}</ul></nav>' if several else "",
        compared=resource("compare.html") if several else "",
        sections="\n".join(_section(each, k, names[k], several) for k, each in enumerate(shown)),
        version=html.escape(borelli.__version__),
        data=packed(script_json({"results": [each.data for each in shown]}).encode()),
        numbers=blob.text(),
        style=resource("page.css"),
        script="\n".join(resource(name) for name in _SCRIPTS),
    )


def _names(shown: Sequence[Shown]) -> list[str]:
    """What each result is called on a page: its title; with its folder, or its number, where several have the same."""
    names = [each.title for each in shown]
    ways = ([each.data["folder"] for each in shown], [f"{k + 1}" for k in range(len(shown))])
    for way in ways:
        names = [
            f"{name} ({more})" if names.count(name) > 1 else name
            for name, more in zip(names, way, strict=True)
        ]
    return names


def _section(shown: Shown, number: int, name: str, several: bool) -> str:
    manifest, data = shown.manifest, shown.data
    numbers = {output["name"]: k for k, output in enumerate(data["outputs"])}
    words = _plain_words(data)
    return template("section.html").substitute(
        number=number,
        title=html.escape(name),
        heading="" if several else "lone",
        subtitle=html.escape(_subtitle(shown)),
        residuals="\n".join(_residual(name, each) for name, each in manifest["residuals"].items())
        or "<div><dt>none</dt><dd>This result reports no residual.</dd></div>",
        about=about_html(about(manifest["settings"], data["folder"], shown.title)),
        cards=cards_html(shown.answers, numbers),
        verdict=verdict_html(manifest),
        warnings=_warnings(manifest["warnings"]),
        scene_hidden="" if data["scene"] else "hidden",
        shares_hidden="" if data["outputs"] else "hidden",
        muscles_hidden="" if data["muscles"] else "hidden",
        gait=resource("gait.html") if data["gait"] else "",
        markers=resource("markers.html") if data["markers"] else "",
        balance_hidden="" if data["balance"] else "hidden",
        peaks="\n".join(_peak_row(shown, number, words) for number in _peak_order(shown)),
        tables_hint=html.escape(_tables_hint(data)),
        methods=html.escape(methods_text(manifest)),
        citations="\n".join(f"<li>{html.escape(text)}</li>" for text in manifest["citations"]),
    )


def _subtitle(shown: Shown) -> str:
    times, data = shown.manifest["times"], shown.data
    span = f"{times['count']} instants from {times['first_s']:g} s to {times['last_s']:g} s"
    span = span if times["count"] > 1 else f"One instant at {times['first_s']:g} s"
    if len(data["drawn"]) < times["count"]:
        span += f" ({len(data['drawn'])} of them drawn)"
    split = f", {len(data['outputs'])} outputs split among {len(data['sources'])} sources"
    note = shown.manifest["settings"].get("note", "")
    return f"{span}{split if data['outputs'] else ''}. {note}".strip()


def _tables_hint(data: dict[str, Any]) -> str:
    """Say that tables are whole, and which of them a page cannot hold."""
    thinned = {
        "wholeShares": ("shares", "shares.parquet"),
        "wholeMuscles": ("curves of muscles", "result.nc"),
        "wholeTotals": ("outputs", "totals.csv"),
    }
    absent = [f"{words} ({file})" for whole, (words, file) in thinned.items() if not data[whole]]
    if not absent:
        return "Every instant is in the tables, also where the drawing has fewer."
    return (
        "The recording is too long for a page, so a table is offered only if it has every instant. The page holds only "
        f"the drawn instants of {', '.join(absent)}; the files of the result folder hold all of them."
    )


def _warnings(texts: Sequence[str]) -> str:
    """Return a list to open: what changes the meaning of the numbers stands in the verdict."""
    if not texts:
        return ""
    items = f'<ul class="warnings">{"".join(f"<li>{html.escape(text)}</li>" for text in texts)}</ul>'
    many = f"{len(texts)} notes" if len(texts) > 1 else "One note"
    return f"<details><summary>{many} from reading and computing</summary>{items}</details>"


def _peak_order(shown: Shown) -> list[int]:
    """Quantity by quantity and unit by unit as they come, the largest peak of each first."""
    kinds = [(peak.output.quantity, peak.unit) for peak in shown.peaks]
    # Whole forces come before their components, which nobody looks for first.
    kinds = [
        ("", *kind[1:]) if isinstance(p.output, Resultant) else kind
        for kind, p in zip(kinds, shown.peaks, strict=True)
    ]
    known = sorted(dict.fromkeys(kinds), key=lambda kind: kind[0] != "")
    return sorted(range(len(kinds)), key=lambda k: (known.index(kinds[k]), -abs(shown.peaks[k].total)))


def _peak_row(shown: Shown, number: int, plain: Mapping[str, str] | None) -> str:
    peak, when_s = shown.peaks[number], shown.data["outputs"][number]["peakTime"]
    parts = _plain_parts(plain, [(share.source, share.value) for share in peak.shares])
    loud = [part for part in parts if abs(part[1]) > _LEAST_NAMED * abs(parts[0][1])][:_SOURCES_NAMED]
    # Of a total that is little beside its parts, percentages say nothing.
    telling = bool(loud) and abs(peak.total) >= _LEAST_TELLING * abs(loud[0][1])
    sources = ", ".join(
        f"{source} ({_minus(f'{100.0 * value / peak.total:+.0f}')}\u00a0%)" if telling else source
        for source, value in loud
    )
    name = html.escape(shown.data["outputs"][number]["label"])
    words = html.escape(shown.words[number])
    return (
        f"<tr data-output='{number}' data-peak='{peak.total:.17g}' data-words='{words}'>"
        f"<th scope='row'><button type='button'>{name}</button></th>"
        f"<td class='number'>{_minus(f'{peak.total:.4g}')} {html.escape(peak.unit)}</td>"
        f"<td class='number'>{when_s:.4g} s</td><td>{html.escape(sources)}</td></tr>"
    )


def _plain_words(data: dict[str, Any]) -> dict[str, str] | None:
    """Muscle of every source in plain words; None where a result has no muscles."""
    plain = next((each for each in data["groupings"] if each["key"] == "by muscle"), None)
    if plain is None:
        return None
    return {
        source: plain["labels"][group] for source, group in zip(data["sources"], plain["of"], strict=True)
    }


def _plain_parts(words: Mapping[str, str] | None, shares: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Add up shares by muscle in plain words, where a result has muscles; the largest first."""
    if words is None:
        return shares
    found: dict[str, float] = {}
    for source, value in shares:
        name = words.get(source, source)
        found[name] = found.get(name, 0.0) + value
    return sorted(found.items(), key=lambda part: -abs(part[1]))


def _residual(name: str, residual: dict[str, Any]) -> str:
    unit = "" if residual["unit"] in ("", "1") else " " + html.escape(residual["unit"])
    explained = f"<dd class='hint'>{html.escape(_EXPLAINED[name])}</dd>" if name in _EXPLAINED else ""
    words = html.escape(name.replace("_", " "))
    doubt = " class='doubtful'" if abs(residual["value"]) > _DOUBTFUL.get(name, math.inf) else ""
    return f"<div{doubt}><dt>{words}</dt><dd>{_short(residual['value'])}{unit}</dd>{explained}</div>"


def _minus(number: str) -> str:
    return number.replace("-", "\u2212")


def _short(value: float) -> str:
    return f"{value:.3g}" if value == 0.0 or 1e-3 <= abs(value) < 1e3 else f"{value:.1e}"
