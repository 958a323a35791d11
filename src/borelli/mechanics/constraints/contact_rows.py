"""Foot on ground as a constraint: which accelerations of a body a contact forbids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from borelli.errors import UnknownNameError
from borelli.kernels.tree.blocks import blocks
from borelli.mechanics.constraints.rolling_on_surface import RollingOnSurface
from borelli.mechanics.motion.frame_motion import FrameMotion
from borelli.mechanics.motion.ordered_motion import Load
from borelli.mechanics.motion.prepare import Prepared
from borelli.records import dataclass

NONE, POINT, ROLLING, WELD = "none", "point", "rolling", "weld"
KINDS = (NONE, POINT, ROLLING, WELD)
Kind: TypeAlias = str | RollingOnSurface
ContactKind: TypeAlias = Kind | Mapping[str, Kind]
"""One kind for all loads, or one for each load by its name."""


@dataclass(frozen=True)
class Contact:
    """One body that touches the ground in some instants.

    Parameters
    ----------
    name, body : str
    point : (n, 3) float
        Where it touches, in ground (m).
    active : (n,) bool
    moments : (n_moments, 3) float
        Directions in ground about which it can exert a moment.
    surface : RollingOnSurface, optional
        Lets go where pressure and friction do not suffice.
    """

    name: str
    body: str
    point: np.ndarray
    active: np.ndarray
    moments: np.ndarray
    surface: RollingOnSurface | None = None

    @property
    def size(self) -> int:
        """Number of components."""
        return 3 + len(self.moments)

    def unit_loads(self) -> list[Load]:
        """Loads of size one, one for each component."""
        axes = np.eye(3)
        pushes = [Load(f"{self.name} {k}", self.body, axes[k], self.point) for k in range(3)]
        turns = [Load(f"{self.name} {3 + k}", self.body, moment=m) for k, m in enumerate(self.moments)]
        return [*pushes, *turns]


def contacts_of(
    prepared: Prepared, loads: Sequence[Load], kind: ContactKind, threshold_n: float
) -> tuple[list[Contact], list[Load]]:
    """Turn loads into contacts where they are larger than a threshold; return also what remains of them.

    Raises
    ------
    UnknownNameError
        If there is no such kind of contact, or no such load.
    """
    kinds = _kinds([load.name for load in loads], kind)
    up = np.array(prepared.compiled.mechanism.gravity, dtype=float)
    normal = -up / np.linalg.norm(up) if up.any() else np.array([0.0, 1.0, 0.0])
    moments = {POINT: np.empty((0, 3)), ROLLING: normal[None], WELD: np.eye(3)}
    contacts, left = [], []
    for load in loads:
        own = kinds[load.name]
        if own == NONE:
            left.append(load)
            continue
        here = load.at(prepared.time)
        active = np.linalg.norm(here.force, axis=1) > threshold_n
        idle = np.where(active[:, None], 0.0, 1.0)
        surface = own if isinstance(own, RollingOnSurface) else None
        turns = moments[own] if isinstance(own, str) else own.normal[None]
        contacts.append(Contact(load.name, load.body, here.point, active, turns, surface))
        left.append(Load(load.name, load.body, here.force * idle, here.point, here.moment * idle))
    return contacts, left


def _kinds(loads: list[str], kind: ContactKind) -> dict[str, Kind]:
    """Kind of contact of every load; those that a mapping does not name stay loads."""
    for asked in kind.values() if isinstance(kind, Mapping) else (kind,):
        if asked not in KINDS and not isinstance(asked, RollingOnSurface):
            raise UnknownNameError.among(asked, "kind of contact", KINDS, where="argument contact")
    if not isinstance(kind, Mapping):
        return dict.fromkeys(loads, kind)
    for name in kind:
        if name not in loads:
            raise UnknownNameError.among(name, "load", loads, where="argument contact")
    return {**dict.fromkeys(loads, NONE), **kind}


def forbidden(prepared: Prepared, contact: Contact) -> np.ndarray:
    """Acceleration that the speeds alone give to each component of a contact, (n, size).

    The contact keeps its point (and the directions of its moments) from accelerating, so that the
    accelerations udot have to cancel these.
    """
    place = prepared.compiled.attachment(contact.body)
    points = contact.point[prepared.known]
    out = np.empty((len(prepared.q), contact.size))
    for block in blocks(len(out)):
        moving = FrameMotion(prepared.compiled.mechanism, prepared.q[block], prepared.u[block])
        out[block, :3] = moving.acceleration(place, points[block])
        out[block, 3:] = moving.angular_acceleration(place) @ contact.moments.T
        if contact.surface is not None:
            out[block, 3] += contact.surface.twist_term(moving.angular_velocity(place))
    return out
