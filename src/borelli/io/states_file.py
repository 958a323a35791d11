"""OpenSim's states files: speeds of coordinates, and activations and fibre lengths of muscles, over time."""

from __future__ import annotations

import os
import re

import numpy as np

from borelli.errors import MissingInputError, few
from borelli.io.load import load_table
from borelli.model.joints.coordinate import MotionType
from borelli.model.model import Model
from borelli.records import dataclass
from borelli.units import RAD_PER_DEG

_PATH = re.compile(r"(?:.*/)?(?P<owner>[^/]+)/(?P<state>[^/]+)$")
# Before version 4 the labels were soleus_r.activation and knee_angle_r_u.
_OLD_MUSCLE = re.compile(r"(?P<owner>.+)\.(?P<state>activation|fiber_length)$")
_OLD_SPEED = re.compile(r"(?P<owner>.+)_u$")
MUSCLE_STATES = ("activation", "fiber_length", "normalized_tendon_force")


@dataclass(frozen=True)
class StatesFile:
    """States at the instants of a motion.

    Attributes
    ----------
    speeds : dict of coordinate to (n_times,)
        rad/s or m/s.
    muscles : dict of state to dict of muscle to (n_times,)
        ``activation``, ``fiber_length`` (m), ``normalized_tendon_force``.
    actuators : dict of actuator to (n_times,)
        Activations of actuators that have one.
    dissipated : dict of bushing to (n_times,)
        Energy (J) that bushings have turned into heat.
    """

    speeds: dict[str, np.ndarray]
    muscles: dict[str, dict[str, np.ndarray]]
    actuators: dict[str, np.ndarray]
    dissipated: dict[str, np.ndarray]


def load_states(path: str | os.PathLike[str], model: Model, time: np.ndarray) -> StatesFile:
    """Read the speeds and muscle states of a states file.

    Parameters
    ----------
    time : (n_times,) float
        Instants to return, rows of the file (s).

    Raises
    ------
    MissingInputError
        If an instant is not a row of the file.
    """
    table = load_table(path)
    # Printed times are rounded to a microsecond, but the first steps of an integration are shorter: the nearest row.
    after = np.searchsorted(table.time, time).clip(max=len(table.time) - 1)
    before = (after - 1).clip(min=0)
    rows = np.where(np.abs(table.time[before] - time) < np.abs(table.time[after] - time), before, after)
    if np.abs(table.time[rows] - time).max(initial=0.0) > 1e-6:
        raise MissingInputError("the file of states or speeds lacks rows of the motion.", where=table.source)
    speeds: dict[str, np.ndarray] = {}
    muscles: dict[str, dict[str, np.ndarray]] = {state: {} for state in MUSCLE_STATES}
    actuators: dict[str, np.ndarray] = {}
    dissipated: dict[str, np.ndarray] = {}
    for label, values in zip(table.columns, table.values.T, strict=True):
        owner, state = _meaning(label)
        if state == "speed" and owner in model.coordinate_names:
            turns = model.coordinates[owner].motion is MotionType.ROTATIONAL
            speeds[owner] = values[rows] * (RAD_PER_DEG if turns and table.in_degrees else 1.0)
        elif state in muscles and owner in model.muscle_names:
            muscles[state][owner] = values[rows]
        elif state == "activation" and model.forces.has(owner):
            actuators[owner] = values[rows]
        elif state == "dissipated_energy" and model.forces.has(owner):
            dissipated[owner] = values[rows]
    return StatesFile(speeds, muscles, actuators, dissipated)


def load_speeds(path: str | os.PathLike[str], model: Model, time: np.ndarray) -> dict[str, np.ndarray]:
    """Read a table of speeds: a column for each speed of the model, in the words of a states file.

    Raises
    ------
    MissingInputError
        If it lacks an instant or a speed.
    """
    found = load_states(path, model, time).speeds
    lacking = [name for name in model.speed_names if name not in found]
    if lacking:
        shown = few(lacking, 5)
        raise MissingInputError(
            f"the speeds file has no speed of {shown}.",
            where=os.fspath(path),
            remedy=f"call the columns {lacking[0]}_u, as OpenSim does, or leave speeds_file empty",
        )
    return found


def _meaning(label: str) -> tuple[str, str]:
    """Whose state a column is, and which."""
    for pattern in (_PATH, _OLD_MUSCLE):
        found = pattern.fullmatch(label)
        if found:
            return found["owner"], found["state"]
    found = _OLD_SPEED.fullmatch(label)
    return (found["owner"], "speed") if found else (label, "value")
