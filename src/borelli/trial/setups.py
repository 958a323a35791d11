"""A setup file of an OpenSim tool: which files it depends on, its tables, and what its result folder explains."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from borelli.errors import BorelliError, UnsolvableError, UnsupportedError
from borelli.io.load import WRITERS, save_table
from borelli.io.setups.analyze_setup import AnalyzeSetup
from borelli.io.setups.external_loads import load_files
from borelli.io.setups.setup_options import Given, is_empty
from borelli.io.setups.setup_xml import InverseDynamicsSetup, read_setup
from borelli.io.signals.filtering import Mode
from borelli.io.tables.sto import write_sto
from borelli.io.text.references import refuse_to_replace
from borelli.model.constraint import closing_names
from borelli.opensim_tools.inverse_dynamics import InverseDynamicsTool
from borelli.opensim_tools.options import forces_file
from borelli.results.labelled.plain_result import PlainResult, plain_result
from borelli.results.labelled.returns_dataset import plain
from borelli.results.on_disk.whole import make_folder
from borelli.trial.forces import Forces

if TYPE_CHECKING:
    from borelli.model.model import Model
    from borelli.model.motion import Motion
    from borelli.opensim_tools.analyze_tool import AnalyzeTool
    from borelli.results.labelled.table import Table

Setup = InverseDynamicsSetup | AnalyzeSetup
Tool: TypeAlias = "InverseDynamicsTool | AnalyzeTool"


def files_of(setup: Setup, path: Path) -> dict[str, Path]:
    """Every file that the outcome of a setup depends on, by what it is."""
    files = {"setup": path, "model": setup.model, "motion": setup.coordinates}
    files |= load_files(setup.external_loads)
    if isinstance(setup, AnalyzeSetup):
        references = dict.fromkeys(filter(None, map(forces_file, setup.analyses)))
        for number, reference in enumerate(references):
            files["forces" if not number else f"forces {number + 1}"] = setup.file(reference)
        for number, added in enumerate(setup.force_sets):
            files[f"force set {number + 1}"] = added
        if setup.speeds is not None:
            files["speeds"] = setup.speeds
        for number, element in enumerate(setup.controllers):
            controls = element.text_of("controls_file")
            if not is_empty(controls):
                files[f"controls {number + 1}"] = setup.file(controls)
    return files


def folder_of(setup: Setup) -> Path:
    """Return the result folder beside the tables of a setup."""
    if isinstance(setup, AnalyzeSetup):
        # The tables of a tool without a name begin with an underscore, as in OpenSim; a folder should be found.
        return setup.results / f"{setup.name or 'analyze'}_borelli"
    return setup.output.with_name(f"{setup.output.stem}_borelli")


def refused_by(tool: Tool) -> list[str]:
    """Say which analyses were made, then why each of the others was not; nothing where all were."""
    if isinstance(tool, InverseDynamicsTool):
        return []
    reasons = [_reason(error) for error in (*tool.setup.refused, *tool.refused)]
    # Several analyses may lack the same.
    return [", ".join(analysis.called for analysis in tool.done), *dict.fromkeys(reasons)] if reasons else []


def _reason(error: BorelliError) -> str:
    """What an error says, its place, and its remedy where that is another than to leave the analysis out."""
    more = [error.where] if error.where else []
    if error.remedy and isinstance(error, UnsolvableError):
        more.append(f"remedy: {error.remedy}")
    return f"{error.what} ({'; '.join(more)})" if more else error.what


def refusal_of(refused: Sequence[str]) -> UnsupportedError | None:
    """Return the error for what :func:`refused_by` says, None for nothing."""
    if not refused:
        return None
    done, *reasons = refused
    return UnsupportedError(
        f"Tables of {done} are written, but not all that the setup asks for: {'; '.join(reasons)}",
        remedy="remove what is not supported from the setup, and check what is not plausible",
    )


def tool_of(setup: Setup, mode: Mode) -> Tool:
    """Return the tool of a setup, which reads and computes when it is asked to."""
    if isinstance(setup, InverseDynamicsSetup):
        return InverseDynamicsTool(setup, mode)
    # Loaded here, because inverse dynamics should not wait for all that the analyses need.
    from borelli.opensim_tools.analyze_tool import AnalyzeTool

    return AnalyzeTool(setup, mode)


def tables_of(tool: Tool) -> dict[Path, Table]:
    """Compute the tables that OpenSim's tool would write, by their files."""
    if isinstance(tool, InverseDynamicsTool):
        return tool.tables()
    # Loaded here for the same reason.
    from borelli.opensim_tools.analysis_tables import run_analyses

    return run_analyses(tool)


