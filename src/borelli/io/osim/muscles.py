"""Muscles of every class."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from borelli.io.osim.components import Component
from borelli.io.osim.document import Document, located
from borelli.io.osim.functions import function_property
from borelli.io.osim.kept import element_text
from borelli.io.text.xml import Element
from borelli.model import (
    ActiveForceLengthCurve,
    FiberForceLengthCurve,
    ForceVelocityCurve,
    Muscle,
    OtherMuscle,
    Path,
    TendonForceLengthCurve,
)
from borelli.model.muscles.muscle_models import MUSCLE_CLASSES

# Field of the model -> how files call it, where the names differ.
_SPELLINGS = {
    "applies_force": ("appliesForce",),
    "max_tendon_strain": ("FmaxTendonStrain",),
    "max_muscle_strain": ("FmaxMuscleStrain",),
    "active_shape": ("KshapeActive",),
    "passive_shape": ("KshapePassive",),
    "force_velocity_shape": ("Af",),
    "max_lengthening_force": ("Flen",),
    "force_velocity_extrapolation_threshold": ("fv_linear_extrap_threshold",),
}
_CURVES: dict[str, tuple[str, type]] = {
    "active_force_length_curve": ("ActiveForceLengthCurve", ActiveForceLengthCurve),
    "force_velocity_curve": ("ForceVelocityCurve", ForceVelocityCurve),
    "fiber_force_length_curve": ("FiberForceLengthCurve", FiberForceLengthCurve),
    "tendon_force_length_curve": ("TendonForceLengthCurve", TendonForceLengthCurve),
}
_CLASSES = {name: kind for kind in MUSCLE_CLASSES for name in kind.opensim_names}
CURVE_CLASSES = {field: name for field, (name, _) in _CURVES.items()}
# Before this version a least control of zero meant that none was set; OpenSim 4 takes that of the class instead.
_ZERO_IS_LEFT_OUT = 30513
_ANY_MUSCLE = ("max_isometric_force", "optimal_fiber_length", "tendon_slack_length")


def spellings(field: str) -> tuple[str, ...]:
    """Return how files call a field of a muscle."""
    return _SPELLINGS.get(field, (field,))


def is_muscle(element: Element) -> bool:
    """Tell whether a force is a muscle, of a known class or by its parameters."""
    if element.tag in _CLASSES:
        return True
    return element.tag.endswith(("Muscle", "Muscle_Deprecated")) or all(element.child(t) for t in _ANY_MUSCLE)


def read_muscle(document: Document, component: Component, path: Path) -> Muscle:
    """Read a muscle; one of an unknown class keeps its own parameters as text."""
    element = component.element
    kind = _CLASSES.get(element.tag, OtherMuscle)
    with located(element):
        given = document.properties(element)
        values: dict[str, Any] = {}
        for name, names, declared in _PLANS[kind]:
            value = _value(document, element, given, name, names, declared)
            if value is not None:
                values[name] = value
        if "appliesForce" not in given:
            values["applies_force"] = not document.flag(element, "isDisabled", default=False)
        if document.version < _ZERO_IS_LEFT_OUT and values.get("min_control") == 0.0:
            del values["min_control"]
        if kind is OtherMuscle:
            known = {name for field in fields(Muscle) for name in spellings(field.name)}
            values["class_name"] = element.tag
            values["properties"] = _own_properties(element, known)
        return kind(name=component.name, path=path, **values)


def _plan(kind: type[Muscle]) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """List the fields of a class: name, spellings in files, and the type it is declared with."""
    return tuple(
        (field.name, spellings(field.name), str(field.type))
        for field in fields(kind)
        if field.name not in ("name", "path", "class_name", "properties")
    )


_PLANS = {kind: _plan(kind) for kind in (*_CLASSES.values(), OtherMuscle)}


def _value(
    document: Document,
    element: Element,
    given: dict[str, Element],
    field: str,
    names: tuple[str, ...],
    declared: str,
) -> Any:
    """Read one field by the type it is declared with; None where the file does not give it."""
    if declared.endswith("Curve"):
        tag, curve = _CURVES[field]
        holder = given.get(tag) or given.get(field)
        inner = holder.child(tag) if holder is not None and holder.tag == field else holder
        return None if inner is None else _curve(document, inner, curve)
    if "Function" in declared:
        return function_property(document, element, field)
    found = next((given[name] for name in names if name in given), None)
    if found is None or not found.text:
        return None
    if declared == "bool":
        return found.flag()
    return found.text if declared == "str" else found.number()


def _curve(document: Document, element: Element, kind: type) -> Any:
    given = document.properties(element)
    wanted = (field.name for field in fields(kind))
    return kind(**{name: given[name].number() for name in wanted if name in given and given[name].text})


def _own_properties(element: Element, known: set[str]) -> tuple[tuple[str, str], ...]:
    skipped = {"GeometryPath", "path", "components", "isDisabled", "optimal_force", *known}
    return tuple(
        (child.tag, element_text(child) if child.children else child.text)
        for child in element
        if child.tag not in skipped
    )
