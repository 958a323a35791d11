"""What a trial needs, loaded at once: workers of one machine are copies of a process that has done so.

Each then starts in a moment, also in place of one that was killed, and all share the memory of the libraries.
"""

from __future__ import annotations

import contextlib
import importlib

LIBRARIES = (
    # xarray asks for it with the first array, wherever Dask is installed.
    "dask.array",
    "pyarrow.csv",
    "pyarrow.parquet",
    "scipy.fftpack",
    "scipy.interpolate",
    "scipy.signal",
    "borelli.analyses.forces.contributions",
    "borelli.analyses.recordings.ground_reaction",
    "borelli.analyses.recordings.inverse_kinematics",
    "borelli.analyses.movement.joint_power",
    "borelli.analyses.muscles.muscle_forces",
    "borelli.analyses.movement.paths",
    "borelli.analyses.movement.scene",
    "borelli.io.toml.model_toml",
    "borelli.io.tables.share_tables",
    "borelli.kernels.lanes.driver",
    "borelli.report.page",
    "borelli.results.saving.save",
    "borelli.studies.task",
    "borelli.trial.run",
)

for name in LIBRARIES:
    # What is not there is told by the trial that needs it.
    with contextlib.suppress(ImportError):
        importlib.import_module(name)
