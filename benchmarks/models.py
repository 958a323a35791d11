"""Speed of loading a model: the full-body model of Rajagopal et al. (2016), 80 muscles, against OpenSim.

The file lies beside the repository where the reference cases are; elsewhere there is nothing to measure.
Importing either library is set-up and not counted.
"""

from __future__ import annotations

import os
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import borelli as bo

MODEL = Path(__file__).resolve().parents[2] / "shared" / "oracle" / "rajagopal2016" / "Rajagopal2016.osim"
REPEATS = 9


def seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def opensim_reader() -> Callable[[str], object] | None:
    """Return OpenSim's reader, or None where it is not installed."""
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
    return opensim.Model


def main() -> None:
    if not MODEL.is_file():
        print("models: the reference model is not on this machine")
        return
    theirs = opensim_reader()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bo.BorelliWarning)
        first = seconds(lambda: bo.load_model(MODEL))
        ours, other = [], []
        # Turn by turn, so that a busy machine is busy for both.
        for _ in range(REPEATS):
            ours.append(seconds(lambda: bo.load_model(MODEL)))
            if theirs is not None:
                other.append(seconds(lambda: theirs(str(MODEL))))
    print(f"models: load {MODEL.name}, {MODEL.stat().st_size / 1e6:.2f} MB; first call {first:.3f} s")
    line = f"  borelli {min(ours):.3f} s"
    if other:
        line += f"   OpenSim {min(other):.3f} s, {min(other) / min(ours):.1f} times faster"
    print(line)


if __name__ == "__main__":
    main()
