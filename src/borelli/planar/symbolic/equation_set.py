"""The closed-form equations of a planar chain as one object: ask it for an expression or a print."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from borelli.planar.symbolic.build import Axis
from borelli.planar.symbolic.checks import checked_joint, checked_links, checked_space
from borelli.planar.symbolic.count import enumerated_term_count
from borelli.planar.symbolic.expressions import SymbolicConverter
from borelli.planar.symbolic.form import DataSet, Form, checked_data_set
from borelli.planar.symbolic.javascript_source import equations_as_javascript
from borelli.planar.symbolic.muscle_term import MuscleTerm
from borelli.planar.symbolic.python_source import equations_as_python
from borelli.planar.symbolic.terms import Space
from borelli.planar.symbolic.text import equations_as_latex, equations_as_text
from borelli.records import dataclass


def equations(
    n_links: int, space: str = "segment", data_set: str = "distal", couples: bool = False
) -> Equations:
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
    data_set : {"distal", "proximal", "mixed"}
        From what lies beyond each joint (Biscarini's (9), (13), (23)); from the base's support and what lies
        before the joint ((10), and the torque that goes with it); or his (24), which takes forces from the base's
        side and moments from the far side.
    couples : bool
        Whether to write a couple N_i on every link as well.

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
    return Equations(checked_links(n_links), checked_space(space), checked_data_set(data_set), bool(couples))


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
    data_set : {"distal", "proximal", "mixed"}
        Which side they are written from. On the base, link 0, places and directions are measured from joint 1 and the
        world's x axis; its contact ``R_0`` is the ground's.
    couples : bool
        Whether there are couples ``N_i``.

    Examples
    --------
    >>> two = planar.Equations(2, "segment")
    >>> two.term_count(1) == planar.term_count_formula(2, 1)
    True
    """

    n_links: int
    space: Space
    data_set: DataSet = "distal"
    couples: bool = False

    @property
    def _form(self) -> Form:
        return Form(self.n_links, self.space, self.data_set, self.couples)

    @cached_property
    def _converter(self) -> SymbolicConverter:
        return SymbolicConverter(self.n_links, self.space, self.couples, self._form.base_letters)

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
        shares = self._form.torque_shares(checked_joint(joint, self.n_links))
        return self._converter.total(shares)

    def torque_shares(self, joint: int) -> dict[str, Any]:
        """Split a torque into what each variable contributes to it.

        Labels are ``weight:i``, ``load:i``, ``couple:i``, ``acceleration:i`` and ``velocity:i``. In joint space
        ``velocity:i`` holds all products of two velocities whose larger number is i.
        """
        shares = self._form.torque_shares(checked_joint(joint, self.n_links))
        return {share.label: self._converter.share(share) for share in shares}

    def reaction(self, joint: int) -> tuple[Any, Any]:
        """Force on link k-1 by link k at joint k (N), x and y in world axes, as SymPy expressions.

        This is Biscarini's ``phi_(k-1,k)``; :func:`borelli.planar.analyze` reports its negative, the
        force on the distal link. ``Fx_k, Fy_k`` is the resultant of the muscles spanning the joint.
        """
        x, y = (self._converter.total(self._reaction_shares(joint, axis)) for axis in ("x", "y"))
        return x, y

    def reaction_shares(self, joint: int) -> dict[str, tuple[Any, Any]]:
        """Split a reaction into what each variable contributes to its x and y components.

        Labels are those of the torque, and ``muscles:k``; a weight has no part along x.
        """
        parts = {
            axis: {share.label: self._converter.share(share) for share in self._reaction_shares(joint, axis)}
            for axis in ("x", "y")
        }
        zero = self._converter.sympy.Integer(0)
        labels = dict.fromkeys([*parts["y"], *parts["x"]])
        return {label: (parts["x"].get(label, zero), parts["y"].get(label, zero)) for label in labels}

    def muscle(self, origin: int, insertion: int) -> MuscleTerm:
        """One straight muscle between two links: its term in torques and reactions, (22) and (12).

        Parameters
        ----------
        origin, insertion : int
            Numbers of the links it is attached to, the one nearer to the base first; the base is 0.
        """
        return MuscleTerm(self.n_links, self.space, origin, insertion)

    def _reaction_shares(self, joint: int, axis: Axis) -> Any:
        return self._form.reaction_shares(checked_joint(joint, self.n_links), axis)

    def term_count(self, joint: int) -> int:
        """Count the inertial terms of a torque by the rule of Biscarini (2021), Appendix A."""
        return enumerated_term_count(self.n_links, checked_joint(joint, self.n_links), self.space)

    def text(self) -> str:
        """Legend, torques and reactions as plain text."""
        return equations_as_text(self._form)

    def latex(self) -> str:
        """Torques and reactions as ``align*`` environments (package amsmath)."""
        return equations_as_latex(self._form)

    def python(self) -> str:
        """Source of a Python function of the motion that needs NumPy only, vectorised over instants.

        It defines ``torques_and_reactions``, whose docstring lists parameters and units.
        """
        return equations_as_python(self._form)

    def javascript(self) -> str:
        """Source of a JavaScript function of one instant, for browsers; it needs nothing.

        It defines ``torquesAndReactions``, which returns the totals and every share by its label.
        """
        return equations_as_javascript(self._form)
