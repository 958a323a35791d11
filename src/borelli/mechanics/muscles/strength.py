"""Force of muscles at full activation and at rest, from the lengths and speeds of their paths."""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np

from borelli.compiled.muscles import CompiledMuscles
from borelli.kernels.muscle.opensim_strength import as_opensim
from borelli.kernels.muscle.rigid_tendon import rigid_tendon
from borelli.model.model import Model
from borelli.notice import compilation_notice

CITATIONS = {
    "Thelen2003": "Thelen DG (2003) Adjustment of muscle mechanics model parameters to simulate dynamic "
    "contractions in older adults. J Biomech Eng 125:70-77.",
    "Millard2012Equilibrium": "Millard M, Uchida T, Seth A, Delp SL (2013) Flexing computational muscle: "
    "modeling and simulation of musculotendon dynamics. J Biomech Eng 135:021005.",
    "Schutte1993": "Schutte LM, Rodgers MM, Zajac FE, Glaser RM (1993) Improving the efficacy of electrical "
    "stimulation-induced leg cycle ergometry: an analysis based on a dynamic musculoskeletal model. IEEE Trans "
    "Rehabil Eng 1:109-125.",
    "RigidTendon": "Delp SL (1990) Surgery simulation: a computer graphics system to analyze and design "
    "musculoskeletal reconstructions of the lower limb. PhD thesis, Stanford University.",
    "DeGrooteFregly2016": "De Groote F, Kinney AL, Rao AV, Fregly BJ (2016) Evaluation of direct collocation "
    "optimal control problem formulations for solving the muscle redundancy problem. Ann Biomed Eng 44:2922-2936.",
}


class Strength(enum.Enum):
    """What a muscle can give at full activation."""

    ISOMETRIC = "isometric"
    """Its maximum isometric force, always."""
    RIGID_TENDON = "rigid_tendon"
    """Force–length–velocity with a rigid tendon, along the tendon."""
    OPENSIM = "opensim"
    """The same as OpenSim's static optimization takes it, which is not always the force along the tendon."""


@dataclass(frozen=True)
class Strengths:
    """Force at full activation, passive force and fibre length, each (n_frames, n_muscles)."""

    active: np.ndarray
    passive: np.ndarray
    fiber: np.ndarray


def strengths(
    muscles: CompiledMuscles, length: np.ndarray, speed: np.ndarray, kind: Strength, passive: bool
) -> Strengths:
    """Strengths from path lengths and speeds, (n_frames, n_muscles)."""
    active, resting, fiber = (np.empty(length.shape) for _ in range(3))
    with compilation_notice("muscle"):
        rigid_tendon(
            muscles.tables,
            np.ascontiguousarray(length),
            np.ascontiguousarray(speed),
            passive,
            active,
            resting,
            fiber,
        )
    if kind is Strength.OPENSIM:
        with compilation_notice("muscle"):
            as_opensim(
                muscles.tables,
                muscles.tendon_strain,
                np.ascontiguousarray(length),
                np.ascontiguousarray(speed),
                fiber,
                active,
            )
    return Strengths(active, resting, fiber)


def citations(model: Model) -> list[str]:
    """Papers behind the muscles of a model."""
    kinds = dict.fromkeys(muscle.kind for muscle in model.muscles)
    return [CITATIONS[kind] for kind in kinds if kind in CITATIONS]
