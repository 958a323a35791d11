"""Speed of paths: all muscles × all coordinates with lengths and speeds, against OpenSim and MuJoCo in one run.

gait2392 (92 muscles, 23 coordinates, no wraps) and the full-body model of Rajagopal et al. (2016; 80 muscles, 39
coordinates, 46 wraps) lie beside the repository where the reference cases are; elsewhere only an arm of our own is
measured (50 muscles, 155 wraps; 24 rings, one with a hole of half a millimetre). One thread each; OpenSim's calls
are timed on a few instants. MuJoCo gets a tree of the same size with the same number of tendons through as many sites,
without wraps.
"""

from __future__ import annotations

import dataclasses
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from arm import arm, sway

import borelli as bo
from borelli.errors import BorelliWarning
from borelli.kernels.lanes.code.compile import lane_width

SHARED = Path(__file__).resolve().parents[2] / "shared" / "oracle"
CASES = {"gait2392": "subject01_simbody.osim", "rajagopal2016": "Rajagopal2016.osim"}
N_INSTANTS = 2000
N_OPENSIM = 3


def microseconds(function: Callable[[], object], n_instants: int, repeats: int = 5) -> float:
    """Return the least processor time per instant, after one call to warm up."""
    function()
    least = np.inf
    for _ in range(repeats):
        start = time.thread_time()
        function()
        least = min(least, time.thread_time() - start)
    return 1e6 * least / n_instants


def opensim_module() -> Any:
    """Return OpenSim, or None where it is not installed."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)  # it drops a log file where it is imported
        try:
            import opensim
        except ImportError:
            return None
        finally:
            os.chdir(here)
    opensim.Logger.setLevelString("off")
    return opensim


def measure_opensim(opensim: Any, file: Path, motion: bo.Motion) -> tuple[float, float]:
    """Microseconds per instant of computeMomentArm for all pairs, and of the lengthening speeds of unit speeds."""
    model = opensim.Model(str(file))
    state = model.initSystem()
    found = model.getCoordinateSet()
    coordinates = {found.get(i).getName(): found.get(i) for i in range(found.getSize())}
    forces = model.getMuscles()
    paths = [forces.get(i).getGeometryPath() for i in range(forces.getSize())]
    free = [c for c in coordinates.values() if not c.getLocked(state)]

    def place(instant: int) -> None:
        for name, value in zip(motion.coordinates, motion.q[instant], strict=True):
            if not coordinates[name].getLocked(state):
                coordinates[name].setValue(state, float(value), False)

    def all_pairs() -> None:
        for instant in range(N_OPENSIM):
            place(instant)
            model.realizePosition(state)
            for path in paths:
                for coordinate in free:
                    path.computeMomentArm(state, coordinate)

    def unit_speeds() -> None:
        for instant in range(N_OPENSIM):
            place(instant)
            for coordinate in free:
                for other in free:
                    other.setSpeedValue(state, 1.0 if other is coordinate else 0.0)
                model.realizeVelocity(state)
                for path in paths:
                    path.getLengtheningSpeed(state)

    pairs = microseconds(all_pairs, N_OPENSIM, repeats=1)
    return pairs, microseconds(unit_speeds, N_OPENSIM, repeats=2)


def mujoco_text(model: bo.Model) -> str:
    """Write a tree of hinges with the bodies of a model, and its paths as spatial tendons."""
    children: dict[str, list[Any]] = {}
    for joint in model.joints:
        children.setdefault(model.parent_of(joint)[0], []).append(joint)
    sites: dict[str, list[str]] = {}
    tendons = []
    for path in model.paths.values():
        line = []
        for point in path.points:
            body, place = model.place(point.frame)
            location = place.of_point(getattr(point, "location", (0.0, 0.0, 0.0)))
            name = f"s{sum(map(len, sites.values()))}"
            where = " ".join(map(str, location))
            sites.setdefault(body, []).append(f'<site name="{name}" pos="{where}"/>')
            line.append(f'<site site="{name}"/>')
        tendons.append(f"<spatial>{''.join(line)}</spatial>")

    def body(name: str) -> str:
        inside = "".join(sites.get(name, []))
        for joint in children.get(name, []):
            child = model.child_of(joint)[0]
            place = " ".join(str(float(x)) for x in model.parent_of(joint)[1].translation)
            axes = ("1 0 0", "0 1 0", "0 0 1")
            hinges = "".join(f'<joint axis="{axes[k % 3]}"/>' for k in range(len(joint.speed_names)))
            mass = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
            inside += f'<body pos="{place}">{mass}{hinges}{body(child)}</body>'
        return inside

    return f"<mujoco><worldbody>{body('ground')}</worldbody><tendon>{''.join(tendons)}</tendon></mujoco>"


def measure_mujoco(model: bo.Model) -> float | None:
    """Microseconds per instant for tendon lengths and Jacobians; None where MuJoCo is not installed."""
    try:
        import mujoco
    except ImportError:
        return None
    peer = mujoco.MjModel.from_xml_string(mujoco_text(model))
    data = mujoco.MjData(peer)
    q = np.random.default_rng(1).normal(0, 0.3, (N_INSTANTS, peer.nq))

    def run() -> None:
        for row in q:
            data.qpos[:] = row
            mujoco.mj_kinematics(peer, data)
            mujoco.mj_comPos(peer, data)
            mujoco.mj_tendon(peer, data)

    return microseconds(run, N_INSTANTS, repeats=3)


def measure(case: str, file: Path, opensim: Any) -> None:
    reference = np.load(file.parent / "ref.npz")
    model = bo.load_model(file)
    names = tuple(str(name) for name in reference["coord_names"])
    rows = np.arange(N_INSTANTS) % len(reference["time"])
    motion = bo.Motion(
        np.arange(float(N_INSTANTS)),
        names,
        reference["q"][rows],
        reference["u"][rows],
        reference["udot"][rows],
    )
    ours = microseconds(lambda: bo.paths(model, motion, forces=True), N_INSTANTS)
    arms = microseconds(lambda: bo.moment_arms(model, motion), N_INSTANTS)
    print(
        f"{case}: {len(model.path_names)} paths × {len(model.speed_names)} coordinates, microseconds per instant"
    )
    print(f"  Borelli, lengths, speeds and the whole Jacobian       {ours:12.1f}")
    print(f"  Borelli, moment arms along the constraints            {arms:12.1f}")
    if opensim is not None:
        pairs, cheapest = measure_opensim(opensim, file, motion)
        print(
            f"  OpenSim, computeMomentArm for all pairs               {pairs:12.1f}   {pairs / ours:8.0f} ×"
        )
        print(
            f"  OpenSim, lengthening speeds of unit speeds            {cheapest:12.1f}   {cheapest / ours:8.0f} ×"
        )
    peer = measure_mujoco(model)
    if peer is not None:
        print(f"  MuJoCo, ten_length and ten_J, no wraps                {peer:12.1f}   {peer / ours:8.1f} ×")


def measure_opensim_lengths(opensim: Any, model: bo.Model, motion: bo.Motion, n: int) -> float:
    """Microseconds per instant of the lengths of all paths alone."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arm.osim"
        bo.save_model(model, file)
        peer = opensim.Model(str(file))
    state = peer.initSystem()
    coordinates = [peer.getCoordinateSet().get(name) for name in motion.coordinates]
    forces = peer.getMuscles()
    paths = [forces.get(i).getGeometryPath() for i in range(forces.getSize())]
    rows = np.linspace(0, len(motion.q) - 1, n).astype(int)

    def lengths() -> None:
        for row in motion.q[rows]:
            for coordinate, value in zip(coordinates, row, strict=True):
                coordinate.setValue(state, float(value), False)
            peer.realizePosition(state)
            for path in paths:
                path.getLength(state)

    return microseconds(lengths, n, repeats=2)


