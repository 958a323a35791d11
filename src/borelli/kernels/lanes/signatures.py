"""The kernels of the lanes and their arguments, without the code that writes them.

A process that finds all kernels in the cache never imports what traces them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from borelli.kernels.lanes.code.compile import Kernel

TABLE_ARGUMENTS = {
    "header_table": "integers",
    "steps": "integers",
    "nodes": "integers",
    "hinges": "integers",
    "functions": "integers",
    "polynomials": "integers",
    "monomials": "integers",
    "factors": "integers",
    "balls": "integers",
    "arcs": "integers",
    "uncoupled": "integers",
    "couplings": "integers",
    "constants": "doubles",
    "function_data": "doubles",
    "ball_data": "doubles",
    "gravity": "doubles",
}
LINK_ARGUMENTS = {
    "links_header": "integers",
    "twists": "integers",
    "states": "integers",
    "masses": "integers",
    "joints": "integers",
    "massless": "integers",
    "links": "integers",
    "release_header": "integers",
    "roots": "integers",
    "groups": "integers",
    "pairs": "integers",
    "twist_sums": "integers",
    "twist_couplings": "integers",
    "entries": "integers",
}
_RANGE = {
    "start": "integer",
    "stop": "integer",
    **TABLE_ARGUMENTS,
    "workspace": "doubles",
    "stage": "integer",
    "streamed": "integer",
}
_WANTED = {"n_wanted": "integer", "wanted": "integers"}
TOO_LARGE, NOT_PLAUSIBLE, GIVEN_NOT_PLAUSIBLE = 1, 2, 4
"""Bits of a kernel's status: an angle is beyond what the sine was made for; a result, or something that was given, is
no number of a body."""
_LOADS = {"n_loads": "integer", "loaded": "integers", "load_row": "integer", "loads": "doubles"}


def _emitter(name: str, module_name: str = "tree_kernels") -> Callable[..., Any]:
    """Return a function of a module that traces trees, found when it is called."""

    def emit(*arguments: Any, **others: Any) -> Any:
        module = importlib.import_module(f"borelli.kernels.lanes.passes.{module_name}")
        return getattr(module, name)(*arguments, **others)

    return emit


POSES = Kernel(
    "poses",
    {
        **_RANGE,
        "q": "doubles",
        **_WANTED,
        "n_turned": "integer",
        "rotation_row": "integer",
        "origin_row": "integer",
        "rotation": "doubles",
        "origin": "doubles",
    },
    _emitter("emit_poses"),
)
INVERSE_DYNAMICS = Kernel(
    "inverse_dynamics",
    {
        **_RANGE,
        "q": "doubles",
        "u": "doubles",
        "udot": "doubles",
        "force": "doubles",
        **_LOADS,
        "limits": "doubles",
        **_WANTED,
        "force_rows": "integers",
        "moment_rows": "integers",
        "wrench_force": "doubles",
        "wrench_moment": "doubles",
    },
    _emitter("emit_inverse_dynamics"),
)
_GROUND = {**_RANGE, **LINK_ARGUMENTS, "q": "doubles"}
MASS_MATRIX = Kernel("mass_matrix", {**_GROUND, "matrix": "doubles"}, _emitter("emit_mass_matrix"))
SOLVE = Kernel(
    "mass_matrix_solve", {**_GROUND, "force": "doubles", "udot": "doubles"}, _emitter("emit_solve")
)
FORWARD_DYNAMICS = Kernel(
    "forward_dynamics",
    {**_GROUND, "u": "doubles", "force": "doubles", **_LOADS, "udot": "doubles"},
    _emitter("emit_forward_dynamics"),
)
ENERGY = Kernel("energy", {**_GROUND, "u": "doubles", "totals": "doubles"}, _emitter("emit_energy"))
SPEED_MOTIONS = Kernel(
    "speed_motions",
    {
        **_GROUND,
        "wanted": "integers",
        "n_listed": "integer",
        "listed": "integers",
        "n_instants": "integer",
        "motions": "doubles",
    },
    _emitter("emit_speed_motions", "speed_motions"),
)
