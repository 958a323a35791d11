"""OpenSim's own lines over wrap surfaces, in the axes of the surface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.conformance.cases import Case


@dataclass(frozen=True)
class SurfaceLine:
    """The part of OpenSim's path from the stop before a surface to the stop after it.

    Parameters
    ----------
    surface : str
        Name of the wrap object.
    points : (n, 3) float
        In the axes of the surface (m): the stop before, OpenSim's points over the surface, the stop after.
    length : float
        As OpenSim counts it (m).
    """

    surface: str
    points: np.ndarray
    length: float


class OpenSimLines:
    """OpenSim's paths in the postures of a case."""

    def __init__(self, opensim: Any, case: Case) -> None:
        self.opensim, self.case = opensim, case
        self.model = opensim.Model(str(case.file))
        self.state = self.model.initSystem()

    def over_surfaces(self, path: str, frame: int) -> list[SurfaceLine]:
        """Lines over all surfaces that a muscle's path touches in a frame of the case."""
        found = self.model.getCoordinateSet()
        for name, value in zip(self.case.names, self.case.ref["q"][frame], strict=True):
            if not found.get(name).getLocked(self.state):
                found.get(name).setValue(self.state, float(value), False)
        self.model.realizePosition(self.state)
        owner = self.model.getMuscles().get(path)
        stops = self.opensim.GeometryPath.safeDownCast(owner.getGeometryPath()).getCurrentPath(self.state)
        lines = []
        for i in range(2, stops.getSize() - 1):
            first, last = (self.opensim.PathWrapPoint.safeDownCast(stops.get(k)) for k in (i - 1, i))
            if first is not None and last is not None:
                lines.append(self._line(stops.get(i - 2), first, last, stops.get(i + 1)))
        return lines

    def _line(self, before: Any, first: Any, last: Any, after: Any) -> SurfaceLine:
        surface = last.getWrapObject()
        described = self.case.model.wrap_objects[surface.getName()]
        turn = np.array(described.placement.rotation, float)
        ground = self.model.getGround()

        def local(in_body: np.ndarray) -> np.ndarray:
            return (in_body - np.array(described.placement.translation, float)) @ turn

        def station(stop: Any) -> np.ndarray:
            place = stop.getLocationInGround(self.state)
            there = ground.findStationLocationInAnotherFrame(self.state, place, surface.getFrame())
            return local(there.to_numpy())

        over = last.getWrapPath(self.state)
        bent = [local(over.get(k).to_numpy()) for k in range(over.getSize())]
        ends = [station(stop) for stop in (before, first, last, after)]
        way = last.getWrapLength(self.state)
        length = np.linalg.norm(ends[1] - ends[0]) + way + np.linalg.norm(ends[3] - ends[2])
        points = np.array([*ends[:2], *bent, *ends[2:]])
        return SurfaceLine(surface.getName(), points, float(length))
