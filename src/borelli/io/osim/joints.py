"""Joints of every type."""

from __future__ import annotations

from dataclasses import replace

from borelli.errors import FileFormatError, UnsupportedError
from borelli.io.osim.components import Component, socket
from borelli.io.osim.coordinates import motion_in_custom_joint, read_coordinate, split_names
from borelli.io.osim.document import Document, located
from borelli.io.osim.frames import Frames, old_joint_frame
from borelli.io.osim.functions import axis_function
from borelli.io.osim.reversed_joints import reversed_joint
from borelli.io.text.xml import Element
from borelli.model import (
    Attitude,
    AxisFunction,
    AxisRates,
    BallJoint,
    Constant,
    ConstantCurvatureJoint,
    Coordinate,
    CustomJoint,
    EllipsoidJoint,
    FreeJoint,
    GimbalJoint,
    Joint,
    Linear,
    MotionType,
    MultivariatePolynomial,
    PinJoint,
    Placement,
    PlanarJoint,
    ScapulothoracicJoint,
    SliderJoint,
    UniversalJoint,
    WeldJoint,
)

_R, _T = MotionType.ROTATIONAL, MotionType.TRANSLATIONAL
OPENSIM_JOINTS: dict[str, tuple[type[Joint], tuple[MotionType, ...]]] = {
    "WeldJoint": (WeldJoint, ()),
    "PinJoint": (PinJoint, (_R,)),
    "SliderJoint": (SliderJoint, (_T,)),
    "UniversalJoint": (UniversalJoint, (_R, _R)),
    "GimbalJoint": (GimbalJoint, (_R, _R, _R)),
    "BallJoint": (BallJoint, (_R, _R, _R)),
    "FreeJoint": (FreeJoint, (_R, _R, _R, _T, _T, _T)),
    "PlanarJoint": (PlanarJoint, (_R, _T, _T)),
    "EllipsoidJoint": (EllipsoidJoint, (_R, _R, _R)),
    "ScapulothoracicJoint": (ScapulothoracicJoint, (_R, _R, _R, _R)),
    "ConstantCurvatureJoint": (ConstantCurvatureJoint, (_R, _R, _R)),
    "CustomJoint": (CustomJoint, ()),
}
"""OpenSim's classes: ours, and what their coordinates measure."""
_AXIS_NAMES = ("rotation1", "rotation2", "rotation3", "translation1", "translation2", "translation3")
_DIRECTIONS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)) * 2


