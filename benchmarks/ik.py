"""Speed of inverse kinematics: markers to postures at the optimum, against OpenSim in one run.

Recordings and models lie beside the repository where the reference cases are; elsewhere there is nothing to measure.
One thread each. The first posture is sought from many starts, and told apart. OpenSim's solver tracks a few
instants, at its default accuracy and as exactly as it can.
"""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from paths import microseconds, opensim_module

import borelli as bo
from borelli.errors import BorelliWarning

SHARED = Path(__file__).resolve().parents[2] / "shared" / "ik" / "ik"
CASES = {"gait2392": 1e-9, "rajagopal_walk": 1e-10}
"""Case, and the accuracy at which OpenSim comes near to the optimum."""
N_INSTANTS = 2000
N_OPENSIM = 10


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


def measure(case: str, opensim: Any) -> None:
    folder = SHARED / case
    stored = np.load(folder / "ref.npz")
    model, markers = bo.load_model(next(folder.glob("*.osim"))), recording(stored)
    weights = dict(zip(map(str, stored["marker_names"]), map(float, stored["marker_weights"]), strict=True))
    result = bo.inverse_kinematics(model, markers, weights=weights)
    whole = microseconds(lambda: bo.inverse_kinematics(model, markers, weights=weights), N_INSTANTS)
    first = microseconds(lambda: bo.inverse_kinematics(model, markers[:1], weights=weights), 1)
    ours = (whole * N_INSTANTS - first) / (N_INSTANTS - 1)
    steps, left = float(result["iterations"].mean()), float(result["kkt_residual"].max())
    print(f"{case}: {len(model.coordinates)} coordinates, {len(weights)} markers, microseconds an instant")
    print(f"  Borelli ({steps:.1f} steps, residual {left:.0e} m²/rad)                {ours:10.1f}")
    print(f"  Borelli, the first posture                               {first:10.1f}")
    if opensim is None:
        return
    for accuracy in (1e-5, CASES[case]):
        theirs = measure_opensim(opensim, folder, stored, accuracy)
        line = f"  OpenSim, track at accuracy {accuracy:.0e}"
        print(f"{line:58s} {theirs:10.1f}   {theirs / ours:8.0f} ×")


def main() -> None:
    opensim = opensim_module()
    for case in CASES:
        if not (SHARED / case).exists():
            print(f"{case}: the recording is not here; nothing to measure")
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BorelliWarning)
            measure(case, opensim)


if __name__ == "__main__":
    main()
