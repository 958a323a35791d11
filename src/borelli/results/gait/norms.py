"""Bands of healthy people, or of any others, to be drawn behind the curves of a gait laboratory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from borelli.records import dataclass
from borelli.results.gait.gait_curves import JOINTS, PLANES, QUANTITIES

Key = tuple[str, str, str]
NAMES: dict[str, tuple[str, ...]] = {"joint": JOINTS, "plane": PLANES, "quantity": QUANTITIES}
"""What may stand in the columns that say which curve a row belongs to."""


@dataclass(frozen=True, slots=True, eq=False)
class Norms:
    """Mean and standard deviation of some curves over a cycle.

    Attributes
    ----------
    name : str
        Of the file.
    bands : mapping of (joint, plane, quantity) to (2, 101) float
        Mean and standard deviation at 0, 1, … 100 % of the cycle, in the units of the page.

    Examples
    --------
    >>> from pathlib import Path
    >>> rows = ["joint,plane,quantity,percent,mean,sd", "knee,sagittal,angle,0,5,4", "knee,sagittal,angle,100,5,4"]
    >>> _ = Path("norms.csv").write_text(chr(10).join(rows))
    >>> bo.load_norms("norms.csv").bands[("knee", "sagittal", "angle")].shape
    (2, 101)
    """

    name: str
    bands: Mapping[Key, NDArray[np.float64]] = field(default_factory=dict)
