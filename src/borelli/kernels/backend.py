"""Which back end computes: compiled lanes where LLVM runs, NumPy elsewhere.

Both answer the same questions about a :class:`~borelli.kernels.tree.mechanism.Mechanism` with arrays of instants in
and out. Kernels neither warn nor print: the reason for falling back to NumPy is a return value, and a notice
of a slow compilation goes to whoever asked for it.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from borelli.errors import BorelliError

if TYPE_CHECKING:
    from borelli.kernels.tree.mechanism import Mechanism

NUMPY, LANES, AUTO = "numpy", "lanes", "auto"
VARIABLE = "BORELLI_BACKEND"
LANES_VARIABLE = "BORELLI_LANES"

Notice = Callable[[str], AbstractContextManager[object]]


class NodeLoad(NamedTuple):
    """An external load on one node, in ground axes; the arrays are (n_instants, 3)."""

    node: int
    force: np.ndarray
    """N"""
    point: np.ndarray
    """m: where the force acts"""
    moment: np.ndarray
    """N m: a free moment besides"""


class InverseDynamics(NamedTuple):
    """What a motion requires."""

    generalized_force: np.ndarray
    """(n_instants, n_speeds), conjugate to u"""
    force: np.ndarray
    """(n_instants, n_wanted, 3): on each wanted node by its parent, in ground axes (N)"""
    moment: np.ndarray
    """(n_instants, n_wanted, 3): about the node's origin, in ground axes (N m)"""
    is_plausible: bool
    """Whether all generalized forces were found to be numbers that a body can have."""
    given_is_plausible: bool = True
    """Whether all that was given is, where that was asked for. Else the rest has no meaning, but large numbers, beyond
    what a coordinate can be, may be plausible yet."""


class Energy(NamedTuple):
    """Mechanical energy and momentum of the whole mechanism, in ground axes."""

    kinetic: np.ndarray
    """(n_instants,) J"""
    potential: np.ndarray
    """(n_instants,) J, zero with all mass at the ground's origin"""
    momentum: np.ndarray
    """(n_instants, 3) kg m/s"""
    angular_momentum: np.ndarray
    """(n_instants, 3) kg m^2/s, about the ground's origin"""


