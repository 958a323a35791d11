"""OpenSim's InducedAccelerations, in its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.cli.analysis_options import names_of
from borelli.io.analyze_setup import AnalysisSetup
from borelli.model.coordinate import MotionType
from borelli.results.table import Table

if TYPE_CHECKING:
    from borelli.cli.analyze_tool import Trial

DEGREES = 180.0 / np.pi


def induced_accelerations(trial: Trial, setup: AnalysisSetup) -> dict[str, Table]:
    """Accelerations of coordinates that each force causes, in columns that add up to the total."""
    from borelli.analyses.induced import induced

    model = trial.model
    names = names_of(setup.words("coordinate_names"), model.speed_names, "coordinate", setup.where)
    found = induced(model, trial.motion, trial.loads)["acceleration"]
    labels = [str(label) for label in found["source"].values]
    groups = [_opensim_source(label) for label in labels]
    kept = list(dict.fromkeys(("gravity", "velocity", *groups)))
    tables = {}
    for name in names:
        values = found.sel(coordinate=name).values
        turns = model.coordinates[name].motion is MotionType.ROTATIONAL
        factor = DEGREES if turns and setup.in_degrees else 1.0
        member = np.array([[group == one for one in kept] for group in groups], dtype=float)
        rows = factor * np.column_stack([values.sum(axis=1), values @ member])
        tables[name] = Table(
            trial.motion.time, ("total", *kept), rows, in_degrees=setup.in_degrees and turns, name=name
        )
    return tables


def _opensim_source(label: str) -> str:
    kind, _, name = label.partition(":")
    return {"weight": "gravity", "velocity": "velocity"}.get(kind, name if kind != "provided" else "provided")
