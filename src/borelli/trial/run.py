"""From a setup or a trial file to tables and a result folder: what `borelli run` does."""

from __future__ import annotations

import dataclasses
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from borelli.errors import BorelliError, UnknownNameError
from borelli.io.load_model import remembered_models
from borelli.io.setups.analyze_setup import AnalyzeSetup
from borelli.io.setups.scale_setup import ScaleSetup
from borelli.io.setups.setup_options import Given
from borelli.io.setups.setup_xml import InverseDynamicsSetup, read_tool
from borelli.io.toml.trial_toml import SMOOTHING, Trial, load_trial
from borelli.opensim_tools.inverse_dynamics import tell_unknown
from borelli.records import dataclass
from borelli.results.labelled.plain_result import PlainResult
from borelli.results.labelled.returns_dataset import plain
from borelli.results.saving.manifest import load_manifest
from borelli.results.saving.read_plain import read_plain
from borelli.results.verdict import VERDICT, Verdict, verdict
from borelli.trial.analyze import Progress, analyze, silent
from borelli.trial.drawing import Drawing, refuse_pageless
from borelli.trial.fits import FitSetup, run_fit
from borelli.trial.folder import (
    FINGERPRINT,
    RECIPE,
    TABLES,
    check_place,
    fingerprint,
    is_up_to_date,
    noted,
    save_split,
    save_totals,
    tables_manifest,
)
from borelli.trial.inputs import read_inputs
from borelli.trial.marker_part import with_markers
from borelli.trial.residuals import with_residuals
from borelli.trial.result import split
from borelli.trial.setups import (
    as_reported,
    closes_loops,
    files_of,
    folder_of,
    model_root,
    recipe_of,
    refusal_of,
    refused_by,
    tables_of,
    tool_of,
    totals_of,
    write_tables,
)
from borelli.trial.shares import FEW_SHARES, share_count

if TYPE_CHECKING:
    import xarray as xr

    from borelli.io.signals.filtering import Mode
    from borelli.opensim_tools.scaled_subject import ScaledSubject
    from borelli.results.answers import Answer
    from borelli.results.gait.norms import Norms

File = str | os.PathLike[str]
REFUSED = "refused_analyses"
"""Setting of a result folder: which analyses were made, and why others were not"""
INFEASIBLE = ("raise", "report")
"""What may come of a load that muscles cannot balance"""


@dataclass(frozen=True)
class RunResult:
    """What was written.

    Attributes
    ----------
    folder : Path
        The result folder.
    tables : tuple of Path
        Tables as OpenSim's tool writes them, in its place; none of a trial file.
    computed : bool
        False where inputs and options are those of the result that is there.
    explained : bool
        Whether shares and page are in the folder; else ``with_shares`` computes them.
    refused : BorelliError or None
        Names the analyses of the setup that were not run, and why.
    root : (str, tuple of str)
        Joint that connects the model to the ground, and its speeds; empty where nothing was computed.
    lines : tuple of str
        What to say of a model that was fitted to a recording, and of the feet on its force plates; none of forces.

    Examples
    --------
    >>> from pathlib import Path
    >>> filters = {"cutoff_hz": 10.0, "loads_cutoff_hz": 10.0}
    >>> done = bo.run(bo.Trial(walk.model, walk.motion, Path("trial"), loads=walk.loads, **filters))
    >>> done.folder.name, done.computed
    ('trial', True)
    """

    folder: Path
    tables: tuple[Path, ...] = ()
    computed: bool = True
    explained: bool = True
    refused: BorelliError | None = None
    root: tuple[str, tuple[str, ...]] = ("", ())
    lines: tuple[str, ...] = ()
    _found: PlainResult | None = None

    @cached_property
    def result(self) -> xr.Dataset:
        """The saved result."""
        if self._found is not None:
            return self._found.to_dataset()
        # Loaded here, because who wants the tables alone need not wait for what writes results.
        from borelli.results.saving.save import load_result

        return load_result(self.folder)

    @cached_property
    def plain(self) -> PlainResult:
        """The saved result as arrays, without xarray, which takes half a second to load."""
        return read_plain(self.folder) if self._found is None else self._found

    @cached_property
    def answers(self) -> tuple[Answer, ...]:
        """What each joint bears, as :func:`answers` tells it; none where there are no shares of forces at joints."""
        # Loaded here for the same reason.
        from borelli.results.answers import answers_if_any

        return answers_if_any(self.plain)

    @cached_property
    def verdict(self) -> Verdict:
        """The traffic light of the result, with its checks; without any of a model that was fitted to a recording."""
        if self._found is not None:
            return verdict(self._found)
        return Verdict.from_dict(load_manifest(self.folder).get(VERDICT, {"checks": []}))

    def require_all(self) -> None:
        """End with the error that names the analyses which were not run, if there are any."""
        if self.refused is not None:
            raise self.refused


