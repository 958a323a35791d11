"""A body of the playground: a planar chain with its loads, and what a reader may change about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from numpy.typing import ArrayLike

from borelli.planar.chain import Chain, Vector
from borelli.planar.equipment import Equipment
from borelli.planar.link_axes import LinkAxes
from borelli.planar.loads import Contact, Couple
from borelli.records import dataclass


@dataclass(frozen=True, slots=True)
class Slider:
    """A number that the reader sets.

    Parameters
    ----------
    label : str
        What it is, in plain words.
    load : str
        Name of the equipment or contact it belongs to.
    key : str
        ``mass``, ``stiffness``, ``stack_mass``, ``force`` (size of a contact force, its direction kept) or
        ``direction`` (where the anchor lies, seen from `pivot`, in degrees from the world's x axis).
    unit : str
        As shown.
    least, most, step : float
        Its range.
    pivot : (x, y)
        For ``direction``: the anchor goes round this point of the world (m), keeping its distance.
    """

    label: str
    load: str
    key: str
    unit: str
    least: float
    most: float
    step: float
    pivot: Vector = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Shape:
    """How a link or a piece of scenery is drawn: a limb between two circles (m), or a circle alone.

    `link` is 0 for scenery, at `start` and `end` in the world; of a link, both are in its frame.
    """

    link: int
    start: Vector
    end: Vector
    start_radius: float
    end_radius: float
    kind: str = "limb"


@dataclass(frozen=True, slots=True)
class Body:
    """A chain, its loads, and how it is shown.

    Parameters
    ----------
    key, title, about : str
        Short name, heading and one sentence.
    sliders : tuple of Slider
        Beside those for body mass and height.
    start_deg, end_deg : (n_links,)
        Postures between which it moves, absolute angles (degrees).
    ranges_deg : sequence of (least, most)
        Of each joint's relative angle, of the first joint's absolute one.
    joint : str
        Joint shown first.
    strengths : mapping of muscle name to N
        Largest isometric forces.
    mass_kg, height_m : float or None
        Of the person, whom the page scales; None where they are not known. Without a mass nothing is shown in times
        body weight.
    foot : (heel, toe) or None
        On the floor (m), between which the centre of pressure must stay.
    tensions : mapping of muscle name to N
        Given tensions; where there are any, muscles do not share the load but pull with these.
    sides : str
        What the numbers are of, such as "both legs together".
    axes : "distal" or "proximal"
        Link along which compression and shear are shown first, as of :func:`borelli.planar.analyze`.
    """

    key: str
    title: str
    about: str
    chain: Chain
    start_deg: tuple[float, ...]
    end_deg: tuple[float, ...]
    ranges_deg: tuple[tuple[float, float], ...]
    joint: str
    equipment: tuple[Equipment, ...] = ()
    contacts: tuple[Contact, ...] = ()
    couples: tuple[Couple, ...] = ()
    sliders: tuple[Slider, ...] = ()
    strengths: Mapping[str, float] = field(default_factory=dict)
    shapes: tuple[Shape, ...] = ()
    mass_kg: float | None = None
    height_m: float | None = None
    foot: Vector | None = None
    tensions: Mapping[str, ArrayLike] = field(default_factory=dict)
    sides: str = ""
    axes: LinkAxes = "distal"
