"""A neck: skull and seven vertebrae on the first thoracic one, bent as a whole [after figure 3 of Sherman et al. 2013].

World: the joint between C7 and T1 is the origin, x points forward, y up, z to the right; positive pitch is extension,
the head going back. Every vertebra turns on the one below by its share of the whole, in proportion to its measured
range of flexion and extension (White & Panjabi 1990, Clinical Biomechanics of the Spine: 25, 20, 10, 15, 20, 20, 17 and
9 degrees from the skull down). Couplers make one freedom of the eight, in the manner of Vasavada, Li & Delp (1998).

Mass and inertia of the head are de Leva's (1996). Heights of the vertebrae and attachments of the muscles are round
numbers of an upright neck of 12 cm, chosen and not measured: take arms as good to a centimetre.
"""

from __future__ import annotations

import math

from borelli.library.anthropometry import DEFAULT_HEIGHT_M, DEFAULT_MASS_KG, Person, Sex
from borelli.model import (
    Body,
    Constraint,
    Coordinate,
    CoordinateCoupler,
    Joint,
    Linear,
    Model,
    Muscle,
    Path,
    PathPoint,
    PinJoint,
    Placement,
    RigidTendonMuscle,
)
from borelli.model.parts import Parts

# White & Panjabi (1990): flexion + extension of each joint (degrees), from C7 on T1 up to the skull on C1.
RANGE_DEG = {"c7": 9.0, "c6": 17.0, "c5": 20.0, "c4": 20.0, "c3": 15.0, "c2": 10.0, "c1": 20.0, "skull": 25.0}
_DRIVER = "c7"
_MM = 1e-3
# Height of each joint above the one below, and how far forward (the lordosis), in mm of the average man.
_STEP_MM = {
    "c7": (0.0, 0.0),
    "c6": (2.0, 17.0),
    "c5": (2.0, 16.0),
    "c4": (1.0, 16.0),
    "c3": (-1.0, 16.0),
    "c2": (-2.0, 17.0),
    "c1": (-1.0, 22.0),
    "skull": (2.0, 18.0),
}
# Muscles of both sides as one line each: bodies and points (mm) from origin to insertion, and strength (N).
_MUSCLES: dict[str, tuple[tuple[tuple[str, tuple[float, float]], ...], float]] = {
    "splenius_capitis": ((("ground", (-55.0, -15.0)), ("c4", (-30.0, 0.0)), ("skull", (-20.0, 5.0))), 130.0),
    "semispinalis_capitis": (
        (("ground", (-45.0, -20.0)), ("c5", (-28.0, 0.0)), ("skull", (-55.0, 10.0))),
        320.0,
    ),
    "semispinalis_cervicis": (
        (("ground", (-45.0, -25.0)), ("c5", (-35.0, 0.0)), ("c2", (-38.0, 8.0))),
        210.0,
    ),
    "rectus_capitis_posterior": ((("c2", (-35.0, 8.0)), ("skull", (-38.0, 2.0))), 90.0),
    "sternocleidomastoid": ((("ground", (60.0, -60.0)), ("skull", (-8.0, -8.0))), 350.0),
    "longus_colli": ((("ground", (8.0, -30.0)), ("c5", (10.0, 0.0)), ("c1", (8.0, 0.0))), 80.0),
    "scalenus_anterior": ((("ground", (45.0, -25.0)), ("c4", (6.0, -2.0))), 150.0),
}


def neck(*, mass_kg: float = DEFAULT_MASS_KG, height_m: float = DEFAULT_HEIGHT_M, sex: Sex = "male") -> Model:
    """Skull and seven vertebrae on eight coupled hinges, with seven muscles.

    Mass, height and sex are those of the whole body, as in :class:`~borelli.library.Person`.

    Returns
    -------
    Model
        Coordinates ``c7_pitch`` … ``c1_pitch``, ``skull_pitch``, of which ``c7_pitch`` drives the others. The angle of
        interest is :func:`neck_angle`; ``neck_angle_per_driver`` times ``c7_pitch`` is its value.

    Examples
    --------
    >>> bo.library.neck().coordinate_names[:2]
    ('c7_pitch', 'c6_pitch')
    """
    person = Person(mass_kg, height_m, sex)
    size = person.size * _MM
    joints, couplers = _joints(size)
    return Model(
        name="neck",
        bodies=Parts(_bodies(person, size)),
        joints=Parts(joints),
        constraints=Parts(couplers),
        muscles=Parts(_muscles(size)),
    )


def _bodies(person: Person, size: float) -> list[Body]:
    head = person.segment("head")
    # A vertebra with the flesh around it: 0.15 kg, a disc of 5 cm.
    vertebra = (5e-5, 9e-5, 5e-5, 0.0, 0.0, 0.0)
    bodies = [Body(name, 0.15, (0.0, 8.0 * size, 0.0), vertebra) for name in RANGE_DEG if name != "skull"]
    about = (head.inertia, head.inertia, head.inertia, 0.0, 0.0, 0.0)
    return [*bodies, Body("skull", head.mass, (10.0 * size, 45.0 * size, 0.0), about)]


def _joints(size: float) -> tuple[list[Joint], list[Constraint]]:
    joints: list[Joint] = []
    couplers: list[Constraint] = []
    below = "ground"
    for name, degrees in RANGE_DEG.items():
        forward, up = _STEP_MM[name]
        half = math.radians(0.5 * degrees)
        joints.append(
            PinJoint(
                name=f"{name}_joint",
                parent=below,
                child=name,
                parent_placement=Placement((forward * size, up * size, 0.0)),
                coordinates=(Coordinate(f"{name}_pitch", range=(-half, half)),),
            )
        )
        if name != _DRIVER:
            couplers.append(
                CoordinateCoupler(
                    name=f"{name}_follows",
                    dependent=f"{name}_pitch",
                    independent=(f"{_DRIVER}_pitch",),
                    function=Linear((degrees / RANGE_DEG[_DRIVER],)),
                )
            )
        below = name
    return joints, couplers


def _muscles(size: float) -> list[Muscle]:
    found: list[Muscle] = []
    for name, (points, strength) in _MUSCLES.items():
        path = tuple(
            PathPoint(f"{name}_{k}", body, (x * size, y * size, 0.0))
            for k, (body, (x, y)) in enumerate(points)
        )
        found.append(RigidTendonMuscle(name=name, path=Path(path), max_isometric_force=strength))
    return found


def neck_angle() -> dict[str, dict[str, float]]:
    """Return the angle of interest for ``moment_arms(…, angles=…)``: pitch of the skull, the sum of all eight.

    Examples
    --------
    >>> sorted(bo.library.neck_angle())
    ['neck_pitch']
    """
    return {"neck_pitch": {f"{name}_pitch": 1.0 for name in RANGE_DEG}}


def neck_angle_per_driver() -> float:
    """Return how far the skull turns while C7 turns by one.

    Examples
    --------
    >>> round(bo.library.neck_angle_per_driver(), 3)
    15.111
    """
    return sum(RANGE_DEG.values()) / RANGE_DEG[_DRIVER]
