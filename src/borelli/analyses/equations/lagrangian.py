"""The Lagrangian form of the equations of motion, from Jacobians: a second way beside the recursion.

    H qdd + sum_jk h_ijk qd_j qd_k + G = tau + sum J^T (external wrench)

with h_ijk = dH_ij/dq_k - 1/2 dH_jk/dq_i [Schaffner]. It shares no equation with the engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from borelli.kernels.tree.blocks import blocks
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.motion.elementary_joints import ElementaryTree, place_tree, require_elementary
from borelli.mechanics.motion.lagrangian_formulas import LagrangianFormulas, lagrangian_formulas
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.mechanics.motion.prepare import Prepared
from borelli.model.body import Body
from borelli.model.force_units import FORCE_UNITS, force_units
from borelli.model.model import Model
from borelli.model.symbols import SymbolicLoad
from borelli.results.labelled.dataset import dataset, labelled, time_axis

if TYPE_CHECKING:
    import xarray as xr

# h has n^3 numbers per instant and its making several times as many: few instants at a time.
_INSTANTS_AT_ONCE = 32


@overload
def lagrangian(model: Model, motion: Motion, loads: Iterable[Load] = ()) -> xr.Dataset: ...
@overload
def lagrangian(
    model: Model, motion: None = None, loads: Iterable[SymbolicLoad] = (), *, simplify: bool = True
) -> LagrangianFormulas: ...


def lagrangian(
    model: Model, motion: Motion | None = None, loads: Iterable[Any] = (), *, simplify: bool = True
) -> xr.Dataset | LagrangianFormulas:
    """Inertia matrix, velocity coefficients and gravity vector of a model of revolute and prismatic joints.

    Parameters
    ----------
    model : Model
        Pin, slider, universal, gimbal, planar and weld joints. In formulas its masses, lengths and inertias may
        be SymPy symbols.
    motion : Motion, optional
        Without it the same quantities come as formulas.
    loads : iterable of Load, or of SymbolicLoad for formulas
    simplify : bool
        Combine trigonometric products of formulas.

    Returns
    -------
    Dataset
        ``H`` (time, coordinate, coordinate_): inertia matrix;
        ``h`` (time, coordinate, coordinate_, coordinate__): h_ijk;
        ``C`` (time, coordinate, coordinate_): Coriolis matrix of Christoffel symbols, for which dH/dt - 2 C is
        skew-symmetric; ``G`` (time, coordinate): gravity; ``load_force`` (time, coordinate): J^T of the loads;
        ``generalized_force`` (time, coordinate): H qdd + h qd qd + G - load_force.
    LagrangianFormulas
        Without a motion: ``J_L`` and ``J_A`` of every body, ``H``, ``h``, ``G``, ``load_force``, and the
        equations as text, LaTeX, Python source or a NumPy function; for at most six freedoms.

    Guarantees, each a test
    -----------------------
    - equal to references computed with 60 digits and to the recursion, which shares no code with it
    - the rate of H less twice C is skew-symmetric

    Examples
    --------
    >>> arm = bo.planar.to_model(bo.library.two_link_arm())
    >>> of = bo.lagrangian(arm, bo.Motion.at_rest(arm.coordinate_names, np.zeros((1, 2))))
    >>> of["H"].dims
    ('time', 'coordinate', 'coordinate_')
    """
    if motion is None:
        return lagrangian_formulas(model, loads, simplify=simplify)
    require_elementary(model)
    loads = tuple(loads)
    prepared = ActingForces.of_loads(model, motion, loads).prepared
    given = [load.at(prepared.time) for load in loads]
    found = {name: np.full(_shape(model, prepared, name), np.nan) for name in _DIMS}
    rows = np.flatnonzero(prepared.known)
    for block in blocks(len(prepared.q), _INSTANTS_AT_ONCE):
        for name, values in _terms(model, prepared, block, given, rows[block]).items():
            found[name][rows[block]] = values
    names = list(model.speed_names)
    return dataset(
        {name: labelled(dims, found[name], units) for name, (dims, units) in _DIMS.items()},
        {
            "time": time_axis(prepared.time),
            "coordinate": names,
            "coordinate_": names,
            "coordinate__": names,
            "unit": ("coordinate", force_units(model)),
        },
        {"analysis": "lagrangian", "model": model.name, "equation": "H qdd + h qd qd + G = tau + load_force"},
    )


_VECTOR = ("time", "coordinate")
_MATRIX = (*_VECTOR, "coordinate_")
_DIMS: dict[str, tuple[tuple[str, ...], str]] = {
    "H": (_MATRIX, "kg m^2, kg m or kg"),
    "h": ((*_MATRIX, "coordinate__"), "kg m^2, kg m or kg"),
    "C": (_MATRIX, "kg m^2/s, kg m/s or kg/s"),
    "G": (_VECTOR, FORCE_UNITS),
    "load_force": (_VECTOR, FORCE_UNITS),
    "generalized_force": (_VECTOR, FORCE_UNITS),
}


def _shape(model: Model, prepared: Prepared, name: str) -> tuple[int, ...]:
    n = len(model.speed_names)
    return (len(prepared.time), *(n for _ in _DIMS[name][0][1:]))


def _terms(
    model: Model, prepared: Prepared, block: slice, loads: list[Load], rows: np.ndarray
) -> dict[str, np.ndarray]:
    q, qd, qdd = prepared.q[block], prepared.u[block], prepared.udot[block]
    tree = place_tree(model, q)
    size = (len(q), q.shape[1])
    inertia, slope = np.zeros((*size, q.shape[1])), np.zeros((*size, q.shape[1], q.shape[1]))
    gravity, load_force = np.zeros(size), np.zeros(size)
    field = np.array(model.gravity, dtype=float)
    for body in model.bodies:
        carriers = np.array(tree.carriers[body.name], dtype=int)
        own, own_slope, linear = _body_terms(body, tree, carriers)
        inertia[:, carriers[:, None], carriers] += own
        slope[:, carriers[:, None, None], carriers[:, None], carriers] += own_slope
        gravity[:, carriers] -= body.mass * (linear @ field)
    for load in loads:
        carriers = np.array(tree.carriers[load.body], dtype=int)
        linear, angular = _jacobians(tree, carriers, load.point[rows])
        load_force[:, carriers] += np.einsum("tkx,tx->tk", linear, load.force[rows])
        load_force[:, carriers] += np.einsum("tkx,tx->tk", angular, load.moment[rows])
    # slope[t, i, j, k] = dH_ij/dq_k; h_ijk = dH_ij/dq_k - 1/2 dH_jk/dq_i.
    h = slope - 0.5 * np.moveaxis(slope, 3, 1)
    swapped = np.swapaxes(slope, 2, 3)
    christoffel = 0.5 * np.einsum("tijk,tk->tij", slope + swapped - np.moveaxis(slope, 3, 1), qd)
    force = np.einsum("tij,tj->ti", inertia, qdd) + np.einsum("tijk,tj,tk->ti", h, qd, qd)
    force += gravity - load_force
    return {
        "H": inertia,
        "h": h,
        "C": christoffel,
        "G": gravity,
        "load_force": load_force,
        "generalized_force": force,
    }


def _jacobians(
    tree: ElementaryTree, carriers: np.ndarray, point: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Columns J_L and J_A of a point (n_instants, 3) that the carriers move, each (n_instants, d, 3)."""
    axis = tree.axis[:, carriers]
    turns = tree.revolute[carriers][None, :, None]
    around = np.cross(axis, point[:, None] - tree.point[:, carriers])
    return np.where(turns, around, axis), np.where(turns, axis, 0.0)


