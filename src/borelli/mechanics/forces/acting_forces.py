"""Everything that acts in the known instants of a motion, in one container, and summed in one place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from typing import Any

import numpy as np

from borelli.compiled.compile import CompiledModel
from borelli.kernels.backend import NodeLoad
from borelli.kernels.tree.blocks import BLOCK, blocks
from borelli.kernels.tree.node import GROUND
from borelli.mechanics.forces.tensions import TensionTable
from borelli.mechanics.memory import scratch
from borelli.mechanics.motion.frame_motion import FrameMotion
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.mechanics.motion.prepare import Prepared, prepare_with_loads
from borelli.model.model import Model
from borelli.records import dataclass


def action_and_reaction(loads: tuple[Load, ...]) -> list[tuple[Load, ...]]:
    """Loads of one force two by two, each with what pushes back; a load that is alone acts from outside."""
    return [loads] if len(loads) == 1 else [loads[at : at + 2] for at in range(0, len(loads), 2)]


@dataclass(frozen=True)
class ActingForces:
    """External loads, tensions of paths, forces on speeds, loads between bodies, whatever they come from.

    Parameters
    ----------
    prepared : Prepared
        The motion.
    tensions : TensionTable
        Of all paths that pull, given or by themselves.
    generalized : dict of name to (speed name, (n_known,) force)
        Springs, stops and actuators of coordinates; N m or N.
    loads : dict of name to loads
        Bushings, springs between points, contact, torque actuators: action and reaction in turns, in ground.
        Prescribed forces and point actuators: one load.
    driven : dict of name to (n_known,) force
        Actuators whose force is given.
    external : tuple of NodeLoad
        What acts from outside, on the bodies that move.
    closing : dict of constraint to loads
        Forces of constraints that close loops: on the second body, then their opposites on the first, in ground.
    passive : bool
        Whether what acts by itself is among these.
    left_out : tuple of str
        Forces of the model that act and whose law is not known here.
    """

    prepared: Prepared
    tensions: TensionTable
    generalized: dict[str, tuple[str, np.ndarray]] = field(default_factory=dict)
    loads: dict[str, tuple[Load, ...]] = field(default_factory=dict)
    driven: dict[str, np.ndarray] = field(default_factory=dict)
    passive: bool = False
    left_out: tuple[str, ...] = ()
    external: tuple[NodeLoad, ...] = ()
    closing: dict[str, tuple[Load, ...]] = field(default_factory=dict)

    @classmethod
    def nothing(cls, prepared: Prepared) -> ActingForces:
        """Return what acts on a motion where nothing does."""
        return cls(prepared, TensionTable((), np.zeros((len(prepared.q), 0))))

    @classmethod
    def of_loads(
        cls,
        model: Model,
        motion: Motion,
        loads: Iterable[Load],
        *,
        merge_welds: bool = True,
        threads: int = 1,
        look: bool = True,
    ) -> ActingForces:
        """Prepare a motion with its external loads; nothing else acts.

        So many threads look for numbers that no body has. If ``look`` is false, the caller does.

        Raises
        ------
        UnknownNameError
            If a load acts on a body that the model does not have.
        """
        prepared, external = prepare_with_loads(
            model, motion, loads, merge_welds=merge_welds, threads=threads, look=look
        )
        return replace(cls.nothing(prepared), external=external)

    def as_arguments(self) -> dict[str, Any]:
        """Return the arguments ``tensions`` and ``passive`` that let an analysis have the same forces act."""
        all_instants = self.everywhere()
        tensions = {name: all_instants.tensions[name] for name in self.tensions.names}
        return {"tensions": {**tensions, **all_instants.driven}, "passive": self.passive}

    def everywhere(self) -> ActingForces:
        """Return the same at all instants, NaN where the motion is: for tables, not to compute with."""
        whole = self.prepared.whole

        def spread(load: Load) -> Load:
            return Load(load.name, load.body, *(whole(x) for x in (load.force, load.point, load.moment)))

        return replace(
            self,
            tensions=TensionTable(self.tensions.names, whole(self.tensions.values)),
            generalized={name: (speed, whole(values)) for name, (speed, values) in self.generalized.items()},
            loads={name: tuple(map(spread, several)) for name, several in self.loads.items()},
            driven={name: whole(values) for name, values in self.driven.items()},
            closing={name: tuple(map(spread, several)) for name, several in self.closing.items()},
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that acts inside the model, but for constraints."""
        return (*self.tensions.names, *self.others)

    @property
    def others(self) -> tuple[str, ...]:
        """Names of everything that is neither path nor constraint."""
        return (*self.generalized, *self.loads)

    def on_nodes(self, instants: slice) -> tuple[NodeLoad, ...]:
        """All that pushes on bodies: external loads, the pull of the paths, and what acts between bodies.

        The wrench recursion takes these; what acts on speeds alone (:meth:`on_speeds`) it does not see.
        """
        return (*self.from_outside(instants), *self.pulls(instants), *self.between_bodies(instants))

    def from_outside(self, instants: slice) -> tuple[NodeLoad, ...]:
        """External loads, with those that stand for OpenSim's angular accelerations."""
        own = [
            NodeLoad(load.node, load.force[instants], load.point[instants], load.moment[instants])
            for load in self.external
        ]
        return (*own, *self.prepared.fictitious_in(instants))

    def pulls(self, instants: slice) -> tuple[NodeLoad, ...]:
        """Pull of the paths on the nodes."""
        if not self.tensions.names:
            return ()
        # Loaded here: kernels of paths take a sixth of a second to load, and external loads need none of them.
        from borelli.mechanics.paths.pulls import pull_loads

        prepared, table = self.prepared, self.tensions
        return pull_loads(prepared.compiled, prepared.q[instants], table.names, table.values[instants])

    def between_bodies(self, instants: slice) -> tuple[NodeLoad, ...]:
        """Bushings, springs between points, contact, actuators and closed loops, as loads on the nodes."""
        found = []
        for load in self._inner_loads():
            node = self.prepared.compiled.bodies[load.body].node
            if node != GROUND:
                found.append(
                    NodeLoad(node, load.force[instants], load.point[instants], load.moment[instants])
                )
        return tuple(found)

    def _inner_loads(self) -> Iterator[Load]:
        for several in (*self.loads.values(), *self.closing.values()):
            yield from several

    def on_speeds(self, instants: slice) -> list[tuple[str, int, np.ndarray]]:
        """Generalized forces that need no reaction: name, speed, and (n,) values.

        Springs, stops and actuators of coordinates, and what paths do on the guides of their moving points.
        """
        compiled, table = self.prepared.compiled, self.tensions
        found = [
            (name, compiled.speed_index(speed), values[instants])
            for name, (speed, values) in self.generalized.items()
        ]
        if not table.names:
            return found
        # Loaded here: kernels of paths take a sixth of a second to load, and external loads need none of them.
        from borelli.mechanics.paths.path_pass import path_forces, paths_of

        moving = {point.path for point in paths_of(compiled, table.names).moving}
        guided = tuple(name for name in table.names if name in moving)
        if guided:
            q = self.prepared.q[instants]
            memory = scratch("guided paths", (len(guided), compiled.mechanism.n_speeds, len(q)))
            unit = path_forces(compiled, paths_of(compiled, guided), q, out=memory)
            for path, speed, done in unit.guides:
                if done.any():
                    found.append((guided[path], speed, done * table[guided[path]][instants]))
        return found

    def generalized_force(self, instants: slice = slice(None)) -> np.ndarray:
        """Generalized force of everything inside the model, (n, n_u); external loads are not among it.

        That of a path is its work, that on the guides of moving points included: tension times -dl/du.
        """
        start, stop, _ = instants.indices(len(self.prepared.q))
        compiled, q = self.prepared.compiled, self.prepared.q
        total = np.zeros((stop - start, compiled.mechanism.n_speeds))
        # Unit forces of all paths need (n, n_paths, n_u) numbers: by blocks they stay in the cache.
        for block in blocks(stop - start, BLOCK):
            here = slice(start + block.start, start + block.stop)
            if self.tensions.names:
                total[block] += self._pulled(here)
            for speed, values in self.generalized.values():
                total[block, compiled.speed_index(speed)] += values[here]
            total[block] += loads_force(
                compiled, q[here], [_part(load, here) for load in self._inner_loads()]
            )
        return total

    def closing_force(self) -> np.ndarray:
        """Generalized force of the constraints that close loops alone, (n, n_u)."""
        return replace(ActingForces.nothing(self.prepared), closing=self.closing).generalized_force()

    def _pulled(self, instants: slice) -> np.ndarray:
        """Generalized force of all paths, (n, n_u)."""
        # Loaded here: kernels of paths take a sixth of a second to load, and external loads need none of them.
        from borelli.mechanics.paths.path_pass import path_forces, paths_of

        compiled, table = self.prepared.compiled, self.tensions
        unit = path_forces(compiled, paths_of(compiled, table.names), self.prepared.q[instants]).force
        return np.asarray(np.einsum("npk,np->nk", unit, table.values[instants]))

    def generalized_forces(self) -> dict[str, np.ndarray]:
        """Generalized force of each by its name, (n_times, n_u); NaN where the motion is."""
        nothing, found = ActingForces.nothing(self.prepared), {}
        for name in self.tensions.names:
            found[name] = replace(nothing, tensions=self.tensions.only(name))
        for name, own in self.generalized.items():
            found[name] = replace(nothing, generalized={name: own})
        for name, loads in self.loads.items():
            found[name] = replace(nothing, loads={name: loads})
        return {name: self.prepared.whole(alone.generalized_force()) for name, alone in found.items()}


def _part(load: Load, instants: slice) -> Load:
    return Load(load.name, load.body, load.force[instants], load.point[instants], load.moment[instants])


def loads_force(compiled: CompiledModel, q: np.ndarray, loads: Iterable[Load]) -> np.ndarray:
    """Generalized force of loads on bodies, (n, n_u)."""
    loads, total = tuple(loads), np.zeros((len(q), compiled.mechanism.n_speeds))
    if not loads:
        return total
    moving = FrameMotion(compiled.mechanism, q)
    for load in loads:
        place = compiled.attachment(load.body)
        total += np.einsum("nik,ni->nk", moving.point_jacobian(place, load.point), load.force)
        total += np.einsum("nik,ni->nk", moving.angular_jacobian(place), load.moment)
    return total
