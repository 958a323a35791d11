"""Where is the mass centre of a model at rest?"""

from __future__ import annotations

import numpy as np

from borelli.errors import InvalidValueError
from borelli.kernels.backend import NUMPY, using
from borelli.mechanics.motion.body_places import body_places
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.model.model import Model


def mass_centre(model: Model) -> np.ndarray:
    """Mass centre of a model in its default posture, (3,), in ground (m).

    Raises
    ------
    InvalidValueError
        If the model has no mass.

    Examples
    --------
    >>> float(bo.mass_centre(model)[1].round(2))  # m above the ground, standing
    1.01
    """
    mass = sum(float(body.mass) for body in model.bodies)
    if not mass:
        raise InvalidValueError(f"Model {model.name!r} has no mass, and so no mass centre.")
    values = np.array([[coordinate.default_value for coordinate in model.coordinates]])
    # One posture, as plain arrays: neither labels nor compiled code are worth waiting for.
    with using(NUMPY):
        com = body_places(model, Motion(np.zeros(1), model.coordinate_names, values)).com[0]
    centre = np.zeros(3)
    for body, place in zip(model.bodies, com, strict=True):
        centre += float(body.mass) / mass * place
    return centre
