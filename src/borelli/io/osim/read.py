"""An OpenSim file becomes a Model."""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence
from dataclasses import replace

from borelli.errors import BorelliError, InvalidValueError, few, warn
from borelli.io.osim.components import Component, Components, force_components
from borelli.io.osim.constraints import ConstraintReader
from borelli.io.osim.contact import ContactReader
from borelli.io.osim.document import Document, located, read_document
from borelli.io.osim.forces import ForceReader
from borelli.io.osim.frames import Frames, geometry_files, read_body
from borelli.io.osim.joints import JointReader
from borelli.io.osim.kept import GROUND_GEOMETRY, described, keep
from borelli.io.osim.paths import PathReader
from borelli.io.osim.wraps import read_wraps
from borelli.io.setups.force_set import read_force_set
from borelli.model import (
    GROUND,
    STANDARD_GRAVITY,
    Attitude,
    Constraint,
    ContactSurface,
    Coordinate,
    Force,
    FreeJoint,
    Joint,
    Marker,
    Model,
    Muscle,
    OtherComponent,
    WrapObject,
)

# Sets that are kept as data -> what their objects are.
_KEPT_SETS = {"controllerset": "controller", "probeset": "probe"}
# Components that the reader uses, or that only name a point; they need not be reported.
_USED_COMPONENTS = ("Station", "PathPoint", "Coordinate")
# A message is to be read; a damaged file can have a line for each of its elements.
_MOST_LINES = 100
_METRES = ("", "unassigned", "m", "meter", "meters", "metre", "metres")


def read_osim(
    path: str | os.PathLike[str],
    *,
    exact_joints: bool = False,
    force_sets: Sequence[str | os.PathLike[str]] = (),
    replace_forces: bool = False,
) -> Model:
    """Read an OpenSim model, document versions 10901 to 40600.

    Parameters
    ----------
    path : path
        The ``.osim`` file.
    exact_joints : bool
        Compute the angular accelerations of all custom joints exactly, where OpenSim does not; see
        :class:`~borelli.model.AxisRates`.
    force_sets : sequence of path
        Files of forces that are added, as OpenSim's tools do it: one whose name the model has already is left out.
    replace_forces : bool
        Leave the model's own forces out.

    Returns
    -------
    model : Model
        ``model.unsupported`` lists what the file has and Borelli does not use; one
        :class:`~borelli.errors.BorelliWarning` says the same.

    Raises
    ------
    FileFormatError
        If the file is not a model, or a part of it cannot be understood.
    UnsupportedError
        If a part that moves bodies or carries a path (a joint, its functions, a wrap object) is of an unknown
        kind: leaving it out would change numbers.
    """
    document = read_document(path)
    try:
        reader = _Reader(document, exact_joints)
        reader.add_forces(force_sets, replace_forces)
        model, notes = reader.read()
    except BorelliError as error:
        if error.where is None:
            error.where = document.source
        elif document.source not in error.where:
            error.where = f"{document.source}, {error.where}"
        raise
    _warn(document.source, model, notes)
    return model


def _warn(source: str, model: Model, notes: list[str]) -> None:
    lines = []
    if model.unsupported:
        listed = _shortened(list(model.unsupported), "model.unsupported lists them")
        lines.append("kept, but not used in the computation: " + "; ".join(listed))
    lines.extend(_shortened(notes, "of this kind"))
    if lines:
        text = "".join(f"\n  - {line}" for line in lines)
        warn(f"{os.path.basename(source)}:{text}")


def _shortened(lines: list[str], rest: str) -> list[str]:
    """Cut a list that nobody would read to its end."""
    if len(lines) <= _MOST_LINES:
        return lines
    return [*lines[:_MOST_LINES], f"… and {len(lines) - _MOST_LINES} more ({rest})"]