def run(
    path: File | Trial,
    *,
    model: File | None = None,
    motion: File | None = None,
    loads: File | None = None,
    out: File | None = None,
    mode: str | None = None,
    explain: bool | None = None,
    in_degrees: bool | None = None,
    allow_violations: bool = False,
    infeasible: str = "raise",
    again: bool = False,
    progress: Progress = silent,
    markers: File | None = None,
    page: bool = True,
    loads_cutoff_hz: float | None = None,
    norms: Norms | File | None = None,
    geometry: File | None = None,
) -> RunResult | ScaledSubject:
    """Run a setup file of an OpenSim tool as it is, or a trial file.

    Parameters
    ----------
    path : path or Trial
        Setup of InverseDynamicsTool, AnalyzeTool, ScaleTool, InverseKinematicsTool, IMUPlacer or
        IMUInverseKinematicsTool (.xml), or a trial (.toml, or the object).
    model, motion, loads, markers : path, optional
        Files in place of those that the setup or trial names.
    out : path, optional
        Folder for the tables, or inverse dynamics' own table, in place of the setup's; result folder of a trial.
    mode : "opensim" or "default", optional
        How to smooth. Setups are smoothed as OpenSim does it, trials as they say.
    explain : bool, optional
        Whether to split the result of a setup into shares, and to draw its page, at once. By default this is done
        where it costs little. :func:`with_shares`, ``borelli explain`` and ``borelli report`` do it when asked.
        A trial is always explained.
    in_degrees : bool, optional
        Whether angles of the motion are in degrees, whatever its header says.
    allow_violations : bool
        Take a motion that violates the constraints of the model beyond filters and digits; else it is refused.
    infeasible : "raise" or "report"
        What comes of a load that the muscles of a StaticOptimization cannot balance. ``"report"`` says at which
        instants and coordinates, and gives the nearest forces. Trials always report: reserves make up for it.
    again : bool
        Compute even if inputs and options are those of the result that is there.
    progress : function of a stage, optional
        Called when a stage begins: "reading", "optimizing", "splitting", "writing".
    page : bool
        Whether a trial, or a setup that is explained, gets its page at once; :func:`write_report` draws it later.
    loads_cutoff_hz : float, optional
        Low-pass filter on forces and torques of the loads; OpenSim has none.
    norms : Norms, or path, optional
        Bands to draw on the page behind the curves of the trial; see :func:`load_norms`. A setup is then explained.
    geometry : path, optional
        Folder with the surfaces of the bones for the page, where they are not beside the model; likewise.

    Returns
    -------
    RunResult, or ScaledSubject
        Where tables and result folder are; ``result`` is the saved Dataset. Of a ScaleTool: the subject's model, the
        factors, and the files written.

    Examples
    --------
    >>> from pathlib import Path
    >>> filters = {"cutoff_hz": 10.0, "loads_cutoff_hz": 10.0}
    >>> done = bo.run(bo.Trial(walk.model, walk.motion, Path("trial"), loads=walk.loads, **filters))
    >>> done.result.sizes["time"]
    191
    """
    if mode is not None and mode not in SMOOTHING:
        raise UnknownNameError.among(mode, "mode", SMOOTHING, where="--mode")
    files = {"model": model, "motion": motion, "loads": loads, "out": out, "markers": markers}
    named = {name: Path(file) for name, file in files.items() if file is not None}
    if infeasible not in INFEASIBLE:
        raise UnknownNameError.among(infeasible, "choice", INFEASIBLE, where="--infeasible")
    given = Given(
        **named,
        in_degrees=in_degrees,
        allow_violations=allow_violations,
        infeasible=infeasible,
        loads_cutoff_hz=loads_cutoff_hz,
    )
    drawing = Drawing.of(norms, geometry)
    page, later = page and drawing is None, drawing if page else None
    if isinstance(path, Trial) or Path(path).suffix.casefold() == ".toml":
        trial = _changed(path if isinstance(path, Trial) else load_trial(path), named, given, mode)
        return _drawn(_run_trial(trial, again, progress, page), trial.model, later)
    setup, chosen = read_tool(path, given), cast("Mode", mode or "opensim")
    if drawing is not None:
        refuse_pageless(setup, explain)
        explain = True
    if isinstance(setup, ScaleSetup):
        return _scaled(setup, chosen)
    if isinstance(setup, FitSetup):
        return _fitted(setup, Path(path), again, progress)
    found = _run_setup(Path(path), setup, given, chosen, explain, again, progress, page)
    return _drawn(found, setup.model, later)


