"""Where the links are and how they accelerate.

A planar vector (x, y) is the complex number x + iy: a turn by theta is a product with exp(i theta),
``conj(a) b`` holds the dot product in its real part and the cross product in its imaginary part, and
``k × a`` is ``i a``. Arrays inside are (…, n_times), so that every operation runs along the instants.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
import xarray as xr

from borelli import units
from borelli.planar.chain import Chain
from borelli.planar.checks import Array
from borelli.planar.motion import Motion
from borelli.results.labelled.dataset import dataset

AXES = ("x", "y")


def complex_of(vectors: Array) -> Array:
    """Planar vectors (…, 2) as complex numbers (…)."""
    return vectors[..., 0] + 1j * vectors[..., 1]


def vectors_of(numbers: Array) -> Array:
    """Complex numbers (…) as planar vectors (…, 2)."""
    return np.ascontiguousarray(numbers).view(float).reshape(*numbers.shape, 2)


def put_vectors(parts: Array, numbers: Array) -> None:
    """Write complex numbers (…) into an array of their x and y parts (2, …)."""
    parts[0], parts[1] = numbers.real, numbers.imag


def _by_link(table: Array) -> Array:
    """Copy (n_times, n_links) to (n_links, n_times)."""
    return np.array(table.T, dtype=float, order="C")


def running_sum(steps: Array, start: Array | complex) -> Array:
    """Start, and start plus the first 1, 2, … n rows: (n + 1, n_times). Rows are added whole, as they lie in memory."""
    total = np.empty((len(steps) + 1, steps.shape[1]), dtype=complex)
    total[0] = start
    for k, step in enumerate(steps):
        np.add(total[k], step, out=total[k + 1])
    return total


def cross(a: Array | complex, b: Array | complex) -> Array:
    """Scalar cross product of planar vectors given as complex numbers."""
    return (np.conj(a) * b).imag


class Links(NamedTuple):
    """What the links of a chain are made of, each (n_links,) except `mass_beyond`, (n_links + 1,)."""

    mass: Array
    inertia: Array
    """About the mass centre."""
    length: Array
    offset: Array
    """From the proximal joint to the mass centre, in the link's frame; complex."""
    mass_beyond: Array
    """M_k: mass of links k..n; the last is zero."""
    augmented: Array
    """h_j: first moment about J_j of link j with everything beyond it lumped at J_(j+1), in its frame; complex."""
    augmented_inertia: Array
    """Moment of inertia of that augmented link about J_j."""

    @classmethod
    def of(cls, chain: Chain) -> Links:
        """Tabulate the links of a chain."""
        mass, inertia, length = np.array(
            [(link.mass, link.inertia, link.length) for link in chain.links]
        ).T.copy()
        offset = np.array([complex(*link.com) for link in chain.links])
        mass_beyond = np.append(np.cumsum(mass[::-1])[::-1], 0.0)
        return cls(
            mass,
            inertia,
            length,
            offset,
            mass_beyond,
            augmented=mass * offset + mass_beyond[1:] * length,
            augmented_inertia=inertia + mass * np.abs(offset) ** 2 + mass_beyond[1:] * length**2,
        )


