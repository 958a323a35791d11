"""Write tests/fixtures/opensim/force_sets.json: OpenSim and a force set that names a force of the model.

    python -m tests.reference.make_opensim_force_sets

A pendulum has the springs ``push`` (10 N m/rad) and ``hold`` (2 N m/rad); the set has another ``push`` (30 N m/rad) and
``help`` (7 N m/rad). The stiffness of each is read off the forces that the tool reports. Run by hand where the
``opensim`` package (4.6) is installed; the tests read the numbers alone.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import borelli as bo
from borelli.model import Body, CoordinateSpring, Model, PinJoint
from tests.reference.ask_opensim import opensim

FIXTURE = Path(__file__).parents[1] / "fixtures" / "opensim" / "force_sets.json"
TIME = np.arange(21) / 100
TABLE = "try_F_forces.sto"
ANGLE = 0.1 + 0.1 * np.sin(TIME)
SET = """<OpenSimDocument Version="40000"><ForceSet name="more"><objects>
<SpringGeneralizedForce name="push"><coordinate>swing</coordinate><stiffness>30</stiffness><viscosity>0</viscosity>
</SpringGeneralizedForce><SpringGeneralizedForce name="help"><coordinate>swing</coordinate><stiffness>7</stiffness>
<viscosity>0</viscosity></SpringGeneralizedForce></objects></ForceSet></OpenSimDocument>"""
SETUP = """<OpenSimDocument Version="40000"><AnalyzeTool name="try"><model_file>pendulum.osim</model_file>
<replace_force_set>{replace}</replace_force_set><force_set_files>more.xml</force_set_files>
<results_directory>{out}</results_directory><coordinates_file>swing.sto</coordinates_file>
<initial_time>0</initial_time><final_time>0.2</final_time>
<AnalysisSet><objects><ForceReporter name="F"/></objects></AnalysisSet></AnalyzeTool></OpenSimDocument>"""


def write_study(folder: Path, replace: bool, out: str) -> Path:
    """Write model, motion, force set and setup; return the setup."""
    body = Body("bob", 2.0, (0, -0.4, 0), (0.05, 0.05, 0.05))
    springs = [
        CoordinateSpring(name=name, coordinate="swing", stiffness=size)
        for name, size in (("push", 10.0), ("hold", 2.0))
    ]
    joint = PinJoint(name="swing", parent="ground", child="bob")
    bo.save_model(
        Model(name="pendulum", bodies=[body], joints=[joint], forces=springs), folder / "pendulum.osim"
    )
    bo.save_table(bo.Table(TIME, ("swing",), ANGLE[:, None], in_degrees=False), folder / "swing.sto")
    (folder / "more.xml").write_text(SET, encoding="utf-8")
    setup = folder / f"setup_{out}.xml"
    setup.write_text(SETUP.format(replace=str(replace).lower(), out=out), encoding="utf-8")
    return setup


def stiffness(folder: Path) -> dict[str, float]:
    """Return the stiffness of every spring (N m/rad) that the tool's table shows, by its column."""
    table = bo.load_table(folder / TABLE)
    angle = np.interp(table.time, TIME, ANGLE)
    return {name: float(np.round(np.median(-table.column(name) / angle), 4)) for name in table.columns}


def answers(osim: Any, folder: Path) -> dict[str, Any]:
    """Run both setups with OpenSim."""
    found = {}
    for replace in (False, True):
        setup = write_study(folder, replace, "theirs")
        assert osim.AnalyzeTool(str(setup)).run()
        found["replaced" if replace else "added"] = stiffness(folder / "theirs")
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        FIXTURE.write_text(json.dumps(answers(opensim(), Path(scratch)), indent=1) + "\n", encoding="utf-8")
