"""Grouping of sources: two hundred shares are too many to read; their groups keep the sum.

A source is labelled ``kind:name``, such as ``weight:thigh`` or ``muscle:vasti``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from borelli.errors import DuplicateNameError, InvalidValueError, UnknownNameError

Array = NDArray[np.float64]
Grouping = Literal["source", "kind"] | Mapping[str, Sequence[str]]

OTHERS = "all others"


def group_shares(shares: Array, sources: Sequence[str], by: Grouping) -> tuple[tuple[str, ...], Array]:
    """Add up the shares of each group.

    Parameters
    ----------
    shares : (…, n_sources)
        One column a source.
    by : "source", "kind", or mapping of group to source labels
        Every source for itself; by what stands before the colon; or groups of your own, where what no
        group holds is left in ``all others``.

    Returns
    -------
    names : tuple of str
        Of the groups, in order of first appearance.
    grouped : (…, n_groups)
        Their sums; the sum over groups is the sum over sources.
    """
    group_of = group_names(sources, by)
    names = tuple(dict.fromkeys(group_of))
    member = np.array([[group == name for name in names] for group in group_of], dtype=float)
    return names, np.asarray(shares) @ member.reshape(len(group_of), len(names))


def group_names(sources: Sequence[str], by: Grouping) -> list[str]:
    """Return the group of every source; ``by`` as in :func:`group_shares`."""
    if by == "source":
        return list(sources)
    if by == "kind":
        return [source.partition(":")[0] for source in sources]
    if not isinstance(by, Mapping):
        raise InvalidValueError(
            f"Sources cannot be grouped by {by!r}.",
            closest=("source", "kind"),
            remedy="choose one of these, or give a mapping of group names to source labels",
        )
    owner: dict[str, str] = {}
    for group, members in by.items():
        for source in members:
            if source not in sources:
                raise UnknownNameError.among(source, "source", sources, where=f"group {group!r}")
            if source in owner:
                raise DuplicateNameError(
                    f"Source {source!r} is in two groups, {owner[source]!r} and {group!r}.",
                    remedy="put each source into one group, so that the sum is kept",
                )
            owner[source] = group
    return [owner.get(source, OTHERS) for source in sources]
