"""A subject, from files to a model of their own: measured, scaled, weighed, with markers where they were worn."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from borelli.analyses.recordings.scale import scale
from borelli.analyses.recordings.scale_factors import Measurement, ScaleFactors, scale_factors
from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError
from borelli.io.load_model import load_model, save_model
from borelli.io.markers import load_markers
from borelli.io.setups.scale_setup import ScaleSetup
from borelli.io.setups.setup_options import Given
from borelli.io.setups.setup_xml import read_tool
from borelli.io.text.toml_file import read_toml
from borelli.io.toml.subject_toml import EXPECTED, SubjectFile, load_subject
from borelli.model import GROUND, Model
from borelli.opensim_tools.scaled_subject import ScaledSubject
from borelli.results.on_disk.whole import make_folder

if TYPE_CHECKING:
    from borelli.analyses.recordings.place_markers import PlacedMarkers

# A model may be as long as this before it is known to be none of ours.
_LARGEST_BYTES = 64_000_000


def make_subject(
    source: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str] | None = None,
    factors: Mapping[str, Sequence[float]] | None = None,
    mass: float | None = None,
    mode: str | None = None,
) -> ScaledSubject:
    """Make the model of a subject and write it: what ``borelli scale`` does.

    Parameters
    ----------
    source : path
        A subject file (.toml), a setup of OpenSim's ScaleTool (.xml), or a model (.osim, .toml).
    out : path, optional
        The model to write, instead of that of a subject file; for a setup, the folder of its results.
    factors : mapping of body to one or three numbers, optional
        Besides those of a subject file, and before them.
    mass : float, optional
        Of the subject (kg), before that of a subject file.
    mode : "default" or "opensim", optional
        The exact numbers, or OpenSim's, which a setup gets by default.

    Returns
    -------
    ScaledSubject
        Model, factors, how the markers were placed, and the files that were written.

    Raises
    ------
    MissingInputError
        If nothing says where the model goes, or a static trial is missing.
    InvalidValueError
        If the setup is one of another tool.

    Examples
    --------
    >>> tall = bo.make_subject(walk.model, out="tall.osim", factors={"femur_r": (1.05, 1.05, 1.05)}, mass=75.0)
    >>> round(sum(float(body.mass) for body in tall.model.bodies), 6)  # kg
    75.0
    """
    path = Path(source)
    if path.suffix.casefold() == ".xml":
        return _from_setup(path, None if out is None else Path(out), mode)
    given = _given(path, None if out is None else Path(out))
    return subject_of(
        replace(
            given,
            factors={**given.factors, **{name: tuple(each) for name, each in (factors or {}).items()}},
            mass=given.mass if mass is None else mass,
            mode=given.mode if mode is None else mode,
        )
    )


def _from_setup(source: Path, out: Path | None, mode: str | None) -> ScaledSubject:
    settings = read_tool(source, Given(out=out))
    if not isinstance(settings, ScaleSetup):
        raise InvalidValueError(
            "The setup is not a ScaleTool setup.", where=str(source), remedy=f"borelli run {source}"
        )
    # Loaded when needed: the solver behind it is compiled.
    from borelli.opensim_tools.scale_tool import run_scale

    return run_scale(settings, mode or "opensim")


def _given(source: Path, out: Path | None) -> SubjectFile:
    """Read a subject file; of a model, what would be in it."""
    if source.suffix.casefold() == ".toml" and "bodies" not in read_toml(source, EXPECTED, _LARGEST_BYTES):
        given = load_subject(source)
        return given if out is None else replace(given, out=out)
    if out is None:
        raise MissingInputError("The scaled model has no output file.", remedy="name it with --out")
    return SubjectFile(model=source, out=out)


def subject_of(given: SubjectFile) -> ScaledSubject:
    """Do what a subject file asks for, and write the model."""
    model = load_model(given.model)
    needs = bool(given.measurements) or given.place_markers
    if needs and not given.static:
        raise MissingInputError(
            "Measuring segments and placing markers need a static trial.", remedy="name it as static"
        )
    static = [load_markers(path) for path in given.static]
    factors = ScaleFactors({name: np.ones(3) for name in (GROUND, *model.body_names)})
    if given.measurements:
        measurements = [Measurement(name, pairs, bodies) for name, pairs, bodies in given.measurements]
        factors = scale_factors(model, static, measurements, time_range=given.time_range, mode=given.mode)
    for body, values in given.factors.items():
        if body not in factors:
            raise UnknownNameError.among(body, "body", factors, of=f"model {model.name!r}")
        factors[body] = np.broadcast_to(np.array(values), (3,)).copy()
    model = scale(
        model,
        factors,
        mass=given.mass,
        preserve_mass_distribution=given.keep_mass_shares,
        mode=given.mode,
    )
    placed = _placed(model, static, given) if given.place_markers else None
    model = model if placed is None else placed.model
    make_folder(given.out.parent)
    save_model(model, given.out)
    return ScaledSubject(model, factors, placed, [given.out])


def _placed(model: Model, static: list[Any], given: SubjectFile) -> PlacedMarkers:
    # Loaded when needed: the solver behind it is compiled.
    from borelli.analyses.recordings.place_markers import place_markers

    return place_markers(
        model,
        static,
        weights=given.weights or None,
        tasks=given.tasks or None,
        time_range=given.time_range,
        mode=given.mode,
    )
