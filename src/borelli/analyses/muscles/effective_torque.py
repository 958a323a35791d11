"""What does tension do about an angle, and by which coupled motions?

The pieces of a moment arm as Sherman, Seth & Delp (2013) name them: N of q̇ = N u, the coupling matrix C_θ of
u = C_θ θ̇ (13), the partial velocity P of l̇ = P q̇ (12), and the effective torque τ_θ = Σ c_k f_k (22).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from borelli.analyses.muscles.moment_arms import partial_slopes, require_motion
from borelli.arrays import listed
from borelli.kernels.tree.blocks import blocks
from borelli.mechanics.constraints.angles import AngleSpec, angles_of
from borelli.mechanics.constraints.coupling import CONSTRAINTS, Coupling, coupling
from borelli.mechanics.forces.tensions import tension_table
from borelli.mechanics.motion.coordinate_rates import rates
from borelli.mechanics.motion.ordered_motion import Motion
from borelli.mechanics.motion.prepare import Prepared, prepare_postures
from borelli.mechanics.paths.path_pass import path_forces, paths_of, warn_of_status
from borelli.model.model import Model
from borelli.results.labelled.dataset import data_array, dataset, labelled, time_axis
from borelli.results.labelled.tensions import Tensions, as_mapping

if TYPE_CHECKING:
    import xarray as xr

CITATION = (
    "Sherman MA, Seth A, Delp SL (2013) What is a moment arm? Calculating muscle effectiveness in biomechanical "
    "models using generalized coordinates. Proc. ASME IDETC, DETC2013-13633."
)


def speed_map(model: Model, motion: Motion) -> xr.DataArray:
    """Matrix N of q̇ = N u: rates of coordinates per unit of every speed.

    Parameters
    ----------
    model : Model
    motion : Motion
        Only its coordinates matter.

    Returns
    -------
    DataArray (time, coordinate, speed)
        Ones and zeros but for ball and free joints, whose speeds are angular velocities.

    Guarantees, each a test
    -----------------------
    - N u is the rate of the coordinates, also of joints on quaternions

    Examples
    --------
    >>> N = bo.speed_map(model, motion)  # no joint on quaternions: rates are speeds
    >>> bool(np.allclose(N[0], np.eye(29)))
    True
    """
    prepared = prepare_postures(model, motion)
    mechanism = prepared.compiled.mechanism
    whole = np.empty((len(prepared.q), mechanism.n_coordinates, mechanism.n_speeds))
    for block in blocks(len(prepared.q)):
        q = prepared.q[block]
        for speed in range(mechanism.n_speeds):
            unit = np.zeros((len(q), mechanism.n_speeds))
            unit[:, speed] = 1.0
            whole[block, :, speed] = rates(mechanism, q, unit)
    return data_array(
        labelled(("time", "coordinate", "speed"), prepared.whole(whole), "1 (per unit of speed)"),
        {
            "time": time_axis(prepared.time),
            "coordinate": list(model.coordinate_names),
            "speed": list(model.speed_names),
        },
        name="speed_map",
    )


def coupling_matrix(
    model: Model,
    motion: Motion,
    *,
    coordinates: Iterable[str] | str | None = None,
    angles: Mapping[str, AngleSpec] | None = None,
    coupling: str = CONSTRAINTS,
) -> xr.DataArray:
    """Coupling matrix C_θ: all speeds while one angle turns at unit rate and the constraints are obeyed.

    Parameters
    ----------
    model, motion, coordinates, angles, coupling
        As for :func:`borelli.moment_arms`.

    Returns
    -------
    DataArray (time, angle, speed)
        u = C_θ θ̇. The attribute ``held`` says which freedoms were held in loops.

    Raises
    ------
    UnsolvableError
        If the constraints forbid an angle that was asked for to turn.

    Guarantees, each a test
    -----------------------
    - equal to references computed with 60 digits
    - G C_θ = 0: the coupled motion obeys the constraints

    Examples
    --------
    >>> neck = bo.library.neck()
    >>> rest = bo.Motion.at_rest(neck.coordinate_names, np.zeros(8))
    >>> bo.coupling_matrix(neck, rest, coordinates="c7_pitch").dims
    ('time', 'angle', 'speed')
    """
    prepared = prepare_postures(model, motion)
    coupled = _coupled(model, prepared, coordinates, angles, coupling)
    return data_array(
        labelled(
            ("time", "angle", "speed"),
            prepared.whole(coupled.matrix),
            "1 (speed per rate of the angle)",
            held=_held(coupled),
            coupling=coupling,
        ),
        {
            "time": time_axis(prepared.time),
            "angle": list(coupled.names),
            "speed": list(model.speed_names),
        },
        name="coupling_matrix",
    )


def partial_velocity(
    model: Model, motion: Motion, *, paths: Iterable[str] | str | None = None
) -> xr.DataArray:
    """Partial velocities P of l̇ = P q̇: slopes of every length by every coordinate.

    Of a quaternion, whose length does not matter, the slope is along the unit sphere. Constraints are not looked
    at: P N C_θ is -1 times the moment arm.

    Parameters
    ----------
    model, motion, paths
        As for :func:`borelli.moment_arms`.

    Returns
    -------
    DataArray (time, path, coordinate)
        m per unit of the coordinate.

    Guarantees, each a test
    -----------------------
    - equal to references computed with 60 digits

    Examples
    --------
    >>> slopes = bo.partial_velocity(model, motion, paths="soleus_r")
    >>> slopes.dims
    ('time', 'path', 'coordinate')
    """
    prepared = prepare_postures(model, motion)
    chosen = paths_of(prepared.compiled, listed(paths))
    slope = np.swapaxes(partial_slopes(prepared, chosen), 1, 2)
    return data_array(
        labelled(("time", "path", "coordinate"), prepared.whole(slope), "m (per unit of the coordinate)"),
        {
            "time": time_axis(prepared.time),
            "path": list(chosen.names),
            "coordinate": list(model.coordinate_names),
        },
        name="partial_velocity",
    )


def effective_torque(
    model: Model,
    motion: Motion,
    tensions: Tensions,
    *,
    coordinates: Iterable[str] | str | None = None,
    angles: Mapping[str, AngleSpec] | None = None,
    coupling: str = CONSTRAINTS,
) -> xr.Dataset:
    """Effective torque of tensions about angles, and its parts: τ_θ = Σ c_k f_k over all coupled speeds.

    The sum runs over every speed that is coupled to the angle, also those that are no part of it, such as that of a
    bone that carries a wrap surface. Guides of moving points are left out: no force drives them.

    Parameters
    ----------
    model, motion, coordinates, angles, coupling
        As for :func:`borelli.moment_arms`.
    tensions : mapping of path to newtons, or Dataset of ``muscle_forces``
        One number for all instants, or one for each.

    Returns
    -------
    Dataset
        ``torque`` (time, angle): N m; ``path_torque`` (time, path, angle): of each path;
        ``part`` (time, path, angle, speed): c_k f_k; ``generalized_force`` (time, path, speed): f = J^T T s;
        ``coupling_matrix`` (time, angle, speed): C_θ.

    Guarantees, each a test
    -----------------------
    - the sum over all coupled speeds, which no single coordinate gives
    - four methods agree on the composite joints of the library

    Examples
    --------
    >>> neck = bo.library.neck()
    >>> rest = bo.Motion.at_rest(neck.coordinate_names, np.zeros(8))
    >>> pull = bo.effective_torque(neck, rest, {"splenius_capitis": 100.0}, angles=bo.library.neck_angle())
    >>> float(pull["torque"][0, 0].round(1))  # N m
    2.8
    """
    prepared = prepare_postures(model, motion)
    pulls = tension_table(model, prepared, as_mapping(tensions))
    coupled = _coupled(model, prepared, coordinates, angles, coupling)
    chosen = paths_of(prepared.compiled, pulls.names)
    found = path_forces(prepared.compiled, chosen, prepared.q)
    warn_of_status(chosen.names, found.status, prepared.time[prepared.known])
    force = found.force.copy()
    force[:, list(found.guided)] -= found.guide
    force *= pulls.values[:, :, None]
    part = force[:, :, None] * coupled.matrix[:, None]
    by_path = part.sum(axis=-1)
    units = "N m (N for a translation)"
    sized = {
        "torque": (("time", "angle"), by_path.sum(axis=1), units),
        "path_torque": (("time", "path", "angle"), by_path, units),
        "part": (("time", "path", "angle", "speed"), part, units),
        "generalized_force": (("time", "path", "speed"), force, "N m or N"),
        "coupling_matrix": (("time", "angle", "speed"), coupled.matrix, "1 (speed per rate of the angle)"),
    }
    return dataset(
        {name: labelled(dims, prepared.whole(values), unit) for name, (dims, values, unit) in sized.items()},
        {
            "time": time_axis(prepared.time),
            "path": list(chosen.names),
            "angle": list(coupled.names),
            "speed": list(model.speed_names),
        },
        {
            "analysis": "effective_torque",
            "model": model.name,
            "held": _held(coupled),
            "citations": [CITATION],
        },
    )


def _coupled(
    model: Model,
    prepared: Prepared,
    coordinates: Iterable[str] | str | None,
    angles: Mapping[str, AngleSpec] | None,
    kind: str,
) -> Coupling:
    wanted = angles_of(model, coordinates, angles)
    found = coupling(prepared.compiled, wanted, prepared.q, prepared.time[prepared.known], kind)
    if coordinates is not None or angles:
        require_motion(found)
    return found


def _held(coupled: Coupling) -> str:
    return "; ".join(f"{name}: {', '.join(held) or 'nothing'}" for name, held in coupled.held.items())
