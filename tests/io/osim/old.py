"""Documents in the styles of OpenSim 2 to 3.5, and the parts that OpenSim 4 documents share."""

from __future__ import annotations


def document(model: str, version: int = 40000) -> str:
    """Wrap the content of a model."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<OpenSimDocument Version="{version}">\n'
        f'<Model name="test">{model}</Model>\n</OpenSimDocument>\n'
    )


def objects(tag: str, *parts: str) -> str:
    """Write a set."""
    return f"<{tag}><objects>{''.join(parts)}</objects><groups/></{tag}>\n"


def owned_joint(kind: str, parent: str, coordinates: str = "", name: str = "", more: str = "") -> str:
    """Write a joint as a body of version 2 or 3 owns it, with digits that OpenSim 4 rounds away."""
    return f"""<Joint><{kind} name="{name}"><parent_body> {parent} </parent_body>
<location_in_parent>0.1234567891 0.2 -0.3</location_in_parent>
<orientation_in_parent>0.1 0.2345678912 0.3</orientation_in_parent>
<location>0 0.5123456789 0</location><orientation>0.4 0 -0.1</orientation>
<CoordinateSet><objects>{coordinates}</objects><groups/></CoordinateSet>
<reverse> false </reverse>{more}</{kind}></Joint>"""


def coordinate(name: str, motion: str = "rotational") -> str:
    """Write a coordinate as version 2 and 3 do."""
    return (
        f'<Coordinate name="{name}"><motion_type> {motion} </motion_type><default_value> 0.25 </default_value>'
        "<range> -1.5 1.5 </range><clamped> true </clamped><locked> false </locked><prescribed_function/></Coordinate>"
    )


def old_body(name: str, joint: str, more: str = "") -> str:
    """Write a body as version 2 and 3 do."""
    moments = "".join(
        f"<inertia_{axes}> {value} </inertia_{axes}>"
        for axes, value in zip(
            ("xx", "yy", "zz", "xy", "xz", "yz"), (0.1123456789, 0.1, 0.12, 0.001, 0, 0.002), strict=True
        )
    )
    mass = "<mass> 2.5 </mass><mass_center> 0.01 -0.2 0.03 </mass_center>"
    return f'<Body name="{name}">{mass}{moments}{joint}{more}</Body>\n'


GROUND = '<Body name="ground"><mass> 0 </mass><inertia_xx> 1 </inertia_xx><Joint/></Body>\n'
AXES = "".join(
    f'<TransformAxis name="{name}"><coordinates>{coordinate}</coordinates><axis>{axis}</axis>'
    f"<function>{function}</function></TransformAxis>"
    for name, coordinate, axis, function in (
        (
            "rotation1",
            "flexion",
            "0 0 1",
            "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>",
        ),
        ("rotation2", "", "0 1 0", "<Constant><value>0.1</value></Constant>"),
        ("rotation3", "", "1 0 0", "<Constant><value>0</value></Constant>"),
        (
            "translation1",
            "flexion",
            "1 0 0",
            "<NaturalCubicSpline><x>-1 -0.4 0.1 0.5 1</x><y>0 0.01 0.03 0.02 -0.01</y></NaturalCubicSpline>",
        ),
        ("translation2", "", "0 1 0", "<Constant><value>0.02</value></Constant>"),
        ("translation3", "", "0 0 1", "<Constant><value>0</value></Constant>"),
    )
)
CUSTOM = f"<SpatialTransform>{AXES}</SpatialTransform>"


def chain(version: int) -> str:
    """Four bodies in the style of OpenSim 2 and 3: pin, custom, ball and weld; one joint without a name."""
    ball = "".join(coordinate(f"ball_{axis}") for axis in "xyz")
    return document(
        "<gravity> 0 -9.8 0 </gravity>"
        + objects(
            "BodySet",
            GROUND,
            old_body("thigh", owned_joint("PinJoint", "ground", coordinate("hip"), "hip_joint")),
            old_body("shank", owned_joint("CustomJoint", "thigh", coordinate("flexion"), "knee", CUSTOM)),
            old_body("foot", owned_joint("BallJoint", "shank", ball)),
            old_body("toes", owned_joint("WeldJoint", "foot")),
        ),
        version,
    )


def set_of_joints(version: int) -> str:
    """The style between 3.3 and 4.0: joints in a set, connected by names, with places instead of frames."""
    joint = f"""<PinJoint name="hip_joint"><connectors>
<Connector_PhysicalFrame_ name="parent_frame"><connectee_name>{{parent}}</connectee_name></Connector_PhysicalFrame_>
<Connector_PhysicalFrame_ name="child_frame"><connectee_name>{{child}}</connectee_name></Connector_PhysicalFrame_>
</connectors><CoordinateSet><objects>{coordinate("hip")}</objects></CoordinateSet>
<frames><PhysicalOffsetFrame name="ground_offset"><connectors>
<Connector_PhysicalFrame_ name="parent"><connectee_name>ground</connectee_name></Connector_PhysicalFrame_>
</connectors><translation>0.1 0.2 0.3</translation><orientation>0.1 -0.2 0.3</orientation></PhysicalOffsetFrame>
</frames></PinJoint>"""
    body = '<Body name="thigh"><mass>2</mass><inertia>0.1 0.1 0.1 0 0 0</inertia></Body>'
    return document(
        objects("BodySet", body) + objects("JointSet", joint.format(parent="ground_offset", child="thigh")),
        version,
    )
