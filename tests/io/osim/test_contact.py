"""Contact geometry and contact forces, from files of every age; what cannot be evaluated is kept and named."""

from __future__ import annotations

from pathlib import Path

import pytest

from borelli import model as bm
from borelli.errors import BorelliError, BorelliWarning, UnknownNameError
from borelli.io.osim import read_osim, write_osim

from .old import objects
from .test_refusals import model as document_with

BALL = """<ContactSphere name="ball"><socket_frame>/bodyset/b</socket_frame><location>1 2 3</location>
<radius>0.1</radius></ContactSphere>"""
LOOSE = '<ContactSphere name="loose"><radius>0.1</radius></ContactSphere>'
OLD_FLOOR = """<ContactHalfSpace name="floor"><body_name>ground</body_name>
<orientation>0 0 -1.5</orientation></ContactHalfSpace>"""
MESH = (
    '<ContactMesh name="mesh"><socket_frame>/bodyset/b</socket_frame><filename>a.obj</filename></ContactMesh>'
)
SMOOTH = """<SmoothSphereHalfSpaceForce name="press"><socket_sphere>{}</socket_sphere>
<socket_half_space>/contactgeometryset/floor</socket_half_space></SmoothSphereHalfSpaceForce>"""
HUNT = """<HuntCrossleyForce name="bump"><HuntCrossleyForce::ContactParametersSet name="contact_parameters"><objects>
<HuntCrossleyForce::ContactParameters><geometry>{}</geometry><stiffness>5</stiffness></HuntCrossleyForce::ContactParameters>
</objects></HuntCrossleyForce::ContactParametersSet></HuntCrossleyForce>"""


def read(folder: Path, force: str, *shapes: str) -> bm.Model:
    more = objects("ForceSet", force) + objects("ContactGeometrySet", *shapes)
    (folder / "model.osim").write_text(document_with(more=more), encoding="utf-8")
    return read_osim(folder / "model.osim")


def test_spheres_and_half_spaces_of_every_age_are_read(tmp_path: Path) -> None:
    ball, floor = read(tmp_path, "", BALL, OLD_FLOOR).contact_surfaces
    assert ball == bm.ContactSphere(
        name="ball", frame="b", placement=bm.Placement((1.0, 2.0, 3.0)), radius=0.1
    )
    assert floor == bm.ContactHalfSpace(
        name="floor", frame="ground", placement=bm.Placement.from_angles((0, 0, 0), (0, 0, -1.5))
    )


@pytest.mark.parametrize("names", ["ball floor", "/contactgeometryset/ball /contactgeometryset/floor"])
def test_a_contact_force_names_its_surfaces_or_their_paths(tmp_path: Path, names: str) -> None:
    model = read(tmp_path, HUNT.format(names), BALL, OLD_FLOOR)
    material = bm.ContactMaterial(surfaces=("ball", "floor"), stiffness=5.0)
    assert model.forces["bump"] == bm.HuntCrossleyForce(name="bump", materials=(material,))
    assert model.unsupported == ()


def test_what_a_smooth_contact_leaves_out_has_opensim_s_value(tmp_path: Path) -> None:
    found = read(tmp_path, SMOOTH.format("/contactgeometryset/ball"), BALL, OLD_FLOOR).forces["press"]
    assert found == bm.SmoothSphereHalfSpaceForce(name="press", sphere="ball", half_space="floor")


def test_a_surface_on_no_body_is_kept_and_so_is_its_contact(tmp_path: Path) -> None:
    with pytest.warns(BorelliWarning, match=r"force 'bump' \(HuntCrossleyForce\); contact geometry 'loose'"):
        model = read(tmp_path, HUNT.format("loose floor"), LOOSE, OLD_FLOOR)
    assert model.contact_surfaces.names == ("floor",)


@pytest.mark.parametrize("force", [HUNT.format("ball mesh"), SMOOTH.format("mesh")])
def test_contact_with_a_mesh_is_kept_named_and_written_back(tmp_path: Path, force: str) -> None:
    with pytest.warns(BorelliWarning, match=r"contact geometry 'mesh' \(ContactMesh\)"):
        model = read(tmp_path, force, BALL, OLD_FLOOR, MESH)
    assert model.forces.names == ()
    assert {other.role for other in model.others} == {"force", "contact geometry"}
    assert model.contact_surfaces.names == ("ball", "floor")
    again = tmp_path / "again.osim"
    write_osim(model, again)
    text = again.read_text("utf-8")
    for part in ("ContactMesh", "ContactSphere", "ContactHalfSpace"):
        assert text.count(f"<{part} ") == 1


def test_a_surface_that_does_not_exist_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="'bal' is not a contact geometry") as error:
        read(tmp_path, HUNT.format("bal floor"), BALL, OLD_FLOOR)
    assert error.value.closest == ("ball",)
    assert "<HuntCrossleyForce::ContactParameters" in str(error.value.where)


def test_a_contact_of_a_station_finds_it_on_its_body(tmp_path: Path) -> None:
    station = '<Station name="heel"><socket_parent_frame>..</socket_parent_frame><location>1 2 3</location></Station>'
    force = '<MeyerFregly2016Force name="m"><socket_station>{}</socket_station></MeyerFregly2016Force>'
    for path, found in (("/bodyset/b/heel", True), ("/bodyset/b/toe", False)):
        more = objects("ForceSet", force.format(path))
        text = document_with(f"<components>{station}</components>", more=more)
        (tmp_path / "model.osim").write_text(text, encoding="utf-8")
        if found:
            model = read_osim(tmp_path / "model.osim")
            assert model.forces["m"] == bm.MeyerFregly2016Force(name="m", body="b", location=(1.0, 2.0, 3.0))
        else:
            with pytest.raises(UnknownNameError, match="'toe' is not a station"):
                read_osim(tmp_path / "model.osim")


def test_two_spheres_are_no_smooth_contact(tmp_path: Path) -> None:
    other = BALL.replace('name="ball"', 'name="floor"')
    with pytest.raises(BorelliError, match="contact surface 'floor' is a sphere, not a half space"):
        read(tmp_path, SMOOTH.format("ball"), BALL, other)
