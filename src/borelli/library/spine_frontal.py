"""The trunk seen from behind, bending to its sides: a column of any number of links with muscles left and right.

As :func:`~borelli.library.spine`, but in the frontal plane: x points to the right, y up, and upright is 90°. In an
upright link's frame x points up the spine and y to the left. The mass centres lie on the spine. Moments of inertia are
about the front-to-back axis; their radii of gyration are those of de Leva (1996, table 4) about the sagittal axis.

Erector spinae run 0.035 m beside the spine, quadratus lumborum from the pelvis to the lowest ribs near 0.07 m, the
obliques near 0.12 m beside it: modelling choices within the ranges of moment arms about lateral bending that
Jorgensen et al. (2001, Clin. Biomech. 16:182–193) and McGill et al. (1993, Clin. Biomech. 8:171–178) measured.
"""

from __future__ import annotations

from borelli.library.anthropometry import DEFAULT_HEIGHT_M, DEFAULT_MASS_KG, Person, Sex
from borelli.library.drawing import Drawing, muscle
from borelli.library.spine_column import check_number, column_bend, column_links, column_lumps, lowest_ribs
from borelli.planar.chain import Base, Chain, Muscle
from borelli.planar.motion import Motion

# Of the length, about the sagittal axis: middle trunk, and upper trunk from the cervicale.
_GYRATIONS: dict[Sex, tuple[float, float]] = {"male": (0.482, 0.505), "female": (0.433, 0.466)}


def spine_in_frontal_plane(
    n_links: int = 6,
    *,
    mass_kg: float = DEFAULT_MASS_KG,
    height_m: float = DEFAULT_HEIGHT_M,
    sex: Sex = "male",
) -> Chain:
    """Trunk, head and arms as a column that bends sideways; parameters as of :func:`~borelli.library.spine`.

    Examples
    --------
    >>> bo.library.spine_in_frontal_plane(4).n_links
    4
    """
    check_number(n_links)
    person = Person(mass_kg, height_m, sex)
    lumps, rib_height = column_lumps(person, n_links, _GYRATIONS[sex])
    links = column_links(lumps, 0.0)
    lower = person.segment("lower_trunk")
    base = Base((0.0, 0.0), lower.mass, (0.0, -lower.com))
    draw = Drawing(links, base, person.size)
    muscles = tuple(each for side in (-1.0, 1.0) for each in _muscles(draw, rib_height, side))
    return Chain(links, base, muscles=muscles, name=f"spine_in_frontal_plane_{n_links}")


def spine_side_bend(
    n_links: int = 6,
    *,
    bend_deg: float = 30.0,
    duration_s: float = 1.5,
    rest_s: float = 0.1,
    rate_hz: float = 100.0,
) -> Motion:
    """Minimum-jerk bend to the right of :func:`spine_in_frontal_plane` and back up, shared equally by its joints.

    Parameters
    ----------
    bend_deg : float
        Tilt of the last link to the right (degrees).
    duration_s, rest_s, rate_hz : float
        As of :func:`~borelli.library.spine_bend`.

    Examples
    --------
    >>> bo.library.spine_side_bend(4, bend_deg=20.0).angle.shape[1]
    4
    """
    return column_bend(n_links, bend_deg, duration_s, rest_s, rate_hz)


def _muscles(draw: Drawing, rib_height: float, side: float) -> tuple[Muscle, ...]:
    """Muscles of one side; `side` is 1 for the left, where y of an upright link points, and -1 for the right."""
    name = "left" if side > 0 else "right"
    rib_link, along = lowest_ribs(draw.links, rib_height)
    return (
        muscle(
            f"erector_spinae_{name}",
            draw.on_base(-35 * side, -60),
            *(draw.along(link, 0.5, 35 * side) for link in range(1, len(draw.links) + 1)),
        ),
        muscle(
            f"quadratus_lumborum_{name}",
            draw.on_base(-75 * side, -40),
            draw.along(rib_link, 0.9 * along, 65 * side),
        ),
        muscle(f"oblique_{name}", draw.on_base(-125 * side, -40), draw.along(rib_link, along, 120 * side)),
    )
