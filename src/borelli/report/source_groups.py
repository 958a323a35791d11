"""The ways in which a page adds up sources: all of them apart, by kind, by body, by group of muscles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from borelli.report.palette import colours_of

# glut_med2_r, soleus_3: a number that counts the parts of one muscle stands last or before the side.
_PART = re.compile(r"_?\d+(?=(_[rlRL])?$)")
_SIDE = re.compile(r"_[rlRL]$")
# In these the name is a body; what follows a blank says which part of its motion.
_OF_BODIES = ("weight", "acceleration", "velocity")


def groupings(sources: Sequence[str]) -> list[dict[str, Any]]:
    """Return each grouping: its key and words, the groups with their colours, and the group of every source."""
    ways = {
        "source": ("each source", list(sources)),
        "kind": ("by kind", [source.partition(":")[0] for source in sources]),
        "body": ("by body", [_body(source) for source in sources]),
        "muscle": ("by muscle group", [_muscle_group(source) for source in sources]),
    }
    found, seen = [], set()
    for key, (words, group_of) in ways.items():
        names = list(dict.fromkeys(group_of))
        if tuple(group_of) in seen:
            continue
        seen.add(tuple(group_of))
        colours = colours_of(names)
        members = [names.index(group) for group in group_of]
        found.append(
            {
                "key": key,
                "words": words,
                "names": names,
                "colours": [colours[name] for name in names],
                "of": members,
            }
        )
    return found


def _body(source: str) -> str:
    kind, _, name = source.partition(":")
    return f"body:{name.partition(' ')[0]}" if kind in _OF_BODIES and name else kind


def _muscle_group(source: str) -> str:
    kind, _, name = source.partition(":")
    return f"muscle:{_SIDE.sub('', _PART.sub('', name))}" if kind == "muscle" else kind
