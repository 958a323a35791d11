"""Small closed linkages whose motion is known in closed form."""

from __future__ import annotations

import numpy as np

from borelli import model as bm

CRANK, COUPLER, ROCKER, BASE = 0.2, 0.45, 0.35, 0.5


def _bar(name: str) -> bm.Body:
    return bm.Body(name, 1.0, (0.1, 0, 0), (0.01, 0.01, 0.01))


def four_bar(closing: str) -> bm.Model:
    """A four-bar linkage in the xy plane, its loop closed by a constraint of the named kind."""
    # The defaults are near to the linkage with the crank at zero and the rocker above.
    crank = bm.PinJoint(name="crank", parent="ground", child="crank")
    coupler = bm.PinJoint(
        name="coupler",
        parent="crank",
        child="coupler",
        parent_placement=bm.Placement((CRANK, 0, 0)),
        coordinates=(bm.Coordinate("coupler", default_value=0.8),),
    )
    rocker = bm.PinJoint(
        name="rocker",
        parent="ground",
        child="rocker",
        parent_placement=bm.Placement((BASE, 0, 0)),
        coordinates=(bm.Coordinate("rocker", default_value=1.6),),
    )
    bodies, joints = [_bar("crank"), _bar("coupler"), _bar("rocker")], [crank, coupler, rocker]
    constraint: bm.Constraint
    if closing == "point":
        constraint = bm.PointConstraint(
            name="loop",
            first="coupler",
            second="rocker",
            first_location=(COUPLER, 0, 0),
            second_location=(ROCKER, 0, 0),
        )
    elif closing == "distance":
        bodies, joints = [bodies[0], bodies[2]], [crank, rocker]
        constraint = bm.ConstantDistanceConstraint(
            name="loop",
            first="crank",
            second="rocker",
            first_location=(CRANK, 0, 0),
            second_location=(ROCKER, 0, 0),
            distance=COUPLER,
        )
    else:
        # The coupler is cut in two and welded together again.
        bodies.append(_bar("stub"))
        joints.append(
            bm.PinJoint(
                name="stub", parent="rocker", child="stub", parent_placement=bm.Placement((ROCKER, 0, 0))
            )
        )
        constraint = bm.WeldConstraint(
            name="loop",
            first="coupler",
            second="stub",
            first_placement=bm.Placement((COUPLER, 0, 0)),
        )
    return bm.Model(name="four bar", bodies=bodies, joints=joints, constraints=[constraint])


def rocker_angle(crank: np.ndarray) -> np.ndarray:
    """Angle of the rocker by the law of cosines in the triangle of crank pin, rocker pivot and coupler end."""
    x, y = CRANK * np.cos(crank) - BASE, CRANK * np.sin(crank)
    reach = np.hypot(x, y)
    inner = np.arccos((reach**2 + ROCKER**2 - COUPLER**2) / (2 * reach * ROCKER))
    return np.mod(np.arctan2(y, x), 2 * np.pi) - inner


def slider_crank() -> bm.Model:
    """A crank whose connecting rod ends on the x axis."""
    rod = bm.PinJoint(name="rod", parent="crank", child="rod", parent_placement=bm.Placement((CRANK, 0, 0)))
    line = bm.PointOnLineConstraint(
        name="rail",
        line_frame="ground",
        follower="rod",
        line_direction=(2, 0, 0),
        follower_location=(COUPLER, 0, 0),
    )
    return bm.Model(
        name="slider crank",
        bodies=[_bar("crank"), _bar("rod")],
        joints=[bm.PinJoint(name="crank", parent="ground", child="crank"), rod],
        constraints=[line],
    )
