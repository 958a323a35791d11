"""What a body is: frozen dataclasses, no files, no kernels.

The names are loaded when first used: a model without muscles never waits for their classes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from borelli.lazy import lazily

# Public name -> the module that defines it, relative to this package.
_HOME: dict[str, str] = {
    "GROUND": "body",
    "Body": "body",
    "ConstantDistanceConstraint": "constraint",
    "RollingConstraint": "constraint",
    "Constraint": "constraint",
    "CoordinateCoupler": "constraint",
    "PointConstraint": "constraint",
    "PointOnLineConstraint": "constraint",
    "WeldConstraint": "constraint",
    "ContactHalfSpace": "contact",
    "ContactMaterial": "contact",
    "ContactSphere": "contact",
    "ContactSurface": "contact",
    "HuntCrossleyForce": "contact",
    "MeyerFregly2016Force": "contact",
    "SmoothSphereHalfSpaceForce": "contact",
    "Coordinate": "coordinate",
    "MotionType": "coordinate",
    "AxisFunction": "custom_joint",
    "AxisRates": "custom_joint",
    "CustomJoint": "custom_joint",
    "ExpressionBushingForce": "expression_force",
    "ExpressionCoordinateForce": "expression_force",
    "ExpressionPathForce": "expression_force",
    "ExpressionPointToPointForce": "expression_force",
    "ActivationCoordinateActuator": "force",
    "Blankevoort1991Ligament": "force",
    "Bushing": "force",
    "BushingForce": "force",
    "CoordinateActuator": "force",
    "CoordinateLimitForce": "force",
    "CoordinateSpring": "force",
    "Force": "force",
    "Ligament": "force",
    "OtherComponent": "force",
    "PathActuator": "force",
    "PathForce": "force",
    "PathSpring": "force",
    "PointActuator": "force",
    "PointToPointActuator": "force",
    "PointToPointSpring": "force",
    "TorqueActuator": "force",
    "Frame": "frame",
    "Constant": "function",
    "Function": "function",
    "Linear": "function",
    "Multiplier": "function",
    "MultivariatePolynomial": "function",
    "Polynomial": "function",
    "PolynomialTerms": "function",
    "Sine": "function",
    "FunctionBushingForce": "function_force",
    "PrescribedForce": "function_force",
    "Attitude": "joint",
    "BallJoint": "joint",
    "EllipsoidJoint": "joint",
    "FreeJoint": "joint",
    "GimbalJoint": "joint",
    "Joint": "joint",
    "PinJoint": "joint",
    "PlanarJoint": "joint",
    "ScapulothoracicJoint": "joint",
    "SliderJoint": "joint",
    "UniversalJoint": "joint",
    "WeldJoint": "joint",
    "Marker": "marker",
    "STANDARD_GRAVITY": "model",
    "Model": "model",
    "ActiveForceLengthCurve": "millard_curves",
    "DeGrooteFregly2016Muscle": "muscle_models",
    "FiberForceLengthCurve": "millard_curves",
    "ForceVelocityCurve": "millard_curves",
    "Geyer2010Muscle": "muscle_models",
    "Millard2012EquilibriumMuscle": "muscle_models",
    "Muscle": "muscle",
    "OtherMuscle": "muscle_models",
    "RigidTendonMuscle": "muscle_models",
    "Schutte1993Muscle": "muscle_models",
    "TendonForceLengthCurve": "millard_curves",
    "Thelen2003Muscle": "muscle_models",
    "Parts": "parts",
    "Component": "path",
    "ConditionalPathPoint": "path",
    "MovingPathPoint": "path",
    "Path": "path",
    "PathPoint": "path",
    "PathWrap": "path",
    "WrapMethod": "path",
    "PiecewisePolynomial": "piecewise",
    "Placement": "placement",
    "GCVSpline": "tabulated",
    "NaturalCubicSpline": "tabulated",
    "PiecewiseConstant": "tabulated",
    "PiecewiseLinear": "tabulated",
    "SimmSpline": "tabulated",
    "Step": "tabulated",
    "Quadrant": "wrap",
    "WrapCone": "wrap",
    "WrapCylinder": "wrap",
    "WrapEllipsoid": "wrap",
    "WrapObject": "wrap",
    "WrapSphere": "wrap",
    "WrapTorus": "wrap",
}

if TYPE_CHECKING:
    from borelli.model.body import GROUND as GROUND
    from borelli.model.body import Body as Body
    from borelli.model.constraint import ConstantDistanceConstraint as ConstantDistanceConstraint
    from borelli.model.constraint import Constraint as Constraint
    from borelli.model.constraint import CoordinateCoupler as CoordinateCoupler
    from borelli.model.constraint import PointConstraint as PointConstraint
    from borelli.model.constraint import PointOnLineConstraint as PointOnLineConstraint
    from borelli.model.constraint import RollingConstraint as RollingConstraint
    from borelli.model.constraint import WeldConstraint as WeldConstraint
    from borelli.model.contact import ContactHalfSpace as ContactHalfSpace
    from borelli.model.contact import ContactMaterial as ContactMaterial
    from borelli.model.contact import ContactSphere as ContactSphere
    from borelli.model.contact import ContactSurface as ContactSurface
    from borelli.model.contact import HuntCrossleyForce as HuntCrossleyForce
    from borelli.model.contact import MeyerFregly2016Force as MeyerFregly2016Force
    from borelli.model.contact import SmoothSphereHalfSpaceForce as SmoothSphereHalfSpaceForce
    from borelli.model.coordinate import Coordinate as Coordinate
    from borelli.model.coordinate import MotionType as MotionType
    from borelli.model.custom_joint import AxisFunction as AxisFunction
    from borelli.model.custom_joint import AxisRates as AxisRates
    from borelli.model.custom_joint import CustomJoint as CustomJoint
    from borelli.model.expression_force import ExpressionBushingForce as ExpressionBushingForce
    from borelli.model.expression_force import ExpressionCoordinateForce as ExpressionCoordinateForce
    from borelli.model.expression_force import ExpressionPathForce as ExpressionPathForce
    from borelli.model.expression_force import ExpressionPointToPointForce as ExpressionPointToPointForce
    from borelli.model.force import ActivationCoordinateActuator as ActivationCoordinateActuator
    from borelli.model.force import Blankevoort1991Ligament as Blankevoort1991Ligament
    from borelli.model.force import Bushing as Bushing
    from borelli.model.force import BushingForce as BushingForce
    from borelli.model.force import CoordinateActuator as CoordinateActuator
    from borelli.model.force import CoordinateLimitForce as CoordinateLimitForce
    from borelli.model.force import CoordinateSpring as CoordinateSpring
    from borelli.model.force import Force as Force
    from borelli.model.force import Ligament as Ligament
    from borelli.model.force import OtherComponent as OtherComponent
    from borelli.model.force import PathActuator as PathActuator
    from borelli.model.force import PathForce as PathForce
    from borelli.model.force import PathSpring as PathSpring
    from borelli.model.force import PointActuator as PointActuator
    from borelli.model.force import PointToPointActuator as PointToPointActuator
    from borelli.model.force import PointToPointSpring as PointToPointSpring
    from borelli.model.force import TorqueActuator as TorqueActuator
    from borelli.model.frame import Frame as Frame
    from borelli.model.function import Constant as Constant
    from borelli.model.function import Function as Function
    from borelli.model.function import Linear as Linear
    from borelli.model.function import Multiplier as Multiplier
    from borelli.model.function import MultivariatePolynomial as MultivariatePolynomial
    from borelli.model.function import Polynomial as Polynomial
    from borelli.model.function import PolynomialTerms as PolynomialTerms
    from borelli.model.function import Sine as Sine
    from borelli.model.function_force import FunctionBushingForce as FunctionBushingForce
    from borelli.model.function_force import PrescribedForce as PrescribedForce
    from borelli.model.joint import Attitude as Attitude
    from borelli.model.joint import BallJoint as BallJoint
    from borelli.model.joint import EllipsoidJoint as EllipsoidJoint
    from borelli.model.joint import FreeJoint as FreeJoint
    from borelli.model.joint import GimbalJoint as GimbalJoint
    from borelli.model.joint import Joint as Joint
    from borelli.model.joint import PinJoint as PinJoint
    from borelli.model.joint import PlanarJoint as PlanarJoint
    from borelli.model.joint import ScapulothoracicJoint as ScapulothoracicJoint
    from borelli.model.joint import SliderJoint as SliderJoint
    from borelli.model.joint import UniversalJoint as UniversalJoint
    from borelli.model.joint import WeldJoint as WeldJoint
    from borelli.model.marker import Marker as Marker
    from borelli.model.millard_curves import ActiveForceLengthCurve as ActiveForceLengthCurve
    from borelli.model.millard_curves import FiberForceLengthCurve as FiberForceLengthCurve
    from borelli.model.millard_curves import ForceVelocityCurve as ForceVelocityCurve
    from borelli.model.millard_curves import TendonForceLengthCurve as TendonForceLengthCurve
    from borelli.model.model import STANDARD_GRAVITY as STANDARD_GRAVITY
    from borelli.model.model import Model as Model
    from borelli.model.muscle import Muscle as Muscle
    from borelli.model.muscle_models import DeGrooteFregly2016Muscle as DeGrooteFregly2016Muscle
    from borelli.model.muscle_models import Geyer2010Muscle as Geyer2010Muscle
    from borelli.model.muscle_models import Millard2012EquilibriumMuscle as Millard2012EquilibriumMuscle
    from borelli.model.muscle_models import OtherMuscle as OtherMuscle
    from borelli.model.muscle_models import RigidTendonMuscle as RigidTendonMuscle
    from borelli.model.muscle_models import Schutte1993Muscle as Schutte1993Muscle
    from borelli.model.muscle_models import Thelen2003Muscle as Thelen2003Muscle
    from borelli.model.parts import Parts as Parts
    from borelli.model.path import Component as Component
    from borelli.model.path import ConditionalPathPoint as ConditionalPathPoint
    from borelli.model.path import MovingPathPoint as MovingPathPoint
    from borelli.model.path import Path as Path
    from borelli.model.path import PathPoint as PathPoint
    from borelli.model.path import PathWrap as PathWrap
    from borelli.model.path import WrapMethod as WrapMethod
    from borelli.model.piecewise import PiecewisePolynomial as PiecewisePolynomial
    from borelli.model.placement import Placement as Placement
    from borelli.model.tabulated import GCVSpline as GCVSpline
    from borelli.model.tabulated import NaturalCubicSpline as NaturalCubicSpline
    from borelli.model.tabulated import PiecewiseConstant as PiecewiseConstant
    from borelli.model.tabulated import PiecewiseLinear as PiecewiseLinear
    from borelli.model.tabulated import SimmSpline as SimmSpline
    from borelli.model.tabulated import Step as Step
    from borelli.model.wrap import Quadrant as Quadrant
    from borelli.model.wrap import WrapCone as WrapCone
    from borelli.model.wrap import WrapCylinder as WrapCylinder
    from borelli.model.wrap import WrapEllipsoid as WrapEllipsoid
    from borelli.model.wrap import WrapObject as WrapObject
    from borelli.model.wrap import WrapSphere as WrapSphere
    from borelli.model.wrap import WrapTorus as WrapTorus

__all__ = [*_HOME]  # noqa: PLE0604 (the table above is the list)

__getattr__, __dir__ = lazily(__name__, _HOME)
