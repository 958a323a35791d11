"""A line between two surfaces of which each has a wanted half: it holds to them exactly as long as a taut line can.

In arm26 TRIlong runs over a cylinder at the shoulder blade and an ellipsoid at the head of the humerus. As the arm is
raised, the line over the wanted half of the ellipsoid ceases to be taut anywhere (at 2.0303 rad) and drops off it.
The judge is a polyline that begins on the wanted halves and is pulled taut outside both surfaces.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from borelli.compiled.compile import compile_model
from borelli.kernels.paths.object_frame import place_objects
from borelli.kernels.paths.tables import workspace
from borelli.mechanics.paths.path_pass import path_forces, paths_of
from borelli.mechanics.paths.placed_paths import place_paths
from tests.kernels.paths import polyline
from tests.laws.path_continuity import cases, our_sweep, quiet_model
from tests.shared_data import needs_data

pytestmark = needs_data


@pytest.fixture(scope="module")
def model():
    return quiet_model(cases()["arm26"])


def shoulder(model, angle: float) -> tuple[float, float]:
    """Length (m) of the piece of TRIlong that may touch both surfaces: the judge's, and ours."""
    compiled = compile_model(model)
    paths = paths_of(compiled, ("TRIlong",))
    q = np.array([[float(c.default_value) for c in model.coordinates]])
    q[0, model.coordinate_names.index("r_shoulder_elev")] = angle
    pose, stops = place_paths(compiled, paths, q).placed.pose[:, :, 0], workspace(paths.tables)
    place_objects(paths.tables.objects, paths.tables.object_values, pose[:, :, None], 0, stops.axes)
    nodes, places = paths.tables.points[:, 0], paths.tables.point_values[:, :3]
    points = [pose[n, 9:] + pose[n, :9].reshape(3, 3) @ x for n, x in zip(nodes, places, strict=True)]
    (egg, egg_at), (rod, rod_at) = ((a[:9].reshape(3, 3), a[9:]) for a in stops.axes[1:3])
    head, blade = model.wrap_objects["TRIlonghh"], model.wrap_objects["TRIlongglen"]
    surfaces = polyline.union(
        polyline.placed(polyline.ellipsoid(head.radii), egg, egg_at),
        polyline.placed(polyline.cylinder(blade.radius), rod, rod_at),
    )
    # Beside the wanted halves: +x of the cylinder, +z of the ellipsoid.
    over = [rod_at + rod @ (0.006, 0.0, 0.006), egg_at + egg @ (-0.03, 0.0, 0.03)]
    judged = polyline.taut_length(points[0], points[1], over, *surfaces, grids=(128, 256), sweeps=1500)
    rest = sum(np.linalg.norm(b - a) for a, b in pairwise(points[1:]))
    return judged, float(path_forces(compiled, paths, q).length[0, 0] - rest)


@pytest.mark.parametrize("angle", [2.0, 2.02])
def test_line_holds_to_the_wanted_half_while_a_taut_line_does(model, angle):
    judged, ours = shoulder(model, angle)
    # Contacts of 4 and 15 mm are six and twenty-three pieces long; the two lines differ by 3 mm.
    assert ours == pytest.approx(judged, abs=3e-6)
    assert ours > 0.1636


def test_line_drops_off_where_none_is_taut_on_the_wanted_half(model):
    judged, ours = shoulder(model, 2.1)
    assert ours == pytest.approx(judged, abs=1e-6)
    assert ours < 0.1596


def test_jump_lies_where_the_taut_line_ends(model):
    jump = next(j for j in our_sweep(model, "r_shoulder_elev").jumps if "TRIlonghh" in j.cause)
    # Steps of the sweep are 0.0024 rad.
    assert jump.value == pytest.approx(2.0303, abs=0.0024)
