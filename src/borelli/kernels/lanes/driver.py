"""The lanes back end: arrays of instants in, arrays of instants out, computed by compiled kernels.

Instants are cut into one range a thread, at borders of blocks, so that the number of threads changes no bit of
any answer. Each thread has a workspace of its own; scratch does not grow with the recording.
"""

from __future__ import annotations

import functools
import itertools
import operator
import threading
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from borelli.arrays import FARTHEST, FARTHEST_COORDINATE
from borelli.kernels import backend
from borelli.kernels.backend import (
    LANES,
    Backend,
    Energy,
    InverseDynamics,
    LeftToNumpy,
    NodeLoad,
    fall_back,
    memory_for_motions,
    portable,
)
from borelli.kernels.lanes.call import Call
from borelli.kernels.lanes.code.compile import Kernel, LoadedKernel, load_kernel
from borelli.kernels.lanes.code.sincos import LARGEST_ANGLE
from borelli.kernels.lanes.code.width import lane_width
from borelli.kernels.lanes.memory import result_array
from borelli.kernels.lanes.signatures import (
    ENERGY,
    FORWARD_DYNAMICS,
    GIVEN_NOT_PLAUSIBLE,
    INVERSE_DYNAMICS,
    MASS_MATRIX,
    NOT_PLAUSIBLE,
    POSES,
    SOLVE,
    SPEED_MOTIONS,
    TOO_LARGE,
)
from borelli.kernels.lanes.tables.mechanism_tables import MechanismTables
from borelli.kernels.lanes.tables.variants import UnsupportedMechanism
from borelli.kernels.side_by_side import side_by_side
from borelli.kernels.tree.mechanism import Mechanism

if TYPE_CHECKING:
    from borelli.kernels.lanes.code.values import Doubles, Emitter

# Fewer instants than this are done sooner than a thread is started.
_INSTANTS_WORTH_A_THREAD = 512


class _NoCode(NamedTuple):
    """Why a mechanism has no tables: as in LeftToNumpy, which would keep it alive."""

    reason: str
    coordinates: tuple[int, ...]


_Outcome: TypeAlias = MechanismTables | _NoCode | None