def measure_arm(opensim: Any) -> None:
    """An arm over many surfaces: all paths, and the one through the ring with a hole of half a millimetre."""
    model, motion = arm(), sway(N_INSTANTS)
    muscle = model.muscles["finger_0"]
    ours = microseconds(lambda: bo.paths(model, motion, forces=True), N_INSTANTS)
    bare = dataclasses.replace(muscle, path=dataclasses.replace(muscle.path, wraps=()))
    ring, line = (dataclasses.replace(model, muscles=(one,)) for one in (muscle, bare))
    through = microseconds(lambda: bo.paths(ring, motion, forces=True), N_INSTANTS)
    straight = microseconds(lambda: bo.paths(line, motion, forces=True), N_INSTANTS)
    n_wraps = sum(len(own.path.wraps) for own in model.muscles)
    print(f"arm: {len(model.path_names)} paths over {n_wraps} surfaces, microseconds per instant")
    print(f"  Borelli, lengths, speeds and the whole Jacobian       {ours:12.1f}")
    print(f"  of it, a path through a hole of half a millimetre     {through - straight:12.1f}")
    if opensim is not None:
        peer = measure_opensim_lengths(opensim, model, motion, 20)
        print(f"  OpenSim, lengths alone                                {peer:12.1f}   {peer / ours:8.0f} ×")


def main() -> None:
    print(f"vector width: {lane_width()} doubles")
    opensim = opensim_module()
    measure_arm(opensim)
    for case, name in CASES.items():
        file = SHARED / case / name
        if not file.exists():
            print(f"{case}: the model is not here; nothing to measure")
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BorelliWarning)
            measure(case, file, opensim)


if __name__ == "__main__":
    main()
