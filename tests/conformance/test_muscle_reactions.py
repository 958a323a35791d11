"""Joint reactions under muscle tension, with OpenSim's own lines of pull and with ours.

Over cylinders, ellipsoids and rings OpenSim lets the muscle leave the surface at points that are not those of the
taut line, so reactions that use the taut line differ by some per cent. Given OpenSim's points, the reactions are
OpenSim's to round-off: the lines of pull are all there is to the difference.
"""

from __future__ import annotations

import numpy as np
import pytest

import borelli as bo
from borelli.model.paths.wrap import WrapSphere
from tests.conformance.cases import CASES, Case, assert_close

# Motors at every coordinate provide what the motion demands, in one case also what a weld could bear.
pytestmark = pytest.mark.filterwarnings(
    "ignore:constraints between bodies bear:borelli.errors.BorelliWarning"
)


def round_wraps(case: Case) -> bool:
    """Whether every wrap surface is a sphere, where OpenSim's line is the taut one."""
    return all(isinstance(wrap, WrapSphere) for wrap in case.model.wrap_objects)


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    found = Case(request.param)
    if "rx_mus_tension" not in found.ref or not found.ref["rx_mus_tension"].size:
        pytest.skip("no muscle pulls in this case")
    return found


def pulls_along_opensims_points(case: Case) -> list[bo.Load]:
    """The tensions as forces at the points OpenSim uses, added up for each body about ground's origin."""
    frames = case.ref["rx_frames"]
    origin = np.zeros((len(frames), 3))
    if case.own:
        pull, twist = case.ref["pull_force"], case.ref["pull_moment"]
        names = [str(name) for name in case.ref["body_names"]]
        return [bo.Load(f"muscles on {n}", n, pull[:, i], origin, twist[:, i]) for i, n in enumerate(names)]
    opensim = pytest.importorskip("opensim", reason="needs the opensim package")
    opensim.Logger.setLevelString("Off")
    tensions = case.tensions()
    model = opensim.Model(str(case.file))
    state = model.initSystem()
    force = {name: np.zeros((len(frames), 3)) for name in case.model.body_names}
    moment = {name: np.zeros((len(frames), 3)) for name in case.model.body_names}
    for row, frame in enumerate(frames):
        for name, value in zip(case.names, case.ref["q"][frame], strict=True):
            coordinate = model.getCoordinateSet().get(name)
            if not coordinate.getLocked(state):
                coordinate.setValue(state, float(value), False)
        model.realizePosition(state)
        for name, tension in tensions.items():
            path = opensim.GeometryPath.safeDownCast(model.getMuscles().get(name).getGeometryPath())
            points = opensim.ArrayPointForceDirection()
            path.getPointForceDirections(state, points)
            for i in range(points.getSize()):
                point = points.get(i)
                body = point.frame().findBaseFrame().getName()
                if body in force:  # what pulls on ground moves nothing
                    at = point.frame().findStationLocationInGround(state, point.point()).to_numpy()
                    pull = tension[row] * point.direction().to_numpy()
                    force[body][row] += pull
                    moment[body][row] += np.cross(at, pull)
    return [bo.Load(f"muscles on {name}", name, force[name], origin, moment[name]) for name in force]


def test_with_opensims_lines_of_pull_reactions_are_opensims(case: Case) -> None:
    frames = case.ref["rx_frames"]
    if np.any(case.ref["path_wrap_stale"][frames] > 1e-9):
        pytest.skip("OpenSim pulls at points of two different iterations in these frames")
    joints = [str(name) for name in case.ref["joint_names"]]
    loads = [*case.loads(frames), *pulls_along_opensims_points(case)]
    got = bo.joint_reactions(case.model, case.motion(frames), loads).sel(joint=joints)
    # Round-off of sums of some thousand newtons over a dozen joints.
    assert_close(got["force"].values, case.ref["rx_mus_force"], 1e-11, 1.0)
    assert_close(got["moment"].values, case.ref["rx_mus_moment"], 1e-11, 1.0)


def test_where_lines_of_pull_are_the_same_our_own_reactions_are_opensims(case: Case) -> None:
    frames = case.ref["rx_frames"]
    if np.any(case.ref["path_n_wrap_points"][frames] > 0) and not round_wraps(case):
        pytest.skip("paths of this case lie on surfaces where OpenSim's line is not taut")
    joints = [str(name) for name in case.ref["joint_names"]]
    got = bo.joint_reactions(
        case.model, case.motion(frames), case.loads(frames), tensions=case.tensions()
    ).sel(joint=joints)
    assert_close(got["force"].values, case.ref["rx_mus_force"], 1e-11, 1.0)
    assert_close(got["moment"].values, case.ref["rx_mus_moment"], 1e-11, 1.0)
