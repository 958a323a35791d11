"""Speed of inverse kinematics and scaling: markers to postures at the optimum, against OpenSim in one run.

Recordings and models lie beside the repository where the reference cases are; elsewhere there is nothing to measure.
One thread each. The whole public call is timed, tables of the answer and search of the first posture included, and told
by instant of a long recording; what one more instant costs is the difference of two lengths. OpenSim's solver tracks a
few instants, at its default accuracy and as exactly as it can. Scaling is measured, scaled and placed without files.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from paths import microseconds, opensim_module

import borelli as bo
from borelli.errors import BorelliWarning
from borelli.io.osim.marker_set import with_marker_set
from borelli.io.setups.setup_xml import read_tool

SHARED = Path(__file__).resolve().parents[2] / "shared" / "ik" / "ik"
SUBJECTS = ("gait2354", "rajagopal_walk_1")
CASES = {"gait2392": 1e-9, "rajagopal_walk": 1e-10}
"""Case, and the accuracy at which OpenSim comes near to the optimum."""
N_MARKERS = {"gait2392": 39}
"""Markers of the usual set, where a recording has fewer: others are made up on the same bodies."""
SPREAD_M = 0.005
"""How far the made-up markers are from where a rigid body would carry them: as skin would (5 mm)."""
N_INSTANTS = 2000
N_OPENSIM = 10
N_TURNS = 25
"""What one more instant costs is a difference: with fewer turns it scatters by half."""


def recording(stored: Any) -> xr.DataArray:
    """Play a recording forth and back until it is long enough."""
    there = np.arange(len(stored["time"]))
    rows = np.resize(np.concatenate([there, there[-2:0:-1]]), N_INSTANTS)
    names = [str(name) for name in stored["marker_names"]]
    step = float(np.median(np.diff(stored["time"])))
    return xr.DataArray(
        stored["marker_obs"][rows],
        {"time": step * np.arange(N_INSTANTS), "marker": names, "axis": ["x", "y", "z"]},
        ("time", "marker", "axis"),
    )


def with_more(model: bo.Model, markers: xr.DataArray, count: int) -> tuple[bo.Model, xr.DataArray]:
    """Add markers three centimetres beside others, recorded where the motion that fits these takes them."""
    motion = bo.inverse_kinematics(model, markers).borelli.motion()
    seen = [each for each in model.markers if each.name in markers["marker"].values]
    beside = np.array([0.03, 0.0, 0.0])
    added = [
        replace(each, name=f"added_{k}", location=tuple((np.array(each.location) + beside).tolist()))
        for k, each in enumerate(seen[:: len(seen) // (count - len(seen))][: count - len(seen)])
    ]
    model = replace(model, markers=(*model.markers, *added))
    names = [each.name for each in added]
    more = bo.marker_positions(model, motion).sel(marker=names).transpose("time", "marker", "axis")
    noise = np.random.default_rng(1).normal(0.0, SPREAD_M, more.shape[1:])
    return model, xr.concat([markers, (more + noise).assign_coords(time=markers["time"])], "marker")


def least_in_turn(calls: Sequence[Callable[[], Any]]) -> list[float]:
    """Least processor time of each call (microseconds), made in turn: a machine that is slow for a while slows all."""
    least = [np.inf] * len(calls)
    for _ in range(N_TURNS):
        for k, call in enumerate(calls):
            start = time.thread_time()
            call()
            least[k] = min(least[k], 1e6 * (time.thread_time() - start))
    return least


def measure_opensim(opensim: Any, folder: Path, stored: Any, accuracy: float) -> float:
    """Microseconds an instant of the solver's track, processor time."""
    model = opensim.Model(str(next(folder.glob("*.osim"))))
    state = model.initSystem()
    weights = opensim.SetMarkerWeights()
    for name, weight in zip(stored["marker_names"], stored["marker_weights"], strict=True):
        weights.cloneAndAppend(opensim.MarkerWeight(str(name), float(weight)))
    reference = opensim.MarkersReference(str(next(folder.glob("*.trc"))), weights)
    solver = opensim.InverseKinematicsSolver(model, reference, opensim.SimTKArrayCoordinateReference())
    solver.setAccuracy(accuracy)
    state.setTime(float(stored["time"][0]))
    solver.assemble(state)
    solver.track(state)
    start = time.thread_time()
    for moment in stored["time"][1 : N_OPENSIM + 1]:
        state.setTime(float(moment))
        solver.track(state)
    return 1e6 * (time.thread_time() - start) / N_OPENSIM


