"""Reactions along and across a link: what presses a joint together, and what shears it.

The reaction R on the distal link is turned into the axes of a link with the unit vector u along it, planar vectors
being complex numbers: ``conj(u) R`` has the compression in its real part and the shear in its imaginary part. It is
linear in R, so that the shares of both follow from the shares of the reaction.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from borelli.planar.checks import Array
from borelli.planar.every_instant import every_instant

LinkAxes = Literal["distal", "proximal"]
"""Whose axis: that of the link beyond the joint, or of the one before it."""

X, Y = 0, 1


def axes_at_joints(turn: Array, which: LinkAxes) -> Array:
    """Unit vectors of the chosen links at each joint, (n_joints, n_times) complex.

    The base has no axis: at the first joint it is the first link's in either case.
    """
    return turn if which == "distal" else np.concatenate([turn[:1], turn[:-1]])


def along_and_across(axis: Array, share: Array, along: Array, across: Array) -> None:
    """Turn shares of reactions into the axes of links.

    Parameters
    ----------
    axis : (n_joints, n_times) complex
        Unit vectors along the links.
    share : (2, n_joints, n_sources, n_times)
        Of the reactions on the distal links, x and y in the world (N).
    along, across : (n_joints, n_sources, n_times)
        Filled with the shares of compression and shear (N).
    """
    _, n_joints, n_sources, n_times = share.shape
    for k in range(n_joints):
        for source in range(n_sources):
            for t in every_instant(n_times):
                x, y = share[X, k, source, t], share[Y, k, source, t]
                cos, sin = axis[k, t].real, axis[k, t].imag
                along[k, source, t] = cos * x + sin * y
                across[k, source, t] = cos * y - sin * x


def described(which: LinkAxes) -> dict[str, str]:
    """Say on whom compression and shear act, for the attributes of an answer."""
    whose = "distal" if which == "distal" else "proximal"
    first = "" if which == "distal" else " (at the first joint the distal link's, since the base has none)"
    return {
        "compression_on": "the distal link, by the proximal one, along the axis of the "
        f"{whose} link{first}; positive presses the links together",
        "shear_on": f"the distal link, by the proximal one, across the axis of the {whose} link{first}; "
        "positive towards a quarter turn counter-clockwise from that axis",
    }
