"""Musculoskeletal dynamics: every newton in the body, accounted for.

The public names are listed here and loaded when first used, so that ``import borelli`` is quick and
brings in no compiler, plotting or symbolic library.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Public name -> the module that defines it.
_HOME: dict[str, str] = {
    "BorelliError": "borelli.errors",
    "BorelliWarning": "borelli.errors",
    "Load": "borelli.model.load",
    "Model": "borelli.model",
    "Motion": "borelli.model.motion",
    "load_chain": "borelli.io.planar_file",
    "save_chain": "borelli.io.planar_file",
    "load_planar_motion": "borelli.io.planar_motion",
    "load_model": "borelli.io.load_model",
    "save_model": "borelli.io.load_model",
    "Table": "borelli.results.table",
    "load_c3d": "borelli.io.c3d",
    "load_loads": "borelli.io.loads",
    "load_motion": "borelli.io.motion",
    "save_motion": "borelli.io.motion",
    "load_table": "borelli.io.load",
    "save_table": "borelli.io.load",
    "save_result": "borelli.results.save",
    "load_result": "borelli.results.save",
    "explain": "borelli.results.explanation",
    "body_poses": "borelli.analyses.body_poses",
    "marker_positions": "borelli.analyses.body_poses",
    "mass_matrix": "borelli.analyses.mass_matrix",
    "inverse_dynamics": "borelli.analyses.inverse_dynamics",
    "forward_dynamics": "borelli.analyses.forward_dynamics",
    "joint_reactions": "borelli.analyses.joint_reactions",
    "contributions": "borelli.analyses.contributions",
    "induced": "borelli.analyses.induced",
    "energy": "borelli.analyses.energy",
    "paths": "borelli.analyses.paths",
    "moment_arms": "borelli.analyses.moment_arms",
    "jacobian": "borelli.analyses.jacobian",
    "bias_forces": "borelli.analyses.jacobian",
    "lagrangian": "borelli.analyses.lagrangian",
    "equations_of_motion": "borelli.analyses.equations_of_motion",
    "sensitivities": "borelli.analyses.sensitivities",
    "assemble": "borelli.analyses.assemble",
    "constraint_jacobian": "borelli.analyses.constraints",
    "constraint_residuals": "borelli.analyses.constraints",
    "simulate": "borelli.analyses.simulate",
}
_SUBMODULES = ("attitude", "model", "planar", "library", "units", "errors")

if TYPE_CHECKING:
    from borelli.analyses.assemble import assemble as assemble
    from borelli.analyses.body_poses import body_poses as body_poses
    from borelli.analyses.body_poses import marker_positions as marker_positions
    from borelli.analyses.constraints import constraint_jacobian as constraint_jacobian
    from borelli.analyses.constraints import constraint_residuals as constraint_residuals
    from borelli.analyses.contributions import contributions as contributions
    from borelli.analyses.energy import energy as energy
    from borelli.analyses.equations_of_motion import equations_of_motion as equations_of_motion
    from borelli.analyses.forward_dynamics import forward_dynamics as forward_dynamics
    from borelli.analyses.inverse_dynamics import inverse_dynamics as inverse_dynamics
    from borelli.analyses.jacobian import bias_forces as bias_forces
    from borelli.analyses.jacobian import jacobian as jacobian
    from borelli.analyses.joint_reactions import joint_reactions as joint_reactions
    from borelli.analyses.lagrangian import lagrangian as lagrangian
    from borelli.analyses.mass_matrix import mass_matrix as mass_matrix
    from borelli.analyses.moment_arms import moment_arms as moment_arms
    from borelli.analyses.paths import paths as paths
    from borelli.analyses.sensitivities import sensitivities as sensitivities
    from borelli.analyses.simulate import simulate as simulate
    from borelli.errors import BorelliError as BorelliError
    from borelli.errors import BorelliWarning as BorelliWarning
    from borelli.io.c3d import load_c3d as load_c3d
    from borelli.io.load import load_table as load_table
    from borelli.io.load import save_table as save_table
    from borelli.io.load_model import load_model as load_model
    from borelli.io.load_model import save_model as save_model
    from borelli.io.loads import load_loads as load_loads
    from borelli.io.motion import load_motion as load_motion
    from borelli.io.motion import save_motion as save_motion
    from borelli.io.planar_file import load_chain as load_chain
    from borelli.io.planar_file import save_chain as save_chain
    from borelli.io.planar_motion import load_planar_motion as load_planar_motion
    from borelli.model import Model as Model
    from borelli.model.load import Load as Load
    from borelli.model.motion import Motion as Motion
    from borelli.results.explanation import explain as explain
    from borelli.results.save import load_result as load_result
    from borelli.results.save import save_result as save_result
    from borelli.results.table import Table as Table

__all__ = [  # noqa: PLE0604 (the table above is the list)
    "__version__",
    *_HOME,
    *_SUBMODULES,
]


def __getattr__(name: str) -> Any:
    """Load a public name on first use."""
    if name in _HOME:
        value = getattr(importlib.import_module(_HOME[name]), name)
    elif name in _SUBMODULES:
        value = importlib.import_module(f"borelli.{name}")
    else:
        raise AttributeError(f"module 'borelli' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
