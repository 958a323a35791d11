"""Write a C3D file with ezc3d, from arrays in a NumPy archive: ``python write_c3d.py IN.npz OUT.c3d``.

A program of its own, because ezc3d and OpenSim's Python package spoil each other's types in one process.
"""

from __future__ import annotations

import sys

import ezc3d
import numpy as np


def main(source: str, target: str) -> None:
    """Put markers (mm, 100 Hz), channels (400 Hz), plates and an event into a file."""
    given = np.load(source)
    file = ezc3d.c3d()
    file["parameters"]["POINT"]["UNITS"]["value"] = ["mm"]
    file["parameters"]["POINT"]["RATE"]["value"] = [100]
    file["parameters"]["POINT"]["LABELS"]["value"] = (
        given["labels"].tolist() if "labels" in given else ["R.ASIS", "Müde"]
    )
    if "Y_SCREEN" in given:
        file.add_parameter("POINT", "Y_SCREEN", [str(given["Y_SCREEN"])])
    points = np.ones((4, *given["markers"].transpose(2, 1, 0).shape[1:]))
    points[:3] = given["markers"].transpose(2, 1, 0)
    file["data"]["points"] = points
    file["parameters"]["ANALOG"]["RATE"]["value"] = [400]
    file["data"]["analogs"] = given["channels"].T[None]
    file["parameters"]["ANALOG"]["LABELS"]["value"] = [f"ch{i}" for i in range(given["channels"].shape[1])]
    file["parameters"]["ANALOG"]["UNITS"]["value"] = given["units"].tolist()
    for name in ("USED", "TYPE", "CORNERS", "ORIGIN", "CHANNEL", "CAL_MATRIX"):
        file.add_parameter("FORCE_PLATFORM", name, given[name].astype(float))
    events = given["events"].tolist() if "events" in given else [("0.01", "Foot Strike", "Left")]
    for time, label, context in events:
        file.add_event(time=[0.0, float(time)], label=label, context=context)
    file.write(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
