"""The closed-form equations of a planar chain as one object: ask it for an expression or a print."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from borelli.planar.symbolic.build import Axis, reaction_shares, torque_shares
from borelli.planar.symbolic.checks import checked_joint, checked_links, checked_space
from borelli.planar.symbolic.count import enumerated_term_count
from borelli.planar.symbolic.expressions import SymbolicConverter
from borelli.planar.symbolic.python_source import equations_as_python
from borelli.planar.symbolic.terms import Space
from borelli.planar.symbolic.text import equations_as_latex, equations_as_text


def equations(n_links: int, space: str = "segment") -> Equations:
    """Closed-form torques and reactions of a planar chain with any number of links.

    In segment space (absolute angles) these are the equations of Biscarini (2021), in which each angular
    velocity occurs only squared; in joint space (relative angles) those of Cesari et al. (2001), carried
    on to any number of links and to mass centres off the links' axes. Printed errors of both are
    corrected (docs/errata.md).

    Parameters
    ----------
    n_links : int
        Number of links, 1 or more.
    space : {"segment", "joint"}
        Angles to write them in.

    Returns
    -------
    Equations

    Examples
    --------
    >>> from borelli.planar.symbolic import equations
    >>> equations(2).torque(2).coeff("thetadd_2")
    IJ_2
    >>> [equations(3).term_count(k) for k in (3, 2, 1)]
    [5, 13, 22]

    Guarantees, each a test
    -----------------------
    - equal to a Lagrangian derivation for up to three links
    - segment space with ``theta = S alpha`` put in is joint space
    - the Python source returns what :func:`borelli.planar.analyze` returns
    """
    return Equations(checked_links(n_links), checked_space(space))


@dataclass(frozen=True)
class Equations:
    """Closed-form equations of a planar chain; made by :func:`equations`.

    Joints are numbered as in the paper: joint 1 is at the base, joint k joins link k-1 to link k. Gravity
    ``g`` acts along -y. The contact force on link i has size ``R_i``, acts at distance ``lR_i`` and angle
    ``eR_i`` from joint i, and points at the angle ``gR_i`` from the link's axis.

    Attributes
    ----------
    n_links : int
        Number of links.
    space : {"segment", "joint"}
        Whether angles are absolute or relative.
    """

    n_links: int
    space: Space

    @cached_property
    def _converter(self) -> SymbolicConverter:
        return SymbolicConverter(self.n_links, self.space)

    @property
    def symbols(self) -> dict[str, Any]:
        """Every SymPy symbol of the equations by its name."""
        return self._converter.all_symbols()

    @property
    def central_inertia(self) -> dict[Any, Any]:
        """Substitution ``IJ_i -> I_i + m_i lC_i^2``; empty in joint space, where inertia is central."""
        return self._converter.central_inertia()

    def torque(self, joint: int) -> Any:
        """Torque on link k by link k-1 (N m) as a SymPy expression."""
        shares = torque_shares(self.n_links, checked_joint(joint, self.n_links), self.space)
        return self._converter.total(shares)

    def torque_shares(self, joint: int) -> dict[str, Any]:
        """Split a torque into what each variable contributes to it.

        Labels are ``weight:i``, ``load:i``, ``acceleration:i`` and ``velocity:i``. In joint space
        ``velocity:i`` holds all products of two velocities whose larger number is i.
        """
        shares = torque_shares(self.n_links, checked_joint(joint, self.n_links), self.space)
        return {share.label: self._converter.share(share) for share in shares}

    def reaction(self, joint: int) -> tuple[Any, Any]:
        """Force on link k-1 by link k at joint k (N), x and y in world axes, as SymPy expressions.

        This is Biscarini's ``phi_(k-1,k)``; :func:`borelli.planar.analyze` reports its negative, the
        force on the distal link. ``Fx_k, Fy_k`` is the resultant of the muscles spanning the joint.
        """
        x, y = (self._converter.total(self._reaction_shares(joint, axis)) for axis in ("x", "y"))
        return x, y

    def _reaction_shares(self, joint: int, axis: Axis) -> Any:
        return reaction_shares(self.n_links, checked_joint(joint, self.n_links), axis, self.space)

    def term_count(self, joint: int) -> int:
        """Count the inertial terms of a torque by the rule of Biscarini (2021), Appendix A."""
        return enumerated_term_count(self.n_links, checked_joint(joint, self.n_links), self.space)

    def text(self) -> str:
        """Legend, torques and reactions as plain text."""
        return equations_as_text(self.n_links, self.space)

    def latex(self) -> str:
        """Torques and reactions as ``align*`` environments (package amsmath)."""
        return equations_as_latex(self.n_links, self.space)

    def python(self) -> str:
        """Source of a Python function of the motion that needs NumPy only, vectorised over frames.

        It defines ``torques_and_reactions``, whose docstring lists parameters and units.
        """
        return equations_as_python(self.n_links, self.space)
