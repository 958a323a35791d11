"""The trunk as a column of any number of links, with deep and superficial muscles.

The base is the lower trunk at rest; the first joint lies at the height of the navel (omphalion), at the
world's origin, and the column ends at the seventh cervical vertebra. x points forward, y up: upright is 90°,
bending forward negative. In an upright link's frame x points up the spine and y backwards.

Mass along the column varies linearly inside the middle and the upper trunk so that mass, mass centre and moment
of inertia of each are exactly those of de Leva (1996), however many links the column is cut into. The head rides
on the last link; the arms hang, and load the link at the height of the shoulders there. The mass centre lies in
front of the spinal joints by 0.02 m, a modelling choice: the table has no measure from front to back.

Deep muscles span one joint each, 0.04 m behind it (multifidus). Superficial ones span many: the erector spinae
near 0.055 m behind the joints (Jorgensen et al. 2001, Clin. Biomech. 16:182–193), rectus abdominis near 0.09 m
in front of them (Jorgensen et al. 2005, Clin. Biomech. 20:242–246). Muscles stand for both sides together.
"""

from __future__ import annotations

from borelli.library.anthropometry import DEFAULT_HEIGHT_M, DEFAULT_MASS_KG, Person, Sex
from borelli.library.drawing import Drawing, muscle
from borelli.library.spine_column import check_number, column_bend, column_links, column_lumps, lowest_ribs
from borelli.planar.chain import Base, Chain, Muscle
from borelli.planar.motion import Motion

_FRONT_MM = 20.0


def spine(
    n_links: int = 6,
    *,
    mass_kg: float = DEFAULT_MASS_KG,
    height_m: float = DEFAULT_HEIGHT_M,
    sex: Sex = "male",
) -> Chain:
    """Trunk, head and arms as a column of equally long links.

    Parameters
    ----------
    n_links : int
        Number of links, 1 or more; 6 are near the length of two vertebrae each.
    mass_kg, height_m : float
        Of the whole body.
    sex : "male" or "female"
        Which half of the table of segments.

    Examples
    --------
    >>> bo.library.spine(n_links=3).n_links
    3
    """
    check_number(n_links)
    person = Person(mass_kg, height_m, sex)
    lumps, rib_height = column_lumps(person, n_links)
    front = 1e-3 * _FRONT_MM * person.size
    links = column_links(lumps, -front)
    lower = person.segment("lower_trunk")
    base = Base((0.0, 0.0), lower.mass, (front, -lower.com))
    draw = Drawing(links, base, person.size)
    return Chain(links, base, muscles=_muscles(draw, rib_height), name=f"spine_{n_links}")


def spine_bend(
    n_links: int = 6,
    *,
    flexion_deg: float = 50.0,
    duration_s: float = 1.5,
    rest_s: float = 0.1,
    rate_hz: float = 100.0,
) -> Motion:
    """Minimum-jerk forward bend of :func:`spine` and back up, shared equally by its joints.

    Parameters
    ----------
    flexion_deg : float
        Forward tilt of the last link at the lowest point (degrees).
    duration_s : float
        Of the way down, and of the way up (s).
    rest_s : float
        Rest before, between and after (s).
    rate_hz : float
        Instants per second.

    Examples
    --------
    >>> bo.library.spine_bend(3, flexion_deg=30.0).angle.shape[1]
    3
    """
    return column_bend(n_links, flexion_deg, duration_s, rest_s, rate_hz)


def _muscles(draw: Drawing, rib_height: float) -> tuple[Muscle, ...]:
    n_links = len(draw.links)
    middle = (n_links + 1) // 2
    rib = draw.along(*lowest_ribs(draw.links, rib_height), -100.0)
    deep = tuple(
        muscle(
            f"multifidus_{joint}",
            draw.on_base(-40, -20) if joint == 1 else draw.along(joint - 1, 0.5, 40),
            draw.along(joint, 0.5, 40),
        )
        for joint in range(1, n_links + 1)
    )
    superficial = (
        muscle(
            "longissimus",
            draw.on_base(-55, -60),
            *(draw.along(link, 0.5, 55) for link in range(1, n_links + 1)),
        ),
        muscle(
            "iliocostalis",
            draw.on_base(-55, -40),
            *(draw.along(link, 0.6, 58) for link in range(1, middle + 1)),
        ),
        muscle("rectus_abdominis", draw.on_base(85, -130), rib),
    )
    return (*deep, *superficial)
