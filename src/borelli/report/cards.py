"""The top of a page: who and what, and a card for each joint that says how much it bears, when, and from what."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from typing import Any

from borelli.results.answers import Answer
from borelli.results.figures.palette import colours_of
from borelli.results.outputs.body_size import MASS_KG

# More stripes cannot be told apart at a glance; what is left of the bar is grey.
_BAR_PARTS = 6
_LEAST_IN_BAR = 2.0
"""Per cent of the total; narrower stripes cannot be seen."""


def about(settings: Mapping[str, Any], folder: str, title: str) -> list[tuple[str, str]]:
    """What is known of a trial: words and values, from its file, else from the names of folder and model."""
    told = settings.get("about")
    told = told if isinstance(told, dict) else {}
    known = {
        "trial": told.get("title") or folder,
        "subject": told.get("subject") or settings.get("model") or title,
        "mass": f"{float(settings[MASS_KG]):.1f} kg" if _is_number(settings.get(MASS_KG)) else "",
        "side": told.get("side", ""),
        "condition": told.get("condition", ""),
        "session": told.get("session", ""),
    }
    return [(word, str(value)) for word, value in known.items() if value]


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(float(value))  # type: ignore[arg-type]


def about_html(facts: Sequence[tuple[str, str]]) -> str:
    """Return these facts as a line of pairs."""
    pairs = "".join(
        f"<div><dt>{html.escape(word)}</dt><dd>{html.escape(value)}</dd></div>" for word, value in facts
    )
    return f'<dl class="about">{pairs}</dl>'


def cards_html(answers: Sequence[Answer], numbers: Mapping[str, int]) -> str:
    """Return a card for each answer; `numbers` says which output of the page each name is."""
    known = [answer for answer in answers if answer.output.name in numbers]
    first = [_card(answer, numbers) for answer in known if not answer.is_minor]
    minor = [_card(answer, numbers) for answer in known if answer.is_minor]
    shown = _list(first or minor, "What each joint bears")
    if not first or not minor:
        return shown
    return f"{shown}<details><summary>{len(minor)} smaller joints</summary>{_list(minor, 'Smaller joints')}</details>"


def _list(cards: Sequence[str], label: str) -> str:
    return f'<ul class="cards" aria-label="{label}">{"".join(cards)}</ul>' if cards else ""


def _card(answer: Answer, numbers: Mapping[str, int]) -> str:
    name = html.escape(f"{answer.words[:1].upper()}{answer.words[1:]}")
    parts = ", ".join(
        f"{answer.short(part.name)} {part.percent:.0f}\u00a0%".replace("-", "\u2212") for part in answer.told
    )
    more = "".join(
        f'<button type="button" class="small" data-output="{numbers[key]}" data-time="{answer.time!r}">{words} '
        f'<span data-newtons="{value!r}">{value:.0f} N</span></button>'
        for key, words, value in _directions(answer)
        if key in numbers and math.isfinite(value)
    )
    return (
        f'<li class="card"><button type="button" class="answer" data-output="{numbers[answer.output.name]}" '
        f'data-time="{answer.time!r}"><span class="who">{name}</span> '
        f'<span class="much" data-newtons="{answer.total!r}">{html.escape(answer.size)}</span> '
        f'<span class="when">{html.escape(answer.when)}</span>{_bar(answer)} '
        f'<span class="from">{html.escape(parts)}</span></button><div class="more">{more}</div></li>'
    )


def _directions(answer: Answer) -> list[tuple[str, str, float]]:
    stem = answer.output.quantity.split("_")[-1]
    return [
        (
            f"{answer.joint}_axial_{stem}",
            "compression" if answer.axial >= 0.0 else "traction",
            abs(answer.axial),
        ),
        (f"{answer.joint}_shear_{stem}", "shear", answer.shear),
    ]


def _bar(answer: Answer) -> str:
    """The positive parts as stripes, the rest grey: a glance tells what dominates."""
    colours = colours_of([part.name for part in answer.parts])
    positive = [part for part in answer.parts if part.percent >= _LEAST_IN_BAR][:_BAR_PARTS]
    whole = sum(part.value for part in answer.parts if part.value > 0.0) or 1.0
    stripes = "".join(
        f'<i style="width:{100.0 * part.value / whole:.1f}%;background:{colours[part.name]}"></i>'
        for part in positive
    )
    return f'<span class="bar" aria-hidden="true">{stripes}</span>'
