"""A subject, from files to a model of their own: measured, scaled, weighed, with markers where they were worn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from borelli.analyses.scale import scale
from borelli.analyses.scale_factors import Measurement, ScaleFactors, scale_factors
from borelli.errors import MissingInputError, UnknownNameError
from borelli.io.load_model import load_model, save_model
from borelli.io.markers import load_markers
from borelli.io.subject_toml import SubjectFile
from borelli.model import GROUND, Model
from borelli.results.whole import make_folder

if TYPE_CHECKING:
    from borelli.analyses.place_markers import PlacedMarkers


@dataclass(frozen=True)
class Subject:
    """The model of a subject, the factors it was scaled by, and how its markers were placed."""

    model: Model
    factors: ScaleFactors
    placed: PlacedMarkers | None = None


def make_subject(given: SubjectFile) -> Subject:
    """Do what a subject file asks for, and write the model."""
    model = load_model(given.model)
    needs = bool(given.measurements) or given.place_markers
    if needs and not given.static:
        raise MissingInputError(
            "Measuring and placing markers need a static trial.", remedy="name it as static"
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
    return Subject(model, factors, placed)


def _placed(model: Model, static: list[Any], given: SubjectFile) -> PlacedMarkers:
    # Loaded when needed: the solver behind it is compiled.
    from borelli.analyses.place_markers import place_markers

    return place_markers(
        model,
        static,
        weights=given.weights or None,
        tasks=given.tasks or None,
        time_range=given.time_range,
        mode=given.mode,
    )
