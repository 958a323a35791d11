"""Write leg_runs.json, driven_runs.json and loop_runs.json in tests/fixtures/opensim: the tables that OpenSim's tools
wrote for own_study.py, driven_study.py and loop_study.py of tests/conformance; of the last one the forces of its
constraints as well.

    python -m tests.reference.make_opensim_runs [leg_runs driven_runs loop_runs]

Run by hand where the ``opensim`` package (4.6) is installed; the tests read the numbers alone.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import borelli as bo
from tests.conformance import driven_study, loop_study, own_study
from tests.reference.ask_opensim import Asked, opensim
from tests.reference.make_opensim_cases import FIXTURES, text_of


def runs(osim: Any, folder: Path, study: ModuleType, setups: tuple[str, ...] = ()) -> dict[str, Any]:
    """Run the tools in a folder; return each table as columns, times and values, as printed."""
    study.write_study(folder)
    for name in setups or study.SETUPS:
        tool = osim.InverseDynamicsTool if "InverseDynamicsTool" in study.SETUPS[name] else osim.AnalyzeTool
        assert tool(f"{name}.xml").run(), name
        if name == "so":
            shutil.copy(folder / "out" / "so_StaticOptimization_force.sto", folder / "so_forces.sto")
    tables = {}
    for file in sorted((folder / "out").glob("*.sto")):
        # Cells of vectors become columns of their own.
        table = bo.load_table(file).flat()
        tables[file.name] = [list(table.columns), table.time, table.values]
    return tables


def forces_of_constraints(osim: Any, folder: Path) -> dict[str, Any]:
    """Forces and moments that each constraint of the machine exerts, as Simbody signs them, row by row."""
    push, given = loop_study.load(), loop_study.forces()
    own = {"ext_force": push.force, "ext_point": push.point, "ext_torque": push.moment}
    load = {"ext_body": [push.body], **{key: values[:, None] for key, values in own.items()}}
    asked = Asked(osim, folder / "machine.osim", loop_study.moving(), load)
    constraints = asked.model.getConstraintSet()
    columns: tuple[str, ...] = ()
    rows = []
    for frame in range(len(loop_study.TIME)):
        asked.at(frame)
        asked.reactions(["push", "pad", "torsion"], {name: values[frame] for name, values in given.items()})
        told, row = [], []
        for index in range(constraints.getSize()):
            one = constraints.get(index)
            labels, values = one.getRecordLabels(), one.getRecordValues(asked.state)
            told += [labels.get(k) for k in range(values.size())]
            row += [values.get(k) for k in range(values.size())]
        columns, rows = tuple(told), [*rows, row]
    return {"constraints": [list(columns), loop_study.TIME, np.array(rows)]}


STUDIES = {"leg_runs": own_study, "driven_runs": driven_study, "loop_runs": loop_study}


def main(wanted: list[str]) -> None:
    osim, here = opensim(), os.getcwd()
    origin = f"OpenSim {osim.GetVersion()}; written by tests/reference/make_opensim_runs.py"
    for name in wanted or STUDIES:
        with tempfile.TemporaryDirectory() as scratch:
            os.chdir(scratch)
            try:
                tables = runs(osim, Path(scratch), STUDIES[name])
                if STUDIES[name] is loop_study:
                    tables |= forces_of_constraints(osim, Path(scratch))
            finally:
                os.chdir(here)
        (FIXTURES / f"{name}.json").write_text(text_of({"origin": origin, **tables}), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
