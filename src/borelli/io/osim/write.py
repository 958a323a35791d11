"""A Model becomes an OpenSim file, in the style of document version 40000."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from borelli.errors import UnsupportedError, warn
from borelli.io.osim.contact import write_surface
from borelli.io.osim.kept import GROUND_GEOMETRY, geometry_of_ground
from borelli.io.osim.marker_set import marker_lines, write_marker_set
from borelli.io.osim.wraps import OPENSIM_WRAPS
from borelli.io.osim.writing.forces import two_frames, write_force
from borelli.io.osim.writing.functions import write_function
from borelli.io.osim.writing.joints import angles_instead_of_quaternion, write_joint
from borelli.io.osim.writing.muscles import write_muscle
from borelli.io.text.markup import (
    Lines,
    Names,
    block,
    document,
    flag,
    number,
    numbers,
    placement,
    plain_name,
    tag,
)
from borelli.model import (
    GROUND,
    Body,
    Bushing,
    ConstantDistanceConstraint,
    Constraint,
    CoordinateCoupler,
    Force,
    Frame,
    Joint,
    Model,
    MotionType,
    OtherComponent,
    PointConstraint,
    PointOnLineConstraint,
    WeldConstraint,
    WrapObject,
)
from borelli.model.values import Vector
from borelli.results.on_disk.whole import atomic_writer

# Every OpenSim 4 reads it.
WRITTEN_VERSION = 40000
_SOCKET = re.compile(r"(<socket_\w+>)([^<]*)(</socket_\w+>)")
# What is kept as data -> the set that it belongs to.
_SETS = {
    "force": "ForceSet",
    "constraint": "ConstraintSet",
    "contact geometry": "ContactGeometrySet",
    "controller": "ControllerSet",
    "probe": "ProbeSet",
    "component": "ComponentSet",
}


def write_osim(model: Model, path: str | os.PathLike[str], *, version: int = WRITTEN_VERSION) -> None:
    """Write a model so that OpenSim 4 reads it and computes the same.

    Parameters
    ----------
    version : int
        Version that the document states: 40000, which every OpenSim 4 reads, or a later one.

    Notes
    -----
    Names lose the characters that OpenSim refuses, quaternions become angles, and data kept from documents
    before version 4 stays behind; one :class:`~borelli.errors.BorelliWarning` says what was changed.
    """
    writer = _Writer(model)
    text = "\n".join(writer.document(version)) + "\n"
    with atomic_writer(path) as stream:
        stream.write(text.encode("utf-8"))
    if writer.notes:
        lines = "".join(f"\n  - {note}" for note in writer.notes)
        warn(f"{os.path.basename(os.fspath(path))} differs from the model:{lines}")


def write_osim_markers(model: Model, path: str | os.PathLike[str], *, version: int = WRITTEN_VERSION) -> None:
    """Write the markers of a model as a MarkerSet of its own."""
    write_marker_set(_Writer(model).marker_lines(), path, version)


class _Writer:
    """Knows every part by the name and path under which it is written."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.notes: list[str] = []
        self.joint_parts = [angles_instead_of_quaternion(joint) for joint in model.joints]
        for before, after in zip(model.joints, self.joint_parts, strict=True):
            if before is not after:
                self.notes.append(f"joint {before.name!r} is on angles instead of a quaternion")
        self.bodies = Names(model.bodies.names, self.notes)
        self.joints = Names(model.joints.names, self.notes)
        every = [(joint, c) for joint in self.joint_parts for c in joint.coordinates]
        self.coordinates = Names([c.name for _, c in every], self.notes)
        self._joint_of = {c.name: joint.name for joint, c in every}
        self._motion_of = {c.name: c.motion for _, c in every}
        self.wraps = Names(model.wrap_objects.names, self.notes)
        self.forces = Names((*model.muscles.names, *model.forces.names), self.notes)
        self.surfaces = Names(model.contact_surfaces.names, self.notes)
        self.markers = Names(model.markers.names, self.notes)
        self.constraints = Names(model.constraints.names, self.notes)
        self._owners: list[tuple[Joint | Constraint | Force, str]] = [
            *((joint, f"/jointset/{self.joints[joint.name]}") for joint in model.joints),
            *(
                (part, f"/constraintset/{self.constraints[part.name]}")
                for part in model.constraints
                if isinstance(part, WeldConstraint)
            ),
            *((f, f"/forceset/{self.forces[f.name]}") for f in model.forces if isinstance(f, Bushing)),
        ]
        self._owner_of = {frame.name: self._owner(frame) for frame in model.frames}

    def _owner(self, frame: Frame) -> str:
        """Return the path of what a frame is written in: what it is named with or used by; empty for its body."""
        before, _, _ = frame.name.rpartition("/")
        for part, path in self._owners:
            if isinstance(part, Joint):
                sides = (part.parent, part.child)
            else:
                sides = (getattr(part, "first", ""), getattr(part, "second", ""))
            if part.name == before or (not before and frame.name in sides):
                return path
        return ""

    @property
    def bodies_written(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return self.model.bodies.names

    def frame_name(self, frame: Frame) -> str:
        """Return the name of a frame inside what carries it."""
        owner = self._owner_of[frame.name]
        own = frame.name.rpartition("/")[2] if owner else frame.name
        return plain_name(own)

    def path_of(self, name: str) -> str:
        """Return the path of a body or frame."""
        if name == GROUND:
            return "/ground"
        if self.model.bodies.has(name):
            return f"/bodyset/{self.bodies[name]}"
        frame = self.model.frames[name]
        owner = self._owner_of[name]
        if owner:
            return f"{owner}/{self.frame_name(frame)}"
        return f"{self.path_of(self.model.place(name)[0])}/{self.frame_name(frame)}"

    def coordinate_path(self, name: str) -> str:
        """Return the path of a coordinate."""
        return f"/jointset/{self.joints[self._joint_of[name]]}/{self.coordinates[name]}"

    def motion_of(self, coordinate: str) -> MotionType:
        """Return what a coordinate measures."""
        return self._motion_of[coordinate]

    def any_coordinate(self) -> str:
        """Return some coordinate of the model."""
        if not self._joint_of:
            raise UnsupportedError("a path point that moves cannot be written without a coordinate.")
        return next(iter(self._joint_of))

    def frames_of(self, part: Joint | Constraint | Force) -> list[Frame]:
        """Return the frames that are written inside a joint, weld or bushing."""
        path = next((path for owner, path in self._owners if owner.name == part.name), None)
        return [frame for frame in self.model.frames if self._owner_of[frame.name] == path]

    def write_frame(self, frame: Frame) -> Lines:
        """Write a frame with its wrap objects."""
        return block(
            "PhysicalOffsetFrame",
            self._geometry(self.frame_name(frame), frame.geometry, frame.geometry_scale),
            self._wrap_set(frame.name),
            tag("socket_parent", self.path_of(frame.parent)),
            placement(frame.placement),
            called=self.frame_name(frame),
        )

    def document(self, version: int) -> Lines:
        """Write the whole document."""
        model = self.model
        inside = block(
            "Model",
            block(
                "Ground",
                self._frames_on(GROUND),
                self._geometry(GROUND, geometry_of_ground(model.others), ()),
                self._wrap_set(GROUND),
                called=GROUND,
            ),
            tag("gravity", numbers(model.gravity)),
            tag("credits", model.credits),
            tag("length_units", "meters"),
            tag("force_units", "N"),
            _set("BodySet", (self._body(body) for body in model.bodies)),
            _set("JointSet", (write_joint(self, joint) for joint in self.joint_parts)),
            _set("ControllerSet", self._kept("ControllerSet")),
            _set("ConstraintSet", (*map(self._constraint, model.constraints), *self._kept("ConstraintSet"))),
            _set(
                "ForceSet",
                (
                    *(write_muscle(self, muscle) for muscle in model.muscles),
                    *(write_force(self, force) for force in model.forces),
                    *self._kept("ForceSet"),
                ),
            ),
            _set("MarkerSet", self.marker_lines()),
            _set("ContactGeometrySet", (*self._surfaces(), *self._kept("ContactGeometrySet"))),
            _set("ProbeSet", self._kept("ProbeSet")),
            _set("ComponentSet", self._kept("ComponentSet")),
            called=plain_name(model.name),
        )
        left = [o for o in model.others if not _can_be_written(o) and o.role != GROUND_GEOMETRY]
        self.notes.extend(f"{other.role} {other.name!r} ({other.kind}) is left out" for other in left)
        return document(inside, version)

    def _body(self, body: Body) -> Lines:
        return block(
            "Body",
            self._frames_on(body.name),
            self._geometry(self.bodies[body.name], body.geometry, body.geometry_scale),
            self._wrap_set(body.name),
            tag("mass", number(body.mass)),
            tag("mass_center", numbers(body.com)),
            tag("inertia", numbers(body.inertia)),
            called=self.bodies[body.name],
        )

    def _frames_on(self, body: str) -> Lines:
        """Write the frames of a body that no joint owns."""
        own = [
            frame
            for frame in self.model.frames
            if not self._owner_of[frame.name] and self.model.place(frame.name)[0] == body
        ]
        lines = [line for frame in own for line in self.write_frame(frame)]
        return block("components", lines) if lines else []

    def _geometry(self, name: str, files: tuple[str, ...], scales: tuple[Vector, ...]) -> Lines:
        if not files:
            return []
        meshes = [
            block(
                "Mesh",
                tag("socket_frame", ".."),
                tag("scale_factors", numbers(scales[index])) if scales else [],
                tag("mesh_file", file),
                called=f"{name}_geom_{index + 1}",
            )
            for index, file in enumerate(files)
        ]
        return block("attached_geometry", *meshes)

    def _wrap_set(self, carrier: str) -> Lines:
        own = [self._wrap(wrap) for wrap in self.model.wrap_objects if wrap.frame == carrier]
        return block("WrapObjectSet", block("objects", *own)) if own else []

    def _wrap(self, wrap: WrapObject) -> Lines:
        common: Lines = [
            *tag("active", flag(wrap.active)),
            *placement(wrap.placement, "translation", "xyz_body_rotation"),
            *tag("quadrant", wrap.quadrant.value),
        ]
        name = self.wraps[wrap.name]
        for class_name, (kind, tags) in OPENSIM_WRAPS.items():
            if type(wrap) is kind:
                sizes: Lines = []
                for field, (label, _) in tags.items():
                    value = getattr(wrap, field)
                    sizes += tag(label, numbers(value) if isinstance(value, tuple) else number(value))
                return block(class_name, common, sizes, called=name)
        raise UnsupportedError(
            f"wrap objects of type {type(wrap).__name__} have no counterpart in OpenSim.",
            where=f"wrap object {wrap.name!r}",
            remedy="save the model as .toml, which keeps it, or replace the surface",
        )

    def _surfaces(self) -> list[Lines]:
        surfaces = self.model.contact_surfaces
        return [write_surface(self.path_of, surface, self.surfaces[surface.name]) for surface in surfaces]

    def marker_lines(self) -> list[Lines]:
        """Write every marker."""
        return [
            marker_lines(marker, self.path_of(marker.frame), self.markers[marker.name])
            for marker in self.model.markers
        ]

    def _constraint(self, constraint: Constraint) -> Lines:
        name, lines = self._constraint_parts(constraint)
        enforced = tag("isEnforced", flag(constraint.enforced))
        return block(name, enforced, lines, called=self.constraints[constraint.name])

    def _constraint_parts(self, constraint: Constraint) -> tuple[str, Lines]:
        if isinstance(constraint, CoordinateCoupler):
            independent = " ".join(self.coordinates[name] for name in constraint.independent)
            return "CoordinateCouplerConstraint", [
                *block("coupled_coordinates_function", write_function(constraint.function)),
                *tag("independent_coordinate_names", independent),
                *tag("dependent_coordinate_name", self.coordinates[constraint.dependent]),
                *tag("scale_factor", number(constraint.scale)),
            ]
        if isinstance(constraint, WeldConstraint):
            return "WeldConstraint", two_frames(self, constraint)
        if isinstance(constraint, PointOnLineConstraint):
            return "PointOnLineConstraint", [
                *tag("socket_line_body", self.path_of(constraint.line_frame)),
                *tag("socket_follower_body", self.path_of(constraint.follower)),
                *tag("line_direction_vec", numbers(constraint.line_direction)),
                *tag("point_on_line", numbers(constraint.line_point)),
                *tag("point_on_follower", numbers(constraint.follower_location)),
            ]
        if isinstance(constraint, PointConstraint | ConstantDistanceConstraint):
            lines = [
                *tag("socket_body_1", self.path_of(constraint.first)),
                *tag("socket_body_2", self.path_of(constraint.second)),
                *tag("location_body_1", numbers(constraint.first_location)),
                *tag("location_body_2", numbers(constraint.second_location)),
            ]
            if isinstance(constraint, PointConstraint):
                return "PointConstraint", lines
            return "ConstantDistanceConstraint", [
                *lines,
                *tag("constant_distance", number(constraint.distance)),
            ]
        raise UnsupportedError(
            f"constraints of type {type(constraint).__name__} have no counterpart in OpenSim."
        )

    def _kept(self, set_name: str) -> list[Lines]:
        """Write back what was kept as data from a document of version 4."""
        return [
            _SOCKET.sub(self._connected, other.xml).split("\n")
            for other in self.model.others
            if _can_be_written(other) and _SETS[other.role] == set_name
        ]

    def _connected(self, found: re.Match[str]) -> str:
        """Return a connection of something kept: frames may be written elsewhere than they were read."""
        name = found[2].strip().rpartition("/")[2]
        if not (self.model.frames.has(name) or self.model.bodies.has(name)):
            return found[0]
        return f"{found[1]}{self.path_of(name)}{found[3]}"


def _can_be_written(other: OtherComponent) -> bool:
    return bool(other.xml) and other.role in _SETS and other.version >= WRITTEN_VERSION


def _set(name: str, parts: Iterable[Lines]) -> Lines:
    return block(name, block("objects", *parts), called=name.lower())
