"""A small leg that stands up: three links, two muscles, one load; quick to analyse and with every kind of source."""

from __future__ import annotations

import numpy as np
import xarray as xr

from borelli import planar


def leg() -> planar.Chain:
    return planar.Chain(
        links=(
            planar.Link("shank", 0.43, 3.5, 0.05, (0.19, 0.01), joint="ankle"),
            planar.Link("thigh", 0.42, 8.0, 0.12, (0.18, -0.01), joint="knee"),
            planar.Link("trunk", 0.60, 35.0, 1.5, (0.30, 0.02), joint="hip"),
        ),
        muscles=(
            planar.Muscle("vasti", ((1, (0.38, 0.05)), (2, (0.10, 0.06)))),
            planar.Muscle("hamstrings", ((1, (0.36, -0.04)), (3, (0.02, -0.06)))),
        ),
        name="leg",
    )


def standing_up(n_times: int = 41) -> planar.Motion:
    phase = np.linspace(0.0, 1.0, n_times)
    rise = 10 * phase**3 - 15 * phase**4 + 6 * phase**5  # minimum jerk (Flash and Hogan 1985)
    low, high = np.array([1.0, 2.6, 0.8]), np.full(3, np.pi / 2)
    return planar.Motion(phase * 1.2, low + rise[:, None] * (high - low))


def result(n_times: int = 41) -> xr.Dataset:
    """The analysis with joint positions beside it, as it is saved."""
    chain, motion = leg(), standing_up(n_times)
    bar = planar.Contact("bar", "trunk", (0.5, 0.0), (0.0, -200.0))
    answer = planar.analyze(chain, motion, (bar,), tensions={"vasti": 800.0, "hamstrings": 300.0})
    return answer.merge(planar.kinematics(chain, motion)[["joint_position"]], combine_attrs="override")
