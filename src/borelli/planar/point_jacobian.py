"""How points of a chain move with its angles: the Jacobian and its rate (Cesari et al. 2001, (2)).

    v = J q̇,    a = J̇ q̇ + J q̈

with q the joint angles alpha or the absolute angles theta. In absolute angles a column of J is ``k × b_j``, b_j being
the step of link j on the way to the point, and one of J̇ is ``-thetȧ_j b_j``; in joint angles the columns of a link and
of all beyond it are added up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from borelli import units
from borelli.errors import UnknownNameError
from borelli.planar import checks
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.motion import Motion
from borelli.planar.pose import AXES, Pose, vectors_of
from borelli.planar.shares import Space
from borelli.results.labelled.dataset import dataset

Place = tuple[int | str, ArrayLike]
"""A link, by number or name, and a point in its frame (m)."""


def jacobian(
    chain: Chain, motion: Motion, points: Mapping[str, Place] | None = None, space: Space = "joint"
) -> xr.Dataset:
    """Jacobian of points and its derivative in time.

    Parameters
    ----------
    points : mapping of name to (link, (x, y))
        Points fixed to links, in their frames (m); by default the mass centres, by the links' names.
    space : "joint" or "segment"
        Whether the columns belong to joint angles or to absolute angles.

    Returns
    -------
    xarray.Dataset
        ``J`` (time, point, axis, joint or link), m; ``J_dot``, its rate, m/s. A base that accelerates moves all
        points in addition.

    Guarantees, each a test
    -----------------------
    - its rate is the change of the Jacobian by differences; with it, Cesari's accelerations

    Examples
    --------
    >>> J = planar.jacobian(chain, motion.instants([50]))
    >>> sorted(J.sizes)
    ['axis', 'joint', 'point', 'time']
    """
    motion.check_fits(chain.n_links, chain.name)
    if space not in get_args(Space):
        raise UnknownNameError.among(str(space), "space", get_args(Space), where="space")
    if points is None:
        points = {link.name: (link.name, link.com) for link in chain.links}
    pose = Pose(chain, motion)
    steps = np.stack([_steps(pose, name, place) for name, place in points.items()])
    columns, rates = 1j * steps, -pose.velocity * steps
    if space == "joint":
        columns, rates = (np.flip(np.cumsum(np.flip(part, 1), axis=1), 1) for part in (columns, rates))
    label = "joint" if space == "joint" else "link"
    dims = ("time", "point", "axis", label)
    attributes = {"expressed_in": "world"}
    return dataset(
        {
            "J": (dims, _first(columns), {"units": units.METRE, **attributes}),
            "J_dot": (dims, _first(rates), {"units": units.METRE_PER_SECOND, **attributes}),
        },
        {
            "time": ("time", motion.time, {"units": units.SECOND}),
            "point": list(points),
            "axis": list(AXES),
            label: list(chain.joint_names if space == "joint" else chain.link_names),
        },
        {"equation": "a = J_dot qdot + J qddot", "chain": chain.name, "space": space},
    )


def _steps(pose: Pose, name: str, place: Place) -> Array:
    """Steps b_j of the links on the way to a point, (n_links, n_times) complex; zero for links beyond it."""
    where = f"point {name!r}"
    link, local = place
    number = pose.chain.link_number(link, where)
    steps = np.zeros(pose.turn.shape, dtype=complex)
    if number > 0:
        steps[: number - 1] = pose.step[: number - 1]
        steps[number - 1] = complex(*checks.pair(local, "The point", where)) * pose.turn[number - 1]
    return steps


def _first(columns: Array) -> Array:
    """(point, column, time) complex as (time, point, axis, column)."""
    return vectors_of(columns).transpose(2, 0, 3, 1)
