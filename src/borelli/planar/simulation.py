"""The motion of a chain from its torques, tensions and outside forces, with the energy accounted for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from borelli import units
from borelli.arrays import seconds
from borelli.errors import MissingInputError, ShapeError, UnsolvableError
from borelli.planar import checks
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.equipment import Equipment
from borelli.planar.forward import accelerations
from borelli.planar.loads import Contact, Couple, tabulate
from borelli.planar.motion import Motion
from borelli.planar.muscles import muscle_action
from borelli.planar.pose import Pose, energy
from borelli.records import dataclass

# Loaded where needed: scipy, whose parts are slow to load and seldom needed.

_FASTEST = 1e5
"""rad/s, ten times the spin of a bullet. An integrator would follow faster turns for hours."""
_LARGEST = {"angle": 1e9, "velocity": _FASTEST}
"""At the start: rad, beyond which an angle is known to a ten-millionth at best; rad/s."""
Control = float | Callable[[float, Array, Array], float]
"""A constant, or a function of time (s), absolute angles (rad) and velocities (rad/s)."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """A simulated motion and its energy balance.

    Attributes
    ----------
    motion : Motion
        Angles, velocities and accelerations at the times asked for.
    energies : xarray.Dataset
        ``kinetic_energy``, ``potential_energy``, ``work`` done by torques, muscles and outside forces since
        the start, and ``drift``, the energy that appeared less the work done (time), all J; the attribute
        ``largest_drift``.

    Examples
    --------
    >>> swing = planar.simulate(chain, [0.0, 0.05], motion.angle[0], 0 * motion.angle[0])
    >>> isinstance(swing, planar.Simulation), swing.motion.time
    (True, array([0.  , 0.05]))
    """

    motion: Motion
    energies: xr.Dataset


def simulate(
    chain: Chain,
    time: ArrayLike,
    angle: ArrayLike,
    velocity: ArrayLike,
    torques: Mapping[str, Control] | None = None,
    tensions: Mapping[str, Control] | None = None,
    contacts: tuple[Contact, ...] = (),
    couples: tuple[Couple, ...] = (),
    rtol: float = 1e-9,
    atol: float = 1e-10,
    *,
    equipment: tuple[Equipment, ...] = (),
) -> Simulation:
    """Integrate the equations of motion from a posture and its velocity.

    Parameters
    ----------
    time : (n_times,)
        Times at which the motion is wanted (s).
    angle, velocity : (n_links,)
        Absolute angles (rad) and velocities (rad/s) at the first time.
    torques, tensions : mappings of joint or muscle name to Control
        Ideal actuators (N m) and muscle tensions (N): constants, or functions of time, angles, velocities.
    contacts, couples : sequences of Contact and Couple
        Outside forces, constant in their axes.
    rtol, atol : float
        Tolerances of the integrator (DOP853 of SciPy's solve_ivp).
    equipment : sequence of Weight, Band, Spring and Cable
        What the chain works against: stacks are lifted and accelerated, bands and cables go slack.

    Guarantees, each a test
    -----------------------
    - a pendulum swings as Jacobi's functions say; energy that appears is the work that was done

    Examples
    --------
    >>> swing = planar.simulate(chain, [0.0, 0.05], motion.angle[0], 0 * motion.angle[0])  # s, rad, rad/s
    >>> swing.motion.angle.shape
    (2, 3)
    """
    from scipy.integrate import solve_ivp

    times = checks.finite(seconds(time, "Time"), "Time", "simulate")
    if times.ndim != 1 or len(times) < 2 or np.any(np.diff(times) <= 0):
        raise MissingInputError(
            "A simulation needs at least two increasing times.",
            where="time",
            remedy="give np.linspace(start, end, n)",
        )
    n_links = chain.n_links
    start = np.concatenate(
        [_initial(angle, n_links, "angle"), _initial(velocity, n_links, "velocity"), [0.0]]
    )
    # Muscles that pull with nothing need no geometry, which would be most of the work.
    acting = chain if tensions else replace(chain, muscles=())
    system = _System(
        acting,
        dict(torques or {}),
        dict(tensions or {}),
        tuple(contacts),
        tuple(couples),
        tuple(equipment),
    )

    def too_fast(_time: float, state: Array) -> float:
        return _FASTEST - float(np.abs(state[n_links : 2 * n_links]).max())

    too_fast.terminal = True  # type: ignore[attr-defined]
    solution = solve_ivp(
        system.rate,
        (times[0], times[-1]),
        start,
        method="DOP853",
        t_eval=times,
        rtol=rtol,
        atol=atol,
        events=too_fast,
    )
    if solution.status == 1:
        raise UnsolvableError(
            f"A link would turn by more than {_FASTEST:.0e} rad/s from {solution.t_events[0][0]:g} s on, "
            "as no body does.",
            where="simulate",
            remedy="check the units of torques, tensions and loads, and masses and inertias",
        )
    if not solution.success:
        raise UnsolvableError(
            f"The integration stopped at {solution.t[-1] if len(solution.t) else times[0]:g} s: {solution.message}",
            where="simulate",
            remedy="check the torques for jumps, or loosen rtol and atol",
        )
    angles, velocities = solution.y[:n_links].T, solution.y[n_links : 2 * n_links].T
    rates = np.array(
        [system.rate(t, y)[n_links : 2 * n_links] for t, y in zip(times, solution.y.T, strict=True)]
    )
    motion = Motion(times, angles, velocities, rates)
    table = energy(chain, motion)
    work = solution.y[-1]
    total = table.kinetic_energy + table.potential_energy
    drift = total.values - float(total[0]) - work
    table["work"] = ("time", work, {"units": units.JOULE})
    table["drift"] = ("time", drift, {"units": units.JOULE})
    table.attrs["largest_drift"] = float(abs(drift).max())
    return Simulation(motion, table)


@dataclass(frozen=True, slots=True)
class _System:
    chain: Chain
    torques: dict[str, Control]
    tensions: dict[str, Control]
    contacts: tuple[Contact, ...]
    couples: tuple[Couple, ...]
    equipment: tuple[Equipment, ...]

    def rate(self, time: float, state: Array) -> Array:
        """Rates of angles, velocities and work."""
        n_links = self.chain.n_links
        angle, velocity = state[:n_links], state[n_links : 2 * n_links]
        now = (time, angle, velocity)
        torques = {
            name: _value(f"torque of {name!r}", control, *now) for name, control in self.torques.items()
        }
        tensions = {
            name: _value(f"tension of {name!r}", control, *now) for name, control in self.tensions.items()
        }
        moment = Motion([time], angle[None], velocity[None], np.zeros((1, n_links)))
        loads = (self.contacts, self.couples, tensions, torques)
        acceleration = accelerations(self.chain, moment, *loads, self.equipment)
        moment = Motion([time], angle[None], velocity[None], acceleration)
        return np.concatenate([velocity, acceleration[0], [self._power(moment, torques, tensions)]])

    def _power(self, moment: Motion, torques: dict[str, float], tensions: dict[str, float]) -> float:
        pose = Pose(self.chain, moment)
        pushes = (*self.contacts, *(item.contact(self.chain, moment) for item in self.equipment))
        loads = tabulate(self.chain, 1, pushes, self.couples, tensions)
        joint_rate = np.diff(moment.velocity[0], prepend=0.0)
        delivered = np.zeros(self.chain.n_links)
        if tensions:
            delivered = muscle_action(pose).arm[:, :, 0] @ loads.tension[:, 0]
        for joint, torque in torques.items():
            delivered[self.chain.joint_number(joint, "torques") - 1] += torque
        power = float(delivered @ joint_rate)
        for contact in loads.contacts:
            world = contact.force * pose.turn[contact.link - 1] if contact.turns else contact.force
            speed = pose.point_velocity(contact.link, contact.point)
            power += float((np.conj(world) * speed).real[0])
        for couple in loads.couples:
            if couple.link > 0:
                power += float(couple.moment[0] * moment.velocity[0, couple.link - 1])
        return power


def _value(what: str, control: Control, time: float, angle: Array, velocity: Array) -> float:
    value = control(time, angle, velocity) if callable(control) else control
    where = f"simulate, at {time:g} s"
    number = checks.finite(value, f"The {what}", where)
    # One number may be large: an integrator tries steps that are too long, and takes shorter ones where it explodes.
    return checks.scalar(number, f"The {what}", where) if number.ndim else float(number)


def _initial(value: ArrayLike, n_links: int, what: str) -> Array:
    array = checks.finite(value, f"The initial {what}", "simulate")
    checks.plausible(array, f"The initial {what}", "simulate", _LARGEST[what])
    if array.shape != (n_links,):
        raise ShapeError(
            f"The initial {what} has shape {array.shape}; it must be ({n_links},).",
            where="simulate",
            remedy="give one number for each link, from the base outwards",
        )
    return array