class LanesBackend:
    """Answers with compiled kernels; what they do not cover is left to the NumPy back end, which is told.

    That is: motions with angles beyond 95,000 turns, for which the fast sine is not made, joints with more than
    three translation axes, and piecewise polynomials of a degree above nine. What cannot move at all, such as a
    mechanism whose coordinates drive nothing, is left to NumPy without a word.

    Parameters
    ----------
    width : int, optional
        Instants in one vector; by default :func:`~borelli.kernels.lanes.code.width.lane_width`.
    """

    name = LANES

    def __init__(self, width: int | None = None) -> None:
        self.width = width or lane_width()
        check_that_code_runs(self.width)
        self._kernels: dict[str, LoadedKernel] = {}
        self._tables: dict[tuple[int, bool], tuple[weakref.ref[Mechanism], _Outcome]] = {}
        self._lock = threading.Lock()

    def poses(
        self, mechanism: Mechanism, q: np.ndarray, nodes: Sequence[int], n_turned: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rotation of the first nodes (n_instants, n_turned, 3, 3) and origin of all (n_instants, n_nodes, 3)."""
        n_turned = len(nodes) if n_turned is None else n_turned
        if not len(nodes):
            return np.empty((len(q), 0, 3, 3)), np.empty((len(q), 0, 3))
        tables = self.tables_of(mechanism)
        if tables is None:
            return self._instead(mechanism).poses(mechanism, q, nodes, n_turned)
        if has_repetitions(nodes):
            once, where = np.unique(nodes, return_inverse=True)
            rotation, origin = self.poses(mechanism, q, once.tolist(), None if n_turned else 0)
            return rotation[:, where[:n_turned]], origin[:, where]
        rotation, origin = result_array(len(q), n_turned, 3, 3), result_array(len(q), len(nodes), 3)
        call = Call(tables, len(q), self.width)
        call.add(q=q)
        call.add_poses(nodes, rotation, origin)
        if self._run(POSES, call):
            return too_large(mechanism, q).poses(mechanism, q, nodes, n_turned)
        return rotation, origin

    def speed_motions(
        self, mechanism: Mechanism, q: np.ndarray, nodes: Sequence[int], out: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Poses of nodes (n_nodes, 12, n_instants), and twists of speeds (n_speeds, 6, n_instants)."""
        tables = self.tables_of(mechanism)
        if tables is None:
            return self._instead(mechanism).speed_motions(mechanism, q, nodes, out)
        if has_repetitions(nodes):
            once, where = np.unique(nodes, return_inverse=True)
            pose, twist = self.speed_motions(mechanism, q, once.tolist(), out)
            return pose[where], twist
        pose, twist, whole = memory_for_motions(mechanism, len(q), len(nodes), out)
        call = Call(tables, len(q), self.width)
        call.add_links()
        call.add(q=q)
        call.add_motions(nodes, whole)
        if self._run(SPEED_MOTIONS, call):
            return too_large(mechanism, q).speed_motions(mechanism, q, nodes, out)
        return pose, twist

    def inverse_dynamics(
        self,
        mechanism: Mechanism,
        q: np.ndarray,
        u: np.ndarray,
        udot: np.ndarray,
        loads: Sequence[NodeLoad] = (),
        wanted: Sequence[int] = (),
        *,
        looked_at: bool = True,
    ) -> InverseDynamics:
        """Generalized forces, and the wrenches on the wanted nodes."""
        tables = self.tables_of(mechanism, [*wanted, *(load.node for load in loads)])
        if tables is None:
            instead = self._instead(mechanism)
            return instead.inverse_dynamics(mechanism, q, u, udot, loads, wanted, looked_at=looked_at)
        if has_repetitions(wanted):
            once, where = np.unique(wanted, return_inverse=True)
            found = self.inverse_dynamics(mechanism, q, u, udot, loads, once.tolist(), looked_at=looked_at)
            return found._replace(force=found.force[:, where], moment=found.moment[:, where])
        tau = result_array(len(q), mechanism.n_speeds)
        force, moment = (result_array(len(q), len(wanted), 3) for _ in range(2))
        call = Call(tables, len(q), self.width)
        call.add(q=q, u=u, udot=udot)
        call.add_outputs(force=tau)
        call.add_loads(loads)
        # One limit for all that is given: who gives larger speeds or loads has them looked at one by one.
        call.add(limits=np.array([FARTHEST_COORDINATE, FARTHEST]))
        call.add_wrenches(wanted, force, moment)
        status = self._run(INVERSE_DYNAMICS, call)
        if status & GIVEN_NOT_PLAUSIBLE and not looked_at:
            return InverseDynamics(tau, force, moment, False, False)
        if status & TOO_LARGE:
            return too_large(mechanism, q).inverse_dynamics(mechanism, q, u, udot, loads, wanted)
        return InverseDynamics(tau, force, moment, not status & NOT_PLAUSIBLE)

    def mass_matrix(self, mechanism: Mechanism, q: np.ndarray) -> np.ndarray:
        """Mass matrix (n_instants, n_speeds, n_speeds)."""
        tables = self.tables_of(mechanism)
        if tables is None:
            return self._instead(mechanism).mass_matrix(mechanism, q)
        matrix = result_array(len(q), mechanism.n_speeds, mechanism.n_speeds)
        call = Call(tables, len(q), self.width)
        call.add_links()
        call.add(q=q)
        call.add_outputs(matrix=matrix)
        if self._run(MASS_MATRIX, call):
            return too_large(mechanism, q).mass_matrix(mechanism, q)
        return matrix

    def forward_dynamics(
        self,
        mechanism: Mechanism,
        q: np.ndarray,
        u: np.ndarray,
        generalized_force: np.ndarray,
        loads: Sequence[NodeLoad] = (),
    ) -> np.ndarray:
        """Accelerations udot (n_instants, n_speeds) that generalized forces and loads cause; NaN if undetermined."""
        tables = self.tables_of(mechanism)
        # No body is inside a joint; what a load there does is left to the other back end.
        inside = {node for mobilizer in mechanism.mobilizers for node in mobilizer.nodes[:-1]}
        if tables is None or any(load.node in inside for load in loads):
            return self._instead(mechanism).forward_dynamics(mechanism, q, u, generalized_force, loads)
        udot = result_array(len(q), mechanism.n_speeds)
        call = Call(tables, len(q), self.width)
        call.add_links()
        call.add(q=q, u=u, force=generalized_force)
        call.add_outputs(udot=udot)
        call.add_loads_on_links(loads)
        if self._run(FORWARD_DYNAMICS, call):
            return too_large(mechanism, q).forward_dynamics(mechanism, q, u, generalized_force, loads)
        udot[:, mechanism.idle_speeds()] = np.nan
        return udot

    def mass_matrix_solve(
        self, mechanism: Mechanism, q: np.ndarray, generalized_force: np.ndarray
    ) -> np.ndarray:
        """Accelerations (n_instants, n_speeds) that generalized forces alone cause, from rest; NaN if undetermined."""
        tables = self.tables_of(mechanism)
        if tables is None:
            return self._instead(mechanism).mass_matrix_solve(mechanism, q, generalized_force)
        udot = result_array(len(q), mechanism.n_speeds)
        call = Call(tables, len(q), self.width)
        call.add_links()
        call.add(q=q, force=generalized_force)
        call.add_outputs(udot=udot)
        if self._run(SOLVE, call):
            return too_large(mechanism, q).mass_matrix_solve(mechanism, q, generalized_force)
        udot[:, mechanism.idle_speeds()] = np.nan
        return udot

    def energy(self, mechanism: Mechanism, q: np.ndarray, u: np.ndarray) -> Energy:
        """Kinetic and potential energy, and momentum."""
        tables = self.tables_of(mechanism)
        if tables is None:
            return self._instead(mechanism).energy(mechanism, q, u)
        if not tables.links.floating_mass:
            return fall_back(LeftToNumpy(mechanism, "energy of a mass fixed to ground", ())).energy(
                mechanism, q, u
            )
        totals = np.empty((len(q), 8))
        call = Call(tables, len(q), self.width)
        call.add_links()
        call.add(q=q, u=u)
        call.add_outputs(totals=totals)
        if self._run(ENERGY, call):
            return too_large(mechanism, q).energy(mechanism, q, u)
        return Energy(totals[:, 0], totals[:, 1], totals[:, 2:5], totals[:, 5:])

    def tables_of(self, mechanism: Mechanism, nodes: Sequence[int] = ()) -> MechanismTables | None:
        """Return the tables of a mechanism, made once; None if it is left to NumPy.

        Parameters
        ----------
        nodes : sequence of int
            Nodes whose wrenches matter. Within a joint they have none, unless asked for here.
        """
        tables = self._outcome(mechanism, True)
        if isinstance(tables, MechanismTables) and not tables.inside_joints.isdisjoint(nodes):
            tables = self._outcome(mechanism, False)
        return tables if isinstance(tables, MechanismTables) else None

    def _outcome(self, mechanism: Mechanism, chained: bool) -> _Outcome:
        """Return the tables, why there are none, or None where nothing moves and no kernel has work."""
        key = (id(mechanism), chained)
        with self._lock:
            known = self._tables.get(key)
            if known is not None and known[0]() is mechanism:
                return known[1]
        outcome: _Outcome = None
        if mechanism.n_speeds and mechanism.nodes:
            try:
                outcome = MechanismTables(mechanism, chained)
            except UnsupportedMechanism as error:
                outcome = _NoCode(error.reason, error.coordinates)
        with self._lock:
            self._tables[key] = (weakref.ref(mechanism, lambda _: self._tables.pop(key, None)), outcome)
        return outcome

    def _instead(self, mechanism: Mechanism) -> Backend:
        """Return the back end for a mechanism without tables."""
        why = self._outcome(mechanism, True)
        return fall_back(LeftToNumpy(mechanism, *why)) if isinstance(why, _NoCode) else portable()

    def _kernel(self, kernel: Kernel) -> LoadedKernel:
        with self._lock:
            if kernel.name not in self._kernels:
                self._kernels[kernel.name] = load_kernel(kernel, width=self.width, notice=backend.compilation)
            return self._kernels[kernel.name]

    def _run(self, kernel: Kernel, call: Call) -> int:
        """Run a kernel over all instants; return its status, not zero if an angle was too large for it."""
        function = self._kernel(kernel)
        ranges = thread_ranges(call.n_instants, backend.threads(), self.width)
        # Each thread keeps its arguments, and with them its workspace, alive.
        found = side_by_side(lambda part: function(*call.arguments(kernel, *part)), ranges, len(ranges))
        return functools.reduce(operator.or_, found, 0)


def too_large(mechanism: Mechanism, q: np.ndarray) -> Backend:
    """Return the back end for a motion with angles that the fast sine is not made for."""
    largest = np.nanmax(np.abs(q), axis=0, initial=0.0)
    beyond = tuple(int(k) for k in np.flatnonzero(largest > LARGEST_ANGLE))
    return fall_back(LeftToNumpy(mechanism, f"an angle beyond {LARGEST_ANGLE:,.0f} rad", beyond))


def _emit_probe(emitter: Emitter, numbers: Doubles) -> None:
    numbers.store(0, numbers.load(0) * 2.0 + 1.0)


PROBE = Kernel("probe", {"numbers": "doubles"}, _emit_probe)


def check_that_code_runs(width: int) -> None:
    """Compile and run a tiny kernel on vectors of so many instants.

    Raises
    ------
    RuntimeError
        If it runs but computes something else; whatever LLVM raises if it does not.
    """
    numbers = np.arange(float(width))
    load_kernel(PROBE, width=width)(numbers.ctypes.data)
    if not np.array_equal(numbers, 2.0 * np.arange(width) + 1.0):
        raise RuntimeError("compiled code gives wrong numbers on this machine")


def has_repetitions(nodes: Sequence[int]) -> bool:
    """Tell whether a node is asked for more than once."""
    return len(set(nodes)) < len(nodes)


def thread_ranges(n_instants: int, n_threads: int, block: int) -> list[tuple[int, int]]:
    """Cut instants into at most so many ranges, at borders of blocks of so many instants; at least one range."""
    n_blocks = -(-n_instants // block)
    n_parts = max(1, min(n_threads, n_instants // _INSTANTS_WORTH_A_THREAD))
    borders = [min(n_instants, block * (n_blocks * k // n_parts)) for k in range(n_parts + 1)]
    return list(itertools.pairwise(borders))
