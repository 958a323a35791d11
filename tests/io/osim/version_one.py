"""A document in the style of OpenSim 1.9: what later versions write elsewhere, or with another sign."""

from __future__ import annotations

from tests.io.osim import old

VERSIONS = (10901, 10902, 10904, 10905, 20001, 20302)
"""One on each side of what changed: forces and torques at 10905, paths of muscles after 20301."""


def _axis(name: str, coordinate: str, axis: str, function: str = "<function/>") -> str:
    return (
        f'<TransformAxis name="{name}">{function}<coordinates> {coordinate} </coordinates><axis> {axis} </axis>'
        "</TransformAxis>"
    )


def _spline(*values: float) -> str:
    knots = "-1.6 -0.9 -0.2 0.4 1.1"
    return f"<NaturalCubicSpline><x> {knots} </x><y> {' '.join(map(str, values))} </y></NaturalCubicSpline>"


# Axes without a function follow their coordinate one for one, or stay where they name none.
_KNEE = "".join(
    (
        _axis("rotation1", "knee", "0 0 1"),
        _axis("rotation2", "", "0 1 0"),
        _axis("rotation3", "", "1 0 0"),
        _axis(
            "translation1",
            "knee",
            "1 0 0",
            f"<function>{_spline(0.004, 0.001, -0.003, 0.002, 0.01)}</function>",
        ),
        _axis("translation2", "slide", "0 1 0"),
        _axis("translation3", "", "0 0 1"),
    )
)


def _point(tag: str, name: str, body: str, location: str, more: str = "") -> str:
    return f'<{tag} name="{name}"><location> {location} </location><body> {body} </body>{more}</{tag}>'


def _moving(name: str) -> str:
    curves = {
        "X": _spline(0.05, 0.045, 0.04, 0.05, 0.06),
        "Y": _spline(0.02, 0.025, 0.02, 0.01, -0.01),
        "Z": "<Constant><value> 0.003 </value></Constant>",
    }
    return _point(
        "MovingMusclePoint",
        name,
        "shank",
        "0 0 0",
        "".join(
            f"<{axis}Attachment>{curve}</{axis}Attachment><{axis.lower()}_coordinate> knee </{axis.lower()}_coordinate>"
            for axis, curve in curves.items()
        ),
    )


def _muscle(name: str, *points: str, wrap: str = "", version: int) -> str:
    listed = old.objects("MusclePointSet", *points)
    wraps = old.objects(
        "MuscleWrapSet",
        f'<MuscleWrap name=""><wrap_object> {wrap} </wrap_object><method> hybrid </method><range> -1 -1 </range>'
        "</MuscleWrap>"
        if wrap
        else "",
    )
    path = listed + wraps
    if version > 20301:
        path = path.replace("MusclePointSet", "PathPointSet").replace("MuscleWrapSet", "PathWrapSet")
        path = f"<GeometryPath>{path}</GeometryPath>"
    return (
        f'<Thelen2003Muscle name="{name}">{path}<max_isometric_force> 900 </max_isometric_force>'
        "<optimal_fiber_length> 0.11 </optimal_fiber_length><tendon_slack_length> 0.3 </tendon_slack_length>"
        "<pennation_angle> 0.2 </pennation_angle><max_contraction_velocity> 9 </max_contraction_velocity>"
        "</Thelen2003Muscle>"
    )


def _forces() -> tuple[str, ...]:
    return (
        '<GeneralizedForce name="motor"><coordinate> hip </coordinate><optimal_force> 7 </optimal_force>'
        "</GeneralizedForce>",
        '<Force name="push"><body_A> ground </body_A><body_B> shank </body_B><point_B> 0.1 0.2 0.3 </point_B>'
        "<direction_A> 0.6 0 -0.8 </direction_A><optimal_force> 3 </optimal_force></Force>",
        '<Torque name="twist"><body_A> ground </body_A><body_B> shank </body_B>'
        "<direction_A> 0 0.6 0.8 </direction_A><optimal_force> 5 </optimal_force></Torque>",
    )


def leg(version: int) -> str:
    """A thigh and a shank with four muscles: straight, wrapped, conditional and with a moving point."""
    via = _point(
        "MuscleViaPoint",
        "via",
        "shank",
        "0.05 0.01 0.02",
        "<range> -0.3 1 </range><{0}> knee </{0}>".format(
            "coordinates" if version <= 20001 else "coordinate"
        ),
    )
    origin = _point("MusclePoint", "origin", "thigh", "0.03 0.35 0.01")
    end = _point("MusclePoint", "end", "shank", "0.02 -0.1 0")
    cylinder = (
        '<WrapCylinder name="condyle"><xyz_body_rotation> 0.1 0 0.2 </xyz_body_rotation>'
        "<translation> 0.01 0.02 0 </translation><quadrant> +x </quadrant><radius> 0.04 </radius>"
        "<length> 0.4 </length></WrapCylinder>"
    )
    muscles = (
        _muscle("straight", origin, end, version=version),
        _muscle("wrapped", origin, end, wrap="condyle", version=version),
        _muscle("conditional", origin, via, end, version=version),
        _muscle("moving", origin, _moving("slider"), end, version=version),
    )
    slide = old.coordinate("slide", "translational").replace("0.25", "0.01")
    knee = f'<SpatialTransform name="">{_KNEE}</SpatialTransform>'
    return old.document(
        "<gravity> 0 -9.8 0 </gravity>"
        + old.objects(
            "BodySet",
            old.GROUND,
            old.old_body(
                "thigh",
                old.owned_joint("PinJoint", "ground", old.coordinate("hip"), "hip_joint"),
                old.objects("WrapObjectSet", cylinder),
            ),
            old.old_body(
                "shank",
                old.owned_joint("CustomJoint", "thigh", old.coordinate("knee") + slide, "knee_joint", knee),
            ),
        )
        + old.objects("ForceSet", *muscles, *(_forces() if version < 10905 else ())),
        version,
    )
