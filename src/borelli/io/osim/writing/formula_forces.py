"""Forces of expressions and functions as OpenSim 4 writes them."""

from __future__ import annotations

from collections.abc import Iterable

from borelli.io.osim.writing.functions import write_function
from borelli.io.text.markup import Lines, block, flag, number, numbers, tag
from borelli.model import (
    ExpressionBushingForce,
    ExpressionCoordinateForce,
    ExpressionPathForce,
    ExpressionPointToPointForce,
    Function,
    FunctionBushingForce,
    PrescribedForce,
)

FormulaForce = (
    ExpressionCoordinateForce
    | ExpressionPointToPointForce
    | ExpressionPathForce
    | ExpressionBushingForce
    | FunctionBushingForce
)
"""Forces of which everything but bodies, coordinates and paths is written here."""


def write_formula_force(force: FormulaForce) -> Lines:
    """Write the expressions or functions of a force."""
    if isinstance(force, ExpressionBushingForce):
        return [
            *_per_axis("M{}_expression", force.moments),
            *_per_axis("F{}_expression", force.forces),
            *_damping(force),
        ]
    if isinstance(force, FunctionBushingForce):
        return [
            *_functions("m_{0}_theta_{0}_function", force.moments),
            *_functions("f_{0}_delta_{0}_function", force.forces),
            *_damping(force),
        ]
    lines = tag("expression", force.expression)
    if isinstance(force, ExpressionPathForce):
        lines += tag("resting_length", number(force.resting_length))
        lines += tag("clamp_stretch", flag(force.clamp_stretch))
    return lines


def write_prescribed(force: PrescribedForce) -> Lines:
    """Write the functions of time of a prescribed force."""
    lines: Lines = [
        *tag("pointIsGlobal", flag(force.point_in_ground)),
        *tag("forceIsGlobal", flag(force.in_ground)),
    ]
    for field in ("force", "point", "torque"):
        functions = [write_function(each) for each in getattr(force, field)]
        lines += block("FunctionSet", block("objects", *functions), called=f"{field}Functions")
    return lines


def _per_axis(pattern: str, texts: Iterable[str]) -> Lines:
    return [line for axis, text in zip("xyz", texts, strict=True) for line in tag(pattern.format(axis), text)]


def _functions(pattern: str, functions: Iterable[Function]) -> Lines:
    lines: Lines = []
    for axis, function in zip("xyz", functions, strict=True):
        lines += block(pattern.format(axis), write_function(function))
    return lines


def _damping(force: ExpressionBushingForce | FunctionBushingForce) -> Lines:
    return [
        *tag("rotational_damping", numbers(force.rotational_damping)),
        *tag("translational_damping", numbers(force.translational_damping)),
    ]
