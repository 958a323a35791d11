"""Small sound files of every format, to be damaged."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from borelli.io.c3d.recording import parse_c3d
from borelli.io.tables.csv import parse_csv, parse_parquet
from borelli.io.tables.sto import parse_sto
from borelli.io.tables.trc import parse_trc
from borelli.io.text.xml import parse_xml

Reader = Callable[[bytes], Any]

MOT = (
    b"Coordinates\nversion=1\nnRows=7\nnColumns=3\ninDegrees=yes\n\nUnits are S.I. units\n\nendheader\n"
    b"time\tknee_angle_r\tpelvis_tx\n"
    + b"".join(b"%.2f\t%.8f\t%.8f\n" % (t / 10, t * 1.5, -t) for t in range(7))
)
SIMM = (
    b"name grf\ndatacolumns 2\ndatarows 3\nrange 0 1\nendheader\n   time   fx\n 0   1e3\n 0.5  -2\n 1 nan\n"
)
VEC3 = (
    b"x\nDataType=Vec3\nversion=3\nOpenSimVersion=4.6\nendheader\ntime\ta\tb\n"
    b"0\t1,2,3\t4,5,6\n0.1\t7,8,9\tnan,nan,nan\n0.2\t-1e-7,2e30,inf\t0,0,0\n"
)
TRC = (
    b"PathFileType\t4\t(X/Y/Z)\twalk.trc\n"
    b"DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
    b"100\t100\t3\t2\tmm\t100\t1\t3\nFrame#\tTime\tR.ASIS\t\t\tL ASIS\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n"
    b"1\t0.00\t1.5\t2\t3\t4\t5\t6\n2\t0.01\t\t\t\t10\t11\t12\n3\t0.02\t7\t8\t9\tNaN\tnan\tNAN\n"
)
CSV = b"# exported\ntime [s],knee [deg],hip\n0,1,2\n0.5,3,\n1,5.5e-3,nan\n"
LOADS = b"""<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="30000"><ExternalLoads name="grf"><objects>
 <ExternalForce name="right"><!-- a foot --><appliesForce>true</appliesForce>
  <applied_to_body> calcn_r </applied_to_body><force_expressed_in_body>ground</force_expressed_in_body>
  <point_expressed_in_body>ground</point_expressed_in_body><force_identifier>ground_force_v</force_identifier>
  <point_identifier>ground_force_p</point_identifier><torque_identifier>ground_torque_</torque_identifier>
 </ExternalForce></objects><datafile>grf.mot</datafile></ExternalLoads></OpenSimDocument>
"""

GRF = (
    b"grf\nversion=1\nnRows=7\nnColumns=7\ninDegrees=no\nendheader\n"
    b"time\tground_force_vx\tground_force_vy\tground_force_vz\tground_force_px\tground_force_py\tground_force_pz\n"
    + b"".join(b"%.2f\t1\t%d\t0\t0.1\t0\t-0.1\n" % (t / 10, 700 + t) for t in range(7))
)
MODEL = b"""<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40000"><Model name="leg"><gravity>0 -9.8 0</gravity><BodySet><objects>
 <Body name="shank"><mass>3.5</mass><mass_center>0 -0.2 0</mass_center><inertia>0.05 0.01 0.05 0 0 0</inertia></Body>
</objects></BodySet><JointSet><objects><PinJoint name="knee"><socket_parent_frame>hip</socket_parent_frame>
 <socket_child_frame>/bodyset/shank</socket_child_frame><coordinates><Coordinate name="knee_angle_r">
 <default_value>0.1</default_value><range>-2 2</range><clamped>true</clamped></Coordinate></coordinates>
 <frames><PhysicalOffsetFrame name="hip"><socket_parent>/ground</socket_parent><translation>0 1 0</translation>
 <orientation>0 0 0.1</orientation></PhysicalOffsetFrame></frames></PinJoint></objects></JointSet>
 <ForceSet><objects><Thelen2003Muscle name="vasti"><GeometryPath><PathPointSet><objects>
 <PathPoint name="o"><socket_parent_frame>/ground</socket_parent_frame><location>0.1 0.9 0</location></PathPoint>
 <PathPoint name="i"><socket_parent_frame>/bodyset/shank</socket_parent_frame><location>0.05 0 0</location></PathPoint>
 </objects></PathPointSet></GeometryPath><max_isometric_force>1500</max_isometric_force></Thelen2003Muscle>
 </objects></ForceSet><MarkerSet><objects><Marker name="m"><socket_parent_frame>/bodyset/shank</socket_parent_frame>
 <location>0 0 0.1</location></Marker></objects></MarkerSet></Model></OpenSimDocument>
"""

SETUP = b"""<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40600"><InverseDynamicsTool><results_directory>./</results_directory>
 <model_file>arm26.osim</model_file><time_range> 0 1</time_range><forces_to_exclude> Muscles</forces_to_exclude>
 <external_loads_file>Unassigned</external_loads_file><coordinates_file>walk.mot</coordinates_file>
 <lowpass_cutoff_frequency_for_coordinates>6</lowpass_cutoff_frequency_for_coordinates>
 <output_gen_force_file>id.sto</output_gen_force_file></InverseDynamicsTool></OpenSimDocument>
