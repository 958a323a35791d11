"""How much do generalized forces change with the motion, and with every constant of the model?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from borelli.compiled.compile import compile_model
from borelli.kernels.derivatives import parameter_derivatives, state_derivatives
from borelli.kernels.tree.blocks import columns
from borelli.kernels.tree.mechanism import coordinate_rates
from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.mechanics.motion.parameters import parameter_unit, with_parameters
from borelli.mechanics.motion.prepare import Prepared
from borelli.model.force_units import force_units
from borelli.model.joints.custom_joint import AxisRates, CustomJoint
from borelli.model.model import Model
from borelli.model.parts import Parts
from borelli.results.labelled.dataset import dataset, labelled, time_axis

if TYPE_CHECKING:
    import xarray as xr


def sensitivities(
    model: Model, motion: Motion, loads: Iterable[Load] = (), *, parameters: Sequence[str] = ()
) -> xr.Dataset:
    """Exact derivatives of the generalized forces of inverse dynamics.

    Dual numbers run through the same recursion as the forces themselves, so nothing depends on a step size.
    Custom joints are differentiated with their exact angular accelerations, also those read from OpenSim files.

    Parameters
    ----------
    model : Model
    motion : Motion
    loads : iterable of Load
        Held in ground: they do not follow the bodies.
    parameters : sequence of str
        Constants of the model, such as ``"mass:femur_r"``, ``"com_x:torso"``, ``"inertia_zz:tibia_r"``,
        ``"parent_y:knee_r"`` (where the joint sits on its parent), ``"child_rz:ankle_r"`` (a turn of the
        joint's frame on its child), ``"gravity_y"``.

    Returns
    -------
    Dataset
        ``by_q`` (time, coordinate, q), ``by_u``, ``by_udot`` (time, coordinate, coordinate_);
        ``by_displacement`` (time, coordinate, coordinate_): as the model moves along each speed, equal to
        ``by_q`` where speeds are rates of coordinates; with parameters ``by_parameter``
        (time, coordinate, parameter).

    Guarantees, each a test
    -----------------------
    - equal to finite differences by every coordinate, speed and constant; by accelerations, to the mass matrix

    Examples
    --------
    >>> slopes = bo.sensitivities(model, motion.instants(slice(0, 2)), [load.at(motion.time[:2]) for load in loads])
    >>> slopes["by_udot"].dims
    ('time', 'coordinate', 'coordinate_')
    """
    model = with_exact_rates(model)
    outside = ActingForces.of_loads(model, motion, loads)
    prepared = outside.prepared
    mechanism = prepared.compiled.mechanism
    states = (prepared.q, prepared.u, prepared.udot)
    by_q, by_u, by_udot = state_derivatives(mechanism, *states, outside.external)
    names = list(model.speed_names)
    square = ("time", "coordinate", "coordinate_")
    per = "unit of the force per unit of the argument"
    variables = {
        "by_q": labelled(("time", "coordinate", "q"), prepared.whole(by_q), per),
        "by_displacement": labelled(square, prepared.whole(by_q @ _rates_of_speeds(prepared)), per),
        "by_u": labelled(square, prepared.whole(by_u), per),
        "by_udot": labelled(square, prepared.whole(by_udot), per),
    }
    coordinates: dict[str, object] = {
        "time": time_axis(prepared.time),
        "coordinate": names,
        "coordinate_": names,
        "q": list(model.coordinate_names),
        "unit": ("coordinate", force_units(model)),
    }
    if parameters:
        names = [parameters] if isinstance(parameters, str) else list(parameters)
        found = _by_parameter(model, outside, names)
        variables["by_parameter"] = labelled(("time", "coordinate", "parameter"), found, per)
        coordinates["parameter"] = names
        coordinates["parameter_unit"] = ("parameter", [parameter_unit(name) for name in names])
    return dataset(variables, coordinates, {"analysis": "sensitivities", "model": model.name})


def with_exact_rates(model: Model) -> Model:
    """Return the model with exact angular accelerations of its custom joints."""
    exact = [
        replace(joint, axis_rates=AxisRates.EXACT) if isinstance(joint, CustomJoint) else joint
        for joint in model.joints
    ]
    if all(new == old for new, old in zip(exact, model.joints, strict=True)):
        return model
    return replace(model, joints=Parts(exact))


def _by_parameter(model: Model, outside: ActingForces, names: list[str]) -> np.ndarray:
    mechanism = compile_model(with_parameters(model, names)).mechanism
    prepared = outside.prepared
    states = (prepared.q, prepared.u, prepared.udot)
    return prepared.whole(parameter_derivatives(mechanism, len(names), *states, outside.external))


def _rates_of_speeds(prepared: Prepared) -> np.ndarray:
    """N of qdot = N u, (n_instants, n_coordinates, n_speeds)."""
    mechanism = prepared.compiled.mechanism
    n = mechanism.n_speeds
    out = np.zeros((len(prepared.q), mechanism.n_coordinates, n))
    q = columns(prepared.q)
    for speed in range(n):
        rates = coordinate_rates(mechanism, q, [float(k == speed) for k in range(n)])
        for index, rate in enumerate(rates):
            out[:, index, speed] = rate
    return out
