"""One path at one instant: which points and contacts it runs through."""

from __future__ import annotations

import numpy as np

from borelli.kernels.jit import shared
from borelli.kernels.paths.columns import END_POINT, END_WRAP, FIRST_POINT, FIRST_WRAP
from borelli.kernels.paths.stops import list_points
from borelli.kernels.paths.surfaces_in_turn import SETTLED, lay_over_surfaces
from borelli.kernels.paths.tables import PathTables, Placed, Stops


@shared
def solve_path(
    tables: PathTables, placed: Placed, instant: int, path: int, stops: Stops, scratch: np.ndarray | None
) -> tuple[int, int]:
    """Find what a path runs through; the surfaces are placed already (``stops.axes``).

    Returns
    -------
    count : int
        Number of stops.
    status : int
        SETTLED, UNSETTLED or NO_WAY.
    """
    paths, place, marks = tables.paths, stops.place, stops.marks
    first_point = paths[path, FIRST_POINT]
    count = list_points(
        tables.points,
        tables.point_values,
        first_point,
        paths[path, END_POINT],
        placed.q,
        placed.pose,
        placed.moving,
        instant,
        place,
        marks,
    )
    if paths[path, FIRST_WRAP] == paths[path, END_WRAP]:
        return count, SETTLED
    return lay_over_surfaces(
        tables.wraps,
        tables.objects,
        tables.object_values,
        stops.axes,
        place,
        marks,
        stops.over,
        stops.touch,
        stops.outcome,
        count,
        first_point,
        paths[path, FIRST_WRAP],
        paths[path, END_WRAP],
        scratch,
    )
