"""A made-up study: people of different size squat with and without a barbell, and nothing is the same twice.

Writes models, motions and loads of a small laboratory, then runs the study. Every subject has a leg of the library in
their own size, with noise in speed, depth and weight: what the page finds is what was put in.

    python examples/made_up_study.py FOLDER [SUBJECTS] [TRIALS]      default: 3 subjects, 2 trials a condition
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

import borelli as bo

CONDITIONS = {"free": 0.0, "barbell": 40.0}
"""Condition, and the mass on the shoulders (kg)."""
STRENGTHS = {
    "soleus": 5000.0, "tibialis_anterior": 1500.0, "gastrocnemius": 2500.0, "vasti": 7000.0,
    "rectus_femoris": 2000.0, "hamstrings": 4000.0, "gluteus_maximus": 4000.0,
}  # fmt: skip
STUDY = """\
name = "squats"
out = "results"
conditions = ["free", "barbell"]
outputs = ["knee_*", "ankle_moment", "hip_moment", "*_activation"]
pages = "outliers"

[trials]
model = "data/{subject}/leg.toml"
motion = "data/{subject}/{condition}_{trial}.sto"
loads = "data/{subject}/{condition}_{trial}_loads.xml"

[analysis]
cutoff_hz = 6.0
loads_cutoff_hz = 6.0
"""
LOADS = """<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects><ExternalForce name="barbell">
<applied_to_body>trunk</applied_to_body><force_expressed_in_body>ground</force_expressed_in_body>
<point_expressed_in_body>trunk</point_expressed_in_body><force_identifier>bar_v</force_identifier>
<point_identifier>bar_p</point_identifier></ExternalForce></objects><datafile>{data}</datafile></ExternalLoads>
</OpenSimDocument>"""


def write_study(folder: Path, subjects: int, trials: int, seed: int = 1) -> Path:
    """Write the laboratory's files and the study file; return the latter."""
    random = np.random.default_rng(seed)
    for k in range(subjects):
        own = folder / "data" / f"s{k + 1:02d}"
        own.mkdir(parents=True)
        chain = bo.library.leg_squat(mass_kg=random.normal(73.0, 8.0), height_m=random.normal(1.74, 0.06))
        bo.save_model(with_fibres(bo.planar.to_model(chain, STRENGTHS)), own / "leg.toml")
        for condition, mass in CONDITIONS.items():
            for trial in range(1, trials + 1):
                write_trial(own, f"{condition}_{trial}", chain, mass, random)
    path = folder / "study.toml"
    path.write_text(STUDY)
    return path


def with_fibres(model: bo.Model) -> bo.Model:
    """Give the muscles of a planar chain fibres and tendons, which it has none of: made up, like all else here."""
    found = bo.paths(model, bo.Motion.at_rest(model.coordinate_names, [1.2, -1.2, 1.0]))
    middle = dict(zip(found["path"].values.tolist(), found["length"].values[0].tolist(), strict=True))
    muscles = [
        replace(
            each, optimal_fiber_length=0.35 * middle[each.name], tendon_slack_length=0.6 * middle[each.name]
        )
        for each in model.muscles
    ]
    return replace(model, muscles=tuple(muscles))


def write_trial(
    own: Path, name: str, chain: bo.planar.Chain, mass: float, random: np.random.Generator
) -> None:
    """Write one squat, a little slower or faster, a little higher or lower, and the barbell's weight."""
    motion = bo.planar.to_motion(
        chain, bo.library.squat_to_stand(duration_s=1.2 * random.normal(1.0, 0.05), rate_hz=50.0)
    )
    rest = motion.q[-1]
    q = rest + (motion.q - rest) * random.normal(1.0, 0.03) + random.normal(0.0, 1e-3, motion.q.shape)
    bo.save_table(bo.Table(motion.time, motion.coordinates, q, in_degrees=False), own / f"{name}.sto")
    zero = np.zeros_like(motion.time)
    weight = zero - 9.81 * mass * random.normal(1.0, 0.01)
    columns = {
        "bar_vx": zero, "bar_vy": weight, "bar_vz": zero,
        "bar_px": zero + chain.links[-1].length, "bar_py": zero, "bar_pz": zero,
    }  # fmt: skip
    table = bo.Table(motion.time, tuple(columns), np.stack(list(columns.values()), axis=1), in_degrees=False)
    bo.save_table(table, own / f"weight_{name}.sto")
    (own / f"{name}_loads.xml").write_text(LOADS.format(data=f"weight_{name}.sto"))


def main() -> None:
    given = sys.argv[1:]
    folder = Path(given[0]) if given else Path(tempfile.mkdtemp())
    found = bo.study(write_study(folder, *map(int, given[1:3])) if given[1:] else write_study(folder, 3, 2))
    for each in [each for each in found.result.differences() if each.parts][:4] if found.result else []:
        print(each.sentence)
    print(f"{len(found.entries)} trials, {len(found.failed)} failed; {found.folder / 'study.html'}")


if __name__ == "__main__":
    main()
