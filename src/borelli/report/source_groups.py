"""The ways in which a page adds up sources: all of them apart, by kind, by body, by group of muscles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from borelli.results.figures.palette import colours_of
from borelli.results.outputs.grouping import muscle_group

# In these the name is a body; what follows a blank says which part of its motion.
_OF_BODIES = ("weight", "acceleration", "velocity")


def groupings(
    sources: Sequence[str],
    bodies: Sequence[str] | None = None,
    plain: Mapping[str, Sequence[str]] | None = None,
) -> list[dict[str, Any]]:
    """Return each grouping: its key and words, the groups with their colours, and the group of every source.

    Parameters
    ----------
    bodies : sequence of str, optional
        Body that each source belongs to, where the result says so; else it is read from the label.
    plain : mapping of words to groups, optional
        Further groupings, in plain words: a group for every source. They come first.
    """
    by_body = list(map(_body, sources)) if bodies is None else [f"body:{name}" for name in bodies]
    ways = {
        **{words: (words, list(groups)) for words, groups in (plain or {}).items()},
        "source": ("each source", list(sources)),
        "kind": ("by kind", [source.partition(":")[0] for source in sources]),
        "body": ("by body", by_body),
        "muscle": ("by muscle group", [muscle_group(source) for source in sources]),
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
                "labels": [_label(name) if key in (plain or {}) else name for name in names],
                "colours": [colours[name] for name in names],
                "of": members,
            }
        )
    return found


def _label(group: str) -> str:
    return group.partition(":")[2] or group


def _body(source: str) -> str:
    kind, _, name = source.partition(":")
    return f"body:{name.partition(' ')[0]}" if kind in _OF_BODIES and name else kind
