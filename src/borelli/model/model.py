"""Model: bodies and joints, and everything that is attached to them."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from borelli.errors import UnknownNameError
from borelli.model.body import GROUND, Body
from borelli.model.check import check_model
from borelli.model.parts import Parts
from borelli.model.placement import Placement
from borelli.model.values import Vector, vector
from borelli.records import dataclass

if TYPE_CHECKING:
    from borelli.model.constraint import Constraint
    from borelli.model.forces.contact import ContactSurface
    from borelli.model.forces.force import Force, OtherComponent
    from borelli.model.frame import Frame
    from borelli.model.joints.coordinate import Coordinate
    from borelli.model.joints.joint import Joint
    from borelli.model.marker import Marker
    from borelli.model.muscles.muscle import Muscle
    from borelli.model.paths.path import Path
    from borelli.model.paths.wrap import WrapObject

STANDARD_GRAVITY = (0.0, -9.80665, 0.0)
"""Along -y, as OpenSim has it (m/s²)."""

# Field -> what one of its items is called in messages.
_KINDS = {
    "bodies": "body",
    "joints": "joint",
    "frames": "frame",
    "markers": "marker",
    "constraints": "constraint",
    "wrap_objects": "wrap object",
    "contact_surfaces": "contact surface",
    "muscles": "muscle",
    "forces": "force",
    "others": "component",
}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Model:
    """A musculoskeletal model: a tree of bodies, with muscles, forces, markers and constraints on it.

    Every collection is a tuple that is also read by name: ``model.bodies["femur_r"]``. All consistency rules
    of :mod:`borelli.model.check` hold for a model that exists. Change one with
    :func:`dataclasses.replace`, which checks again.

    Parameters
    ----------
    name : str
    bodies : sequence of Body
        Without ground, whose name is ``"ground"``.
    joints : sequence of Joint
        One for each body, which it carries as its child.
    frames : sequence of Frame
        Named frames on bodies or on other frames.
    markers : sequence of Marker
    constraints : sequence of Constraint
    wrap_objects : sequence of WrapObject
    contact_surfaces : sequence of ContactSurface
    muscles : sequence of Muscle
    forces : sequence of Force
        All forces but muscles.
    others : sequence of OtherComponent
        What is kept as data.
    gravity : 3 numbers
        Gravitational acceleration in ground (m/s²).
    unsupported : tuple of str
        Descriptions of what the model has and Borelli does not use.
    credits : str
        Who made the model, as its file says.

    Examples
    --------
    >>> from borelli import model as bm
    >>> bob = bm.Body("bob", mass=1.0, com=(0, -0.5, 0), inertia=(0.01, 0.01, 0.01))
    >>> pendulum = bo.Model(bodies=[bob], joints=[bm.PinJoint(name="swing", parent="ground", child="bob")])
    >>> pendulum.coordinate_names
    ('swing',)
    """

    name: str = "model"
    bodies: Parts[Body]
    joints: Parts[Joint]
    frames: Parts[Frame] = field(default_factory=Parts)
    markers: Parts[Marker] = field(default_factory=Parts)
    constraints: Parts[Constraint] = field(default_factory=Parts)
    wrap_objects: Parts[WrapObject] = field(default_factory=Parts)
    contact_surfaces: Parts[ContactSurface] = field(default_factory=Parts)
    muscles: Parts[Muscle] = field(default_factory=Parts)
    forces: Parts[Force] = field(default_factory=Parts)
    others: Parts[OtherComponent] = field(default_factory=Parts)
    gravity: Vector = STANDARD_GRAVITY
    unsupported: tuple[str, ...] = ()
    credits: str = ""
    coordinates: Parts[Coordinate] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        owner = f"model {self.name!r}"
        for name, kind in _KINDS.items():
            object.__setattr__(self, name, Parts(getattr(self, name), kind, owner))
        object.__setattr__(self, "gravity", vector(self.gravity, "gravity"))
        object.__setattr__(self, "unsupported", tuple(self.unsupported))
        every = [coordinate for joint in self.joints for coordinate in joint.coordinates]
        object.__setattr__(self, "coordinates", Parts(every, "coordinate", owner))
        check_model(self)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of q, in the order of the joints."""
        return self.coordinates.names

    @property
    def speed_names(self) -> tuple[str, ...]:
        """Names of u; they differ from those of q only for joints on quaternions."""
        return tuple(name for joint in self.joints for name in joint.speed_names)

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies, ground left out."""
        return self.bodies.names

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints."""
        return self.joints.names

    @property
    def muscle_names(self) -> tuple[str, ...]:
        """Names of the muscles."""
        return self.muscles.names

    @property
    def marker_names(self) -> tuple[str, ...]:
        """Names of the markers."""
        return self.markers.names

    @property
    def paths(self) -> dict[str, Path]:
        """Every path by the name of its owner: muscles, then other forces, then what is kept as data."""
        paths = {muscle.name: muscle.path for muscle in self.muscles}
        paths.update((force.name, force.path) for force in self.forces if hasattr(force, "path"))
        paths.update((other.name, other.path) for other in self.others if other.path is not None)
        return paths

    @property
    def path_names(self) -> tuple[str, ...]:
        """Names of everything that pulls along a path."""
        return tuple(self.paths)

    def place(self, name: str, placement: Placement | None = None) -> tuple[str, Placement]:
        """Find the body that carries a frame.

        Parameters
        ----------
        name : str
            A body, ``"ground"``, or a frame.
        placement : Placement, optional
            A further placement in it.

        Returns
        -------
        body : str
            Name of the body, or ``"ground"``.
        placement : Placement
            Where the frame sits in that body.
        """
        result = placement or Placement()
        while name != GROUND and not self.bodies.has(name):
            if not self.frames.has(name):
                known = (GROUND, *self.bodies.names, *self.frames.names)
                raise UnknownNameError.among(name, "body or frame", known, of=f"model {self.name!r}")
            frame = self.frames[name]
            result = frame.placement.then(result)
            name = frame.parent
        return name, result

    def parent_of(self, joint: Joint) -> tuple[str, Placement]:
        """Return the parent body of a joint and the joint frame in it."""
        return self.place(joint.parent, joint.parent_placement)

    def child_of(self, joint: Joint) -> tuple[str, Placement]:
        """Return the child body of a joint and the joint frame in it."""
        return self.place(joint.child, joint.child_placement)

    def joints_from_ground(self) -> tuple[Joint, ...]:
        """Return the joints so that each comes after the joint that carries its parent."""
        waiting: dict[str, list[Joint]] = {}
        for joint in self.joints:
            waiting.setdefault(self.parent_of(joint)[0], []).append(joint)
        ordered: list[Joint] = []
        reached = [GROUND]
        while reached:
            for joint in waiting.pop(reached.pop(0), []):
                ordered.append(joint)
                reached.append(self.child_of(joint)[0])
        return tuple(ordered)

    def __repr__(self) -> str:
        counts = [(kind, len(getattr(self, name))) for name, kind in _KINDS.items()]
        plural = {"body": "bodies"}
        shown = [f"{n} {kind if n == 1 else plural.get(kind, kind + 's')}" for kind, n in counts if n]
        return f"<Model {self.name!r}: {', '.join([*shown, f'{len(self.coordinates)} coordinates'])}>"

    def default_values(self) -> dict[str, Any]:
        """Return the default value of every coordinate by name."""
        return {coordinate.name: coordinate.default_value for coordinate in self.coordinates}
