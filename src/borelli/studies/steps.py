"""The steps of one trial: scale the subject, fit the motion to markers, analyse; whichever a study asks for."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from borelli.errors import InvalidValueError, MissingInputError
from borelli.io.setups.setup_options import Given
from borelli.io.toml.subject_toml import SubjectFile
from borelli.io.toml.trial_toml import Trial
from borelli.results.on_disk.temporary import lock
from borelli.results.on_disk.whole import make_folder, whole_file, whole_folder
from borelli.studies.key import content_key, files_of_setup
from borelli.studies.names import MODELS, MOTIONS
from borelli.studies.plan import TrialPlan
from borelli.studies.schema import Scale, StudyFile

if TYPE_CHECKING:
    import xarray as xr

    from borelli.trial.run import RunResult


def compute(folder: Path, file: StudyFile, trial: TrialPlan, place: Path) -> xr.Dataset:
    """Compute a trial, write its result, whole, to a place in the folder of a study, and return it."""
    model = _scaled(folder, file.scale, trial) if file.scale is not None else trial.files.get("model")
    motion, loads = trial.files.get("motion"), trial.files.get("loads")
    if "markers" in trial.files:
        motion = _fitted(folder, file, trial, model)
        loads = loads or _on_plates(trial, model, motion, file.analysis.remove_offset)
    make_folder(place.parent)
    if "analysis setup" in trial.files:
        return _run_setup(trial, model, motion, place)
    for what, path in (("model", model), ("motion", motion)):
        if path is None:
            raise MissingInputError(
                f"The trial has no {what}.", where=trial.name, remedy=f"name the {what} below [trials]"
            )
    # Loaded here, because tasks whose results are there need no engine.
    from borelli.trial.run import run

    # What plates read while nothing is on them is taken off where their loads are made.
    options: dict[str, Any] = file.analysis.model_dump(exclude={"setup", "remove_offset"})
    span = options.pop("time_range")
    options["about"] = {**trial.about, **options["about"]}
    found = run(
        Trial(
            cast("Path", model),
            cast("Path", motion),
            place,
            loads,
            trial.files.get("tensions"),
            time_range=None if span is None else (span[0], span[1]),
            **options,
        ),
        page=file.pages == "all",
    )
    return cast("RunResult", found).result


def _scaled(folder: Path, step: Scale, trial: TrialPlan) -> Path:
    """Return the model of a subject, made by the first of its trials that needs it."""
    wanted = {
        k: v
        for k, v in trial.files.items()
        if k in ("scale setup", "generic model") or k.startswith("static")
    }
    if "scale setup" in wanted:
        wanted |= files_of_setup(wanted["scale setup"], {}, "scale")
    key = content_key(wanted, {"scale": step.model_dump(), "mass": trial.mass})
    own = folder / MODELS / trial.subject
    make_folder(own)
    target = own / f"{key}.osim"
    with lock(own):
        if target.is_file():
            return target
        if "scale setup" in wanted:
            _scale_by_setup(wanted["scale setup"], target)
        elif "generic model" in wanted:
            _scale_by_options(step, trial, target)
        else:
            raise MissingInputError(
                "The step [scale] names neither a setup nor a generic model.",
                remedy="add setup = … or model = … below [scale]",
            )
    return target


def _scale_by_setup(setup: Path, target: Path) -> None:
    # Loaded here for the same reason.
    from borelli.io.load_model import save_model
    from borelli.opensim_tools.scaled_subject import ScaledSubject
    from borelli.trial.run import run

    # What the tool writes by itself goes where it does not meet that of other processes.
    with tempfile.TemporaryDirectory() as aside:
        found = run(setup, out=aside)
    if not isinstance(found, ScaledSubject):
        raise InvalidValueError("The setup of the step [scale] is not a ScaleTool setup.", where=str(setup))
    save_model(found.model, target)


def _scale_by_options(step: Scale, trial: TrialPlan, target: Path) -> None:
    # Loaded here for the same reason.
    from borelli.trial.subject import subject_of

    subject_of(
        SubjectFile(
            model=trial.files["generic model"],
            out=target,
            static=tuple(path for kind, path in sorted(trial.files.items()) if kind.startswith("static")),
            mass=trial.mass,
            time_range=_two(step.time_range),
            keep_mass_shares=step.keep_mass_shares,
            place_markers=step.place_markers,
            mode=step.mode,
            factors={k: tuple(v) if isinstance(v, list) else (v,) for k, v in step.factors.items()},
            measurements=tuple(
                (
                    each.name,
                    tuple((pair[0], pair[1]) for pair in each.pairs),
                    each.bodies if isinstance(each.bodies, dict) else dict.fromkeys(each.bodies, "xyz"),
                )
                for each in step.measurement
            ),
            weights=dict(step.weights),
            tasks=_pairs(step.tasks),
        )
    )


def _fitted(folder: Path, file: StudyFile, trial: TrialPlan, model: Path | None) -> Path:
    """Return the motion that fits the markers of a trial, computed where it is not there."""
    assert file.ik is not None
    files = {"markers": trial.files["markers"], **({} if model is None else {"model": model})}
    if "ik setup" in trial.files:
        files |= {"ik setup": trial.files["ik setup"], **files_of_setup(trial.files["ik setup"], files, "ik")}
    key = content_key(files, {"ik": file.ik.model_dump()})
    own = folder / MOTIONS / trial.subject / trial.condition
    make_folder(own)
    target = own / f"{trial.trial}-{key}.mot"
    if target.is_file():
        return target
    if "ik setup" in trial.files:
        _fit_by_setup(trial, model, target)
        return target
    if model is None:
        raise MissingInputError("The trial has no model.", where=trial.name, remedy="name it below [trials]")
    # Loaded here for the same reason.
    from borelli.analyses.recordings.inverse_kinematics import inverse_kinematics
    from borelli.io.load_model import load_model
    from borelli.io.markers import load_markers
    from borelli.io.motion import save_motion

    body = load_model(model)
    fit = inverse_kinematics(
        body,
        load_markers(trial.files["markers"]),
        weights=dict(file.ik.weights) or None,
        tasks=_pairs(file.ik.tasks) or None,
    )
    save_motion(fit.borelli.motion(), body, target)
    return target


def _on_plates(trial: TrialPlan, model: Path | None, motion: Path, remove_offset: bool) -> Path | None:
    """Return the loads of the force plates of a C3D recording, written beside its motion; None without any."""
    if model is None or "analysis setup" in trial.files:
        return None
    # Loaded here for the same reason.
    from borelli.io.load_model import load_model
    from borelli.trial.recording import write_plate_loads

    target = motion.with_name(f"{motion.stem}_{'zeroed_' if remove_offset else ''}grf.xml")
    recording = trial.files["markers"]
    _, written = write_plate_loads(load_model(model), recording, target, remove_offset=remove_offset)
    return target if written else None


def _fit_by_setup(trial: TrialPlan, model: Path | None, target: Path) -> None:
    # Loaded here for the same reason.
    from borelli.trial.run import RunResult, run

    with tempfile.TemporaryDirectory() as aside:
        found = run(trial.files["ik setup"], model=model, markers=trial.files["markers"], out=aside)
        motions = (
            [path for path in found.tables if path.suffix == ".mot"] if isinstance(found, RunResult) else []
        )
        if not motions:
            raise InvalidValueError(
                "The setup of the step [ik] writes no motion.", where=str(trial.files["ik setup"])
            )
        with whole_file(target) as partial:
            shutil.copyfile(motions[0], partial)


def _run_setup(trial: TrialPlan, model: Path | None, motion: Path | None, place: Path) -> xr.Dataset:
    """Run the setup of an analysis; its tables and its result folder get their place together."""
    # Loaded here for the same reason.
    from borelli.io.setups.setup_xml import InverseDynamicsSetup, read_tool
    from borelli.trial.run import RunResult, run

    setup = trial.files["analysis setup"]
    with whole_folder(place, _all_names, "a trial of a study") as partial:
        given = Given(model=model, motion=motion, loads=trial.files.get("loads"))
        lone = isinstance(read_tool(setup, given), InverseDynamicsSetup)
        inner = partial / "inverse_dynamics.sto" if lone else partial
        found = run(
            setup,
            model=model,
            motion=motion,
            loads=trial.files.get("loads"),
            out=inner,
            explain=True,
            page=False,
        )
        if not isinstance(found, RunResult) or not found.explained:
            raise InvalidValueError(
                "The setup of the step [analysis] gives no shares.",
                where=str(setup),
                remedy="name a setup of InverseDynamicsTool or AnalyzeTool",
            )
        found.require_all()
        return found.result


def _all_names(folder: Path) -> frozenset[str]:
    return frozenset(path.name for path in folder.iterdir())


def _two(values: list[float] | None) -> tuple[float, float] | None:
    return None if values is None else (values[0], values[1])


def _pairs(given: Mapping[str, list[float]]) -> dict[str, tuple[float, float]]:
    return {name: (values[0], values[1]) for name, values in given.items()}
