"""Joints: how a body is carried by another.

A joint sits between a *parent frame* and a *child frame*, each placed on a named body or frame. At zero
coordinates the two coincide; the coordinates move the child frame in the parent frame:

================  =====================================================================================
joint             motion of the child frame in the parent frame
================  =====================================================================================
weld              none
pin               rotation about z
slider            translation along x
universal         rotation about x, then about the new y
gimbal            rotations about x, the new y and the newest z (body-fixed XYZ)
ball              any rotation
free              any rotation, then a translation along the parent frame's axes
planar            rotation about z, translations along the parent frame's x and y
ellipsoid         any rotation; the child origin stays on an ellipsoid of the parent
scapulothoracic   the shoulder blade gliding on an ellipsoid of the thorax [Seth et al. 2010]
constant          the end of a segment of constant length that bends into an arc
curvature
custom            six axis functions of the coordinates, see :mod:`borelli.model.joints.custom_joint`
================  =====================================================================================

Coordinates are listed in the order of this table: rotations first.
"""

from __future__ import annotations

import enum
from dataclasses import field
from typing import ClassVar

from borelli.errors import ShapeError
from borelli.model.joints.coordinate import Coordinate, MotionType
from borelli.model.placement import Placement
from borelli.model.values import Number, Vector, number, numbers, vector
from borelli.records import dataclass


