"""What is the model of a subject, given how much larger or smaller each segment is?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

from borelli.analyses.postures.default_posture import gap_lengths, path_lengths, path_lengths_of_opensim
from borelli.arrays import one_number, plain_numbers
from borelli.errors import InvalidValueError, UnknownNameError, warn
from borelli.mechanics.scaling.attachments import (
    scaled_frame,
    scaled_marker,
    scaled_path,
    scaled_surface,
    scaled_wrap,
)
from borelli.mechanics.scaling.bodies import scaled_body, with_total_mass
from borelli.mechanics.scaling.forces import scaled_constraint, scaled_force
from borelli.mechanics.scaling.joints import scaled_joint
from borelli.mechanics.scaling.lengths import (
    ratios,
    with_force_lengths,
    with_muscle_lengths,
    with_rod_length,
)
from borelli.mechanics.scaling.stretch import Stretch
from borelli.model.body import GROUND
from borelli.model.model import Model

MODES = ("default", "opensim")


def scale(
    model: Model,
    factors: Mapping[str, Any] | xr.DataArray,
    *,
    mass: float | None = None,
    preserve_mass_distribution: bool = False,
    mode: str = "default",
) -> Model:
    """Scale the segments of a model.

    Parameters
    ----------
    model : Model
    factors : mapping of body to number or 3 numbers, or DataArray (body, axis)
        How much larger each body becomes along its own axes; ``"ground"`` may be among them. Bodies that are left out
        keep their size. :func:`borelli.scale_factors` measures them.
    mass : float, optional
        Mass of the subject (kg): all masses and inertias are multiplied to sum to it.
    preserve_mass_distribution : bool
        Bodies keep their shares of the mass; else a body's mass first grows with its volume.
    mode : {"default", "opensim"}
        ``"opensim"`` gives the numbers of OpenSim's ModelScaler, fibre and slack lengths by the lengths that OpenSim
        gives its paths over surfaces. The default is the exact affine image: inertias by
        their second moments, what is given in turned axes by the stretch of its body, and what OpenSim leaves behind
        (contact surfaces, points of constraints, springs and actuators, rods, rigid-tendon muscles, default values and
        ranges of translations) is scaled too.

    Returns
    -------
    Model
        Fibre, tendon, ligament and spring lengths grow with the length of their paths in the default posture.

    Warns
    -----
    BorelliWarning
        Where a part could not be scaled exactly.

    Guarantees, each a test
    -----------------------
    - with ``mode="opensim"`` equal to OpenSim's ScaleTool for random factors
    - inertia is that of the stretched mass points

    Examples
    --------
    >>> tall = bo.scale(model, {body.name: (1.1, 1.1, 1.1) for body in model.bodies}, mass=80.0)
    >>> round(sum(float(body.mass) for body in tall.bodies), 6)
    80.0
    """
    if mode not in MODES:
        raise UnknownNameError.among(mode, "mode of scaling", MODES)
    given = checked_factors(model, factors)
    stretch = Stretch(model, given, mode == "opensim")
    moved = _moved(stretch, preserve_mass_distribution, mass)
    # Lengths follow paths, which can be measured only where all else has moved.
    grown = _with_lengths(model, moved, stretch.as_opensim)
    _note_kept(stretch)
    if stretch.notes:
        lines = "".join(f"\n  - {note}" for note in dict.fromkeys(stretch.notes))
        warn(f"model {model.name!r}, scaled:{lines}")
    return grown


def checked_factors(model: Model, factors: Mapping[str, Any] | xr.DataArray) -> dict[str, np.ndarray]:
    """Return three finite factors for every body that is named; a single number counts for all axes."""
    if isinstance(factors, xr.DataArray):
        factors = {str(name): factors.sel(body=name).values for name in factors["body"].values}
    checked = {}
    for name, value in factors.items():
        if name != GROUND and not model.bodies.has(name):
            known = (GROUND, *model.body_names)
            raise UnknownNameError.among(name, "body", known, of=f"model {model.name!r}")
        three = plain_numbers(value, f"the factor of {name!r}")
        if three.shape not in ((), (1,), (3,)):
            raise InvalidValueError(
                f"The factors of body {name!r} have shape {three.shape}.",
                remedy="give one number, or one for each of x, y, z",
            )
        three = np.broadcast_to(three, (3,)).copy()
        if not np.all(np.isfinite(three)) or np.any(three == 0.0):
            raise InvalidValueError(
                f"The factors of body {name!r} are {three.tolist()}.",
                remedy="give finite numbers that are not zero",
            )
        checked[name] = three
    return checked


def _moved(stretch: Stretch, keep_mass: bool, mass: float | None) -> Model:
    """Return the model with every length but those that follow paths."""
    model = stretch.model
    if mass is not None:
        mass = one_number(mass, "The mass of the subject")
    bodies = [scaled_body(stretch, body, keep_mass) for body in model.bodies]
    parts: dict[str, Any] = dict(
        bodies=with_total_mass(bodies, -1.0 if mass is None else float(mass)),
        joints=[scaled_joint(stretch, joint) for joint in model.joints],
        frames=[scaled_frame(stretch, frame) for frame in model.frames],
        markers=[scaled_marker(stretch, marker) for marker in model.markers],
        constraints=[scaled_constraint(stretch, each) for each in model.constraints],
        wrap_objects=[scaled_wrap(stretch, wrap) for wrap in model.wrap_objects],
        contact_surfaces=[scaled_surface(stretch, each) for each in model.contact_surfaces],
        muscles=[replace(each, path=scaled_path(stretch, each.path)) for each in model.muscles],
        forces=[scaled_force(stretch, force) for force in model.forces],
        others=[
            each if each.path is None else replace(each, path=scaled_path(stretch, each.path))
            for each in model.others
        ],
    )
    return replace(model, **parts)


def _with_lengths(before: Model, after: Model, as_opensim: bool) -> Model:
    length = path_lengths_of_opensim if as_opensim else path_lengths
    paths = ratios(length(before), length(after))
    gaps = {} if as_opensim else ratios(gap_lengths(before), gap_lengths(after))
    parts: dict[str, Any] = dict(
        muscles=[with_muscle_lengths(each, paths.get(each.name, 1.0), as_opensim) for each in after.muscles],
        forces=[
            with_force_lengths(each, paths.get(each.name, 1.0), gaps.get(each.name, 1.0))
            for each in after.forces
        ],
        constraints=[with_rod_length(each, gaps.get(each.name, 1.0)) for each in after.constraints],
    )
    return replace(after, **parts)


def _note_kept(stretch: Stretch) -> None:
    """Name what is kept as data, whose own numbers nobody has scaled."""
    kept = [f"{other.role} {other.name!r}" for other in stretch.model.others if other.role in _WITH_LENGTHS]
    if kept and not stretch.as_opensim:
        stretch.notes.append(f"kept as data and not scaled: {', '.join(kept)}")


_WITH_LENGTHS = ("force", "constraint", "contact geometry")
