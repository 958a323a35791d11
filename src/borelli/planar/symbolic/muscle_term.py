"""What one straight muscle does: its term in every torque and reaction (Biscarini 2021, equations (12) and (22)).

With origin P_a on link a and insertion P_b on link b > a, length L and tension s, the muscle pulls link b with

    F = s (P_a - P_b) / L,

which the reactions of all joints it spans contain, and turns link k..b about each joint k between them by

    (P_b - J_k) x F = s/L (P_b - J_k) x (P_a - J_k),

a sum of products of lengths with one sine each. A muscle with via points is the sum of its straight pieces.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from borelli.errors import InvalidValueError
from borelli.planar.symbolic.checks import checked_joint
from borelli.planar.symbolic.expressions import loaded_sympy
from borelli.planar.symbolic.terms import Space
from borelli.records import dataclass


@dataclass(frozen=True)
class MuscleTerm:
    """One straight muscle between two links, as SymPy expressions; made by :meth:`Equations.muscle`.

    Symbols are those of the equations, and ``s``, its tension (N); ``lP_i`` and ``eP_i`` are distance (m) and angle
    (rad) of its point on link i from joint i and the link's axis, on the base (link 0) from joint 1 and the world's x
    axis.

    Examples
    --------
    >>> planar.MuscleTerm(3, "segment", origin=0, insertion=2).origin
    0
    """

    n_links: int
    space: Space
    origin: int
    insertion: int

    def __post_init__(self) -> None:
        for link in (self.origin, self.insertion):
            if isinstance(link, bool) or not isinstance(link, int) or not 0 <= link <= self.n_links:
                raise InvalidValueError(
                    f"A chain of {self.n_links} link(s) has no link {link!r}.",
                    where="muscle",
                    remedy=f"links are numbered 0 (the base) to {self.n_links}",
                )
        if self.origin >= self.insertion:
            raise InvalidValueError(
                f"A muscle from link {self.origin} to link {self.insertion} does not run outwards.",
                where="muscle",
                remedy="give two links, the one nearer to the base first",
            )

    @property
    def spans(self) -> tuple[int, ...]:
        """Numbers of the joints that it spans."""
        return tuple(range(self.origin + 1, self.insertion + 1))

    def _symbol(self, name: str) -> Any:
        return self._sympy.Symbol(name)

    @cached_property
    def _sympy(self) -> Any:
        return loaded_sympy()

    def _angle(self, link: int) -> Any:
        if link == 0:
            return self._sympy.Integer(0)
        if self.space == "segment":
            return self._symbol(f"theta_{link}")
        return self._sympy.Add(*(self._symbol(f"alpha_{i}") for i in range(1, link + 1)))

    def _from_joint(self, link: int, joint: int) -> list[tuple[Any, Any]]:
        """Steps (length, angle) from a joint to the muscle's point on a link before or beyond it."""
        place = (self._symbol(f"lP_{link}"), self._angle(link) + self._symbol(f"eP_{link}"))
        if link >= joint:
            steps = [(self._symbol(f"l_{p}"), self._angle(p)) for p in range(joint, link)]
        else:
            steps = [(-self._symbol(f"l_{p}"), self._angle(p)) for p in range(max(link, 1), joint)]
        return [*steps, place]

    @cached_property
    def line(self) -> tuple[Any, Any]:
        """P_a - P_b (m), x and y."""
        cos, sin = self._sympy.cos, self._sympy.sin
        steps = [(size, angle, -1) for size, angle in self._from_joint(self.insertion, self.insertion)]
        steps += [(size, angle, 1) for size, angle in self._from_joint(self.origin, self.insertion)]
        parts = (
            self._sympy.Add(*(sign * size * part(angle) for size, angle, sign in steps))
            for part in (cos, sin)
        )
        x, y = parts
        return x, y

    @cached_property
    def length(self) -> Any:
        """Length of the muscle (m)."""
        x, y = self.line
        return self._sympy.sqrt(x**2 + y**2)

    def force(self, joint: int) -> tuple[Any, Any]:
        """Its part of the muscles' resultant across a joint, on the distal side (N): equation (12)."""
        zero = self._sympy.Integer(0)
        if checked_joint(joint, self.n_links) not in self.spans:
            return zero, zero
        pull = self._symbol("s") / self.length
        return pull * self.line[0], pull * self.line[1]

    def torque(self, joint: int) -> Any:
        """Its part of the torque of a joint (N m): equation (22)."""
        if checked_joint(joint, self.n_links) not in self.spans:
            return self._sympy.Integer(0)
        products = [
            b * a * self._sympy.sin(angle_a - angle_b)
            for b, angle_b in self._from_joint(self.insertion, joint)
            for a, angle_a in self._from_joint(self.origin, joint)
        ]
        return self._symbol("s") / self.length * self._sympy.Add(*products)

    def text(self) -> str:
        """Length, torques and pulls as plain text."""
        lines = [
            f"Straight muscle from link {self.origin} to link {self.insertion}, tension s (N)",
            f"L = {self.length}",
        ]
        for joint in self.spans:
            torque = self.torque(joint) * self.length / self._symbol("s")
            lines += [f"tau_{joint} = s/L*({torque})"]
        x, y = self.line
        return "\n".join([*lines, f"F_x = s/L*({x})", f"F_y = s/L*({y})"]) + "\n"

    def latex(self) -> str:
        """The same as ``align*`` environments (package amsmath)."""
        write = self._sympy.latex
        rows = [rf"L &= {write(self.length)}"]
        for joint in self.spans:
            torque = self.torque(joint) * self.length / self._symbol("s")
            rows.append(rf"\tau_{{{joint}}} &= \frac{{s}}{{L}}\left[{write(torque)}\right]")
        for axis, part in zip("xy", self.line, strict=True):
            rows.append(rf"F_{{{axis}}} &= \frac{{s}}{{L}}\left[{write(part)}\right]")
        body = " \\\\\n  ".join(rows)
        return f"\\begin{{align*}}\n  {body}\n\\end{{align*}}\n"
