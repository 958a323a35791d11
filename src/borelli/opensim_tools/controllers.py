"""What the controllers of a setup and of its model demand of every actuator, as in OpenSim's AnalyzeTool."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from borelli.errors import FileFormatError, MissingInputError, UnknownNameError, UnsupportedError
from borelli.io.controls_file import load_controls
from borelli.io.load import load_table
from borelli.io.osim.document import NEWEST, Document
from borelli.io.osim.functions import read_function
from borelli.io.setups.setup_options import flag, is_empty
from borelli.io.text.references import find_file
from borelli.io.text.xml import Element, parse_xml
from borelli.model.functions.tabulated import GCVSpline, PiecewiseConstant
from borelli.records import dataclass

if TYPE_CHECKING:
    from borelli.model.functions.function import Function
    from borelli.model.model import Model

Controls = dict[str, np.ndarray]
_CONSTANT = 0
"""Interpolation method of a PrescribedController's file: steps; more is the degree of a spline."""


@dataclass(frozen=True)
class Controller:
    """A controller as a file has it.

    Attributes
    ----------
    element : Element
    base : str or path
        File that it stands in; what it names is found from there.
    """

    element: Element
    base: str | os.PathLike[str]

    @property
    def name(self) -> str:
        """Its name, or its class where it has none."""
        return self.element.name or self.element.tag

    @property
    def file(self) -> Path | None:
        """The file of controls that it names."""
        text = self.element.text_of("controls_file")
        return None if is_empty(text) else find_file(self.base, text)

    @property
    def enabled(self) -> bool:
        """Whether it acts: OpenSim switches a ControlSetController on if it has a file, whatever its flag says."""
        if self.element.tag == "ControlSetController":
            return self.file is not None
        return flag(self.element, "enabled", not flag(self.element, "isDisabled", False))


def controllers_of(model: Model, path: Path, added: tuple[Controller, ...]) -> tuple[Controller, ...]:
    """All controllers that act: those that the model file has, and those that a setup adds.

    Raises
    ------
    UnsupportedError
        If one is of a kind that is not evaluated.
    """
    own = tuple(
        Controller(parse_xml(other.xml.encode(), os.fspath(path)), path)
        for other in model.others
        if other.role == "controller"
    )
    acting = tuple(controller for controller in (*own, *added) if controller.enabled)
    for controller in acting:
        if controller.element.tag not in _KINDS:
            raise UnsupportedError(
                f"controller {controller.name!r} is a {controller.element.tag}, which cannot be evaluated.",
                where=controller.element.where,
                remedy=f"supported: {', '.join(_KINDS)}; or remove or disable the controller",
            )
    return acting


def evaluate(controllers: tuple[Controller, ...], names: tuple[str, ...], time: np.ndarray) -> Controls:
    """Controls of the actuators that controllers drive, (n_times,) each; where several drive one, they add up.

    Parameters
    ----------
    names : tuple of str
        All muscles and actuators of the model, in its order.
    time : (n_times,) float
        s.
    """
    total: Controls = {}
    for controller in controllers:
        for name, values in _KINDS[controller.element.tag](controller, names, time).items():
            total[name] = total[name] + values if name in total else values
    return total


def _control_set(controller: Controller, names: tuple[str, ...], time: np.ndarray) -> Controls:
    file = controller.file
    assert file is not None
    # Unlike actuator_list, which OpenSim does not use here, the socket connects.
    listed = (word.rsplit("/", 1)[-1] for word in controller.element.text_of("socket_actuators").split())
    curves = load_controls(_existing(controller, file), tuple(listed))
    for name in curves:
        _require_actuator(name, names, file)
    return {name: curve.at(time) for name, curve in curves.items()}


def _prescribed(controller: Controller, names: tuple[str, ...], time: np.ndarray) -> Controls:
    """Functions of time, one for each actuator of the list, and the columns of a file for those without."""
    element = controller.element
    listed = (element.text_of("socket_actuators") or element.text_of("actuator_list")).split()
    if any(word.casefold() == "all" for word in listed):
        listed = list(names)
    listed = [word.rsplit("/", 1)[-1] for word in listed]
    for name in listed:
        _require_actuator(name, names, element.where)
    functions = _functions(element)
    file = controller.file
    if len(functions) != len(listed) and not (file is not None and not functions):
        raise FileFormatError(
            f"controller {controller.name!r} has {len(functions)} functions for {len(listed)} actuators.",
            where=element.where,
            remedy="give one function for each actuator of its list, in the same order",
        )
    found = {name: np.asarray(f.value(time)) for name, f in zip(listed, functions, strict=False)}
    found = {name: np.broadcast_to(values, time.shape).astype(float) for name, values in found.items()}
    if file is not None:
        found = {**_columns(controller, _existing(controller, file), names, time), **found}
    return found


_KINDS = {"ControlSetController": _control_set, "PrescribedController": _prescribed}


def _functions(element: Element) -> list[Function]:
    """Functions of time in the order of the file; the set is named after its property, or inside it."""
    named = [child for child in element.children if child.name == "ControlFunctions"]
    holder = named[0] if named else element.child("ControlFunctions")
    if holder is None:
        return []
    objects = holder.child("objects") or (holder.child("FunctionSet") or holder).child("objects")
    document = Document.of_part(element, NEWEST)
    return [read_function(document, child) for child in (objects.children if objects is not None else ())]


def _columns(controller: Controller, file: Path, names: tuple[str, ...], time: np.ndarray) -> Controls:
    text = controller.element.text_of("interpolation_method")
    degree = int(float(text)) if text else 1
    table = load_table(file)
    found: Controls = {}
    for label, values in zip(table.columns, table.values.T, strict=True):
        name = label.rsplit("/", 1)[-1]
        _require_actuator(name, names, file)
        points = tuple(table.time), tuple(values)
        curve = PiecewiseConstant(*points) if degree == _CONSTANT else GCVSpline(*points, degree)
        found[name] = np.asarray(curve.value(time), dtype=float)
    return found


def _existing(controller: Controller, file: Path) -> Path:
    if not file.is_file():
        raise MissingInputError(
            f"There is no controls_file {os.fspath(file)!r}, which controller {controller.name!r} names.",
            where=controller.element.where,
            remedy="correct the name, or remove the controller",
        )
    return file


def _require_actuator(name: str, names: tuple[str, ...], where: str | os.PathLike[str]) -> None:
    if name not in names:
        raise UnknownNameError.among(name, "muscle or actuator", names, where=os.fspath(where))