class Backend(Protocol):
    """The questions; ``q`` is (n_instants, n_coordinates), ``u`` and ``udot`` are (n_instants, n_speeds)."""

    name: str

    def poses(
        self, mechanism: Mechanism, q: np.ndarray, nodes: Sequence[int], n_turned: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rotation (n_instants, n_turned, 3, 3) and origin (n_instants, n_nodes, 3) of nodes in ground.

        Rotations are given of the first ``n_turned`` nodes, by default of all.
        """
        ...

    def speed_motions(
        self, mechanism: Mechanism, q: np.ndarray, nodes: Sequence[int], out: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Poses of nodes (n_nodes, 12, n_instants), and twists of speeds (n_speeds, 6, n_instants).

        A pose is the rotation row by row, then the origin (m). A twist is what a unit of the speed does to all that it
        carries, in ground axes: angular velocity, then the velocity of what is at the ground's origin.

        Parameters
        ----------
        out : (≥ 12 n_nodes + 6 n_speeds times n_instants,) float, optional
            Memory for the answer.
        """
        ...

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
        """Generalized forces, and the wrenches on the wanted nodes.

        Parameters
        ----------
        looked_at : bool
            Whether what is given is known to be numbers that a body can have; else the answer tells.
        """
        ...

    def mass_matrix(self, mechanism: Mechanism, q: np.ndarray) -> np.ndarray:
        """Mass matrix (n_instants, n_speeds, n_speeds)."""
        ...

    def forward_dynamics(
        self,
        mechanism: Mechanism,
        q: np.ndarray,
        u: np.ndarray,
        generalized_force: np.ndarray,
        loads: Sequence[NodeLoad] = (),
    ) -> np.ndarray:
        """Accelerations udot (n_instants, n_speeds) that generalized forces and loads cause.

        NaN at the instants at which they are not determined: at gimbal lock, or without inertia.
        """
        ...

    def mass_matrix_solve(
        self, mechanism: Mechanism, q: np.ndarray, generalized_force: np.ndarray
    ) -> np.ndarray:
        """Accelerations udot (n_instants, n_speeds) that generalized forces alone cause, from rest and without weight.

        NaN where they are not determined, as above.
        """
        ...

    def energy(self, mechanism: Mechanism, q: np.ndarray, u: np.ndarray) -> Energy:
        """Kinetic and potential energy, and momentum."""
        ...


def memory_for_motions(
    mechanism: Mechanism, n_instants: int, n_nodes: int, out: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return arrays for poses and twists, and the memory of both, for :meth:`Backend.speed_motions`."""
    rows = 12 * n_nodes + 6 * mechanism.n_speeds
    whole = (np.empty(rows * n_instants) if out is None else out)[: rows * n_instants].reshape(
        rows, n_instants
    )
    pose, twist = whole[: 12 * n_nodes], whole[12 * n_nodes :]
    return pose.reshape(n_nodes, 12, n_instants), twist.reshape(-1, 6, n_instants), whole


class Choice(NamedTuple):
    """The back end that computes, and why it is not the fast one (None where it is, or was not asked for)."""

    backend: Backend
    reason: str | None


_asked_for: contextvars.ContextVar[str | None] = contextvars.ContextVar("borelli_backend", default=None)
_threads: contextvars.ContextVar[int] = contextvars.ContextVar("borelli_threads", default=1)


def requested() -> str:
    """Return the name asked for: by :func:`using`, else by ``BORELLI_BACKEND``, else ``"auto"``."""
    return _asked_for.get() or os.environ.get(VARIABLE, "").strip().lower() or AUTO


def threads() -> int:
    """Return how many threads may work on one question: as :func:`using` says, else one.

    The number changes no bit of any answer.
    """
    return _threads.get()


@contextlib.contextmanager
def using(name: str | None = None, *, threads: int | None = None) -> Iterator[None]:
    """Compute with the named back end, or with so many threads, inside a ``with`` block."""
    tokens = (_asked_for.set(name or _asked_for.get()), _threads.set(threads or _threads.get()))
    try:
        yield
    finally:
        _asked_for.reset(tokens[0])
        _threads.reset(tokens[1])


_notice: list[Notice] = []


def announce_compilation(notice: Notice) -> None:
    """Have a context manager entered around every compilation, called with the kernel's name."""
    _notice[:] = [notice]


def compilation(kernel: str) -> AbstractContextManager[object]:
    """Return the context in which a kernel is compiled."""
    return _notice[0](kernel) if _notice else contextlib.nullcontext()


def choose() -> Choice:
    """Return the back end for the next computation; any name but "numpy" means lanes if they run here.

    Raises
    ------
    InvalidValueError
        If ``BORELLI_LANES`` asks for a width that there is not, or not on this processor.
    """
    if requested() == NUMPY:
        return Choice(portable(), None)
    lanes, reason = _lanes(os.environ.get(LANES_VARIABLE, ""))
    return Choice(portable() if lanes is None else lanes, reason)


def portable() -> Backend:
    """Return the back end that runs everywhere; nobody else waits for its modules."""
    # Loaded here: a process needs one back end, and each is built on this module.
    from borelli.kernels.tree.numpy_backend import NumpyBackend

    return NumpyBackend()


class LeftToNumpy(NamedTuple):
    """Something that the fast back end has no code for."""

    mechanism: Mechanism
    reason: str
    """What it is, such as "a joint with 4 translation axes"."""
    coordinates: tuple[int, ...]
    """Positions in q of the coordinates it belongs to, where known"""


_listeners: list[Callable[[LeftToNumpy], None]] = []


def announce_fallback(listener: Callable[[LeftToNumpy], None]) -> None:
    """Have a function called whenever the lanes leave something to NumPy."""
    _listeners[:] = [listener]


def fall_back(left: LeftToNumpy) -> Backend:
    """Tell whoever listens, and return the back end that computes instead."""
    for listener in _listeners:
        listener(left)
    return portable()


@functools.cache
def _lanes(width: str) -> tuple[Backend | None, str | None]:
    """Return the lanes back end of a width as ``BORELLI_LANES`` tells it, or None and why it does not run here."""
    try:
        # Loaded here, because it brings llvmlite, which NumPy does without.
        from borelli.kernels.lanes.driver import LanesBackend

        return LanesBackend(), None
    except BorelliError:
        raise
    # Whatever a foreign platform does to a compiler (missing wheel, refused executable memory, unknown
    # processor), the answer is the same: compute with NumPy and say why.
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"
