"""The reference model of Sherman, Seth & Delp (2013), figure 4: one biological joint made of several.

Body B turns against body A (the ground) by θ, the sum of four coupled angles θ_i = α_i θ. Two further coupled
bodies, which are no part of θ, carry a frictionless drum over which the muscle runs, as a patella does. Sizes are those
of a small joint and are chosen, not measured; the paper gives none.
"""

from __future__ import annotations

from collections.abc import Sequence

from borelli.errors import InvalidValueError, ShapeError
from borelli.model import (
    Body,
    Coordinate,
    CoordinateCoupler,
    Linear,
    Model,
    Path,
    PathPoint,
    PathWrap,
    PinJoint,
    Placement,
    RigidTendonMuscle,
    WrapCylinder,
)
from borelli.model.parts import Parts
from borelli.model.paths.wrap import Quadrant

SHARES = (0.35, 0.30, 0.20, 0.15, 0.45, -0.60)
"""α_1 … α_6: the first four add up to one."""

# Carrier of each body, and its joint in the carrier's frame (m).
_PARENTS = ("ground", "link_1", "link_2", "link_3", "link_2", "link_5")
_PLACES = ((0.0, 0.0), (0.028, 0.0), (0.030, 0.003), (0.026, 0.0), (0.012, 0.016), (0.009, 0.005))
_RANGE = (-0.2, 1.2)


def composite_joint(shares: Sequence[float] = SHARES) -> Model:
    """Four coupled hinges between A and B, and two more that carry the drum the muscle runs over.

    Parameters
    ----------
    shares : 6 floats
        α_1 … α_6; the first four add up to one.

    Returns
    -------
    Model
        Coordinates ``theta_1`` … ``theta_6``, of which ``theta_1`` drives the others; body B is ``link_4``. Its muscle
        is ``muscle``; the angle of interest is :func:`composite_angle`.

    Examples
    --------
    >>> bo.library.composite_joint().coordinate_names
    ('theta_1', 'theta_2', 'theta_3', 'theta_4', 'theta_5', 'theta_6')
    """
    if len(shares) != 6:
        raise ShapeError(f"six shares are needed, but {len(shares)} were given.")
    if shares[0] == 0 or abs(sum(shares[:4]) - 1.0) > 1e-9:
        raise InvalidValueError(
            f"the first four shares must add up to one and the first not be zero, but they are {tuple(shares[:4])}.",
            remedy="θ is the sum of the first four angles",
        )
    bodies, joints, couplers = [], [], []
    for k, (parent, place) in enumerate(zip(_PARENTS, _PLACES, strict=True), start=1):
        bodies.append(Body(f"link_{k}", 0.05, (0.015, 0.0, 0.0), (1e-5, 1e-5, 1e-5, 0.0, 0.0, 0.0)))
        reach = tuple(sorted(shares[k - 1] * end for end in _RANGE))
        joints.append(
            PinJoint(
                name=f"joint_{k}",
                parent=parent,
                child=f"link_{k}",
                parent_placement=Placement((*place, 0.0)),
                coordinates=(Coordinate(f"theta_{k}", range=(reach[0], reach[1])),),
            )
        )
        if k > 1:
            couplers.append(
                CoordinateCoupler(
                    name=f"coupler_{k}",
                    dependent=f"theta_{k}",
                    independent=("theta_1",),
                    function=Linear((shares[k - 1] / shares[0],)),
                )
            )
    drum = WrapCylinder(
        name="drum",
        frame="link_6",
        radius=0.008,
        placement=Placement((0.001, 0.002, 0.0)),
        quadrant=Quadrant.PLUS_Y,
    )
    points = (
        PathPoint("origin", "ground", (-0.05, 0.02, 0.0)),
        PathPoint("insertion", "link_4", (0.04, 0.006, 0.0)),
    )
    muscle = RigidTendonMuscle(
        name="muscle", path=Path(points, (PathWrap("drum"),)), max_isometric_force=500.0
    )
    return Model(
        name="composite_joint",
        bodies=Parts(bodies),
        joints=Parts(joints),
        constraints=Parts(couplers),
        wrap_objects=Parts([drum]),
        muscles=Parts([muscle]),
    )


def composite_angle() -> dict[str, dict[str, float]]:
    """Return the angle of interest for ``moment_arms(…, angles=…)``: θ, the sum of the first four.

    Examples
    --------
    >>> sorted(bo.library.composite_angle())
    ['theta']
    """
    return {"theta": {f"theta_{k}": 1.0 for k in range(1, 5)}}
