"""A small study: arms of several subjects that curl with and without a load, with noise, written to a folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

import borelli as bo
from tests.analyses.muscle_arms import arm

CONDITIONS = ("empty", "dumbbell")
FILE = """\
name = "curls"
out = "results"
conditions = ["empty", "dumbbell"]
outputs = {outputs}
{more}
[trials]
model = "data/{{subject}}/arm.toml"
motion = "data/{{subject}}/{{condition}}_{{trial}}.sto"
loads = "data/{{subject}}/{{condition}}_{{trial}}_loads.xml"

[analysis]
cutoff_hz = 6.0
loads_cutoff_hz = 6.0
{analysis}
"""

QUICK = {
    "more": 'pages = "none"',
    "bare": True,
    "outputs": '["elbow_moment"]',
    "analysis": "[statistics]\nspm = false",
}
"""Of a study of which it does not matter what is computed."""

LOADS = """<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects><ExternalForce name="hand">
<applied_to_body>fore</applied_to_body><force_expressed_in_body>ground</force_expressed_in_body>
<point_expressed_in_body>fore</point_expressed_in_body><force_identifier>hand_v</force_identifier>
<point_identifier>hand_p</point_identifier></ExternalForce></objects><datafile>{data}</datafile></ExternalLoads>
</OpenSimDocument>"""


def write_arm_study(
    folder: Path,
    subjects: int = 2,
    trials: int = 2,
    *,
    more: str = "",
    analysis: str = "",
    bare: bool = False,
    outputs: str = '["elbow_*", "shoulder_moment", "activation*", "*_activation"]',
) -> Path:
    """Write models (bare ones have no muscles), motions, loads and the study file; return the file."""
    random = np.random.default_rng(7)
    for k in range(subjects):
        own = folder / "data" / f"s{k + 1:02d}"
        own.mkdir(parents=True)
        body = arm(muscles=[]) if bare else arm()
        fore = replace(body.bodies[1], mass=1.2 + 0.1 * k)
        bo.save_model(replace(body, bodies=(body.bodies[0], fore)), own / "arm.toml")
        for condition in CONDITIONS:
            for trial in range(1, trials + 1):
                _write_trial(own, f"{condition}_{trial}", condition, random)
    path = folder / "study.toml"
    path.write_text(FILE.format(more=more, analysis=analysis, outputs=outputs))
    return path


def _write_trial(own: Path, name: str, condition: str, random: np.random.Generator) -> None:
    time = np.linspace(0.0, 1.0, 21)
    size = random.normal(1.0, 0.05, 2)
    q = np.stack([0.3 + 0.2 * size[0] * np.sin(time), 0.6 + 0.5 * size[1] * np.sin(2 * time)], axis=1)
    bo.save_table(bo.Table(time, ("shoulder", "elbow"), q, in_degrees=False), own / f"{name}.sto")
    weight = -9.81 * (2.0 if condition == "dumbbell" else 0.0) * random.normal(1.0, 0.05)
    columns = {
        "hand_vx": 0.0 * time, "hand_vy": weight + 0.0 * time, "hand_vz": 0.0 * time,
        "hand_px": 0.0 * time, "hand_py": -0.25 + 0.0 * time, "hand_pz": 0.0 * time,
    }  # fmt: skip
    bo.save_table(
        bo.Table(time, tuple(columns), np.stack(list(columns.values()), axis=1), in_degrees=False),
        own / f"{name}_forces.mot",
    )
    (own / f"{name}_loads.xml").write_text(LOADS.format(data=f"{name}_forces.mot"))
