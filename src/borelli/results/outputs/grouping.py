"""Grouping of sources: two hundred shares are too many to read; their groups keep the sum.

A source is labelled ``kind:name``, such as ``weight:thigh`` or ``muscle:vasti``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from borelli.errors import DuplicateNameError, InvalidValueError, MissingInputError, UnknownNameError
from borelli.results.outputs.plain_names import plain_groups

Array = NDArray[np.float64]
Grouping = (
    Literal["source", "kind", "body", "muscle group", "muscle", "anatomy"] | Mapping[str, Sequence[str]]
)
GROUPINGS = ("source", "kind", "body", "muscle group", "muscle", "anatomy")

OTHERS = "all others"


# glut_med2_r, add_mag3, TRIlong: a number that counts the parts of one muscle stands last or before its side.
_PART = re.compile(r"(?<=[A-Za-z_])\d+(?=_?[rlRL]?$)")


def group_shares(
    shares: Array, sources: Sequence[str], by: Grouping, bodies: Sequence[str] | None = None
) -> tuple[tuple[str, ...], Array]:
    """Add up the shares of each group.

    Parameters
    ----------
    shares : (…, n_sources)
        One column a source.
    by : "source", "kind", "body", "muscle group", "muscle", "anatomy", or mapping of group to source labels
        Every source for itself; by what stands before the colon; by the body it belongs to; numbered parts
        of a muscle together and everything else by kind; each muscle, or anatomical group of muscles, by its plain
        name, and everything else in plain words; or groups of your own, where what no group holds is left in
        ``all others``.
    bodies : sequence of str, optional
        Body that each source belongs to; needed for ``by="body"``.

    Returns
    -------
    names : tuple of str
        Of the groups, in order of first appearance.
    grouped : (…, n_groups)
        Their sums; the sum over groups is the sum over sources.
    """
    group_of = group_names(sources, by, bodies)
    names = tuple(dict.fromkeys(group_of))
    if len(names) == len(group_of):
        return names, np.asarray(shares)
    place = {name: column for column, name in enumerate(names)}
    member = np.zeros((len(group_of), len(names)))
    member[np.arange(len(group_of)), [place[group] for group in group_of]] = 1.0
    return names, np.asarray(shares) @ member


def muscle_group(label: str) -> str:
    """Numbered parts of one muscle under one label; every other source under its kind."""
    kind, _, name = label.partition(":")
    return f"{kind}:{_PART.sub('', name)}" if kind == "muscle" else kind


def group_names(sources: Sequence[str], by: Grouping, bodies: Sequence[str] | None = None) -> list[str]:
    """Return the group of every source; ``by`` and ``bodies`` as in :func:`group_shares`."""
    if by == "source":
        return list(sources)
    if by == "kind":
        return [source.partition(":")[0] for source in sources]
    if by == "muscle group":
        return [muscle_group(source) for source in sources]
    if by in ("muscle", "anatomy"):
        return plain_groups(sources, anatomical=by == "anatomy")
    if by == "body":
        if bodies is None:
            raise MissingInputError(
                "The result does not say which body each source belongs to.",
                remedy="group by kind, or give a mapping of group names to source labels",
            )
        return list(bodies)
    if not isinstance(by, Mapping):
        raise InvalidValueError(
            f"Sources cannot be grouped by {by!r}.",
            closest=GROUPINGS,
            remedy="choose one of these, or give a mapping of group names to source labels",
        )
    owner: dict[str, str] = {}
    known = set(sources)
    for group, members in by.items():
        for source in members:
            if source not in known:
                raise UnknownNameError.among(source, "source", sources, where=f"group {group!r}")
            if source in owner:
                raise DuplicateNameError(
                    f"Source {source!r} is in two groups, {owner[source]!r} and {group!r}.",
                    remedy="put each source into one group, so that the sum is kept",
                )
            owner[source] = group
    return [owner.get(source, OTHERS) for source in sources]
