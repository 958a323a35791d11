"""Which motion fits the markers?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from borelli.analyses.marker_fit.quaternions import on_quaternions, quaternion_joints
from borelli.analyses.marker_fit.solution import Asked, solved
from borelli.mechanics.motion.prepare import require_threads
from borelli.model.model import Model

if TYPE_CHECKING:
    import xarray as xr


def inverse_kinematics(
    model: Model,
    markers: xr.DataArray | None = None,
    *,
    weights: Mapping[str, float] | None = None,
    tasks: Mapping[str, tuple[float, Any]] | None = None,
    orientations: xr.DataArray | None = None,
    orientation_weights: Mapping[str, float] | None = None,
    radian_in_metres: float | None = None,
    prior: Mapping[str, float] | None = None,
    covariance: bool | float = False,
    threads: int = 1,
) -> xr.Dataset:
    """Find in every instant the posture whose markers are nearest to the measured ones.

    The objective is OpenSim's, ½ Σ w |x(q) - m|² / Σ w over the markers seen + ½ Σ w_c (q_c - q_c*)², under all
    constraints, locks and prescribed motions, with clamped coordinates within their ranges. Orientations of sensors add
    ½ L² Σ w θ² / Σ w, with θ the angle between a sensor and its frame. Every instant is solved to the optimum, by
    Newton's method with exact second derivatives, and reports how exactly. The first one is started from many postures,
    so that a model that faces the wrong way does not stay so.

    Parameters
    ----------
    model : Model
    markers : DataArray (time, marker, axis), optional
        Measured places in ground (m); NaN where a marker was not seen. See :func:`borelli.load_markers`.
    weights : mapping of marker to number, optional
        Markers to use and their weights, relative to each other; by default all that the model and the recording share,
        with equal weights.
    tasks : mapping of coordinate to (weight, value), optional
        Coordinates that should be near a value: a number, or one for each instant (rad or m). Weights are absolute: m²
        per squared unit of the coordinate. NaN leaves an instant out.
    orientations : DataArray (time, sensor, axis, sensor_axis), optional
        Axes of sensors in ground; each is matched to the frame or body with its name. See
        :func:`borelli.load_orientations`. Alone they are OpenSim's IMUInverseKinematicsTool's objective.
    orientation_weights : mapping of sensor to number, optional
        Sensors to use and their weights, relative to each other; by default all with equal weights.
    radian_in_metres : float, optional
        L: how many metres of a marker one radian of a sensor counts as; 0.3 beside markers, 1 alone.
    prior : mapping of coordinate to number, optional
        Where coordinates stay that nothing sees; by default their default values.
    covariance : bool or float
        Add what noise of the markers does to the coordinates: of so many metres in each direction, or, if True, as the
        residuals tell.
    threads : int
        Segments of the recording are tracked side by side, those of at least 256 instants. Each starts from a posture
        that was looked for ahead, and is tracked again if the segment before it does not end there: the answer is
        that of one thread to convergence, not to the bit.

    Returns
    -------
    Dataset
        ``q`` (time, coordinate); ``marker_error`` (time, marker): distance between measured and modelled marker (m),
        NaN where it was not seen; ``marker_measured``, ``marker_modelled`` (time, marker, axis): their places in
        ground (m); ``orientation_error`` (time, sensor) (rad), with orientations; ``rms_error`` (time):
        root of the mean square of marker errors; ``objective``, ``kkt_residual``, ``constraint_error``, ``iterations``,
        ``status`` (time): 0 solved, else why not, and ``q`` is NaN; ``seen`` (time, coordinate): whether something
        determines the coordinate. With ``covariance``: ``q_std`` (time, coordinate), ``q_covariance`` (time,
        coordinate, coordinate_) and ``singular_value`` (time, direction).
        ``result.borelli.motion()`` is the Motion.

    Guarantees, each a test
    -----------------------
    - every instant is at the optimum of OpenSim's objective, shown by ``kkt_residual``
    - exact markers give the motion back; loops and couplers hold exactly
    - a covariance is that of many noisy recordings
    - threads find the same optimum, also where a segment was started from a wrong posture

    Examples
    --------
    >>> fit = bo.inverse_kinematics(model, bo.load_markers(walk.markers))
    >>> fit["q"].dims, bool(fit["rms_error"].max() < 0.002)  # rad and m; m
    (('time', 'coordinate'), True)
    >>> found = fit.borelli.motion()
    """
    require_threads(threads)
    asked = Asked(
        markers,
        weights,
        tasks,
        orientations,
        orientation_weights,
        radian_in_metres,
        prior,
        covariance,
        threads,
    )
    if quaternion_joints(model):
        return on_quaternions(
            model,
            tasks or {},
            prior or {},
            lambda which, start: solved(which, replace(asked, prior=start)).result,
        )
    return solved(model, asked).result
