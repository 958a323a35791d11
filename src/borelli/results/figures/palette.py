"""Colours that colour-blind readers can tell apart (Okabe and Ito 2008): a hue a kind, a shade a source.

A source has the same colour in every chart of a result. Layers of one hue are told apart by their shade,
by a thin line between them and by their order.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

BLUE = "#0072B2"
ORANGE = "#E69F00"
GREEN = "#009E73"
VERMILION = "#D55E00"
PURPLE = "#CC79A7"
SKY = "#56B4E9"
YELLOW = "#F0E442"
GREY = "#999999"

_HUES = {
    "weight": BLUE,
    "load": VERMILION,
    "acceleration": ORANGE,
    "velocity": GREEN,
    "muscle": PURPLE,
    "passive": SKY,
    "constraint": YELLOW,
    "motion": ORANGE,
}
_SPARE = (YELLOW, SKY, BLUE, ORANGE, GREEN, VERMILION, PURPLE, GREY)
# From a fifth of the way to black to six tenths of the way to white: all shades stand out on light and dark paper.
_DARKEST, _LIGHTEST = -0.2, 0.6
# Of many sources a chart shows a few at a time: any few of them, neighbours above all, should differ.
_MANY, _DARKEST_OF_MANY = 8, -0.55
_GOLDEN = (5**0.5 - 1) / 2


def colours_of(sources: Sequence[str]) -> dict[str, str]:
    """Return a colour for each source ``kind:name``, for each kind alone, and for groups of other names."""
    kinds = [source.partition(":")[0] for source in sources]
    unknown = [kind for kind in dict.fromkeys(kinds) if kind not in _HUES]
    # Grey, which also stands for all others, comes last; a hue that a kind has already comes after that.
    taken = {_HUES[kind] for kind in kinds if kind in _HUES}
    spare = sorted(_SPARE, key=lambda hue: hue in taken)
    hues = {**_HUES, **{kind: spare[k % len(spare)] for k, kind in enumerate(unknown)}}
    colours = {}
    for kind in dict.fromkeys(kinds):
        members = [source for source, own in zip(sources, kinds, strict=True) if own == kind]
        steps = _steps(len(members))
        colours.update({name: _shade(hues[kind], step) for name, step in zip(members, steps, strict=True)})
    return {**colours, **{kind: hues[kind] for kind in dict.fromkeys(kinds)}}


def _steps(count: int) -> list[float]:
    """Steps towards black or white for the members of one kind."""
    if count == 1:
        return [0.0]
    if count <= _MANY:
        return [float(step) for step in np.linspace(_DARKEST, _LIGHTEST, count)]
    # Multiples of the golden ratio fall far from their neighbours, however many there are.
    span = _LIGHTEST - _DARKEST_OF_MANY
    return [_DARKEST_OF_MANY + span * (k * _GOLDEN % 1.0) for k in range(count)]


@functools.lru_cache(4096)
def _shade(colour: str, step: float) -> str:
    """Mix a colour with black (step below zero) or white (above)."""
    goal = 255.0 if step > 0 else 0.0
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(part + (goal - part) * abs(step)):02X}" for part in parts)
