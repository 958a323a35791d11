"""A subject for the leg of ``own_models``: a static trial with gaps, and a setup of OpenSim's scale tool."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

import borelli as bo
from borelli import model as bm
from borelli.results.labelled.table import Cell, Table
from tests.conformance.own_models import MODELS

PLACES = {
    "ASIS": ("pelvis", (0.02, 0.03, 0.12)),
    "PSIS": ("pelvis", (-0.15, 0.03, 0.05)),
    "hip": ("femur", (0.0, 0.0, 0.09)),
    "thigh": ("femur", (0.06, -0.2, 0.05)),
    "knee": ("femur", (0.0, -0.39, 0.05)),
    "shank": ("tibia", (0.04, -0.15, 0.04)),
    "ankle": ("tibia", (0.0, -0.41, 0.05)),
    "heel": ("foot", (-0.05, -0.02, 0.0)),
    "toe": ("foot", (0.18, -0.03, 0.0)),
}
POSE = {"tilt": 0.05, "forward": 0.3, "up": 0.95, "hip_angle": 0.1, "knee_angle": -0.15, "ankle_angle": 0.08}
SIZES = {"pelvis": (1.1, 1.05, 1.02), "femur": (1.07, 1.12, 1.07), "tibia": (0.96, 1.04, 0.97), "foot": 1.08}


def _measurement(name: str, pairs: str, bodies: dict[str, str], apply: bool = True) -> str:
    listed = "".join(
        f"<MarkerPair><markers> {pair} </markers></MarkerPair>" for pair in pairs.split(",") if pair
    )
    scaled = "".join(
        f'<BodyScale name="{body}"><axes> {axes} </axes></BodyScale>' for body, axes in bodies.items()
    )
    return (
        f'<Measurement name="{name}"><apply> {str(apply).lower()} </apply>'
        f"<MarkerPairSet><objects>{listed}</objects></MarkerPairSet>"
        f"<BodyScaleSet><objects>{scaled}</objects></BodyScaleSet></Measurement>"
    )


MEASUREMENTS = "".join(
    (
        _measurement("pelvis", "ASIS PSIS", {"pelvis": "X Z"}),
        _measurement("thigh", "hip knee,thigh knee", {"femur": "x y z", "kneecap": "X"}),
        _measurement("shank", "knee ankle", {"tibia": "Y"}),
        _measurement("lost", "thigh nobody", {"tibia": "X Y Z"}),
        _measurement("gap", "shank ankle", {"foot": "X Y Z"}),
        _measurement("off", "heel toe", {"foot": "X"}, apply=False),
    )
)
SETUP = f"""<?xml version="1.0" encoding="UTF-8"?>
<OpenSimDocument Version="40000"><ScaleTool name="somebody">
<mass> 31.5 </mass><height>1700</height><age>30</age><notes>made for tests</notes>
<GenericModelMaker><model_file> model.osim </model_file>
<marker_set_file> markers.xml </marker_set_file></GenericModelMaker>
<ModelScaler><apply>true</apply><scaling_order> measurements manualScale </scaling_order>
<MeasurementSet><objects>{MEASUREMENTS}</objects></MeasurementSet>
<ScaleSet file="manual.xml"/>
<marker_file> static.trc </marker_file><time_range> 0.104 0.171 </time_range>
<preserve_mass_distribution>false</preserve_mass_distribution>
<output_model_file> out/scaled.osim </output_model_file><output_scale_file>out/scale_set.xml</output_scale_file>
</ModelScaler></ScaleTool></OpenSimDocument>
"""
MANUAL = """<?xml version="1.0" encoding="UTF-8"?>
<OpenSimDocument Version="40000"><ScaleSet name="by hand"><objects>
<Scale><scales> 1.1 0.9 1.05 </scales><segment> foot </segment><apply>true</apply></Scale>
<Scale><scales> 3 3 3 </scales><segment> pelvis </segment><apply>false</apply></Scale>
</objects></ScaleSet></OpenSimDocument>
"""


def generic() -> bm.Model:
    """The leg with markers, one of which the setup's own set moves."""
    markers = [bm.Marker(name, frame, place) for name, (frame, place) in PLACES.items()]
    markers[0] = replace(markers[0], location=(9.0, 9.0, 9.0))
    return replace(MODELS["leg"](), markers=markers)  # type: ignore[arg-type]


def recording() -> Table:
    """Twenty instants of the subject standing, with a gap, in millimetres."""
    subject = bo.scale(
        replace(generic(), markers=[bm.Marker(n, f, p) for n, (f, p) in PLACES.items()]), SIZES
    )  # type: ignore[arg-type]
    q = np.array([[POSE.get(name, 0.0) for name in subject.coordinate_names]])
    pose = bo.Motion(np.zeros(1), subject.coordinate_names, q)
    still = bo.marker_positions(subject, pose).values
    positions = 1000.0 * (still + np.random.default_rng(5).normal(0.0, 1e-3, (20, len(PLACES), 3)))
    positions[12, list(PLACES).index("shank")] = np.nan
    names = tuple(PLACES)
    return Table(np.arange(20) / 100.0, names, positions, ("mm",) * len(names), cells=Cell.VEC3)


def write_subject(folder: Path) -> Path:
    """Write model, markers, static trial and setup; return the setup."""
    bo.save_model(generic(), folder / "model.osim")
    bo.save_table(recording(), folder / "static.trc")
    frame, place = PLACES["ASIS"]
    (folder / "markers.xml").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<OpenSimDocument Version="20302"><MarkerSet><objects>'
        f'<Marker name="ASIS"><body> {frame} </body><location> {" ".join(map(str, place))} </location>'
        '<fixed>true</fixed></Marker><Marker name="extra"><body>tibia</body><location>0 -0.1 0</location></Marker>'
        "</objects></MarkerSet></OpenSimDocument>"
    )
    (folder / "manual.xml").write_text(MANUAL)
    (folder / "setup.xml").write_text(SETUP)
    (folder / "out").mkdir(exist_ok=True)
    return folder / "setup.xml"