class _Reader:
    """Reads the parts in the order in which they refer to each other."""

    def __init__(self, document: Document, exact_joints: bool = False) -> None:
        self.document = document
        self.components = Components(document)
        self.notes = self.components.notes
        self.frames = Frames(document, self.components)
        self.joints = JointReader(document, self.frames, self.notes, exact_joints)

    def add_forces(self, files: Sequence[str | os.PathLike[str]], replace_own: bool) -> None:
        """Take forces of force-set files beside those of the model, or in their place."""
        own = self.components.sets["forceset"]
        if replace_own:
            own.clear()
        self.added: list[tuple[Document, Component]] = []
        for file in files:
            holder, version = read_force_set(file)
            part = Document.of_part(holder, version)
            taken = {component.name for component in own} | {component.name for _, component in self.added}
            found = [component for component in force_components(part) if component.name not in taken]
            kept = [c.name for c in force_components(part) if c.name in taken]
            if kept:
                self.notes.append(
                    f"{os.path.basename(file)} has forces with names that the model already uses; the model's "
                    f"forces are kept, as in OpenSim: {few(kept, 12)}"
                )
            self.added += [(part, component) for component in found]

    def read(self) -> tuple[Model, list[str]]:
        document, components = self.document, self.components
        bodies = [read_body(document, body, self.notes) for body in components.sets["bodyset"]]
        joints = [self.joints.read(joint) for joint in components.sets["jointset"]]
        frames = self.frames.read()
        paths = PathReader(document, self.frames, self.joints.coordinate_paths)
        by_name = {coordinate.name: coordinate for joint in joints for coordinate in joint.coordinates}
        contact = ContactReader(document, components, self.frames)
        forces = self._forces(document, by_name, contact)
        constraints = ConstraintReader(document, self.frames, paths)
        acting = [forces.read(force) for force in components.sets["forceset"]]
        acting += [self._forces(part, by_name, contact).read(force) for part, force in self.added]
        constraining = [constraints.read(constraint) for constraint in components.sets["constraintset"]]
        surfaces = contact.read()
        others = [part for part in (*acting, *constraining, *surfaces) if isinstance(part, OtherComponent)]
        others.extend(self._kept())
        unsupported = (
            tuple(described(other) for other in others if other.role != GROUND_GEOMETRY) + self._units()
        )
        model_name = document.model.name or "model"
        model = Model(
            name=model_name,
            bodies=bodies,  # type: ignore[arg-type]
            joints=self._with_free_joints(joints, frames),  # type: ignore[arg-type]
            frames=frames,  # type: ignore[arg-type]
            markers=self._markers(),  # type: ignore[arg-type]
            constraints=[part for part in constraining if isinstance(part, Constraint)],  # type: ignore[arg-type]
            wrap_objects=self._wraps(),  # type: ignore[arg-type]
            contact_surfaces=[part for part in surfaces if isinstance(part, ContactSurface)],  # type: ignore[arg-type]
            muscles=[part for part in acting if isinstance(part, Muscle)],  # type: ignore[arg-type]
            forces=[part for part in acting if isinstance(part, Force)],  # type: ignore[arg-type]
            others=_with_unique_names(others),  # type: ignore[arg-type]
            gravity=document.vector(document.model, "gravity", default=STANDARD_GRAVITY),
            unsupported=unsupported,
            credits=document.text(document.model, "credits"),
        )
        return model, self.notes

    def _forces(
        self, document: Document, coordinates: dict[str, Coordinate], contact: ContactReader
    ) -> ForceReader:
        """Return a reader of forces of a document; bodies and coordinates are those of the model."""
        frames = copy.copy(self.frames)
        frames.document = document
        paths = PathReader(document, frames, self.joints.coordinate_paths)
        return ForceReader(document, frames, paths, coordinates, contact)

    def _with_free_joints(self, joints: list[Joint], frames: list) -> list[Joint]:
        """Let bodies that no joint carries move freely, as OpenSim does."""
        parents = {frame.name: frame.parent for frame in frames}
        carried = {_base(joint.child, parents) for joint in joints}
        added = []
        for body in self.components.sets["bodyset"]:
            if body.name not in carried:
                name = f"free_{body.name}"
                self.notes.append(f"body {body.name!r} has no joint: it moves freely ({name!r})")
                joint = FreeJoint(name=name, parent=GROUND, child=body.name, attitude=Attitude.ANGLES)
                # OpenSim's range of a coordinate that states none.
                named = tuple(
                    replace(coordinate, name=f"{name}_coord_{index}", range=(-10.0, 10.0))
                    for index, coordinate in enumerate(joint.coordinates)
                )
                added.append(replace(joint, coordinates=named))
        return [*joints, *added]

    def _markers(self) -> list[Marker]:
        markers = []
        for component in self.components.sets["markerset"]:
            element = component.element
            with located(element):
                frame = self.frames.connected(component, "parent_frame", "body", "parent_body")
                location = self.document.vector(element, "location")
                fixed = self.document.flag(element, "fixed", default=False)
                markers.append(Marker(component.name, frame, location, fixed))
        return markers

    def _wraps(self) -> list[WrapObject]:
        taken: set[str] = set()
        wraps: list[WrapObject] = []
        ground = [] if self.components.ground is None else [self.components.ground]
        for carrier in (*ground, *self.components.sets["bodyset"], *self.components.frames()):
            wraps.extend(read_wraps(self.document, carrier, self.frames.names[carrier.path], taken))
        return wraps

    def _kept(self) -> list[OtherComponent]:
        """Keep controllers, probes and loose components."""
        kept = [
            keep(self.document, component, role)
            for name, role in _KEPT_SETS.items()
            for component in self.components.sets[name]
        ]
        loose = [*self.components.sets["componentset"], *self.components.loose]
        kept.extend(
            keep(self.document, component, "component")
            for component in loose
            if not component.is_frame and component.element.tag not in _USED_COMPONENTS
        )
        ground = self.components.ground
        if ground is not None and geometry_files(self.document, ground.element):
            kept.append(keep(self.document, ground, GROUND_GEOMETRY))
        return kept

    def _units(self) -> tuple[str, ...]:
        units = self.document.text(self.document.model, "length_units").lower()
        if units in _METRES:
            return ()
        return (f"length units {units[:40]!r} (numbers are read as metres, as in OpenSim)",)


def _base(name: str, parents: dict[str, str]) -> str:
    seen: set[str] = set()
    while name in parents:
        if name in seen:
            raise InvalidValueError(f"frame {name!r} is attached to itself.")
        seen.add(name)
        name = parents[name]
    return name


def _with_unique_names(others: list[OtherComponent]) -> list[OtherComponent]:
    """Let what is kept be found by name: forces, contact shapes and probes may share names in a file."""
    named: dict[str, OtherComponent] = {}
    numbers: dict[str, int] = {}
    for other in others:
        wanted = other.name if other.name not in named else f"{other.role}/{other.name}"
        name, number = wanted, numbers.get(wanted, 0)
        while name in named:
            name, number = f"{wanted}_{number}", number + 1
        numbers[wanted] = number
        named[name] = replace(other, name=name)
    return list(named.values())
