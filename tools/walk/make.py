"""Make the sample walk that ships with Borelli: ``python -m tools.walk.make`` from the root of the repository.

Writes ``src/borelli/library/walk``: the model, markers of a standing and of a walking trial with half a millimetre
of noise, the exact motion, and ground forces. The coefficients of the gait are in ``gait.json`` beside this file;
``--fit`` finds them anew, which takes some minutes. Everything is computed from the tables in this folder; nothing
is recorded.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

import borelli as bo
from borelli.model import MotionType
from borelli.results.labelled.table import Cell, Table

from . import body, curves, gait, ground, muscles

HERE = Path(__file__).resolve().parent
TARGET = HERE.parents[1] / "src" / "borelli" / "library" / "walk"
COEFFICIENTS = HERE / "gait.json"
RATE_HZ = 100.0
BEFORE = 0.15  # of a stride, before the first heel strike of the right foot
N_TIMES = 191
NOISE_M = 0.0005
SEED = 1679  # Borelli's death, and the year before De Motu Animalium was printed

LOADS_XML = """<?xml version="1.0" encoding="UTF-8"?>
<OpenSimDocument Version="40000">
  <ExternalLoads name="ground_forces">
    <objects>
{objects}
    </objects>
    <datafile>ground_forces.mot</datafile>
  </ExternalLoads>
</OpenSimDocument>
"""
FORCE_XML = """      <ExternalForce name="ground_{side}">
        <isDisabled>false</isDisabled>
        <applied_to_body>foot_{side}</applied_to_body>
        <force_expressed_in_body>ground</force_expressed_in_body>
        <point_expressed_in_body>ground</point_expressed_in_body>
        <force_identifier>ground_{side}_v</force_identifier>
        <point_identifier>ground_{side}_p</point_identifier>
        <torque_identifier>ground_{side}_m</torque_identifier>
      </ExternalForce>"""


def coefficients(anew: bool = False) -> np.ndarray:
    """Return the coefficients of the gait, from the file or from a fit."""
    if anew:
        _, found = gait.fitted(body.skeleton(), verbose=1)
        # Six digits are a micrometre or a ten-thousandth of a degree.
        COEFFICIENTS.write_text(json.dumps([round(float(x), 6) for x in found]) + "\n", encoding="utf-8")
    return np.array(json.loads(COEFFICIENTS.read_text(encoding="utf-8")))


def instants() -> tuple[np.ndarray, np.ndarray]:
    """Times of the recording, and those of the gait, whose zero is a heel strike of the right foot."""
    time = np.round(np.arange(N_TIMES) / RATE_HZ, 4)
    return time, time - BEFORE * curves.STRIDE_TIME


def motion_and_forces(model, x):
    """The exact motion, and force, point and free moment on each foot."""
    time, own = instants()
    moved = gait.Gait(model, own).motion(x)
    force, moment = ground.wrench(model, moved)
    phase = own / curves.STRIDE_TIME
    made = ground.split(
        force,
        moment,
        ground.mass_centre(model, moved),
        curves.loaded_share(phase),
        gait.foot_places(phase, x[-1]),
    )
    return bo.Motion(time, moved.coordinates, moved.q, moved.u, moved.udot), made


def marker_table(model, motion, noise_m, seed=SEED) -> Table:
    """Markers in millimetres, each off by noise in every direction."""
    places = bo.marker_positions(model, motion).values
    places = places + np.random.default_rng(seed).normal(0.0, noise_m, places.shape)
    return Table(
        time=motion.time,
        columns=model.marker_names,
        values=np.round(1e3 * places, 2),
        cells=Cell.VEC3,
        units=("mm",) * len(model.marker_names),
    )


def motion_table(model, motion) -> Table:
    """Coordinates in degrees and metres, to a millionth of a degree: they are differentiated twice."""
    angles = [model.coordinates[name].motion is MotionType.ROTATIONAL for name in motion.coordinates]
    values = np.where(angles, np.degrees(motion.q), motion.q)
    return Table(
        time=motion.time,
        columns=motion.coordinates,
        values=np.where(angles, np.round(values, 6), np.round(values, 8)) + 0.0,
        in_degrees=True,
        name="Coordinates",
    )


def force_table(made, time) -> Table:
    columns, values = [], []
    for side, parts in made.items():
        for letter, part, digits in zip("vpm", parts, (4, 6, 4), strict=True):
            # Where a foot bears nothing it has no centre of pressure either.
            part = np.where(np.abs(parts[0][:, 1:2]) > 1e-9, part, 0.0) if letter == "p" else part
            columns += [f"ground_{side}_{letter}{axis}" for axis in "xyz"]
            values.append(np.round(part, digits) + 0.0)
    return Table(time=time, columns=tuple(columns), values=np.concatenate(values, axis=1))


def standing(model) -> bo.Motion:
    """Upright, feet flat, arms hanging, for one tenth of a second."""
    q = np.zeros(len(model.coordinate_names))
    q[model.coordinate_names.index("pelvis_ty")] = body.HIP_HEIGHT
    for side in "rl":
        q[model.coordinate_names.index(f"arm_adduction_{side}")] = gait.FIXED["arm_adduction"]
    return bo.Motion.at_rest(model.coordinate_names, np.tile(q, (11, 1)), np.arange(11) / RATE_HZ)


def main() -> None:
    model = muscles.model()
    x = coefficients("--fit" in sys.argv)
    motion, made = motion_and_forces(model, x)
    TARGET.mkdir(parents=True, exist_ok=True)
    bo.save_model(model, TARGET / "subject.osim")
    bo.save_table(marker_table(model, standing(model), NOISE_M), TARGET / "standing.trc")
    bo.save_table(marker_table(model, motion, NOISE_M), TARGET / "walk.trc")
    bo.save_table(motion_table(model, motion), TARGET / "walk.mot")
    bo.save_table(force_table(made, motion.time), TARGET / "ground_forces.mot")
    objects = "\n".join(FORCE_XML.format(side=side) for side in "rl")
    (TARGET / "ground_forces.xml").write_text(
        LOADS_XML.format(objects=objects), encoding="utf-8", newline="\n"
    )
    for path in sorted(TARGET.iterdir()):
        print(f"{path.name:<20} {path.stat().st_size / 1024:7.1f} kB")


if __name__ == "__main__":
    main()
