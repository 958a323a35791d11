"""Musculoskeletal dynamics: every newton in the body, accounted for.

The public names are listed here and loaded when first used, so that ``import borelli`` is quick and
brings in no compiler, plotting or symbolic library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from borelli.lazy import lazily

__version__ = "0.1.0"

# Public name -> the module that defines it, relative to this package.
_HOME: dict[str, str] = {
    "BorelliError": "errors",
    "BorelliWarning": "errors",
    "Load": "model.load",
    "Model": "model",
    "Motion": "model.motion",
    "SymbolicLoad": "model.symbols",
    "with_symbols": "model.symbols",
    "load_chain": "io.planar_file",
    "save_chain": "io.planar_file",
    "load_planar_motion": "io.planar_motion",
    "load_model": "io.load_model",
    "save_model": "io.load_model",
    "Table": "results.table",
    "load_c3d": "io.c3d",
    "load_loads": "io.loads",
    "load_markers": "io.markers",
    "load_motion": "io.motion",
    "save_motion": "io.motion",
    "load_table": "io.load",
    "save_table": "io.load",
    "save_result": "results.save",
    "load_result": "results.save",
    "verify_result": "results.verify",
    "explain": "results.explanation",
    "contact_events": "results.contact_events",
    "normalize_cycles": "results.cycles",
    "muscle_balance": "analyses.muscle_balance",
    "body_poses": "analyses.body_poses",
    "marker_positions": "analyses.body_poses",
    "mass_matrix": "analyses.mass_matrix",
    "inverse_dynamics": "analyses.inverse_dynamics",
    "inverse_kinematics": "analyses.inverse_kinematics",
    "forward_dynamics": "analyses.forward_dynamics",
    "joint_reactions": "analyses.joint_reactions",
    "contributions": "analyses.contributions",
    "induced": "analyses.induced",
    "RollingOnSurface": "mechanics.constraints.rolling_on_surface",
    "muscle_forces": "analyses.muscle_forces",
    "Criterion": "mechanics.muscles.criterion",
    "muscle_strength": "analyses.muscle_strength",
    "muscle_equilibrium": "analyses.muscle_strength",
    "muscle_dynamics": "analyses.muscle_dynamics",
    "energy": "analyses.energy",
    "paths": "analyses.paths",
    "moment_arms": "analyses.moment_arms",
    "effective_torque": "analyses.effective_torque",
    "coupling_matrix": "analyses.effective_torque",
    "partial_velocity": "analyses.effective_torque",
    "speed_map": "analyses.effective_torque",
    "jacobian": "analyses.jacobian",
    "bias_forces": "analyses.jacobian",
    "lagrangian": "analyses.lagrangian",
    "equations_of_motion": "analyses.equations_of_motion",
    "sensitivities": "analyses.sensitivities",
    "assemble": "analyses.assemble",
    "constraint_jacobian": "analyses.constraints",
    "constraint_residuals": "analyses.constraints",
    "simulate": "analyses.simulate",
    "scene": "analyses.scene",
    "sweep": "analyses.sweep",
    "muscle_states": "analyses.muscle_states",
    "driven_motion": "analyses.driven",
    "scale": "analyses.scale",
}
_SUBMODULES = ("attitude", "model", "planar", "library", "units", "errors")

if TYPE_CHECKING:
    from borelli.analyses.assemble import assemble as assemble
    from borelli.analyses.body_poses import body_poses as body_poses
    from borelli.analyses.body_poses import marker_positions as marker_positions
    from borelli.analyses.constraints import constraint_jacobian as constraint_jacobian
    from borelli.analyses.constraints import constraint_residuals as constraint_residuals
    from borelli.analyses.contributions import contributions as contributions
    from borelli.analyses.driven import driven_motion as driven_motion
    from borelli.analyses.effective_torque import coupling_matrix as coupling_matrix
    from borelli.analyses.effective_torque import effective_torque as effective_torque
    from borelli.analyses.effective_torque import partial_velocity as partial_velocity
    from borelli.analyses.effective_torque import speed_map as speed_map
    from borelli.analyses.energy import energy as energy
    from borelli.analyses.equations_of_motion import equations_of_motion as equations_of_motion
    from borelli.analyses.forward_dynamics import forward_dynamics as forward_dynamics
    from borelli.analyses.induced import induced as induced
    from borelli.analyses.inverse_dynamics import inverse_dynamics as inverse_dynamics
    from borelli.analyses.inverse_kinematics import inverse_kinematics as inverse_kinematics
    from borelli.analyses.jacobian import bias_forces as bias_forces
    from borelli.analyses.jacobian import jacobian as jacobian
    from borelli.analyses.joint_reactions import joint_reactions as joint_reactions
    from borelli.analyses.lagrangian import lagrangian as lagrangian
    from borelli.analyses.mass_matrix import mass_matrix as mass_matrix
    from borelli.analyses.moment_arms import moment_arms as moment_arms
    from borelli.analyses.muscle_balance import muscle_balance as muscle_balance
    from borelli.analyses.muscle_dynamics import muscle_dynamics as muscle_dynamics
    from borelli.analyses.muscle_forces import muscle_forces as muscle_forces
    from borelli.analyses.muscle_states import muscle_states as muscle_states
    from borelli.analyses.muscle_strength import muscle_equilibrium as muscle_equilibrium
    from borelli.analyses.muscle_strength import muscle_strength as muscle_strength
    from borelli.analyses.paths import paths as paths
    from borelli.analyses.scale import scale as scale
    from borelli.analyses.scene import scene as scene
    from borelli.analyses.sensitivities import sensitivities as sensitivities
    from borelli.analyses.simulate import simulate as simulate
    from borelli.analyses.sweep import sweep as sweep
    from borelli.errors import BorelliError as BorelliError
    from borelli.errors import BorelliWarning as BorelliWarning
    from borelli.io.c3d import load_c3d as load_c3d
    from borelli.io.load import load_table as load_table
    from borelli.io.load import save_table as save_table
    from borelli.io.load_model import load_model as load_model
    from borelli.io.load_model import save_model as save_model
    from borelli.io.loads import load_loads as load_loads
    from borelli.io.markers import load_markers as load_markers
    from borelli.io.motion import load_motion as load_motion
    from borelli.io.motion import save_motion as save_motion
    from borelli.io.planar_file import load_chain as load_chain
    from borelli.io.planar_file import save_chain as save_chain
    from borelli.io.planar_motion import load_planar_motion as load_planar_motion
    from borelli.mechanics.constraints.rolling_on_surface import RollingOnSurface as RollingOnSurface
    from borelli.mechanics.muscles.criterion import Criterion as Criterion
    from borelli.model import Model as Model
    from borelli.model.load import Load as Load
    from borelli.model.motion import Motion as Motion
    from borelli.model.symbols import SymbolicLoad as SymbolicLoad
    from borelli.model.symbols import with_symbols as with_symbols
    from borelli.results.contact_events import contact_events as contact_events
    from borelli.results.cycles import normalize_cycles as normalize_cycles
    from borelli.results.explanation import explain as explain
    from borelli.results.save import load_result as load_result
    from borelli.results.save import save_result as save_result
    from borelli.results.table import Table as Table
    from borelli.results.verify import verify_result as verify_result

__all__ = [  # noqa: PLE0604 (the table above is the list)
    "__version__",
    *_HOME,
    *_SUBMODULES,
]

__getattr__, __dir__ = lazily(__name__, _HOME, _SUBMODULES)