def _body_terms(
    body: Body, tree: ElementaryTree, carriers: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One body's part of H, of dH_ij/dq_k (n_instants, d, d, d), and its J_L."""
    rotation = tree.rotations[body.name]
    centre = tree.origins[body.name] + rotation @ np.array(body.com, dtype=float)
    tensor = rotation @ body.inertia_matrix.astype(float) @ np.swapaxes(rotation, 1, 2)
    linear, angular = _jacobians(tree, carriers, centre)
    d_linear, d_angular, d_tensor = _slopes(linear, angular, tensor)
    mass = float(body.mass)
    spun = np.einsum("txy,tjy->tjx", tensor, angular)
    inertia = mass * np.einsum("tix,tjx->tij", linear, linear) + np.einsum("tix,tjx->tij", angular, spun)
    half = mass * np.einsum("tikx,tjx->tijk", d_linear, linear) + np.einsum("tikx,tjx->tijk", d_angular, spun)
    turned = np.einsum("tix,tkxy,tjy->tijk", angular, d_tensor, angular)
    return inertia, half + np.swapaxes(half, 1, 2) + turned, linear


def _slopes(
    linear: np.ndarray, angular: np.ndarray, tensor: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Derivatives of J_L,i and J_A,i (n_instants, i, k, 3) and of the inertia tensor (n_instants, k, 3, 3) by q_k.

    The carriers are ordered from the ground outwards. A proximal revolute joint k turns column i as a whole;
    a distal joint k moves the mass centre in the column of a revolute joint i.
    """
    count = linear.shape[1]
    proximal = (np.arange(count)[None, :] <= np.arange(count)[:, None])[None, :, :, None]
    by_proximal = np.cross(angular[:, None, :], linear[:, :, None])
    by_distal = np.cross(angular[:, :, None], linear[:, None, :])
    d_linear = np.where(proximal, by_proximal, by_distal)
    d_angular = np.where(proximal, np.cross(angular[:, None, :], angular[:, :, None]), 0.0)
    turned = np.cross(angular[:, :, None, :], np.swapaxes(tensor, 1, 2)[:, None])
    # turned[t, k, c] is e_k x (column c of I): transpose to have [e_k]x I, then add its transpose.
    d_tensor = np.swapaxes(turned, 2, 3) + turned
    return d_linear, d_angular, d_tensor
