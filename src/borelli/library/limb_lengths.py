"""How long the limbs of a model are, beside those that people of a height have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.movement.body_poses import body_poses
from borelli.analyses.postures.default_posture import default_posture
from borelli.library.anthropometry import CITATION, HEIGHT_MM, table_row
from borelli.model.model import Model
from borelli.results.labelled.dataset import dataset, labelled

if TYPE_CHECKING:
    import xarray as xr

# What bodies are called whose frames sit in the joint where a segment begins, and in that where it ends.
_SEGMENTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "thigh": (("femur", "thigh"), ("tibia", "shank")),
    "shank": (("tibia", "shank"), ("talus", "foot", "calcn")),
    "upper_arm": (("humerus", "upper_arm", "upperarm"), ("ulna", "forearm", "radius")),
    "forearm": (("ulna", "forearm", "radius"), ("hand",)),
}


def segment_sizes(model: Model) -> xr.Dataset:
    """Measure the limbs of a model between joint centres, and say how tall people with such limbs are.

    Bodies are known by their names (femur, tibia, talus, humerus, ulna, hand, and what else they are called); a limb
    begins where the frame of its body is and ends where that of the next one is, in the default posture.

    Parameters
    ----------
    model : Model

    Returns
    -------
    Dataset
        ``length`` (segment) (m); ``height`` (segment): body height at which a limb of this length is usual, the mean
        of de Leva's men and women (m). Without segments where no body has such a name.

    Examples
    --------
    >>> sizes = bo.library.segment_sizes(bo.load_model(bo.library.sample_walk().model))
    >>> sizes["length"].attrs["units"]
    'm'
    """
    found = [
        (name + side, name, first, last)
        for name, (begins, ends) in _SEGMENTS.items()
        for side, first, last in _pairs(model, begins, ends)
    ]
    labels = [label for label, *_ in found]
    length, height = np.zeros(len(found)), np.zeros(len(found))
    if found:
        poses = body_poses(model, default_posture(model))
        origin = dict(zip(model.body_names, poses["origin"].values[0], strict=True))
        for index, (_, name, first, last) in enumerate(found):
            length[index] = np.linalg.norm(origin[last] - origin[first])
            shares = [table_row(name, sex).length_mm / HEIGHT_MM[sex] for sex in HEIGHT_MM]
            height[index] = length[index] / np.mean(shares)
    return dataset(
        {
            "length": labelled(("segment",), length, "m"),
            "height": labelled(("segment",), height, "m"),
        },
        {"segment": np.array(labels, dtype=str)},
        {"analysis": "segment_sizes", "model": model.name, "citations": [CITATION]},
    )


def _pairs(model: Model, begins: tuple[str, ...], ends: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """Side, body that a segment begins with and body that it ends at; a side is what is left of the name."""
    known = {body.casefold(): body for body in model.body_names}
    pairs: dict[str, tuple[str, str, str]] = {}
    for word in begins:
        for name, body in known.items():
            side = name.replace(word, "", 1)
            following = [
                known[name.replace(word, end, 1)] for end in ends if name.replace(word, end, 1) in known
            ]
            if word in name and following:
                pairs.setdefault(side, (side, body, following[0]))
    return list(pairs.values())
