"""Setups that are run, not only read, on a pendulum with two muscles: what they write, and where."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import borelli as bo
from borelli.model import Body, Model, PathPoint, PinJoint, Thelen2003Muscle
from borelli.model import Path as MusclePath
from tests.fuzz.questions import LARGEST, Absurd, Strayed

TIME = np.arange(11) / 100
DYNAMICS = b"""<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40600"><InverseDynamicsTool name="id"><results_directory>out</results_directory>
 <model_file>pendulum.osim</model_file><time_range> 0 0.1</time_range><forces_to_exclude> Muscles</forces_to_exclude>
 <external_loads_file>loads.xml</external_loads_file><coordinates_file>swing.sto</coordinates_file>
 <lowpass_cutoff_frequency_for_coordinates>-1</lowpass_cutoff_frequency_for_coordinates>
 <joints_to_report_body_forces>ALL</joints_to_report_body_forces>
 <output_gen_force_file>id.sto</output_gen_force_file></InverseDynamicsTool></OpenSimDocument>
"""
ANALYZE = b"""<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40000"><AnalyzeTool name="walk"><model_file>pendulum.osim</model_file>
 <replace_force_set>false</replace_force_set><force_set_files>reserves.xml</force_set_files>
 <results_directory>out</results_directory><initial_time>0.0</initial_time><final_time>0.1</final_time>
 <solve_for_equilibrium_for_auxiliary_states>false</solve_for_equilibrium_for_auxiliary_states>
 <AnalysisSet><objects>
  <JointReaction name="JRA"><on>true</on><step_interval>1</step_interval><in_degrees>true</in_degrees>
   <forces_file></forces_file><joint_names>ALL</joint_names><apply_on_bodies>child</apply_on_bodies>
   <express_in_frame>ground</express_in_frame></JointReaction>
  <StaticOptimization name="SO"><on>true</on><use_model_force_set>true</use_model_force_set>
   <activation_exponent>2</activation_exponent><use_muscle_physiology>true</use_muscle_physiology></StaticOptimization>
  <BodyKinematics name="BK"><bodies>all</bodies><step_interval>2</step_interval></BodyKinematics>
  <MuscleAnalysis name="MA"><muscle_list>all</muscle_list><compute_moments>true</compute_moments></MuscleAnalysis>
  <PointKinematics name="PK"><body_name>bob</body_name><point_name>tip</point_name>
   <point>0 0 0</point></PointKinematics>
  <Kinematics name="K"><coordinates>all</coordinates></Kinematics><ForceReporter name="F"/>
 </objects></AnalysisSet><external_loads_file>loads.xml</external_loads_file>
 <coordinates_file>swing.sto</coordinates_file>
 <lowpass_cutoff_frequency_for_coordinates>-1</lowpass_cutoff_frequency_for_coordinates>
</AnalyzeTool></OpenSimDocument>
"""
LOADS = """<OpenSimDocument Version="40000"><ExternalLoads name="l"><objects><ExternalForce name="hand">
<applied_to_body>bob</applied_to_body><force_identifier>f_v</force_identifier><point_identifier>f_p</point_identifier>
</ExternalForce></objects><datafile>push.sto</datafile></ExternalLoads></OpenSimDocument>"""
RESERVES = """<OpenSimDocument Version="40000"><ForceSet name="r"><objects><CoordinateActuator name="reserve">
<coordinate>swing</coordinate><optimal_force>100</optimal_force></CoordinateActuator></objects></ForceSet>
</OpenSimDocument>"""


def _write_study(folder: Path) -> None:
    folder.mkdir(parents=True)
    points = (
        (PathPoint("a", "ground", (side, 0.1, 0.0)), PathPoint("b", "bob", (0.02, -0.2, 0.0)))
        for side in (-0.1, 0.1)
    )
    muscles = [
        Thelen2003Muscle(
            name=name,
            path=MusclePath(points=own),
            max_isometric_force=500.0,
            optimal_fiber_length=0.15,
            tendon_slack_length=0.15,
        )
        for name, own in zip(("flexor", "extensor"), points, strict=True)
    ]
    body = Body("bob", 2.0, (0, -0.4, 0), (0.05, 0.05, 0.05))
    joint = PinJoint(name="swing", parent="ground", child="bob")
    model = Model(name="pendulum", bodies=[body], joints=[joint], muscles=muscles)
    bo.save_model(model, folder / "pendulum.osim")
    bo.save_table(
        bo.Table(TIME, ("swing",), 0.2 * np.cos(9 * TIME)[:, None], in_degrees=False), folder / "swing.sto"
    )
    columns = tuple(f"f_{kind}{axis}" for kind in "vp" for axis in "xyz")
    bo.save_table(bo.Table(TIME, columns, np.tile([1.0, 2.0, 0, 0, -0.4, 0], (11, 1))), folder / "push.sto")
    (folder / "loads.xml").write_text(LOADS)
    (folder / "reserves.xml").write_text(RESERVES)


def _require_real_tables(tables: tuple[Path, ...]) -> None:
    for path in tables:
        values = bo.load_table(path).values
        size = float(np.abs(values).max()) if values.size else 0.0
        if not size <= LARGEST:
            raise Absurd(f"{path.name} reaches {size:g}")


def run_reader(folder: Path) -> Callable[[bytes], Any]:
    """Return a reader that runs a setup in a study of its own, and looks at what it wrote and where."""
    guard = folder / "guard"
    study = guard / "lab" / "study"
    trial = study / "trial"
    _write_study(trial / "setup")
    kept = {path for path in guard.rglob("*")}

    def read(data: bytes) -> Any:
        setup = trial / "setup" / "setup.xml"
        setup.write_bytes(data)
        try:
            found = bo.run(setup, explain=False)
            _require_real_tables(getattr(found, "tables", ()))
        finally:
            setup.unlink()
            new = [path for path in guard.rglob("*") if path not in kept]
            strays = [path for path in new if not path.is_relative_to(study)]
            for path in sorted(new, reverse=True):
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
            if strays:
                raise Strayed(f"{strays[0]} was written outside the study")
        return found

    return read
