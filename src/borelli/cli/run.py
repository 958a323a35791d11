"""Run an OpenSim setup file as it is: inverse dynamics.

Reads the model, motion and external loads that the file names, and writes the table of generalized forces that
OpenSim's tool would write, with the same columns. The motion is smoothed as the tool does it, so that the numbers
are the same; --mode default smooths without lowering the cut-off.

For example

    borelli run setup_id.xml
    borelli run setup_id.xml --out results/id.sto
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from borelli.cli.notes import notes_on_stderr
from borelli.io.filtering import Mode
from borelli.io.setup_xml import InverseDynamicsSetup, read_setup
from borelli.model import Model
from borelli.model.force import CoordinateActuator, PathActuator, PointActuator, TorqueActuator

# Without a control signal they do nothing, in the tool as here.
_ACTUATORS = (CoordinateActuator, PathActuator, PointActuator, TorqueActuator)


def run(
    setup: Annotated[
        Path, typer.Argument(metavar="SETUP", help="A setup file of OpenSim's InverseDynamicsTool.")
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write here instead of where the setup says.")
    ] = None,
    mode: Annotated[str, typer.Option(metavar="MODE", help="How to smooth: opensim or default.")] = "opensim",
) -> None:
    """Run the tool and write its table."""
    from borelli.analyses.inverse_dynamics import inverse_dynamics
    from borelli.io.inverse_dynamics_table import generalized_force_table
    from borelli.io.load import save_table
    from borelli.io.load_model import load_model
    from borelli.io.loads import load_loads
    from borelli.io.motion import load_motion

    settings = read_setup(setup)
    smoothing = cast("Mode", mode)
    with notes_on_stderr():
        model = load_model(settings.model)
        motion = load_motion(
            settings.coordinates, model, settings.cutoff_hz, mode=smoothing, time_range=settings.time_range
        )
        loads = []
        if settings.external_loads is not None:
            from borelli.analyses.body_poses import body_poses

            poses = body_poses(model, motion)
            loads = load_loads(settings.external_loads, motion, poses=poses, mode=smoothing)
        result = inverse_dynamics(model, motion, loads)
    for line in _left_out(settings, model):
        typer.echo(f"note: {line}", err=True)
    target = out or settings.output
    target.parent.mkdir(parents=True, exist_ok=True)
    save_table(generalized_force_table(model, result), target)
    typer.echo(f"{motion.n_times} frames, {len(model.coordinates)} generalized forces: {target}")


def _left_out(settings: InverseDynamicsSetup, model: Model) -> list[str]:
    """Say which forces of the model the tool would have counted and this does not."""
    excluded = {name.casefold() for name in settings.excluded_forces}
    if "all" in excluded:
        return (
            ["the setup excludes all forces; external loads are applied all the same"]
            if settings.external_loads
            else []
        )
    passive = [force for force in model.forces if not isinstance(force, _ACTUATORS)]
    names = [force.name for force in passive if force.name.casefold() not in excluded]
    notes = []
    if names:
        shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
        notes.append(f"forces of the model itself are not counted: {shown}")
    if model.muscles and "muscles" not in excluded:
        notes.append("the setup does not exclude muscles; their passive forces are not counted")
    return notes