class JointReader:
    """Reads the joints of a document."""

    def __init__(self, document: Document, frames: Frames, notes: list[str], exact: bool = False) -> None:
        self.document = document
        self.frames = frames
        self.notes = notes
        self.exact = exact
        self.taken: set[str] = set()
        """Names of coordinates so far: OpenSim allows the same name in two joints, a table of motions does not."""
        self.coordinate_paths: dict[tuple[str, ...], str] = {}
        """Path of each coordinate -> its name in the model."""

    def read(self, component: Component) -> Joint:
        """Read one joint."""
        element = component.element
        if element.tag not in OPENSIM_JOINTS:
            raise UnsupportedError(
                f"joints of type {element.tag} cannot be used; joint {component.name!r} is one.",
                where=element.where,
                remedy="describe its motion with a CustomJoint",
            )
        with located(element):
            connection = self._connection(component)
            if element.tag == "CustomJoint":
                joint = self._custom(component, connection)
            else:
                joint = self._plain(component, connection)
            if self.document.flag(element, "reverse", default=False):
                joint = reversed_joint(joint, element)
            return joint

    def _connection(self, component: Component) -> dict[str, str | Placement]:
        document, element = self.document, component.element
        child = component.body or self.frames.connected(component, "child_frame", "child_body")
        return {
            "name": component.name,
            "parent": self.frames.connected(component, "parent_frame", "parent_body"),
            "child": child,
            "parent_placement": old_joint_frame(
                document, element, "location_in_parent", "orientation_in_parent"
            ),
            "child_placement": old_joint_frame(document, element, *_child_properties(element)),
        }

    def _plain(self, component: Component, connection: dict[str, str | Placement]) -> Joint:
        document, element = self.document, component.element
        kind, motions = OPENSIM_JOINTS[element.tag]
        elements: list[Element | None] = list(document.objects(element, "coordinates", "CoordinateSet"))
        if len(elements) > len(motions):
            raise FileFormatError(
                f"{element.tag} {component.name!r} has {len(motions)} coordinates, but {len(elements)} are given.",
                where=element.where,
            )
        elements += [None] * (len(motions) - len(elements))
        coordinates = tuple(
            self._coordinate(component, given, f"_coord_{index}", motion)
            for index, (given, motion) in enumerate(zip(elements, motions, strict=True))
        )
        options: dict[str, object] = {}
        if kind in (BallJoint, FreeJoint):
            options["attitude"] = Attitude.ANGLES
        elif kind is EllipsoidJoint:
            options["radii"] = document.vector(element, "radii_x_y_z")
        elif kind is ScapulothoracicJoint:
            options.update(_scapula(document, element))
        elif kind is ConstantCurvatureJoint:
            options["neutral"] = document.vector(element, "neutral_angle_x_z_y")
            options["length"] = document.number(element, "length", default=1.0)
            self.notes.append(
                f"joint {component.name!r}: OpenSim's speeds are not the rates of its poses, and its forces belong to "
                "no motion; speeds and forces are exact here and differ from OpenSim's"
            )
        return kind(**connection, coordinates=coordinates, **options)  # type: ignore[arg-type]

    def _coordinate(
        self, component: Component, element: Element | None, unnamed: str, motion: MotionType
    ) -> Coordinate:
        own = element.name if element is not None and element.name else unnamed
        name = own
        if name in self.taken:
            name = f"{component.name}/{own}"
            self.notes.append(f"a second coordinate {own!r}, of joint {component.name!r}, is called {name!r}")
        self.taken.add(name)
        self.coordinate_paths[(*component.path, own)] = name
        return read_coordinate(self.document, element, name, motion, self.notes)

    def _custom(self, component: Component, connection: dict[str, str | Placement]) -> Joint:
        document, element = self.document, component.element
        elements = {
            given.name: given
            for given in document.objects(element, "coordinates", "CoordinateSet")
            if given.tag == "Coordinate"
        }
        axes = _axes(document, element, tuple(elements))
        # OpenSim counts the coordinates in the order in which the axes name them.
        order = dict.fromkeys(name for axis in axes for name in axis.coordinates)
        unused = [name for name in elements if name not in order]
        if unused:
            raise FileFormatError(
                f"coordinate {unused[0]!r} has no effect: no axis of joint {component.name!r} depends on it.",
                where=elements[unused[0]].where,
            )
        renamed: dict[str, str] = {}
        coordinates = []
        for name in order:
            motion = motion_in_custom_joint(name, axes)
            coordinate = self._coordinate(component, elements.get(name), name, motion)
            renamed[name] = coordinate.name
            coordinates.append(coordinate)
        named = [
            AxisFunction(axis.axis, axis.function, tuple(renamed[name] for name in axis.coordinates))
            for axis in axes
        ]
        joint = CustomJoint(
            **connection,  # type: ignore[arg-type]
            coordinates=tuple(coordinates),
            rotations=tuple(named[:3]),
            translations=tuple(named[3:]),
        )
        return self._as_opensim_moves_it(joint)

    def _as_opensim_moves_it(self, joint: CustomJoint) -> CustomJoint:
        for reason in opensim_mistakes(joint):
            self.notes.append(
                f"joint {joint.name!r}: {reason}; forces are exact here and differ from OpenSim's"
            )
        if self.exact or not simbody_rates_differ(joint):
            return joint
        self.notes.append(
            f"joint {joint.name!r}: one coordinate drives several rotations, and its angular acceleration is "
            "computed as OpenSim does, which is not exact; load_model(…, exact_joints=True) is"
        )
        return replace(joint, axis_rates=AxisRates.SIMBODY)


