"""What a result keeps of the recording that its motion was found from: markers, how well they fit, sizes of limbs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.model.motion import Motion

if TYPE_CHECKING:
    import xarray as xr

    from borelli.model.model import Model

KEPT = ("marker_measured", "marker_modelled", "marker_error", "rms_error")


def with_markers(result: xr.Dataset, fit: xr.Dataset, model: Model) -> xr.Dataset:
    """Add measured and modelled markers at the instants of a result, and the sizes of the model's limbs.

    Parameters
    ----------
    fit : Dataset
        Of :func:`borelli.inverse_kinematics`.
    """
    times = fit["time"].values
    # A filter may resample; an instant of the result has the markers of the one recorded within half a step, or none.
    step = float(np.median(np.diff(times))) if times.size > 1 else 1.0
    own = fit[[name for name in KEPT if name in fit]].drop_vars(["coordinate", "unit"], errors="ignore")
    own = own.reindex(time=result["time"].values, method="nearest", tolerance=0.5 * step)
    own = own.assign_coords(time=result["time"])
    return with_sizes(result.merge(own, compat="override", join="exact", combine_attrs="override"), model)


def with_sizes(result: xr.Dataset, model: Model) -> xr.Dataset:
    """Add the lengths of the model's limbs, and the body heights at which they are usual."""
    # Loaded here, because few results need it.
    from borelli.library.limb_lengths import segment_sizes

    sizes = segment_sizes(model)
    if not sizes.sizes["segment"]:
        return result
    citations = list(result.attrs.get("citations", []))
    added = result.assign(segment_length=sizes["length"], segment_height=sizes["height"])
    return added.assign_attrs(citations=[*citations, *sizes.attrs["citations"]])


def with_body(fit: xr.Dataset, model: Model) -> xr.Dataset:
    """Add to a fit what its page draws beside the markers: joints in motion, and the sizes of the limbs.

    Parameters
    ----------
    fit : Dataset
        That of ``inverse_kinematics``.
    model : Model

    Examples
    --------
    >>> fit = bo.inverse_kinematics(model, bo.load_markers(walk.markers)[:8])
    >>> "joint_position" in bo.with_body(fit, model)
    True
    """
    # Loaded here for the same reason.
    from borelli.analyses.scene import scene

    if np.isfinite(fit["q"].values).all():
        # Postures are drawn, however they follow each other: a jump from one to the next is no reason to lose them.
        found, still = fit.borelli.motion(), np.zeros((fit.sizes["time"], len(model.speed_names)))
        postures = Motion(found.time, found.coordinates, found.q, still, still, model.speed_names)
        fit = fit.assign(joint_position=scene(model, postures)["joint_position"])
    return with_sizes(fit, model)
