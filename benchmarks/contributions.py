"""Speed of joint reactions with tensions and of the complete split, beside OpenSim's JointReaction analysis.

Single thread, processor time, least of repeats, on gait2392 (23 freedoms, 92 muscles, two ground reactions). OpenSim's
analysis is timed in the same run, for a further instant; it gives reactions, and no share.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from opensim_reactions import opensim_us

import borelli as bo

CASE = Path(__file__).resolve().parents[2] / "shared" / "oracle" / "gait2392"
LONG = 10_000


def least_us(function: Callable[[], object], n_instants: int, repeats: int = 20) -> float:
    """Least processor time of one call, in microseconds per instant."""
    function()
    least = np.inf
    for _ in range(repeats):
        start = time.process_time()
        function()
        least = min(least, time.process_time() - start)
    return least / n_instants * 1e6


def trial(n_instants: int) -> tuple[bo.Model, bo.Motion, list[bo.Load], dict[str, np.ndarray]]:
    """Model, motion, ground reactions and tensions: the reference instants over and over."""
    ref = np.load(CASE / "ref.npz")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = bo.load_model(CASE / json.loads((CASE / "case.json").read_text())["model"])
    rows = np.arange(n_instants) % len(ref["time"])
    names = tuple(map(str, ref["coord_names"]))
    motion = bo.Motion(np.arange(n_instants) / 60.0, names, *(ref[key][rows] for key in ("q", "u", "udot")))
    loads = [
        bo.Load(str(name), str(body), *(ref[f"ext_{kind}"][rows, i] for kind in ("force", "point", "torque")))
        for i, (name, body) in enumerate(zip(ref["ext_names"], ref["ext_body"], strict=True))
    ]
    rng = np.random.default_rng(0)
    return model, motion, loads, {name: rng.uniform(0, 500, n_instants) for name in model.muscle_names}


def main() -> None:
    """Print the table."""
    if not CASE.is_dir():
        print("contributions: the reference case gait2392 is not here")
        return
    n = 4096
    model, motion, loads, tensions = trial(n)
    net = least_us(lambda: bo.joint_reactions(model, motion, loads), n)
    borne = least_us(lambda: bo.joint_reactions(model, motion, loads, tensions=tensions), n)
    print(f"\nJoint reactions and their split: gait2392, {len(tensions)} tensions, {n} instants, one thread")
    print(f"{'reactions at all joints, net':<44} {net:9.2f} us per instant")
    theirs = opensim_us()
    beside = "OpenSim is not here to compare with" if theirs is None else f"{theirs / borne:6.0f} x OpenSim"
    print(f"{'reactions at all joints, with tensions':<44} {borne:9.2f} us per instant   {beside}")
    if theirs is not None:
        print(f"{'the same by OpenSim, JointReaction analysis':<44} {theirs:9.1f} us per instant")
    for variables in ("body", "coordinates"):
        taken = least_us(
            lambda v=variables: bo.contributions(model, motion, loads, tensions=tensions, variables=v), n, 6
        )
        result = bo.contributions(
            model,
            motion.instants(slice(0, 64)),
            [_first(load) for load in loads],
            tensions={name: values[:64] for name, values in tensions.items()},
            variables=variables,
        )
        size = result.attrs["share_bytes"] / 64 * LONG / 1e9
        label = f"complete split, {variables} ({result.sizes['source']} sources)"
        print(
            f"{label:<44} {taken:9.1f} us per instant   {size:5.2f} GB for {LONG:,} instants, "
            f"closure {float(result['closure']):.0e}"
        )
    print("Shares beyond 2 GB lie in a temporary file instead of memory (memory_limit_gb).")


def _first(load: bo.Load) -> bo.Load:
    return bo.Load(load.name, load.body, load.force[:64], load.point[:64], load.moment[:64])


if __name__ == "__main__":
    main()
