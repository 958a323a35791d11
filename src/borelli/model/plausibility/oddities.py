"""What a model may have but a careful person would look at twice."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from borelli.model.model import Model
from borelli.model.plausibility.possible import impossible_parts
from borelli.model.values import all_concrete

# Inertias in files are rounded to about this share of the largest moment.
_ROUNDING = 1e-6
# A default at an end of its range may miss it by round-off (rad or m).
_SLACK = 1e-9


def oddities(model: Model) -> tuple[str, ...]:
    """Return a sentence for each thing that looks wrong.

    Massless bodies at the end of the tree, inertias that no body can have, wrap objects that no path uses,
    coordinates that rest outside their range, constraints and muscles that are switched off, numbers of muscles,
    ligaments and springs with which nothing can be computed.

    Parameters
    ----------
    model : Model

    Examples
    --------
    >>> type(bo.oddities(model)).__name__
    'tuple'
    """
    found: list[str] = []
    for rule in (
        _massless_ends,
        _impossible_inertias,
        _unused_wraps,
        _odd_coordinates,
        _disabled_parts,
        impossible_parts,
    ):
        found += rule(model)
    return tuple(found)


def _massless_ends(model: Model) -> Iterator[str]:
    parents = {model.parent_of(joint)[0] for joint in model.joints}
    moving = {model.child_of(joint)[0] for joint in model.joints if joint.coordinates}
    for body in model.bodies:
        if all_concrete((body.mass,)) and body.mass == 0.0 and body.name in moving - parents:
            yield f"Body {body.name!r} has no mass and carries nothing, so its coordinates have no inertia."


def _impossible_inertias(model: Model) -> Iterator[str]:
    for body in model.bodies:
        if not all_concrete((*body.inertia, body.mass)):
            continue
        moments = np.linalg.eigvalsh(body.inertia_matrix.astype(float))
        if moments[0] + moments[1] < moments[2] * (1.0 - _ROUNDING):
            yield (
                f"The inertia of body {body.name!r} is that of no body: its principal moments "
                f"{_listed(moments)} break the triangle inequality."
            )
        if body.mass == 0.0 and moments[2] > 0.0:
            yield f"Body {body.name!r} has inertia but no mass."


def _listed(moments: np.ndarray) -> str:
    return ", ".join(f"{moment:.4g}" for moment in moments)


def _unused_wraps(model: Model) -> Iterator[str]:
    used = {wrap.wrap_object for path in model.paths.values() for wrap in path.wraps}
    for name in model.wrap_objects.names:
        if name not in used:
            yield f"No path uses the wrap object {name!r}."


def _odd_coordinates(model: Model) -> Iterator[str]:
    for coordinate in model.coordinates:
        low, high = coordinate.range
        if not low - _SLACK <= coordinate.default_value <= high + _SLACK:
            yield (
                f"Coordinate {coordinate.name!r} rests at {coordinate.default_value:g}, outside its range "
                f"from {low:g} to {high:g}."
            )


def _disabled_parts(model: Model) -> Iterator[str]:
    for constraint in model.constraints:
        if not constraint.enforced:
            yield f"The constraint {constraint.name!r} is not enforced."
    for muscle in model.muscles:
        if not muscle.applies_force:
            yield f"The muscle {muscle.name!r} is switched off."
