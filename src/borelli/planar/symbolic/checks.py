"""What may be asked of the equations: the number of links, the joint, the space."""

from __future__ import annotations

import operator
from typing import Any, cast, get_args

from borelli.errors import InvalidValueError, UnknownNameError
from borelli.planar.symbolic.terms import Space


def checked_links(n_links: Any) -> int:
    """Return the number of links as an int, at least 1."""
    number = _whole(n_links)
    if number is None or number < 1:
        raise InvalidValueError(
            f"A chain cannot have {n_links!r} links.",
            where="number of links",
            remedy="give a whole number, 1 or more",
        )
    return number


def checked_joint(joint: Any, n_links: int) -> int:
    """Return the number of a joint of the chain as an int."""
    number = _whole(joint)
    if number is None or not 1 <= number <= n_links:
        plural = "link" if n_links == 1 else "links"
        raise InvalidValueError(
            f"A chain of {n_links} {plural} has no joint {joint!r}.",
            where="joint",
            remedy=f"joints are numbered 1 (at the base) to {n_links}",
        )
    return number


def checked_space(space: Any) -> Space:
    """Return the name of a space."""
    if space not in get_args(Space):
        raise UnknownNameError.among(str(space), "space", get_args(Space), where="space")
    return cast(Space, space)


def _whole(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None