def opensim_mistakes(joint: CustomJoint) -> list[str]:
    """Say what OpenSim 4.6 gets wrong about a custom joint and is not reproduced."""
    found = []
    moving = [not isinstance(axis.function, Constant) for axis in joint.rotations]
    turned = [
        isinstance(axis.function, Constant) and axis.function.number != 0.0 and not axis.coordinates
        for axis in joint.rotations
    ]
    if any(turned[k] and any(moving[k + 1 :]) for k in range(2)):
        found.append("OpenSim ignores a constant rotation before a moving one in velocities")
    if any(isinstance(axis.function, MultivariatePolynomial) for axis in joint.axes):
        found.append("OpenSim uses first instead of second derivatives of polynomials in several coordinates")
    return found


def simbody_rates_differ(joint: CustomJoint) -> bool:
    """Tell whether Simbody's rates of the rotation axes can differ from the true ones.

    They do unless the first coordinate alone drives the first rotation and leaves the third alone (where the
    second moves), and the third coordinate drives neither of the first two (where the third moves).
    """
    names = joint.coordinate_names
    first, second, third = (
        set() if isinstance(axis.function, Constant) else {names.index(name) for name in axis.coordinates}
        for axis in joint.rotations
    )
    return bool(second and (first - {0} or 0 in third)) or bool(third and 2 in first | second)


def _child_properties(element: Element) -> tuple[str, str]:
    """Name the properties that place the joint in its child: they were renamed in version 3.5."""
    renamed = element.child("location_in_child") or element.child("orientation_in_child")
    return ("location_in_child", "orientation_in_child") if renamed else ("location", "orientation")


def _scapula(document: Document, element: Element) -> dict[str, object]:
    origin = document.child(element, "scapula_winging_axis_origin")
    return {
        "radii": document.vector(element, "thoracic_ellipsoid_radii_x_y_z"),
        "winging_origin": origin.numbers(2) if origin is not None and origin.text else (0.0, 0.0),
        "winging_direction": document.number(element, "scapula_winging_axis_direction", default=0.0),
    }


def _axes(document: Document, element: Element, known: tuple[str, ...]) -> list[AxisFunction]:
    """Read the six axes; those that the file leaves out do not move."""
    transform = document.child(element, "SpatialTransform")
    given: dict[str, Element] = {}
    for axis in () if transform is None else transform:
        if axis.tag != "TransformAxis":
            continue
        if axis.name not in _AXIS_NAMES:
            raise FileFormatError(
                f"a transform axis is called {axis.name!r}; use rotation1 … 3 and translation1 … 3.",
                where=axis.where,
            )
        given[axis.name] = axis
    return [
        _axis(document, given[name], known) if name in given else AxisFunction(direction)
        for name, direction in zip(_AXIS_NAMES, _DIRECTIONS, strict=True)
    ]


def _is_left_empty(document: Document, axis: Element) -> bool:
    found = document.child(axis, "function")
    return found is not None and not found.children


def _axis(document: Document, element: Element, known: tuple[str, ...]) -> AxisFunction:
    with located(element):
        direction = document.vector(element, "axis", default=_DIRECTIONS[_AXIS_NAMES.index(element.name)])
        names = split_names(socket(document, element, "coordinates"), known)
        function = axis_function(document, element)
        if function is None and _is_left_empty(document, element) and names:
            # OpenSim lets an axis with an empty <function/> follow its coordinate one for one.
            if len(names) > 1:
                raise FileFormatError(
                    f"axis {element.name!r} follows {len(names)} coordinates, but has no function of them.",
                    where=element.where,
                )
            function = Linear((1.0,), 0.0)
        function = function or Constant(0.0)
        if not names and function.n_arguments is not None:
            # Without coordinates OpenSim evaluates the function once, at zero.
            function = Constant(float(function.value(*[0.0] * function.n_arguments)))
        return AxisFunction(direction, function, names)