def _changed(trial: Trial, files: dict[str, Path], given: Given, mode: str | None) -> Trial:
    """Return a trial with the files and settings that are given in place of its own."""
    changed: dict[str, Any] = dict(files)
    if "markers" in files or "motion" in files:
        # What is given takes the place of what the trial has, whichever of the two that is.
        changed = {"motion": None, "markers": None, **changed}
    if mode is not None:
        changed["smoothing"] = mode
    if given.in_degrees is not None:
        changed["in_degrees"] = given.in_degrees
    if given.allow_violations:
        changed["allow_violations"] = True
    if given.loads_cutoff_hz is not None:
        changed["loads_cutoff_hz"] = given.loads_cutoff_hz
    return dataclasses.replace(trial, **changed)


def _scaled(setup: ScaleSetup, mode: Mode) -> ScaledSubject:
    # Loaded here: the solver behind it takes a second, and nothing else needs it.
    from borelli.opensim_tools.scale_tool import run_scale

    tell_unknown(setup.unknown)
    return run_scale(setup, mode)


def _fitted(setup: FitSetup, path: Path, again: bool, progress: Progress) -> RunResult:
    done = run_fit(setup, path, again, progress)
    found = None if done.result is None else PlainResult.of(done.result)
    return RunResult(done.folder, done.tables, done.computed, False, lines=done.lines, _found=found)


def _drawn(found: RunResult, model: Path, drawing: Drawing | None) -> RunResult:
    """Draw the page of a result with norms and surfaces, if there are any."""
    if drawing is not None:
        at_hand = found.computed and found.explained
        drawing.draw(found.folder, model, (found.plain, found.answers) if at_hand else None)
    return found


def _run_trial(trial: Trial, again: bool, progress: Progress, page: bool = True) -> RunResult:
    """Compute a trial and write its folder."""
    mark = fingerprint(trial.inputs, trial.settings)
    if not again and is_up_to_date(trial.out, mark, page=page):
        return RunResult(trial.out, computed=False)
    check_place(trial.out)
    with noted() as notes, remembered_models():
        progress("reading")
        model, motion, loads, tensions, recorded = read_inputs(trial)
        result = plain(analyze)(
            model,
            motion,
            loads,
            muscles=trial.muscles,
            tensions=tensions,
            variables=trial.variables,
            power=trial.power,
            reserves=trial.reserves,
            spare=trial.spare,
            express_in=trial.express_in,
            on=trial.on,
            loops=trial.loops,
            progress=progress,
        )
        if recorded is not None:
            result = with_markers(result, recorded.fit, model)
        # Axes and side of the reactions are said by the result itself, in its own words.
        settings = {
            k: v for k, v in trial.settings.items() if v is not None and k not in ("express_in", "on")
        }
        result = result.with_attrs({**settings, FINGERPRINT: mark})
        progress("writing")
        lines = () if recorded is None else recorded.lines
        found = RunResult(trial.out, root=model_root(model), lines=lines, _found=result)
        save_split(result, trial.out, trial.inputs, notes.told, found.answers if page else None)
    return found


def _run_setup(
    path: Path,
    setup: InverseDynamicsSetup | AnalyzeSetup,
    given: Given,
    mode: Mode,
    explain: bool | None,
    again: bool,
    progress: Progress,
    page: bool,
) -> RunResult:
    """Write the tables of a setup, then its result folder."""
    files, folder = files_of(setup, path), folder_of(setup)
    mark = fingerprint(files, {"mode": mode, **{k: str(v) for k, v in vars(given).items()}})
    if not again and is_up_to_date(folder, mark, explained=bool(explain), page=page):
        return _as_before(folder)
    with noted() as notes, remembered_models():
        progress("reading")
        tell_unknown(setup.unknown)
        tool = tool_of(setup, mode)
        tables = write_tables(tables_of(tool))
        motion, forces = as_reported(tool)
        about: dict[str, Any] = {"smoothing": mode, FINGERPRINT: mark, TABLES: tables_manifest(tables)}
        refused = refused_by(tool)
        if refused:
            about[REFUSED] = refused
        at_once = explain if explain is not None else share_count(tool.model, motion, forces) <= FEW_SHARES
        error, root = refusal_of(refused), model_root(tool.model)
        if at_once:
            progress("splitting")
            result = split(tool.model, motion, forces, "body", about, loops=closes_loops(tool))
            found = RunResult(folder, tables, refused=error, root=root, _found=result)
            progress("writing")
            save_split(result, folder, files, notes.told, found.answers if page else None)
        else:
            about[RECIPE] = recipe_of(path, given, folder)
            totals = totals_of(tool, motion, forces)
            result = with_residuals(totals, tool.model, motion, forces, about)
            progress("writing")
            save_totals(result, folder, files, notes.told)
            found = RunResult(folder, tables, explained=False, refused=error, root=root, _found=result)
    return found


def _as_before(folder: Path) -> RunResult:
    settings = load_manifest(folder)["settings"]
    refused = refusal_of(settings.get(REFUSED, ()))
    tables = tuple(folder.parent / name for name in settings.get(TABLES, {}))
    return RunResult(folder, tables, computed=False, explained=RECIPE not in settings, refused=refused)