"""


def c3d() -> bytes:
    """Build a recording with two markers, seven channels and a force plate of type 2."""

    def group(number: int, name: bytes) -> bytes:
        return struct.pack("bb", len(name), -number) + name + struct.pack("<h", 3) + b"\0"

    def parameter(number: int, name: bytes, kind: int, shape: list[int], body: bytes) -> bytes:
        rest = struct.pack("bB", kind, len(shape)) + bytes(shape) + body + b"\0"
        return struct.pack("bb", len(name), number) + name + struct.pack("<h", 2 + len(rest)) + rest

    corners = (300, 200, 0, -300, 200, 0, -300, -200, 0, 300, -200, 0)
    entries = (
        group(1, b"POINT")
        + parameter(1, b"LABELS", -1, [4, 2], b"HEELTOE ")
        + parameter(1, b"UNITS", -1, [2, 1], b"mm")
    )
    entries += group(2, b"ANALOG") + parameter(2, b"SCALE", 4, [7], struct.pack("<7f", *[1.0] * 7))
    entries += group(3, b"FORCE_PLATFORM") + parameter(3, b"USED", 2, [], struct.pack("<h", 1))
    entries += parameter(3, b"TYPE", 2, [1], struct.pack("<h", 2))
    entries += parameter(3, b"CORNERS", 4, [3, 4, 1], struct.pack("<12f", *corners))
    entries += parameter(3, b"ORIGIN", 4, [3, 1], struct.pack("<3f", 0, 0, -40))
    entries += parameter(3, b"CHANNEL", 2, [6, 1], struct.pack("<6h", *range(1, 7)))
    entries += group(4, b"EVENT") + parameter(4, b"TIMES", 4, [2, 1], struct.pack("<2f", 0, 0.01)) + b"\0\0"
    parameters = (bytes([1, 80, 2, 84]) + entries).ljust(1024, b"\0")
    header = bytes([2, 80]) + struct.pack("<HHHHHfHHf", 2, 14, 1, 3, 10, -1.0, 4, 2, 100.0)
    frame = struct.pack("<8f", 1, 2, 3, 0, 4, 5, 6, -1) + struct.pack("<7f", 1, 2, -500, 10, 20, 30, 0) * 2
    return header.ljust(512, b"\0") + parameters + (frame * 3).ljust(512, b"\0")


def parquet() -> bytes:
    """Build a Parquet table of two columns."""
    import pyarrow as pa
    from pyarrow import parquet as writer

    buffer = io.BytesIO()
    writer.write_table(pa.table({"time [s]": [0.0, 0.1, 0.2], "knee [deg]": [1.0, 2.0, 3.0]}), buffer)
    return buffer.getvalue()


def _from_file(name: str, read: Callable[[Path], Any], folder: Path) -> Reader:
    """Turn a reader of paths into one of bytes."""

    def from_bytes(data: bytes) -> Any:
        path = folder / name
        path.write_bytes(data)
        return read(path)

    return from_bytes


def _motion_reader(folder: Path) -> Reader:
    import borelli as bo
    from borelli.model import Body, Model, PinJoint, SliderJoint

    bodies = [Body("cart", 1.0, inertia=(1, 1, 1)), Body("shank", 1.0, inertia=(1, 1, 1))]
    slider = SliderJoint(name="pelvis_tx", parent="ground", child="cart")
    model = Model(bodies=bodies, joints=[slider, PinJoint(name="knee_angle_r", parent="cart", child="shank")])

    def both_modes(path: Path) -> Any:
        bo.load_motion(path, model, cutoff_hz=2.0, mode="opensim")
        return bo.load_motion(path, model, cutoff_hz=2.0)

    return _from_file("motion.mot", both_modes, folder)


def _loads_reader(folder: Path) -> Reader:
    import borelli as bo

    description = folder / "loads_of_table.xml"
    description.write_bytes(LOADS.replace(b"<torque_identifier>ground_torque_</torque_identifier>", b""))
    return _from_file(
        "grf.mot", lambda path: bo.load_loads(description, data_file=path, cutoff_hz=2.0), folder
    )


def _models(folder: Path) -> list[bytes]:
    """Build a model with every kind of part, and those in the styles of OpenSim 3 and 1."""
    from borelli.io.osim import write_osim
    from tests.io.osim import everything, old, version_one

    path = folder / "everything.osim"
    write_osim(everything.model(), path)
    return [path.read_bytes(), old.chain(30000).encode(), version_one.leg(10901).encode()]


def formats(folder: Path) -> dict[str, tuple[list[bytes], Reader]]:
    """Return, for each format, sound files and the reader that takes bytes."""
    from borelli.io.load_model import load_model
    from borelli.io.setups.external_loads import read_external_loads
    from borelli.io.setups.setup_xml import read_setup

    return {
        "sto": ([MOT, SIMM, VEC3], parse_sto),
        "trc": ([TRC], parse_trc),
        "csv": ([CSV, CSV.replace(b",", b";")], parse_csv),
        "parquet": ([parquet()], parse_parquet),
        "c3d": ([c3d()], parse_c3d),
        "xml": ([LOADS, MODEL], parse_xml),
        "external loads": ([LOADS], _from_file("loads.xml", read_external_loads, folder)),
        "setup": ([SETUP], _from_file("setup.xml", read_setup, folder)),
        "motion": ([MOT], _motion_reader(folder)),
        "loads": ([GRF], _loads_reader(folder)),
        "model": ([MODEL, *_models(folder)], _from_file("model.osim", load_model, folder)),
    }
