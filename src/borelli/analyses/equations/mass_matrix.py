"""Which mass do the coordinates feel?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.mechanics.engine import engine
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.postures import in_every_posture
from borelli.mechanics.motion.prepare import prepare_postures
from borelli.model.model import Model
from borelli.model.plausibility.limits import refuse_absurd_results
from borelli.results.labelled.dataset import data_array, labelled, time_axis

if TYPE_CHECKING:
    import xarray as xr


def mass_matrix(model: Model, motion: Motion, *, threads: int = 1) -> xr.DataArray:
    """Mass matrix, conjugate to the speeds u, constraints and locks ignored.

    Parameters
    ----------
    model : Model
    motion : Motion
        Only its coordinates matter.
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    DataArray (time, coordinate, coordinate_)
        kg m² between rotations, kg m between a rotation and a translation, kg between translations.

    Guarantees, each a test
    -----------------------
    - times the accelerations, with :func:`bias_forces`, it is :func:`inverse_dynamics`
    - equal to Pinocchio, MuJoCo and OpenSim

    Examples
    --------
    >>> M = bo.mass_matrix(model, motion)
    >>> M.dims, float(M.sel(coordinate="pelvis_tx", coordinate_="pelvis_tx")[0].round(1))  # kg
    (('time', 'coordinate', 'coordinate_'), 73.0)
    """
    prepared = prepare_postures(model, motion)
    mechanism, backend = prepared.compiled.mechanism, engine()
    (matrix,) = in_every_posture(prepared, threads, lambda q: (backend.mass_matrix(mechanism, q),))
    names = list(model.speed_names)
    # No entry is larger than the largest on the diagonal.
    diagonal = np.einsum("tii->ti", matrix)
    refuse_absurd_results("mass matrix", prepared.time, names, diagonal)
    return data_array(
        labelled(("time", "coordinate", "coordinate_"), matrix, "kg m^2, kg m or kg"),
        {"time": time_axis(prepared.time), "coordinate": names, "coordinate_": names},
        name="mass_matrix",
        looked_at=True,
    )
