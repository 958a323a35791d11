"""What ``borelli run`` does with setups of OpenSim's tools for inertial sensors."""

from __future__ import annotations

import typer

from borelli.cli.notes import notes_on_stderr
from borelli.io.imu_setup import PlacerSetup, SensorSetup


def run_sensors(settings: PlacerSetup | SensorSetup) -> None:
    """Place sensors on a model, or follow them, and say what came of it."""
    import math

    for option in settings.unknown:
        typer.echo(f"note: the tool has no option <{option}>, and it is not used", err=True)
    if isinstance(settings, PlacerSetup):
        from borelli.opensim_tools.imu import run_placer

        with notes_on_stderr():
            placed = run_placer(settings)
        typer.echo(
            f"heading: all sensors were turned by {math.degrees(placed.heading):.2f}° about the vertical"
        )
        typer.echo(
            "The tool that follows sensors does not turn them again: the body faces as it was recorded."
        )
        if settings.output is not None:
            typer.echo(f"{settings.output}")
        return
    from borelli.opensim_tools.imu import run_tracker, write_sensor_tables

    with notes_on_stderr():
        model, result = run_tracker(settings)
        written = write_sensor_tables(settings, model, result)
    solved = int((result["status"] == 0).sum())
    typer.echo(f"{solved} of {result.sizes['time']} instants, {result.sizes['sensor']} sensors")
    error = result["orientation_error"]
    worst = str(error["sensor"].values[int(error.mean("time").values.argmax())])
    mean, most = math.degrees(float(error.mean())), math.degrees(float(error.max()))
    typer.echo(
        f"orientation error: {mean:.2f}° on average, {most:.2f}° at worst; largest on average at {worst}"
    )
    typer.echo(f"optimality {float(result['kkt_residual'].max()):.1g}")
    for path in written:
        typer.echo(f"{path}")