def trial(case: str) -> tuple[bo.Model, xr.DataArray, dict[str, float]]:
    """Return a model, the recording of its markers, and their weights."""
    folder = SHARED / case
    stored = np.load(folder / "ref.npz")
    model, markers = bo.load_model(next(folder.glob("*.osim"))), recording(stored)
    weights = dict(zip(map(str, stored["marker_names"]), map(float, stored["marker_weights"]), strict=True))
    missing = N_MARKERS.get(case, 0) - len(weights)
    if missing > 0:
        model, markers = with_more(model, markers, N_MARKERS[case])
        weights |= dict.fromkeys(map(str, markers["marker"].values[-missing:]), 1.0)
    return model, markers, weights


def measure(case: str, opensim: Any) -> None:
    folder = SHARED / case
    stored = np.load(folder / "ref.npz")
    model, markers, weights = trial(case)

    def call(n: int) -> xr.Dataset:
        return bo.inverse_kinematics(model, markers[:n], weights=weights)

    result = call(N_INSTANTS)
    whole, half, first = least_in_turn([lambda n=n: call(n) for n in (N_INSTANTS, N_INSTANTS // 2, 2)])
    ours = whole / N_INSTANTS
    steps, left = float(result["iterations"].mean()), float(result["kkt_residual"].max())
    print(f"{case}: {len(model.coordinates)} coordinates, {len(weights)} markers, microseconds an instant")
    print(f"  Borelli, everything ({steps:.1f} steps, residual {left:.0e} m²/rad)    {ours:10.1f}")
    print(
        f"  Borelli, one more instant                                {(whole - half) * 2 / N_INSTANTS:10.1f}"
    )
    print(f"  Borelli, a call with two instants                        {first:10.1f}")
    if opensim is None:
        return
    if len(weights) > len(stored["marker_names"]):
        print(f"  OpenSim tracks the {len(stored['marker_names'])} markers of the recording")
    for accuracy in (1e-5, CASES[case]):
        theirs = measure_opensim(opensim, folder, stored, accuracy)
        line = f"  OpenSim, track at accuracy {accuracy:.0e}"
        print(f"{line:58s} {theirs:10.1f}   {theirs / ours:8.0f} ×")


def measure_scaling(case: str) -> None:
    """Print the seconds in which a subject is measured, scaled and its markers are placed."""
    folder = SHARED.parent / "scale" / case
    setup: Any = read_tool(folder / "setup_scale.xml")
    model, static = bo.load_model(setup.model), bo.load_markers(setup.scaler.marker_file)
    if setup.marker_set is not None:
        model = with_marker_set(model, setup.marker_set)
    pairs = [bo.Measurement(m.name, m.pairs, dict(m.bodies)) for m in setup.scaler.measurements]
    weights = {task.name: task.weight for task in setup.placer.tasks if task.is_marker}
    known = set(model.marker_names) & set(map(str, static["marker"].values))

    def subject(mass: float) -> bo.PlacedMarkers:
        # Another mass makes it another subject: nothing of the one before is remembered.
        scaled = bo.scale(model, bo.scale_factors(model, static, pairs), mass=mass, mode="opensim")
        return bo.place_markers(
            scaled, static, weights={name: w for name, w in weights.items() if name in known}
        )

    mass = iter(np.linspace(50.0, 90.0, 100))
    spent = 1e-6 * microseconds(lambda: subject(float(next(mass))), 1)
    print(f"{case}: measured, scaled and markers placed in {spent:.2f} s")


def main() -> None:
    opensim = opensim_module()
    for case in SUBJECTS:
        if (SHARED.parent / "scale" / case).exists():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", BorelliWarning)
                measure_scaling(case)
    for case in CASES:
        if not (SHARED / case).exists():
            print(f"{case}: the recording is not here; nothing to measure")
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BorelliWarning)
            measure(case, opensim)


if __name__ == "__main__":
    main()