def write_tables(tables: dict[Path, Table]) -> tuple[Path, ...]:
    """Write tables into their files."""
    for path in tables:
        refuse_to_replace(path)
    for path, table in tables.items():
        make_folder(path.parent)
        # The tools, too, write their own format under an ending that they do not know.
        (save_table if path.suffix.casefold() in WRITERS else write_sto)(table, path)
    return tuple(tables)


def as_reported(tool: Tool) -> tuple[Motion, Forces]:
    """Return motion and forces that the result folder of a tool explains.

    That is what the first JointReaction bears, or the first StaticOptimization balances, at the instants that it
    writes; else the loads alone.
    """
    if isinstance(tool, InverseDynamicsTool):
        return tool.motion, Forces(tool.loads)
    first = {analysis.kind: analysis for analysis in reversed(tool.done or tool.setup.analyses)}
    if "JointReaction" in first:
        asked = first["JointReaction"]
        motion, loads, forces = tool.every(asked.every).driven(asked)
        return motion, Forces.told_apart(tool.model, loads, forces)
    if "StaticOptimization" in first:
        # Loaded here for the same reason.
        from borelli.opensim_tools.static_optimization import optimized

        asked = first["StaticOptimization"]
        own = tool.every(asked.every)
        motion, found = optimized(own, asked)
        return motion, Forces.from_optimization(tool.model, own.loads, PlainResult.of(found))
    return tool.motion, Forces(tool.loads)


def closes_loops(tool: Tool) -> bool:
    """Whether constraints between bodies bear their part in what the result folder of a tool explains.

    They do where the tool itself lets them, as it does in JointReaction and StaticOptimization.
    """
    if isinstance(tool, InverseDynamicsTool):
        return False
    kinds = {analysis.kind for analysis in tool.done or tool.setup.analyses}
    return bool(kinds & {"JointReaction", "StaticOptimization"})


def totals_of(tool: Tool, motion: Motion, forces: Forces) -> PlainResult:
    """Generalized forces that the motion demands, without their shares."""
    if isinstance(tool, InverseDynamicsTool):
        found = tool.demand
    else:
        # Loaded here, because a setup that is up to date needs no engine.
        from borelli.analyses.forces.inverse_dynamics import inverse_dynamics

        found = plain(inverse_dynamics)(tool.model, motion, forces.loads(tool.model, motion), passive=True)
    total = found["generalized_force"]
    if closes_loops(tool) and closing_names(tool.model.constraints):
        borne = forces.borne_by_constraints(tool.model, motion)
        total = total._replace(values=total.values - borne)
    coordinates = {name: each for name, each in found.variables.items() if name not in found.data_vars}
    return plain_result({"total_generalized_force": total}, coordinates, found.attrs)


def recipe_of(path: Path, given: Given, folder: Path) -> dict[str, str]:
    """Describe how a setup was run; files are relative to the result folder, so that both can be moved together."""
    files = {
        "setup": path,
        "model": given.model,
        "motion": given.motion,
        "loads": given.loads,
        "out": given.out,
        "markers": given.markers,
    }
    found = {
        name: Path(os.path.relpath(file, folder)).as_posix()
        for name, file in files.items()
        if file is not None
    }
    if given.in_degrees is not None:
        found["angles"] = "degrees" if given.in_degrees else "radians"
    if given.allow_violations:
        found["violations"] = "allowed"
    if given.loads_cutoff_hz is not None:
        found["loads_cutoff_hz"] = repr(given.loads_cutoff_hz)
    return {**found, "infeasible": given.infeasible} if given.infeasible != "raise" else found


def setup_of_recipe(recipe: dict[str, Any], folder: Path) -> tuple[Path, Setup]:
    """Read again the setup that a recipe describes."""
    files = {
        name: Path(os.path.normpath(folder / str(recipe[name]))) if name in recipe else None
        for name in ("setup", "model", "motion", "loads", "out", "markers")
    }
    path = files.pop("setup") or folder / "setup"
    angles = {"degrees": True, "radians": False}.get(str(recipe.get("angles")))
    given = Given(
        **files,
        in_degrees=angles,
        allow_violations=recipe.get("violations") == "allowed",
        infeasible=str(recipe.get("infeasible", "raise")),
        loads_cutoff_hz=_stated_number(recipe.get("loads_cutoff_hz")),
    )
    return path, read_setup(path, given)


def _stated_number(text: Any) -> float | None:
    """Return a number of a recipe, None where it is absent or none."""
    try:
        return None if text is None else float(text)
    except (TypeError, ValueError):
        return None


def model_root(model: Model) -> tuple[str, tuple[str, ...]]:
    """Return the joint that connects a model to the ground, and its speeds."""
    root = model.joints_from_ground()[0]
    return root.name, tuple(root.speed_names)
