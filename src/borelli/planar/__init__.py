"""Planar n-link chains in closed form (Biscarini 2021; Cesari et al. 2001).

Everything stands on its own: an implementation independent of the spatial engine, so that each can be
checked against the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from borelli.lazy import lazily

_HOME: dict[str, str] = {
    "Base": "chain",
    "Chain": "chain",
    "Link": "chain",
    "Muscle": "chain",
    "Motion": "motion",
    "segment_from_joint": "motion",
    "joint_from_segment": "motion",
    "internal_from_joint": "motion",
    "joint_from_internal": "motion",
    "Contact": "loads",
    "Couple": "loads",
    "spring_contact": "loads",
    "kinematics": "pose",
    "energy": "pose",
    "drawing": "chain_drawing",
    "analyze": "analysis",
    "analyze_in_blocks": "analysis",
    "support": "base_support",
    "with_support_shares": "base_support",
    "newton_euler": "recursion",
    "Equations": "symbolic",
    "equations": "symbolic",
    "term_count_formula": "symbolic",
    "segment_space": "spaces",
    "joint_space": "spaces",
    "forward_dynamics": "forward",
    "induced": "forward",
    "Simulation": "simulation",
    "simulate": "simulation",
    "Known": "unknown_contacts",
    "UnknownCouple": "unknown_contacts",
    "UnknownForce": "unknown_contacts",
    "ContactSolution": "unknown_contacts",
    "solve_contacts": "unknown_contacts",
}

if TYPE_CHECKING:
    from borelli.planar.analysis import analyze as analyze
    from borelli.planar.analysis import analyze_in_blocks as analyze_in_blocks
    from borelli.planar.base_support import support as support
    from borelli.planar.base_support import with_support_shares as with_support_shares
    from borelli.planar.chain import Base as Base
    from borelli.planar.chain import Chain as Chain
    from borelli.planar.chain import Link as Link
    from borelli.planar.chain import Muscle as Muscle
    from borelli.planar.chain_drawing import drawing as drawing
    from borelli.planar.forward import forward_dynamics as forward_dynamics
    from borelli.planar.forward import induced as induced
    from borelli.planar.loads import Contact as Contact
    from borelli.planar.loads import Couple as Couple
    from borelli.planar.loads import spring_contact as spring_contact
    from borelli.planar.motion import Motion as Motion
    from borelli.planar.motion import internal_from_joint as internal_from_joint
    from borelli.planar.motion import joint_from_internal as joint_from_internal
    from borelli.planar.motion import joint_from_segment as joint_from_segment
    from borelli.planar.motion import segment_from_joint as segment_from_joint
    from borelli.planar.pose import energy as energy
    from borelli.planar.pose import kinematics as kinematics
    from borelli.planar.recursion import newton_euler as newton_euler
    from borelli.planar.simulation import Simulation as Simulation
    from borelli.planar.simulation import simulate as simulate
    from borelli.planar.spaces import joint_space as joint_space
    from borelli.planar.spaces import segment_space as segment_space
    from borelli.planar.symbolic import Equations as Equations
    from borelli.planar.symbolic import equations as equations
    from borelli.planar.symbolic import term_count_formula as term_count_formula
    from borelli.planar.unknown_contacts import ContactSolution as ContactSolution
    from borelli.planar.unknown_contacts import Known as Known
    from borelli.planar.unknown_contacts import UnknownCouple as UnknownCouple
    from borelli.planar.unknown_contacts import UnknownForce as UnknownForce
    from borelli.planar.unknown_contacts import solve_contacts as solve_contacts

__all__ = [*_HOME]  # noqa: PLE0604 (the table above is the list)

__getattr__, __dir__ = lazily(__name__, _HOME)
