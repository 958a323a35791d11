"""The leg of our own as a study on disk: model, motion, loads, reserves, and the setup files that both programs run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

import borelli as bo
from tests.conformance.own_models.leg import leg

TIME = np.arange(81) / 100
NAMES = ("tilt", "forward", "up", "hip_angle", "knee_angle", "ankle_angle")
_MEAN = np.array([-0.1, 0.2, 0.9, 0.2, -0.6, 0.0])
_SIZE = np.array([0.05, 0.1, 0.02, 0.35, 0.4, 0.2])
COORDINATES = _MEAN + _SIZE * np.sin(5 * TIME[:, None] + np.arange(6))
_LOADS = """<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects><ExternalForce name="push">
<applied_to_body>foot</applied_to_body><force_expressed_in_body>ground</force_expressed_in_body>
<point_expressed_in_body>ground</point_expressed_in_body><force_identifier>push_f</force_identifier>
<point_identifier>push_p</point_identifier><torque_identifier>push_m</torque_identifier>
</ExternalForce></objects><datafile>loads.mot</datafile></ExternalLoads></OpenSimDocument>"""
_RESERVES = """<OpenSimDocument Version="40000"><ForceSet name="reserves"><objects>{}</objects></ForceSet>
</OpenSimDocument>"""
_RESERVE = (
    "<CoordinateActuator name='reserve_{0}'><min_control>-1000</min_control><max_control>1000</max_control>"
    "<coordinate>{0}</coordinate><optimal_force>20</optimal_force></CoordinateActuator>"
)
_INVERSE = """<OpenSimDocument Version="40000"><InverseDynamicsTool name="id"><results_directory>out</results_directory>
<model_file>leg.osim</model_file><time_range>0.2 0.5</time_range><forces_to_exclude>Muscles</forces_to_exclude>
<external_loads_file>loads.xml</external_loads_file><coordinates_file>motion.sto</coordinates_file>
<lowpass_cutoff_frequency_for_coordinates>6</lowpass_cutoff_frequency_for_coordinates>
<output_gen_force_file>id.sto</output_gen_force_file></InverseDynamicsTool></OpenSimDocument>"""
_ANALYZE = """<OpenSimDocument Version="40000"><AnalyzeTool name="{name}"><model_file>leg.osim</model_file>
<results_directory>out</results_directory><initial_time>0.2</initial_time><final_time>0.5</final_time>
{more}<external_loads_file>loads.xml</external_loads_file><coordinates_file>motion.sto</coordinates_file>
<lowpass_cutoff_frequency_for_coordinates>6</lowpass_cutoff_frequency_for_coordinates>
<AnalysisSet><objects>{analysis}</objects></AnalysisSet></AnalyzeTool></OpenSimDocument>"""
_BALANCE = "<solve_for_equilibrium_for_auxiliary_states>true</solve_for_equilibrium_for_auxiliary_states>"
_ADDED = "<replace_force_set>false</replace_force_set><force_set_files>reserves.xml</force_set_files>"
SETUPS = {
    "id": _INVERSE,
    "so": _ANALYZE.format(
        name="so",
        more=_ADDED,
        analysis="<StaticOptimization name='StaticOptimization'><step_interval>1</step_interval>"
        "<use_model_force_set>true</use_model_force_set><activation_exponent>2</activation_exponent>"
        "<use_muscle_physiology>true</use_muscle_physiology></StaticOptimization>",
    ),
    "jr": _ANALYZE.format(
        name="jr",
        more=_ADDED,
        analysis="<JointReaction name='JointReaction'><step_interval>5</step_interval>"
        "<forces_file>so_forces.sto</forces_file><joint_names>ALL</joint_names>"
        "<apply_on_bodies>child parent child parent</apply_on_bodies>"
        "<express_in_frame>ground ground child parent</express_in_frame></JointReaction>",
    ),
    "muscles": _ANALYZE.format(
        name="muscles",
        more=_BALANCE,
        analysis="<MuscleAnalysis name='MuscleAnalysis'><step_interval>10</step_interval>"
        "<muscle_list>all</muscle_list><moment_arm_coordinate_list>hip_angle knee_angle ankle_angle"
        "</moment_arm_coordinate_list><compute_moments>true</compute_moments></MuscleAnalysis>",
    ),
}
"""Setup files in the order in which they are run: reactions take their forces from the optimization."""


def write_study(folder: Path) -> None:
    """Write everything but the results.

    The leg has muscles alone: with columns of ligaments, stops and springs in its file of forces, OpenSim's
    JointReaction gives numbers such as 1e302.
    """
    bo.save_model(replace(leg(), forces=()), folder / "leg.osim")
    bo.save_table(bo.Table(TIME, NAMES, COORDINATES, in_degrees=False), folder / "motion.sto")
    push = {
        "push_fx": 40 * np.sin(6 * TIME),
        "push_fy": 220 + 150 * np.cos(6 * TIME),
        "push_fz": 9 * np.cos(9 * TIME),
        "push_px": 0.25 + 0.1 * TIME,
        "push_py": 0.01 * np.sin(TIME),
        "push_pz": 0.08 + 0 * TIME,
        "push_mx": 0 * TIME,
        "push_my": 4 * np.sin(6 * TIME),
        "push_mz": 0 * TIME,
    }
    bo.save_table(bo.Table(TIME, tuple(push), np.stack(list(push.values()), axis=1)), folder / "loads.mot")
    (folder / "loads.xml").write_text(_LOADS, encoding="utf-8")
    reserves = "".join(_RESERVE.format(name) for name in NAMES)
    (folder / "reserves.xml").write_text(_RESERVES.format(reserves), encoding="utf-8")
    for name, text in SETUPS.items():
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")
