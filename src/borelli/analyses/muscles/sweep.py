"""One coordinate swept through its range: lengths, moment arms, and where they jump and why."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from borelli.analyses.movement.assemble import assembled_postures
from borelli.analyses.muscles.moment_arms import GENERALIZED_FORCE, arms_by, require_method, warn_of_moving
from borelli.analyses.postures.reach import Reach, reach
from borelli.arrays import one_number
from borelli.compiled.compile import compile_model
from borelli.errors import InvalidValueError, UnknownNameError, UnsolvableError, UnsupportedError
from borelli.mechanics.constraints.angles import AngleSpec, angles_of
from borelli.mechanics.constraints.coupling import coupling
from borelli.mechanics.constraints.system import constraint_system
from borelli.mechanics.motion.coordinate_rates import rates
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.prepare import prepare_postures
from borelli.mechanics.paths.path_pass import path_forces, paths_of, warn_of_status
from borelli.mechanics.paths.path_switches import PathSwitches
from borelli.model.model import Model
from borelli.model.plausibility.limits import LARGEST_COORDINATE
from borelli.records import dataclass

LENGTH_JUMP = 5e-5
"""A change of length (m) beyond what the moment arm explains."""
ARM_JUMP = 1e-3
"""A change of moment arm (m) in one step of ``FINE``."""
FINE = np.deg2rad(0.1)
MOST_STEPS = 1_000_000
"""Of a sweep, unless their number is given: a hundred thousand degrees."""
"""Step of the sweep to which the limits refer (rad; the same number of metres for a translation)."""


@dataclass(frozen=True)
class Jump:
    """A discontinuity.

    Parameters
    ----------
    path : str
    value : float
        Coordinate half-way through the jump (rad or m).
    length, arm : float
        Change of the length beyond what the arm explains, and of the arm (m).
    cause : str
        What switches there.
    """

    path: str
    value: float
    length: float
    arm: float
    cause: str


@dataclass(frozen=True)
class Sweep:
    """A coordinate swept while all other freedoms stay at their defaults.

    Parameters
    ----------
    coordinate : str
    values : (n,) float
        rad or m.
    q : (n, n_q) float
        Postures.
    paths : tuple of str
    about : str
        What the arms are about: the coordinate itself, or an angle of interest.
    angle : (n,) float
        Its value (rad or m).
    length, arm : (n, n_paths) float
        m.
    effective : (n, n_paths) float
        Effective torque arm: that without the guides of moving points (m).
    guided : tuple of int
        Paths with moving points, whose two arms differ.
    switches : PathSwitches
        What switches between two steps.
    jumps : tuple of Jump
        In the order of the paths, then of the values.

    Examples
    --------
    >>> bent = bo.sweep(model, "knee_angle_r", 0.0, 1.5, paths=["vaslat_r"], steps=16)
    >>> bent.coordinate, bent.paths
    ('knee_angle_r', ('vaslat_r',))
    """

    coordinate: str
    values: np.ndarray
    q: np.ndarray
    paths: tuple[str, ...]
    about: str
    angle: np.ndarray
    length: np.ndarray
    arm: np.ndarray
    effective: np.ndarray
    guided: tuple[int, ...]
    switches: PathSwitches
    jumps: tuple[Jump, ...]

    def cause(self, path: int, first: int, last: int) -> str:
        """Name what switches in a path between two steps of the sweep."""
        return self.switches.cause(path, first, last)


def sweep(
    model: Model,
    coordinate: str,
    low: float,
    high: float,
    paths: Iterable[str] | None = None,
    steps: int = 0,
    *,
    within_reach: bool = False,
    method: str = GENERALIZED_FORCE,
    angle: tuple[str, AngleSpec] | None = None,
) -> Sweep:
    """Sweep a coordinate from low to high; those that constraints tie to it follow.

    Parameters
    ----------
    model : Model
    coordinate : str
    low, high : float
        rad or m.
    paths : iterable of str, optional
        All by default.
    steps : int
        Number of steps; by default such that one is at most 0.1 degrees (or as many metres).
    within_reach : bool
        Leave out the ends of the range that the constraints do not let the coordinate reach.
    method : str
        How the arms are computed, as for :func:`moment_arms`.
    angle : (name, weights, formula or function), optional
        What the arms are about, where it is not the coordinate itself.

    Raises
    ------
    UnsolvableError
        If the constraints do not let the coordinate reach the ends, saying how far it goes.

    Guarantees, each a test
    -----------------------
    - coordinates in a loop are swept as far as the loop lets them, and it is said how far that is

    Examples
    --------
    >>> bent = bo.sweep(model, "knee_angle_r", 0.0, 1.5, paths=["vaslat_r"], steps=16)
    >>> type(bent).__name__
    'Sweep'
    """
    if coordinate not in model.speed_names:
        raise UnknownNameError.among(coordinate, "coordinate", model.speed_names, of=f"model {model.name!r}")
    if coordinate not in model.coordinate_names:
        raise UnsupportedError(f"{coordinate!r} is a speed on a quaternion and cannot be swept.")
    require_method(method)
    low, high = one_number(low, "the low end of the sweep"), one_number(high, "the high end of the sweep")
    if max(abs(low), abs(high)) > LARGEST_COORDINATE:
        raise InvalidValueError(
            f"The sweep from {low:g} to {high:g} leaves what can be computed with: {LARGEST_COORDINATE:.0e} rad or m.",
            remedy="give a range that the coordinate has",
        )
    if not 0 <= steps <= MOST_STEPS:
        raise InvalidValueError(
            f"steps of a sweep must be 0 (chosen) to {MOST_STEPS:,}, not {str(steps)[:20]}."
        )
    if not steps and abs(high - low) > MOST_STEPS * FINE:
        raise InvalidValueError(
            f"The range of the sweep, from {low:g} to {high:g}, is too wide for steps of {FINE:.4g} (rad or m).",
            remedy="give a range that the coordinate has, or the number of steps",
        )
    way = _way(model, coordinate, low, high, within_reach)
    if way is not None:
        low, high = float(way.values[0]), float(way.values[-1])
    # A range of whole steps is not given one more by the round-off of its division.
    count = steps or max(1, int(np.ceil((high - low) / FINE - 1e-9)))
    values = np.linspace(low, high, count + 1)
    q = _postures(model, coordinate, values, way)
    compiled = compile_model(model)
    chosen = paths_of(compiled, None if paths is None else tuple(paths))
    warn_of_moving(chosen)
    found = path_forces(compiled, chosen, q)
    warn_of_status(chosen.names, found.status, values)
    if angle is None:
        (about,) = angles_of(model, coordinate, None)
    else:
        (about,) = angles_of(model, None, dict([angle]))
    matrix = coupling(compiled, (about,), q, values, moving=coordinate).matrix
    coupled = matrix[:, 0]
    _require_turning(about.name, values, coupled)
    arm = np.einsum("npk,nk->np", found.force, coupled)
    effective = arm.copy()
    for path, speed, done in found.guides:
        effective[:, path] -= done * coupled[:, speed]
    if method != GENERALIZED_FORCE:
        prepared = prepare_postures(model, Motion(np.arange(float(len(q))), model.coordinate_names, q))
        arm = arms_by(method, prepared, chosen, matrix).values[:, :, 0]
    # The coordinate's own rate: for angles of a ball joint its speed is an angular velocity.
    rate = rates(compiled.mechanism, q, coupled)[:, model.coordinate_names.index(coordinate)]
    switches = PathSwitches(compiled, chosen, q, found.state)
    jumps = _jumps(switches, values, found.length, arm / rate[:, None], arm)
    return Sweep(
        coordinate,
        values,
        q,
        chosen.names,
        about.name,
        about.value(model, q),
        found.length,
        arm,
        effective,
        found.guided,
        switches,
        tuple(jumps),
    )


def _require_turning(name: str, values: np.ndarray, coupled: np.ndarray) -> None:
    lost = np.isnan(coupled).any(axis=1)
    if lost.any():
        raise UnsolvableError(
            f"{name!r} cannot turn where the coordinate is {values[int(np.argmax(lost))]:g} (rad or m).",
            remedy="sweep a coordinate that it depends on, over a range in which it changes",
        )


def _way(model: Model, coordinate: str, low: float, high: float, within_reach: bool) -> Reach | None:
    """Find how a coordinate that is part of loops gets through its range; None for one that moves freely."""
    if model.coordinates[coordinate].locked or not constraint_system(model).closes_loops:
        return None
    way = reach(model, coordinate, low, high)
    reached = float(way.values[0]), float(way.values[-1])
    if not within_reach and (reached[0] > low or reached[1] < high):
        raise UnsolvableError(
            f"{coordinate!r} cannot go from {low:g} to {high:g}: the constraints of model {model.name!r} let it go "
            f"from {reached[0]:g} to {reached[1]:g} (rad or m).",
            remedy="sweep what it can reach, or check the constraints",
        )
    return way


def _postures(model: Model, coordinate: str, values: np.ndarray, way: Reach | None) -> np.ndarray:
    """Coordinates at their defaults but one, then brought to obey the constraints."""
    defaults = np.array([float(part.default_value) for part in model.coordinates])
    q = np.tile(defaults, (len(values), 1)) if way is None else way.between(values)
    q[:, model.coordinate_names.index(coordinate)] = values
    if not model.constraints or model.coordinates[coordinate].locked:
        return q
    return assembled_postures(model, q, np.arange(float(len(values))), hold=(coordinate,))


def _jumps(
    switches: PathSwitches,
    values: np.ndarray,
    length: np.ndarray,
    slope: np.ndarray,
    arm: np.ndarray,
) -> list[Jump]:
    step = np.diff(values)[:, None]
    expected = -0.5 * step * (slope[1:] + slope[:-1])
    broken = np.diff(length, axis=0) - expected
    bent = np.diff(arm, axis=0)
    # A finer step leaves less room for a smooth change; a coarser one more.
    allowed = np.maximum(1.0, np.abs(step) / FINE)
    # Where the arm jumps, the trapezoid of both sides misses by up to half of that jump's area.
    explained = 0.5 * np.abs(bent * step)
    # A steep but smooth change (a short path that swings about) has neighbours of its own size; a jump has not.
    size = np.pad(np.abs(bent), ((1, 1), (0, 0)))
    alone = size[1:-1] - np.maximum(size[:-2], size[2:])
    found = []
    for path in range(length.shape[1]):
        hits = (np.abs(broken[:, path]) > LENGTH_JUMP + explained[:, path]) | (
            alone[:, path] > ARM_JUMP * allowed[:, 0]
        )
        for k in np.flatnonzero(hits):
            middle = float(0.5 * (values[k] + values[k + 1]))
            cause = switches.cause(path, int(k), int(k) + 1)
            name = switches.paths.names[path]
            found.append(Jump(name, middle, float(broken[k, path]), float(bent[k, path]), cause))
    return found
