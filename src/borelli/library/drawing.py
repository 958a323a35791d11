"""Muscle paths drawn in millimetres on a body of reference size, and fitted to a person's own links.

A point near a joint stays near it whatever the length of the link: it is measured from the joint that
it belongs to, and scaled with body height.
"""

from __future__ import annotations

from borelli.planar.chain import Base, Link, Muscle, Vector
from borelli.records import dataclass

PathPoint = tuple[int, Vector]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A person's links, on which paths are drawn.

    Parameters
    ----------
    links : sequence of Link
        From the base outwards.
    base : Base
        Its position is the origin for points on the base.
    size : float
        Body height over the height of the reference body.
    """

    links: tuple[Link, ...]
    base: Base
    size: float

    def on_base(self, x_mm: float, y_mm: float) -> PathPoint:
        """Point on the base, from the first joint, in world axes."""
        x, y = self.base.position
        return 0, (x + self._metres(x_mm), y + self._metres(y_mm))

    def after(self, link: int, x_mm: float, y_mm: float) -> PathPoint:
        """Point on a link, `x_mm` beyond its proximal joint."""
        return link, (self._metres(x_mm), self._metres(y_mm))

    def before(self, link: int, x_mm: float, y_mm: float) -> PathPoint:
        """Point on a link, `x_mm` short of its distal joint."""
        return link, (self.links[link - 1].length - self._metres(x_mm), self._metres(y_mm))

    def along(self, link: int, fraction: float, y_mm: float) -> PathPoint:
        """Point at a fraction of a link's length."""
        return link, (fraction * self.links[link - 1].length, self._metres(y_mm))

    def _metres(self, length_mm: float) -> float:
        return 1e-3 * self.size * length_mm


def muscle(name: str, *path: PathPoint) -> Muscle:
    """Make a muscle from its points."""
    return Muscle(name, tuple(path))
