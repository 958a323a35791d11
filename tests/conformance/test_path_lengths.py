"""Lengths on every case: their slope is the moment arm, and none is longer than a line outside the surface."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import borelli as bo
from borelli.mechanics.motion.coordinate_rates import rates
from borelli.mechanics.motion.prepare import prepare
from borelli.mechanics.paths.path_pass import path_forces, paths_of
from borelli.model.paths.wrap import WrapEllipsoid, WrapTorus
from tests.conformance.cases import CASES, Case
from tests.conformance.opensim_lines import OpenSimLines, SurfaceLine
from tests.kernels.paths import polyline
from tests.shared_data import each_of

MORE = 1e-6
"""Excess (m) over OpenSim's length that has to be accounted for."""
LONGER = {
    "arm26_synth": {"BIClong": [46, 47, 48, 49, 50]},
    "wrap_unit_torus": {"mus": [*range(1, 7), *range(17, 33), *range(35, 54), *range(56, 61)]},
}
"""Where ours is longer by more than that: the line of OpenSim runs through the surface there."""


@pytest.mark.parametrize("name", CASES)
def test_slope_of_every_length_is_the_force_of_unit_tension(name: str) -> None:
    case = Case(name)
    prepared = prepare(case.model, case.motion(slice(None, None, 4)))
    compiled, paths = prepared.compiled, paths_of(prepared.compiled)
    here = path_forces(compiled, paths, prepared.q)
    step, compared = 1e-6, 0
    for speed in range(compiled.mechanism.n_speeds):
        unit = np.zeros((len(prepared.q), compiled.mechanism.n_speeds))
        unit[:, speed] = 1.0
        along = rates(compiled.mechanism, prepared.q, unit)
        slope, same = np.zeros_like(here.length), np.ones(here.length.shape, bool)
        for sign in (1.0, -1.0):
            moved = path_forces(compiled, paths, prepared.q + sign * step * along)
            slope += 0.5 * sign * moved.length / step
            same &= (moved.state == here.state) & (moved.status == here.status)
        # So small a step because a joint's spline may end, and bend the length, within it; rounding is 1e-9.
        assert np.abs(slope + here.force[:, :, speed])[same].max(initial=0.0) < 1e-7
        compared += int(same.sum())
    # Frames in which a point or a contact comes or goes within the step are the rare exception.
    assert compared > 0.999 * here.force.size


def excess(case: Case) -> tuple[list[str], np.ndarray]:
    """Names of the paths, and how much longer than OpenSim's ours are, (frames, paths) m."""
    names = [str(name) for name in case.ref["path_names"]]
    ours = bo.paths(case.model, case.motion(), names=names, forces=True).length.values
    # Where OpenSim's points lag behind its own wraps there is nothing to compare with.
    return names, np.where(case.ref["path_wrap_stale"] > 1e-9, 0.0, ours - case.ref["path_length"])


@pytest.mark.parametrize("name", CASES)
def test_no_length_exceeds_opensims_but_where_its_line_enters_the_surface(name: str) -> None:
    names, more = excess(Case(name))
    longer = {
        path: np.flatnonzero(more[:, k] > MORE).tolist()
        for k, path in enumerate(names)
        if more[:, k].max() > MORE
    }
    assert longer == LONGER.get(name, {})


def surface_of(case: Case, line: SurfaceLine) -> tuple[polyline.Level, polyline.Gradient]:
    wrap = case.model.wrap_objects[line.surface]
    if isinstance(wrap, WrapTorus):
        return polyline.torus(wrap.inner_radius, wrap.outer_radius)
    assert isinstance(wrap, WrapEllipsoid)
    return polyline.ellipsoid(wrap.radii)


def depth(points: np.ndarray, level: polyline.Level, gradient: polyline.Gradient) -> float:
    """How far a polyline runs below a surface (m)."""
    fine = np.concatenate([np.linspace(a, b, 50) for a, b in pairwise(points)])
    return float((-level(fine) / np.linalg.norm(gradient(fine), axis=1)).max())


@pytest.mark.parametrize("name", each_of(name for name in LONGER if name in CASES))
def test_opensims_line_pulled_taut_outside_the_surface_is_ours(name: str) -> None:
    opensim = pytest.importorskip("opensim", reason="needs the opensim package")
    opensim.Logger.setLevelString("Off")
    case = Case(name)
    names, more = excess(case)
    for path, frames in LONGER[name].items():
        lines = OpenSimLines(opensim, case)
        for frame in frames:
            (line,) = lines.over_surfaces(path, frame)
            surface = surface_of(case, line)
            # Its line runs 7 to 81 micrometres below the surface; without that it would be longer than ours.
            assert depth(line.points, *surface) > 7e-6
            judged = polyline.taut_length(
                line.points[0], line.points[-1], line.points[1:-1], *surface, grids=(64, 256), sweeps=300
            )
            # What 256 pieces leave of the chords' error; the excess itself is four to thirty times as large.
            assert judged - line.length == pytest.approx(more[frame, names.index(path)], abs=3e-7)
