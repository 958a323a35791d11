"""The arm's segments: rods as in Du's models, or a person's own from the tables.

Radii of gyration about the sagittal and the longitudinal axis complete those of
:mod:`borelli.library.anthropometry`; they are from the same table 4 of de Leva (1996).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from borelli.errors import ShapeError
from borelli.library.anthropometry import Person, Sex
from borelli.library.lifting_arm.muscles import DU_FRACTIONS, ArmMuscle
from borelli.library.lifting_arm.segments import BASE, Segment, SegmentTree
from borelli.records import dataclass

# De Leva (1996), table 4: radii about the sagittal and the longitudinal axis, of the segment's length. The hand
# is measured from the wrist to the third knuckle.
_GYRATION: dict[str, dict[Sex, tuple[float, float]]] = {
    "upper_arm": {"male": (0.285, 0.158), "female": (0.278, 0.148)},
    "forearm": {"male": (0.276, 0.121), "female": (0.261, 0.094)},
    "hand": {"male": (0.628, 0.401), "female": (0.531, 0.335)},
}
_JOINTS = {"upper_arm": "shoulder", "forearm": "elbow", "hand": "wrist"}
# The hand's z axis is its back: bending towards the palm turns about +y.
_FLEXION = {"upper_arm": (0.0, -1.0, 0.0), "forearm": (0.0, -1.0, 0.0), "hand": (0.0, 1.0, 0.0)}


@dataclass(frozen=True, slots=True)
class Arm:
    """Upper arm, forearm and, if there is one, hand.

    Segment frames: x along the segment to its far end. In the hanging arm y points to the left and z forward, so
    that flexion of shoulder and elbow turns about -y. The hand's z axis is the back of the hand.

    Examples
    --------
    >>> [segment.name for segment in arm.segments]
    ['upper_arm', 'forearm', 'hand']
    """

    upper_arm: Segment
    forearm: Segment
    hand: Segment | None = None

    @classmethod
    def of_rods(
        cls,
        lengths: tuple[float, ...],
        masses: tuple[float, ...],
        coms: tuple[float, ...],
    ) -> Arm:
        """Arm of two or three rods, as in Du (2021).

        Parameters
        ----------
        lengths, masses : 2 or 3 floats
            Of upper arm, forearm and hand (m, kg).
        coms : as many floats
            Mass centres as fractions of the length, from the proximal end.
        """
        counts = (len(lengths), len(masses), len(coms))
        if counts not in ((2, 2, 2), (3, 3, 3)):
            raise ShapeError(
                f"An arm has 2 or 3 segments, but {counts[0]} lengths, {counts[1]} masses and {counts[2]} mass centres "
                "were given."
            )
        parts: list[Segment] = []
        for name, length, mass, com in zip(list(_JOINTS)[: counts[0]], lengths, masses, coms, strict=True):
            slender = mass * length**2 / 12.0
            parts.append(
                Segment(
                    name=name,
                    length=length,
                    mass=mass,
                    com=(com * length, 0.0, 0.0),
                    inertia=(0.0, slender, slender),
                    parent=parts[-1].name if parts else BASE,
                    at=parts[-1].point(1.0) if parts else (0.0, 0.0, 0.0),
                    joint=_JOINTS[name],
                    flexion=_FLEXION[name],
                )
            )
        return cls(*parts)

    @classmethod
    def of_person(cls, person: Person | None = None) -> Arm:
        """Arm of a person, with hand; the average man of the table by default."""
        who = person or Person()
        parts: list[Segment] = []
        for name, joint in _JOINTS.items():
            row = who.segment(name)
            sagittal, longitudinal = _GYRATION[name][who.sex]
            along, across = (row.mass * (radius * row.length) ** 2 for radius in (longitudinal, sagittal))
            # The hand's far end is the fingertip; its mass centre and radii are those from wrist to knuckle.
            length = who.segment("hand_to_fingertip").length if name == "hand" else row.length
            parts.append(
                Segment(
                    name=name,
                    length=length,
                    mass=row.mass,
                    com=(row.com, 0.0, 0.0),
                    inertia=(along, row.inertia, across),
                    parent=parts[-1].name if parts else BASE,
                    at=parts[-1].point(1.0) if parts else (0.0, 0.0, 0.0),
                    joint=joint,
                    flexion=_FLEXION[name],
                )
            )
        return cls(*parts)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Segments from the shoulder outwards."""
        return (self.upper_arm, self.forearm, *([self.hand] if self.hand else []))

    @property
    def tree(self) -> SegmentTree:
        """The segments as a tree."""
        return SegmentTree(self.segments)

    def without_hand(self) -> Arm:
        """Return the arm that ends at the wrist."""
        return replace(self, hand=None)

    def du_muscles(
        self, fractions: Sequence[float] | None = None, *, origin_on: str = BASE
    ) -> tuple[ArmMuscle, ...]:
        """Muscles from the shoulder to fractions of the forearm, measured from its distal end.

        Parameters
        ----------
        fractions : floats, optional
            One muscle each: ``biceps``, ``triceps``, then ``muscle_3`` and so on. 0.9 and 1.1 by default (Du 2021).
        origin_on : str
            ``"base"`` for biarticular muscles, ``"upper_arm"`` for muscles of the elbow alone.
        """
        given = tuple(DU_FRACTIONS.values()) if fractions is None else tuple(fractions)
        names = (*DU_FRACTIONS, *(f"muscle_{index}" for index in range(3, len(given) + 1)))
        return tuple(
            ArmMuscle.at_fraction(name, self.forearm, fraction, origin_on=origin_on)
            for name, fraction in zip(names, given, strict=False)
        )

    def anatomical_muscles(self, person: Person | None = None) -> tuple[ArmMuscle, ArmMuscle]:
        """Biceps and triceps of a person: biarticular, from shoulder blade to forearm, all heads as one.

        Points are round millimetres of the average man, chosen and not measured. The biceps runs from above the
        socket past the head of the humerus to the radial tuberosity, the triceps from below the socket along the back
        of the humerus to the olecranon. Their moment arms at the elbow have the order of magnitude that Murray, Delp &
        Buchanan (1995, J. Biomech. 28:513–525) report; strengths are the sums of the heads in Holzbaur, Murray & Delp
        (2005, Ann. Biomed. Eng. 33:829–840).
        """
        size = 1e-3 * (person or Person()).size
        behind = self.upper_arm.length - 140.0 * size
        return (
            ArmMuscle(
                name="biceps",
                origin=(20.0 * size, 0.0, 30.0 * size),
                via=((self.upper_arm.name, (45.0 * size, 0.0, 24.0 * size)),),
                insertion=(45.0 * size, 0.0, 8.0 * size),
                strength=624.3 + 435.6,
            ),
            ArmMuscle(
                name="triceps",
                origin=(-30.0 * size, 0.0, -20.0 * size),
                via=((self.upper_arm.name, (behind, 0.0, -22.0 * size)),),
                insertion=(-22.0 * size, 0.0, -10.0 * size),
                strength=798.5 + 624.3 + 624.3,
            ),
        )
