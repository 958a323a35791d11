"""Write leg_runs.json and driven_runs.json in tests/fixtures/opensim: the tables that OpenSim's tools wrote for
tests/conformance/own_study.py and tests/conformance/driven_study.py.

    python -m tests.reference.make_opensim_runs

Run by hand where the ``opensim`` package (4.6) is installed; the tests read the numbers alone.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import borelli as bo
from tests.conformance import driven_study, own_study
from tests.reference.ask_opensim import opensim
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


def main() -> None:
    osim, here = opensim(), os.getcwd()
    origin = f"OpenSim {osim.GetVersion()}; written by tests/reference/make_opensim_runs.py"
    for name, study in (("leg_runs", own_study), ("driven_runs", driven_study)):
        with tempfile.TemporaryDirectory() as scratch:
            os.chdir(scratch)
            try:
                tables = runs(osim, Path(scratch), study)
            finally:
                os.chdir(here)
        (FIXTURES / f"{name}.json").write_text(text_of({"origin": origin, **tables}), encoding="utf-8")


if __name__ == "__main__":
    main()
