"""Surfaces of bones for a page: made coarser, in whole numbers, a few kilobytes a bone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from borelli.report.blob import Blob
from borelli.results.labelled.plain_result import PlainResult

Surface = tuple[NDArray[np.float64], NDArray[np.int64]]
"""Points (n, 3) in the axes of a body (m), and triangles (m, 3)."""
MOST_TRIANGLES = 24_000
"""Of all bones on a page, some 250 kB."""
# Cells along the longest side to begin with, each time a fifth fewer; places are steps of 16 bits.
_FINEST = 96
_STEPS = 2**16 - 1


def coarser(surface: Surface, most: int) -> Surface:
    """Return a surface with at most so many triangles: points that share a cell of a grid become one."""
    points, triangles = surface
    cells = _FINEST
    while len(triangles) > most and cells >= 2:
        low = surface[0].min(axis=0)
        width = float(np.ptp(surface[0], axis=0).max()) / cells or 1.0
        places = np.floor((surface[0] - low) / width).astype(np.int64)
        _, group = np.unique(places, axis=0, return_inverse=True)
        group = group.ravel()
        count = np.bincount(group)
        points = np.stack([np.bincount(group, surface[0][:, k]) / count for k in range(3)], axis=1)
        merged = group[surface[1]]
        flat = (
            (merged[:, 0] == merged[:, 1]) | (merged[:, 1] == merged[:, 2]) | (merged[:, 2] == merged[:, 0])
        )
        triangles = np.unique(np.sort(merged[~flat], axis=1), axis=0) if cells <= 4 else merged[~flat]
        cells = int(cells * 0.8)
    return points, triangles[:most]


def mesh_data(
    drawn: PlainResult, meshes: Mapping[str, Sequence[Surface]], blob: Blob
) -> dict[str, Any] | None:
    """Return the surfaces of the bodies of a result, and how these lie at the drawn instants; None without any."""
    if not {"body_origin", "body_rotation"} <= set(drawn.data_vars):
        return None
    links = list(drawn.labels("link").names)
    known = [(links.index(body), each) for body, own in meshes.items() if body in links for each in own]
    total = sum(len(surface[1]) for _, surface in known)
    if not known or not total:
        return None
    bones = []
    for link, surface in known:
        # Each bone keeps its part of all triangles.
        most = max(40, int(MOST_TRIANGLES * len(surface[1]) / max(total, MOST_TRIANGLES)))
        points, triangles = coarser(surface, most)
        used, places = np.unique(triangles, return_inverse=True)
        points = points[used]
        if not len(points) or len(points) > _STEPS:
            continue
        low, size = points.min(axis=0), np.ptp(points, axis=0)
        steps = np.round((points - low) / np.where(size > 0.0, size, 1.0) * _STEPS)
        bones.append(
            {
                "link": link,
                "low": low.tolist(),
                "size": size.tolist(),
                "points": blob.add(steps, "u2", repeats=True),
                "triangles": blob.add(places.reshape(-1, 3), "u2", repeats=True),
            }
        )
    own = sorted({bone["link"] for bone in bones})
    order = ("time", "link", "axis")
    origins, turns = (
        drawn["body_origin"].transpose(*order),
        drawn["body_rotation"].transpose(*order, "body_axis"),
    )
    return {
        "bones": bones,
        "links": own,
        "names": [links[k] for k in own],
        "origins": blob.add_moving(origins.values[:, own]),
        "rotations": blob.add_moving(turns.values[:, own]),
    }
