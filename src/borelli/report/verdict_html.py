"""The traffic light on a page: its colour, what asks for a second look and what to do, and behind it every check."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from borelli.results.verdict import VERDICT, Check, Verdict

_WORDS = {"green": "Green", "yellow": "Yellow", "red": "Red"}


def verdict_html(manifest: Mapping[str, Any]) -> str:
    """Return the block of a saved manifest; nothing where nothing was checked. Texts are escaped."""
    known = Verdict.from_dict(manifest.get(VERDICT, {"checks": []}))
    if not known.checks:
        return ""
    doubts = "".join(_doubt(check) for check in known.doubts)
    rows = "".join(_row(check) for check in known.checks)
    return (
        f'<div class="verdict {known.light}" role="group" aria-label="Verdict">'
        f'<p class="lamp"><strong>{_WORDS[known.light]}.</strong> {html.escape(known.sentence)}</p>'
        f"{f'<ul>{doubts}</ul>' if doubts else ''}"
        f"<details><summary>{f'All {len(known.checks)} checks' if len(known.checks) > 1 else 'The check'}</summary>"
        '<div class="scroll"><table><thead><tr><th scope="col">Check</th><th scope="col">Light</th>'
        '<th scope="col">Found</th><th scope="col">Green up to</th><th scope="col">What it says</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div></details></div>"
    )


def _doubt(check: Check) -> str:
    remedy = f' <span class="remedy">{html.escape(_sentence(check.remedy))}</span>' if check.remedy else ""
    return f'<li class="{check.light}">{html.escape(check.message)}{remedy}</li>'


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _row(check: Check) -> str:
    unit = "" if check.unit == "1" else f" {check.unit}"
    found, limit = (f"{number:.3g}{unit}" for number in (check.value, check.threshold))
    cells = f"<td class='number'>{html.escape(found)}</td><td class='number'>{html.escape(limit)}</td>"
    lamp = f"<span class='light {check.light}'>{check.light}</span>"
    return (
        f"<tr><th scope='row'>{html.escape(check.name)}</th><td>{lamp}</td>"
        f"{cells}<td>{html.escape(check.message)}</td></tr>"
    )
