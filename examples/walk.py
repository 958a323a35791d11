"""A whole pipeline on the sample walk: markers, motion, muscles, joint forces, a picture and a page.

Run it with ``python examples/walk.py [FOLDER]``; it writes into the folder (by default ``walk-results``).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import borelli as bo

CUTOFF_HZ = 10.0


def main(folder: str = "walk-results") -> None:
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    files = bo.library.sample_walk()
    model = bo.load_model(files.model)

    # 1. The motion that fits the markers, with what half a millimetre of noise does to it.
    fit = bo.inverse_kinematics(model, bo.load_markers(files.markers), covariance=0.0005)
    knee_std = np.degrees(fit["q_std"].sel(coordinate="knee_angle_r").mean().item())
    print(
        f"Markers are met within {1e3 * fit['rms_error'].mean().item():.1f} mm; knee angle ± {knee_std:.2f}°."
    )
    bo.save_motion(fit.borelli.motion(), model, out / "walk_ik.mot")

    # 2. Filtered, and without the ends, where a filter knows one side only.
    motion = bo.load_motion(out / "walk_ik.mot", model, cutoff_hz=CUTOFF_HZ)
    motion = motion.instants((motion.time >= 0.15) & (motion.time <= 1.85))

    # 3. Moments, muscles, reactions and the contribution of every source.
    result = bo.analyze(model, motion, bo.load_loads(files.loads))
    print(f"Verdict: {bo.verdict(result).light}.")
    weight = 9.80665 * sum(float(body.mass) for body in model.bodies)
    for joint in ("hip_r", "knee_r", "ankle_r"):
        size = np.linalg.norm(result["total_reaction_force"].sel(joint=joint).values, axis=1) / weight
        print(f"{joint:<8} up to {size.max():.1f} body weights")
    print(bo.explain(result, "knee_r_reaction_force_y", by="muscle group").headline)

    # 4. To keep, to look at and to send.
    bo.save_result(result, out / "walk")
    print(f"Open {bo.write_report(out / 'walk', out / 'walk.html', title='A walk')}.")


if __name__ == "__main__":
    main(*sys.argv[1:2])