class Pose:
    """Positions and accelerations of a chain over instants, each computed when first asked for.

    `links` spares the work of tabulating the chain's links again.
    """

    def __init__(self, chain: Chain, motion: Motion, links: Links | None = None) -> None:
        self.chain = chain
        self.motion = motion
        self.n_times = motion.n_times
        self.links = links or Links.of(chain)
        self.mass, self.inertia = self.links.mass, self.links.inertia
        self.length, self.offset = self.links.length, self.links.offset
        self.mass_beyond, self.augmented_inertia = self.links.mass_beyond, self.links.augmented_inertia
        self.base = complex(*chain.base.position)
        self.gravity = complex(*chain.gravity)
        self.velocity = _by_link(motion.velocity)
        self.acceleration = _by_link(motion.acceleration)

    @cached_property
    def turn(self) -> Array:
        """Unit vectors u along the links, (n_links, n_times)."""
        angle = _by_link(self.motion.angle)
        turn = np.empty(angle.shape, dtype=complex)
        np.cos(angle, out=turn.real)
        np.sin(angle, out=turn.imag)
        return turn

    @cached_property
    def step(self) -> Array:
        """From each link's proximal to its distal joint, l u, (n_links, n_times)."""
        return self.length.astype(complex)[:, None] * self.turn  # NumPy multiplies like types fastest

    @cached_property
    def arm(self) -> Array:
        """From each link's proximal joint to its mass centre, (n_links, n_times)."""
        return self.offset[:, None] * self.turn

    @cached_property
    def joint(self) -> Array:
        """Joints J_1..J_n and the chain's end J_(n+1), (n_links + 1, n_times)."""
        return running_sum(self.step, self.base)

    @cached_property
    def com(self) -> Array:
        """Mass centres of links 1..n, (n_links, n_times)."""
        return self.joint[:-1] + self.arm

    @cached_property
    def augmented(self) -> Array:
        """h_j: first moment about J_j of link j with everything beyond it lumped at J_(j+1), (n_links, n_times)."""
        return self.links.augmented[:, None] * self.turn

    @cached_property
    def base_acceleration(self) -> Array:
        """Acceleration of the base, (n_times,)."""
        given = self.motion.base_acceleration
        return np.zeros(self.n_times, dtype=complex) if given is None else complex_of(given)

    @cached_property
    def _bend(self) -> Array:
        # Acceleration of a vector fixed to link j is (i thdd - thd²) times the vector.
        bend = np.empty(self.velocity.shape, dtype=complex)
        np.negative(self.velocity**2, out=bend.real)
        bend.imag = self.acceleration
        return bend

    @cached_property
    def joint_acceleration(self) -> Array:
        """Accelerations of J_1..J_(n+1), (n_links + 1, n_times)."""
        return running_sum(self._bend * self.step, self.base_acceleration)

    @cached_property
    def com_acceleration(self) -> Array:
        """Accelerations of the mass centres, (n_links, n_times)."""
        return self.joint_acceleration[:-1] + self._bend * self.arm

    @cached_property
    def joint_velocity(self) -> Array:
        """Velocities of J_1..J_(n+1) relative to the base, (n_links + 1, n_times)."""
        return running_sum(1j * self.velocity * self.step, 0.0)

    @cached_property
    def com_velocity(self) -> Array:
        """Velocities of the mass centres relative to the base, (n_links, n_times)."""
        return self.joint_velocity[:-1] + 1j * self.velocity * self.arm

    def point(self, link: int, local: Array | complex) -> Array:
        """World position of a point given in a link's frame (base: in the world), (n_times,)."""
        if link == 0:
            return np.broadcast_to(np.asarray(local), (self.n_times,))
        return self.joint[link - 1] + local * self.turn[link - 1]

    def point_velocity(self, link: int, local: Array | complex) -> Array:
        """Velocity of a point fixed to a link, relative to the base, (n_times,)."""
        if link == 0:
            return np.zeros(self.n_times, dtype=complex)
        turning = 1j * self.velocity[link - 1] * local * self.turn[link - 1]
        return self.joint_velocity[link - 1] + turning


def kinematics(chain: Chain, motion: Motion) -> xr.Dataset:
    """Positions, velocities and accelerations of joints and mass centres.

    Returns
    -------
    xarray.Dataset
        ``joint_position`` and ``joint_acceleration`` (time, point, axis) at the joints and the chain's end;
        ``com_position``, ``com_velocity``, ``com_acceleration`` (time, link, axis).

    Guarantees, each a test
    -----------------------
    - equal to references computed with 60 digits

    Examples
    --------
    >>> planar.kinematics(chain, motion)["joint_position"].dims
    ('time', 'point', 'axis')
    """
    motion.check_fits(chain.n_links, chain.name)
    pose = Pose(chain, motion)

    def table(numbers: Array, label: str, unit: str) -> tuple[tuple[str, ...], Array, dict[str, str]]:
        values = vectors_of(numbers).transpose(1, 0, 2)
        return ("time", label, "axis"), values, {"units": unit, "expressed_in": "world"}

    return dataset(
        {
            "joint_position": table(pose.joint, "point", units.METRE),
            "joint_acceleration": table(pose.joint_acceleration, "point", units.METRE_PER_SECOND2),
            "com_position": table(pose.com, "link", units.METRE),
            "com_velocity": table(pose.com_velocity, "link", units.METRE_PER_SECOND),
            "com_acceleration": table(pose.com_acceleration, "link", units.METRE_PER_SECOND2),
        },
        {
            "time": ("time", motion.time, {"units": units.SECOND}),
            "point": [*chain.joint_names, "end"],
            "link": list(chain.link_names),
            "axis": list(AXES),
        },
    )


def energy(chain: Chain, motion: Motion) -> xr.Dataset:
    """Kinetic and potential energy of links 1..n (J), (time,); height is measured from the world's origin.

    Guarantees, each a test
    -----------------------
    - equal to references computed with 60 digits
    - on random chains, its rate is the power of torques and loads

    Examples
    --------
    >>> parts = planar.energy(chain, motion)
    >>> sorted(parts.data_vars), {part.attrs["units"] for part in parts.data_vars.values()}
    (['kinetic_energy', 'potential_energy'], {'J'})
    """
    motion.check_fits(chain.n_links, chain.name)
    pose = Pose(chain, motion)
    speed = np.abs(pose.com_velocity) ** 2
    kinetic = 0.5 * (pose.mass @ speed + pose.inertia @ pose.velocity**2)
    potential = -pose.mass @ (np.conj(pose.gravity) * pose.com).real
    return dataset(
        {
            "kinetic_energy": ("time", kinetic, {"units": units.JOULE}),
            "potential_energy": ("time", potential, {"units": units.JOULE}),
        },
        {"time": ("time", motion.time, {"units": units.SECOND})},
    )
