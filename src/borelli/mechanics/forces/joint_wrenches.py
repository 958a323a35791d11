"""Force and moment that every joint transmits, as plain arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from borelli.compiled.compile import compile_model
from borelli.mechanics.engine import engine
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.forces.collect_forces import acting_forces
from borelli.mechanics.forces.reaction_frames import ReactionFrames
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.mechanics.motion.prepare import in_threads
from borelli.model.model import Model

_MANY = 8192
"""Most instants to find the pull of paths for at a time."""


class JointWrenches(NamedTuple):
    """Joints at n instants, in the axes of their frames."""

    force: np.ndarray
    """(n, n_joints, 3) N"""
    moment: np.ndarray
    """(n, n_joints, 3) N m, about the point"""
    point: np.ndarray
    """(n, n_joints, 3) m"""


def bearing(
    model: Model, motion: Motion, loads: Iterable[Load], tensions: Mapping[str, Any], passive: bool
) -> ActingForces:
    """Return what acts on a model beside its joints; each body has its own node where a joint is a weld."""
    outside = ActingForces.of_loads(model, motion, loads, merge_welds=not compile_model(model).has_welds)
    return acting_forces(outside, tensions, passive)


def joint_wrenches(acting: ActingForces, frames: ReactionFrames, threads: int = 1) -> JointWrenches:
    """Return what the joints of the frames transmit, NaN where the motion is not known."""
    prepared, backend = acting.prepared, engine()
    placed = frames.placed(prepared.compiled)

    def work(part: slice) -> tuple[np.ndarray, ...]:
        q, u, udot = prepared.q[part], prepared.u[part], prepared.udot[part]
        answer = backend.inverse_dynamics(
            prepared.compiled.mechanism, q, u, udot, acting.on_nodes(part), list(placed.nodes)
        )
        return placed.expressed(placed.places(backend, q), answer.force, answer.moment)

    # The pull of paths needs scratch for every instant, so that long motions are taken in pieces.
    most = _MANY if acting.tensions.names else prepared.most_at_once
    return JointWrenches(*map(prepared.whole, in_threads(len(prepared.q), threads, work, most)))
