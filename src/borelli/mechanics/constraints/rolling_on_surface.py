"""Rolling that pressure and friction limit, as OpenSim's RollingOnSurfaceConstraint does it."""

from __future__ import annotations

import numpy as np

from borelli.errors import InvalidValueError
from borelli.records import dataclass

_X, _Y, _Z, _TWIST = range(4)


@dataclass(frozen=True)
class RollingOnSurface:
    """A body that rolls on the ground and lets go where pressure or friction do not suffice.

    The constraint of OpenSim (Hamner, Seth, Steele, Delp 2013), for the ``contact`` of :func:`borelli.induced`.
    The surface is that of the ground's x and z axes. Whether the contact holds is decided from the forces that
    all sources together ask of it, and then for every source alike: it must press; it resists sliding as long
    as the force along the surface is within ``friction`` times the pressure; it resists twist as long as it
    does not slide and the moment on it is within ``friction * radius`` times the pressure.

    While it holds, its equations are those of ``"rolling"`` but for the twist of a body that tips over: what
    does not change is an angle to the ground's x axis, not the angular velocity about the normal.

    Parameters
    ----------
    friction : float
        Coefficient of friction.
    radius : float
        Of the patch that resists twist (m).

    Examples
    --------
    >>> bo.RollingOnSurface(friction=0.6).radius  # m
    0.01
    """

    # OpenSim's defaults.
    friction: float = 0.5
    radius: float = 0.01

    def __post_init__(self) -> None:
        for name in ("friction", "radius"):
            value = getattr(self, name)
            if not value >= 0.0:
                raise InvalidValueError(
                    f"the {name} of a rolling contact is {value}, and must not be negative."
                )

    def __str__(self) -> str:
        return f"rolling on a surface, friction {self.friction:g}, radius {self.radius:g} m"

    @property
    def normal(self) -> np.ndarray:
        """Normal of the surface in ground."""
        return np.array([0.0, 1.0, 0.0])

    def holds(self, force: np.ndarray) -> np.ndarray:
        """Which components hold under a force on the body and a moment about the normal, (n, 4) bool."""
        pressure, along = force[:, _Y], np.hypot(force[:, _X], force[:, _Z])
        pressing = pressure > 0.0
        sticking = pressing & (along <= self.friction * pressure)
        # OpenSim compares the moment with its sign: a twist of one sense is resisted without limit.
        resisting = sticking & (-force[:, _TWIST] <= self.radius * self.friction * pressure)
        return np.stack([sticking, pressing, sticking, resisting], axis=1)

    def twist_term(self, omega: np.ndarray) -> np.ndarray:
        """What the equation of the twist has beyond the angular acceleration about the normal, (n,) rad/s².

        It keeps the angle between the ground's x axis and a line of the body that is along z at this instant,
        and not the spin about the normal.

        Parameters
        ----------
        omega : (n, 3) float
            Angular velocity of the body (rad/s).
        """
        return np.asarray(omega[:, _X] * omega[:, _Z])
