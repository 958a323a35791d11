"""Which motion follows from forces?

The equations of motion are integrated by an explicit Runge–Kutta method of order eight with controlled error
[Hairer, Nørsett & Wanner 1993]. The work of all forces is integrated along with the state, so that the drift
of energy, what no force accounts for, is known at every instant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

import numpy as np
import xarray as xr

from borelli.analyses.movement.energy import energy
from borelli.arrays import one_number, plain_numbers, seconds
from borelli.errors import (
    InvalidValueError,
    ShapeError,
    UnknownNameError,
    UnsolvableError,
    few,
    warn,
)
from borelli.mechanics.constraints.constrained_dynamics import Dynamics
from borelli.mechanics.constraints.loop_closure import project
from borelli.mechanics.forces.tension_law import ForceLaw, with_tensions
from borelli.mechanics.motion.coordinate_rates import rates
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.model import (
    CoordinateActuator,
    Model,
    PathActuator,
    PointActuator,
    PointToPointActuator,
    TorqueActuator,
)
from borelli.model.plausibility.limits import LARGEST_COORDINATE, LARGEST_SPEED, refuse_impossible_numbers
from borelli.records import dataclass
from borelli.results.labelled.dataset import dataset, labelled, time_axis
from borelli.results.labelled.tensions import Tensions, as_mapping

# Loaded where needed: scipy, whose parts are slow to load and seldom needed.

_LONGEST = 1e9
"""s: thirty years. Beyond, times are in another unit."""
_CITATION = "Hairer E, Nørsett SP, Wanner G (1993) Solving Ordinary Differential Equations I, II.10."
_IDLE = (CoordinateActuator, PathActuator, PointActuator, PointToPointActuator, TorqueActuator)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SimulatedMotion(Motion):
    """A motion that follows from forces.

    Parameters
    ----------
    energies : Dataset
        ``kinetic_energy``, ``potential_energy``, ``work`` of forces and loads since the start, and ``drift``, the
        change of energy that no work accounts for (time), all in J; the attribute ``largest_drift``.
    """

    energies: xr.Dataset = field(default_factory=xr.Dataset)


def simulate(
    model: Model,
    time: Any,
    q0: Any = None,
    u0: Any = None,
    generalized_force: ForceLaw | Any = None,
    loads: Iterable[Load] = (),
    *,
    tensions: Tensions = None,
    rtol: float = 1e-9,
    atol: float = 1e-10,
) -> SimulatedMotion:
    """Integrate the equations of motion.

    M(q) udot + c(q, u) + g(q) = generalized_force + J(q)^T loads + f(q) tensions + G(q)^T (forces of constraints)

    Parameters
    ----------
    model : Model
        Its constraints, locks and prescribed motions are obeyed. Its muscles and springs do not act by
        themselves: forces come from the arguments. Custom joints have their exact angular accelerations, also
        where the model asks for OpenSim's.
    time : (n_times,) float
        Instants to report; the first is the start (s).
    q0 : (n_q,) float or mapping of coordinate to value, optional
        Coordinates at the start, in the order of ``model.coordinate_names``; defaults where not given. They
        are assembled first.
    u0 : (n_u,) float or mapping of speed to value, optional
        Speeds at the start, in the order of ``model.speed_names``; the coordinates' default speeds, or zero,
        where not given.
    generalized_force : function of (t, q, u), or (n_u,) or (n_times, n_u) float, optional
        Conjugate to u (N m or N). A table is interpolated linearly between ``time``.
    loads : iterable of Load
        In ground axes, interpolated linearly.
    tensions : mapping of path to tension, or Dataset of ``muscle_forces``, optional
        Pull of muscles and other paths along their lines (N): a number, one for each of ``time`` (interpolated
        linearly), or a function of (t, q, u).
    rtol, atol : float
        Error per step that is allowed, relative and absolute: of a leg of three links that falls for two seconds,
        angles are off by 1e-7 rad; with a tenth of both by 7e-9 rad, in 1.2 times the time.

    Returns
    -------
    SimulatedMotion
        Coordinates, speeds and accelerations at ``time``, and ``energies``.

    Guarantees, each a test
    -----------------------
    - without forces the energy is constant to the tolerance
    - ``inverse_dynamics`` of the result gives back the forces

    Examples
    --------
    >>> from dataclasses import replace
    >>> arm = replace(bo.planar.to_model(bo.library.two_link_arm()), muscles=())
    >>> swing = bo.simulate(arm, np.linspace(0.0, 0.5, 51), q0=[0.3, 0.2], u0=[0.0, 0.0])
    >>> swing.q.shape, bool(abs(swing.energies["drift"]).max() < 1e-6)  # J
    ((51, 2), True)
    """
    rtol, atol = one_number(rtol, "rtol"), one_number(atol, "atol")
    if not (rtol > 0.0 and atol > 0.0):
        raise InvalidValueError(f"rtol and atol must be more than zero, not {rtol:g} and {atol:g}.")
    instants = _instants(time)
    pulling = as_mapping(tensions)
    law = with_tensions(model, instants, _force_law(model, instants, generalized_force), pulling)
    _warn_of_idle_forces(model, frozenset(pulling))
    dynamics = Dynamics(model, instants, law, tuple(loads))
    q, u = _start(model, q0, u0)
    refuse_impossible_numbers("coordinate", LARGEST_COORDINATE, instants, model.coordinate_names, q[None])
    _refuse_too_fast(model, float(instants[0]), u)
    q, u = project(dynamics.system, q[None], u[None], instants[:1])
    table = _integrate(dynamics, instants, np.concatenate([q[0], u[0], [0.0]]), rtol, atol)
    settings = {"analysis": "simulate", "rtol": rtol, "atol": atol, "method": "DOP853"}
    return _reported(dynamics, instants, table, settings)


def _integrate(
    dynamics: Dynamics, time: np.ndarray, state: np.ndarray, rtol: float, atol: float
) -> np.ndarray:
    """Return the state (q, u, work) at the instants, (n_times, n_q + n_u + 1)."""
    from scipy.integrate import DOP853

    n_q = len(dynamics.model.coordinate_names)

    def slope(t: float, y: np.ndarray) -> np.ndarray:
        q, u = y[None, :n_q], y[None, n_q:-1]
        udot, power = dynamics.accelerations(np.array([t]), q, u)
        return np.concatenate([rates(dynamics.system.compiled.mechanism, q, u)[0], udot[0], power])

    table = np.empty((time.size, state.size))
    table[0] = state
    done = 1
    options: Any = {"rtol": rtol, "atol": atol}
    solver: Any = DOP853(slope, time[0], state, time[-1], **options) if time.size > 1 else None
    while done < time.size:
        _refuse_too_fast(dynamics.model, solver.t, solver.y[n_q:-1])
        message = solver.step()
        if solver.status == "failed" or not np.all(np.isfinite(solver.y)):
            raise UnsolvableError(
                f"the simulation cannot go on beyond {solver.t:g} s: {message or 'the state is no longer finite'}.",
                where=f"model {dynamics.model.name!r}",
                remedy="check masses and inertias of the last bodies, and the forces",
            )
        reached = done + int(np.searchsorted(time[done:], solver.t, side="right"))
        if reached > done:
            table[done:reached] = solver.dense_output()(time[done:reached]).T
            done = reached
        if dynamics.constrained and solver.status == "running":
            # Errors of integration would let the loops open: go on from the nearest state that obeys.
            q, u = project(
                dynamics.system, solver.y[None, :n_q], solver.y[None, n_q:-1], np.array([solver.t])
            )
            state = np.concatenate([q[0], u[0], solver.y[-1:]])
            step = min(solver.h_abs, time[-1] - solver.t)
            solver = DOP853(slope, solver.t, state, time[-1], first_step=step, **options)
    return table


def _refuse_too_fast(model: Model, time: float, u: np.ndarray) -> None:
    if np.abs(u).max(initial=0.0) > LARGEST_SPEED:
        speed = int(np.abs(u).argmax())
        raise UnsolvableError(
            f"{model.speed_names[speed]!r} would move by {u[speed]:.1e} rad/s or m/s at {time:g} s, as no body does.",
            where=f"model {model.name!r}",
            remedy="check the units of forces, loads and speeds, and masses and inertias of the last bodies",
        )


def _instants(time: Any) -> np.ndarray:
    instants = seconds(time, "time")
    if instants.ndim != 1 or instants.size == 0 or not np.all(np.isfinite(instants)):
        raise ShapeError(f"time must be a vector of finite instants, but has the shape {instants.shape}.")
    if (np.diff(instants) <= 0).any():
        raise InvalidValueError("the instants to report must increase.")
    if instants[-1] - instants[0] > _LONGEST:
        raise InvalidValueError(
            f"the simulation would last {instants[-1] - instants[0]:.1e} s.",
            remedy="give the times in seconds",
        )
    return instants


def _reported(
    dynamics: Dynamics, time: np.ndarray, table: np.ndarray, settings: dict[str, Any]
) -> SimulatedMotion:
    """Return the integrated states as a motion that obeys the constraints to round-off, with its energies."""
    model = dynamics.model
    n_q = len(model.coordinate_names)
    q, u = project(dynamics.system, table[:, :n_q], table[:, n_q:-1], time)
    udot, _ = dynamics.accelerations(time, q, u)
    names = (model.coordinate_names, model.speed_names)
    energies = _energies(model, Motion(time, names[0], q, u, udot, names[1]), table[:, -1], settings)
    return SimulatedMotion(time, names[0], q, u, udot, names[1], settings, energies)


def _start(model: Model, q0: Any, u0: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return coordinates and speeds at the start, in the order of the model."""
    speeds = {coordinate.name: coordinate.default_speed for coordinate in model.coordinates}
    rest = {name: speeds.get(name, 0.0) for name in model.speed_names}
    return (
        _in_order(model, q0, model.coordinate_names, model.default_values(), "coordinate"),
        _in_order(model, u0, model.speed_names, rest, "speed"),
    )


