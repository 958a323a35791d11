"""The files of a trial: model, motion or recording, loads and tensions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from borelli.errors import MissingInputError, warn
from borelli.io.load_model import load_model
from borelli.io.motion import load_motion
from borelli.io.toml.trial_toml import Trial
from borelli.opensim_tools.inputs import read_forces, read_loads
from borelli.opensim_tools.obeying import obeying
from borelli.trial.recording import Recorded, read_recording

if TYPE_CHECKING:
    import numpy as np

    from borelli.io.signals.filtering import Mode
    from borelli.model.load import Load
    from borelli.model.model import Model
    from borelli.model.motion import Motion


class TrialInputs(NamedTuple):
    """What the files of a trial say; None where there are no tensions, or no recording."""

    model: Model
    motion: Motion
    loads: list[Load]
    tensions: dict[str, np.ndarray] | None
    recorded: Recorded | None


def read_inputs(trial: Trial) -> TrialInputs:
    """Read the model, the motion or the recording to find it from, loads and tensions."""
    mode = cast("Mode", trial.smoothing)
    model = load_model(trial.model)
    recorded, coordinates = None, trial.motion
    if trial.markers is not None:
        recorded = read_recording(
            model, trial.markers, trial.out, trial.loads is None, remove_offset=trial.remove_offset
        )
        coordinates = recorded.motion
    assert coordinates is not None
    motion = load_motion(
        coordinates,
        model,
        trial.cutoff_hz,
        mode=mode,
        time_range=trial.time_range,
        in_degrees=trial.in_degrees,
        allow_violations=trial.allow_violations,
    )
    motion = obeying(model, motion, trial.allow_violations)
    if trial.cutoff_hz is None:
        warn(
            "the motion is not filtered, so accelerations and joint moments contain the noise of the recording; a "
            "cut-off (--cutoff-hz, or cutoff_hz in a trial file) of 6 Hz is usual for walking"
        )
    external = trial.loads if recorded is None or recorded.loads is None else recorded.loads
    motion, loads = read_loads(external, model, motion, mode, trial.loads_cutoff_hz, trial.cutoff_hz)
    tensions = None if trial.tensions is None else read_tensions(trial.tensions, model, motion)
    return TrialInputs(model, motion, loads, tensions, recorded)


def read_tensions(path: Path, model: Model, motion: Motion) -> dict[str, np.ndarray]:
    """Read the columns of a table that are named like paths, at the instants of a motion (N)."""
    forces = read_forces(path, motion)
    found = {name: values for name, values in forces.items() if name in model.paths}
    if not found:
        raise MissingInputError(
            f"no column of the table has the name of a path of model {model.name!r}.", where=str(path)
        )
    return found