class Attitude(enum.Enum):
    """How a ball or free joint measures its rotation.

    QUATERNION
        q is a unit quaternion, scalar first, child to parent frame; u is the angular velocity in child axes.
    ANGLES
        q are body-fixed XYZ angles; u is the angular velocity in *parent* axes, as in OpenSim.

    Examples
    --------
    >>> hip = bm.BallJoint(name="hip", parent="pelvis", child="femur", attitude=bm.Attitude.ANGLES)
    >>> len(hip.coordinate_names)  # three angles; a quaternion has four numbers
    3
    """

    QUATERNION = "quaternion"
    ANGLES = "angles"


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """What all joints have.

    Parameters
    ----------
    name : str
        Unique among joints.
    parent, child : str
        Bodies or frames that the joint connects; the parent's side may be ``"ground"``.
    parent_placement, child_placement : Placement
        The joint frames, placed in ``parent`` and in ``child``.
    coordinates : tuple of Coordinate
        Its freedoms. If none are given they are made, named after the joint.

    Examples
    --------
    >>> elbow = bm.PinJoint(
    ...     name="elbow", parent="humerus", child="ulna", parent_placement=bm.Placement((0.0, -0.3, 0.0))
    ... )
    >>> isinstance(elbow, bm.Joint), elbow.parent_placement.translation
    (True, (0.0, -0.3, 0.0))
    """

    kind: ClassVar[str] = ""
    # Suffix and motion of each coordinate that is made when none is given.
    _pattern: ClassVar[tuple[tuple[str, MotionType], ...]] = ()

    name: str
    parent: str
    child: str
    parent_placement: Placement = field(default_factory=Placement)
    child_placement: Placement = field(default_factory=Placement)
    coordinates: tuple[Coordinate, ...] = ()

    def __post_init__(self) -> None:
        pattern = self._coordinate_pattern()
        coordinates = tuple(self.coordinates)
        if not coordinates:
            coordinates = tuple(self._make_coordinate(suffix, motion) for suffix, motion in pattern)
        if len(coordinates) != len(pattern):
            raise ShapeError(
                f"{self.kind} joint {self.name!r} has {len(pattern)} coordinates, but {len(coordinates)} were given."
            )
        object.__setattr__(self, "coordinates", coordinates)

    def _coordinate_pattern(self) -> tuple[tuple[str, MotionType], ...]:
        return self._pattern

    def _make_coordinate(self, suffix: str, motion: MotionType) -> Coordinate:
        # A unit quaternion rests at (1, 0, 0, 0), the only coordinate whose rest is not zero.
        return Coordinate(self.name + suffix, motion, default_value=1.0 if suffix == "_qs" else 0.0)

    @property
    def n_attitude(self) -> int:
        """How many of its first coordinates make an attitude whose speed is an angular velocity.

        Zero where every speed is the rate of its coordinate, three for angles and four for a quaternion.
        """
        return 0

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of q."""
        return tuple(coordinate.name for coordinate in self.coordinates)

    @property
    def speed_names(self) -> tuple[str, ...]:
        """Names of u: those of q, unless the joint is on a quaternion."""
        return self.coordinate_names


_ROTATION = MotionType.ROTATIONAL
_TRANSLATION = MotionType.TRANSLATIONAL
_ANGLES = (("_rx", _ROTATION), ("_ry", _ROTATION), ("_rz", _ROTATION))
_QUATERNION = tuple((suffix, MotionType.COUPLED) for suffix in ("_qs", "_qx", "_qy", "_qz"))
_SHIFT = (("_tx", _TRANSLATION), ("_ty", _TRANSLATION), ("_tz", _TRANSLATION))


@dataclass(frozen=True, slots=True, kw_only=True)
class WeldJoint(Joint):
    """No motion: two bodies become one.

    It has neither q nor u; its frames coincide at all times, and both bodies count as one in the equations.
    OpenSim's WeldJoint.

    Examples
    --------
    >>> bm.WeldJoint(name="fixed", parent="femur", child="implant").coordinates
    ()
    """

    kind: ClassVar[str] = "weld"


@dataclass(frozen=True, slots=True, kw_only=True)
class PinJoint(Joint):
    """Rotation about the common z axis.

    q is the angle (rad), positive when x turns towards y, and u its rate (rad/s). An axis in another direction is
    a turn of both placements. OpenSim's PinJoint.

    Examples
    --------
    >>> elbow = bm.PinJoint(name="elbow", parent="humerus", child="ulna", coordinates=(bm.Coordinate("flexion"),))
    >>> elbow.coordinate_names
    ('flexion',)
    """

    kind: ClassVar[str] = "pin"
    _pattern: ClassVar = (("", _ROTATION),)


@dataclass(frozen=True, slots=True, kw_only=True)
class SliderJoint(Joint):
    """Translation along the common x axis.

    q is how far the child's origin lies along x (m), and u its rate (m/s); the axes stay parallel. OpenSim's
    SliderJoint.

    Examples
    --------
    >>> sled = bm.SliderJoint(name="sled", parent="ground", child="seat")
    >>> sled.coordinates[0].unit
    'm'
    """

    kind: ClassVar[str] = "slider"
    _pattern: ClassVar = (("", _TRANSLATION),)


@dataclass(frozen=True, slots=True, kw_only=True)
class UniversalJoint(Joint):
    """Rotation about x of the parent frame, then about y of the child frame.

    q are both angles (rad) in this order, u their rates (rad/s): a gimbal without its third turn. The first axis
    is fixed in the parent, the second in the child. OpenSim's UniversalJoint.

    Examples
    --------
    >>> ankle = bm.UniversalJoint(name="ankle", parent="tibia", child="foot")
    >>> len(ankle.coordinates)
    2
    """

    kind: ClassVar[str] = "universal"
    _pattern: ClassVar = _ANGLES[:2]


@dataclass(frozen=True, slots=True, kw_only=True)
class GimbalJoint(Joint):
    """Body-fixed rotations about x, y and z; u are the rates of the angles.

    q are the three angles (rad), each about the axis that the ones before have turned. With the second at ±90°
    the first and third turn about the same axis, and the mass matrix is singular there; a :class:`BallJoint` on a
    quaternion has no such posture. OpenSim's GimbalJoint.

    Examples
    --------
    >>> hip = bm.GimbalJoint(name="hip", parent="pelvis", child="femur")
    >>> [coordinate.unit for coordinate in hip.coordinates]
    ['rad', 'rad', 'rad']
    """

    kind: ClassVar[str] = "gimbal"
    _pattern: ClassVar = _ANGLES


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanarJoint(Joint):
    """Rotation about z and translations along x and y of the parent frame.

    q are the angle (rad) and the place of the child's origin (m), in this order, and u their rates. The
    translations are along axes that do not turn with the child. OpenSim's PlanarJoint.

    Examples
    --------
    >>> root = bm.PlanarJoint(name="root", parent="ground", child="trunk")
    >>> [coordinate.unit for coordinate in root.coordinates]
    ['rad', 'm', 'm']
    """

    kind: ClassVar[str] = "planar"
    _pattern: ClassVar = (("_rz", _ROTATION), ("_tx", _TRANSLATION), ("_ty", _TRANSLATION))


@dataclass(frozen=True, slots=True, kw_only=True)
class _AnyRotation(Joint):
    """A joint whose first coordinates are an attitude; those of ``_pattern`` follow."""

    attitude: Attitude = Attitude.QUATERNION

    def __post_init__(self) -> None:
        object.__setattr__(self, "attitude", Attitude(self.attitude))
        Joint.__post_init__(self)

    def _coordinate_pattern(self) -> tuple[tuple[str, MotionType], ...]:
        return (_QUATERNION if self.attitude is Attitude.QUATERNION else _ANGLES) + self._pattern

    @property
    def n_attitude(self) -> int:
        """All of a quaternion, or three angles."""
        return 4 if self.attitude is Attitude.QUATERNION else 3

    @property
    def speed_names(self) -> tuple[str, ...]:
        """Names of u: ``<joint>_wx`` … for a quaternion, then the names of the translations, if there are any."""
        if self.attitude is Attitude.ANGLES:
            return self.coordinate_names
        return (f"{self.name}_wx", f"{self.name}_wy", f"{self.name}_wz", *self.coordinate_names[4:])


@dataclass(frozen=True, slots=True, kw_only=True)
class BallJoint(_AnyRotation):
    """Any rotation about a common point.

    q and u are as :class:`Attitude` says: on a quaternion (four numbers without unit), u is the angular velocity
    of the child (rad/s) in its own axes; on angles (rad), in the parent's axes. u is not the rate of q in either.
    OpenSim's BallJoint, which is always on angles.

    Parameters
    ----------
    attitude : Attitude
        Quaternion (the default) or angles.

    Examples
    --------
    >>> hip = bm.BallJoint(name="hip", parent="pelvis", child="femur")
    >>> len(hip.coordinate_names), len(hip.speed_names)  # a quaternion, an angular velocity (rad/s)
    (4, 3)
    """

    kind: ClassVar[str] = "ball"


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeJoint(_AnyRotation):
    """Any rotation and any translation; the translation is along the axes of the parent frame.

    q are the rotation, as of a :class:`BallJoint`, and the place of the child's origin (m); u are the angular
    velocity (rad/s) and the rates of these places (m/s). For a body that nothing carries, such as the pelvis.
    OpenSim's FreeJoint, which is always on angles.

    Parameters
    ----------
    attitude : Attitude
        Quaternion (the default) or angles.

    Examples
    --------
    >>> root = bm.FreeJoint(name="root", parent="ground", child="pelvis")
    >>> len(root.coordinate_names), len(root.speed_names)
    (7, 6)
    """

    kind: ClassVar[str] = "free"
    _pattern: ClassVar = _SHIFT


@dataclass(frozen=True, slots=True, kw_only=True)
class EllipsoidJoint(Joint):
    """Any rotation; the child origin glides on an ellipsoid of the parent as the child's z axis turns.

    The child origin is ``(radii_x R_xz, radii_y R_yz, radii_z R_zz)`` in the parent frame, R the rotation of
    the child frame. q are body-fixed XYZ angles and u is the angular velocity in parent axes, as in OpenSim.

    Parameters
    ----------
    radii : 3 numbers
        Semi-axes along the parent frame's axes (m).

    Examples
    --------
    >>> wrist = bm.EllipsoidJoint(name="wrist", parent="radius", child="hand", radii=(0.02, 0.01, 0.03))
    >>> len(wrist.coordinates)
    3
    """

    kind: ClassVar[str] = "ellipsoid"
    _pattern: ClassVar = _ANGLES
    radii: Vector

    def __post_init__(self) -> None:
        object.__setattr__(self, "radii", vector(self.radii, f"the radii of joint {self.name!r}"))
        Joint.__post_init__(self)

    @property
    def n_attitude(self) -> int:
        """Three angles."""
        return 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantCurvatureJoint(Joint):
    """The end of a segment of constant length that bends into an arc, such as a part of the spine.

    The segment starts along the parent frame's y axis. q are body-fixed angles (rad) about x, z and y, in this
    order, counted from ``neutral``: the first two bend the segment, the third twists its end. u are their rates
    (rad/s). The child frame is the end of the arc. Bends stay below 90°. OpenSim's ConstantCurvatureJoint, with
    exact speeds (OpenSim's are not the rates of its poses).

    Parameters
    ----------
    length : number
        Length of the segment (m).
    neutral : 3 numbers
        Angles at q = 0, about x, z and y (rad).

    Examples
    --------
    >>> lumbar = bm.ConstantCurvatureJoint(name="lumbar", parent="pelvis", child="thorax", length=0.2)
    >>> lumbar.coordinate_names
    ('lumbar_rx', 'lumbar_rz', 'lumbar_ry')
    """

    kind: ClassVar[str] = "constant curvature"
    _pattern: ClassVar = (("_rx", _ROTATION), ("_rz", _ROTATION), ("_ry", _ROTATION))
    length: Number = 1.0
    neutral: Vector = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", number(self.length, f"the length of joint {self.name!r}"))
        what = f"the neutral angles of joint {self.name!r}"
        object.__setattr__(self, "neutral", vector(self.neutral, what))
        Joint.__post_init__(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScapulothoracicJoint(Joint):
    """The shoulder blade on the thorax: abduction, elevation, upward rotation and winging.

    q are the four angles (rad) of [Seth et al. 2010]: the first two are longitude and latitude of the blade's
    centre on an ellipsoid fixed to the thorax, the third turns it about its own z axis, and winging about an axis
    in its own plane. The first three speeds are an angular velocity, the fourth is the rate of winging (rad/s).
    OpenSim's ScapulothoracicJoint.

    Parameters
    ----------
    radii : 3 numbers
        Semi-axes of the thoracic ellipsoid along the parent frame's axes (m).
    winging_origin : 2 numbers
        Where the winging axis meets the scapular plane, x and y in the joint's scapula frame (m).
    winging_direction : number
        Angle of the winging axis in the scapular plane (rad).

    Examples
    --------
    >>> joint = bm.ScapulothoracicJoint(name="scapula", parent="thorax", child="scapula", radii=(0.07, 0.15, 0.07))
    >>> len(joint.coordinates)
    4
    """

    kind: ClassVar[str] = "scapulothoracic"
    _pattern: ClassVar = tuple(
        (suffix, _ROTATION) for suffix in ("_abduction", "_elevation", "_upward_rot", "_winging")
    )
    radii: Vector
    winging_origin: tuple[Number, Number] = (0.0, 0.0)
    winging_direction: Number = 0.0

    def __post_init__(self) -> None:
        what = f"of joint {self.name!r}"
        object.__setattr__(self, "radii", vector(self.radii, f"the radii {what}"))
        object.__setattr__(
            self, "winging_origin", numbers(self.winging_origin, f"the winging origin {what}", 2)
        )
        direction = number(self.winging_direction, f"the winging direction {what}")
        object.__setattr__(self, "winging_direction", direction)
        Joint.__post_init__(self)

    @property
    def n_attitude(self) -> int:
        """Abduction, elevation and upward rotation; winging is a rate of its own."""
        return 3