def _in_order(
    model: Model, given: Any, names: tuple[str, ...], defaults: Mapping[str, float], kind: str
) -> np.ndarray:
    if given is None or isinstance(given, Mapping):
        given = given or {}
        for name in given:
            if name not in names:
                raise UnknownNameError.among(name, kind, names, of=f"model {model.name!r}")
        given = [given.get(name, defaults[name]) for name in names]
    values = plain_numbers(given, f"each {kind} at the start")
    if values.shape != (len(names),):
        raise ShapeError(
            f"{len(names)} values are needed, one for each {kind} of model {model.name!r}, "
            f"but the shape is {values.shape}."
        )
    if not np.all(np.isfinite(values)):
        raise InvalidValueError(
            f"the {kind} {names[int(np.argmin(np.isfinite(values)))]!r} at the start is not finite."
        )
    return values


def _force_law(model: Model, time: np.ndarray, given: Any) -> ForceLaw:
    """Return any description of generalized forces as a function of (t, q, u)."""
    n_u = len(model.speed_names)
    if callable(given):
        return given
    if isinstance(given, xr.DataArray) and "coordinate" in given.dims:
        given = given.transpose("time", "coordinate").sel(coordinate=list(model.speed_names))
    table = np.zeros(n_u) if given is None else plain_numbers(given, "the generalized force")
    if table.shape == (n_u,):
        return lambda t, q, u: table
    if table.shape != (time.size, n_u):
        raise ShapeError(
            f"generalized_force needs the shape ({n_u},) or ({time.size}, {n_u}) for model {model.name!r}, "
            f"but has {table.shape}."
        )

    def between(t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        return np.array([np.interp(t, time, column) for column in table.T])

    return between


def _warn_of_idle_forces(model: Model, pulling: frozenset[str]) -> None:
    idle = [muscle.name for muscle in model.muscles if muscle.applies_force]
    idle += [force.name for force in model.forces if force.applies_force and not isinstance(force, _IDLE)]
    idle += [other.name for other in model.others if other.role == "force" and other.active]
    idle = [name for name in idle if name not in pulling]
    if idle:
        shown = few(map(repr, idle), 4)
        warn(
            f"{len(idle)} muscles and springs of model {model.name!r} do not act in a simulation ({shown}): "
            "give their pull as tensions, or their effect as generalized_force."
        )


def _energies(model: Model, motion: Motion, work: np.ndarray, settings: dict[str, Any]) -> xr.Dataset:
    found = energy(model, motion)
    total = (found["kinetic_energy"] + found["potential_energy"]).values
    drift = total - total[0] - work
    return dataset(
        {
            "kinetic_energy": found["kinetic_energy"],
            "potential_energy": found["potential_energy"],
            "work": labelled(("time",), work, "J"),
            "drift": labelled(("time",), drift, "J"),
        },
        {"time": time_axis(motion.time)},
        {
            **settings,
            "model": model.name,
            "largest_drift": float(np.abs(drift).max()),
            "citations": [_CITATION],
        },
    )
