"""Largest isometric forces of the muscles of the ready-made planar models, from published models.

Legs: Rajagopal et al. (2016), IEEE Trans. Biomed. Eng. 63:2068–2079, muscle volumes of young adults; arms: Holzbaur,
Murray & Delp (2005), Ann. Biomed. Eng. 33:829–840; trunk: the erector spinae and one abdominal muscle of OpenSim's
gait2392. A planar muscle stands for its group: the forces of the group's parts are added. Strength does not change
with body size here: a modelling choice.
"""

from __future__ import annotations

from collections.abc import Iterable

from borelli.errors import UnknownNameError

# N, one side of the body; the comment has the parts.
_STRENGTH_N = {
    "soleus": 6195.0,
    "tibialis_anterior": 1227.0,
    "gastrocnemius": 4691.0,  # medial 3116, lateral 1575
    "vasti": 9594.0,  # lateralis 5149, medialis 2748, intermedius 1697
    "rectus_femoris": 2192.0,
    "quadriceps": 11786.0,  # the two above
    "hamstrings": 4105.0,  # semimembranosus 2201, semitendinosus 591, biceps femoris long head 1313
    "gluteus_maximus": 3338.0,  # 984, 1406, 948
    "erector_spinae": 2500.0,
    "rectus_abdominis": 900.0,
    "deltoid_anterior": 1143.0,
    "deltoid_posterior": 260.0,
    "biceps": 1060.0,  # long head 624, short head 436
    "brachialis": 987.0,
    "triceps_long": 799.0,
    "triceps_lateral": 1249.0,  # lateral 624, medial 624
    "flexor_carpi_radialis": 74.0,
    "extensor_carpi_radialis": 405.0,  # longus 305, brevis 100
}


def muscle_strengths(names: Iterable[str], sides: int = 1) -> dict[str, float]:
    """Largest isometric force (N) of muscles of the ready-made models, by name.

    Parameters
    ----------
    names : iterable of str
        Such as ``chain.muscle_names``.
    sides : int
        2 where a muscle stands for the pair, left and right.

    Examples
    --------
    >>> names = bo.library.reaching_arm().muscle_names
    >>> all(force > 0.0 for force in bo.library.muscle_strengths(names).values())  # N
    True
    """
    found = {}
    for name in names:
        if name not in _STRENGTH_N:
            raise UnknownNameError.among(name, "muscle", _STRENGTH_N, of="the table of strengths")
        found[name] = sides * _STRENGTH_N[name]
    return found
