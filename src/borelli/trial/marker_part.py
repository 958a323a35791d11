"""What a result keeps of the recording that its motion was found from: markers, how well they fit, sizes of limbs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from borelli.model.motion import Motion
from borelli.results.labelled.plain_result import PlainResult, plain_result
from borelli.results.labelled.returns_dataset import plain

if TYPE_CHECKING:
    import xarray as xr

    from borelli.model.model import Model

KEPT = ("marker_measured", "marker_modelled", "marker_error", "rms_error")


def with_markers(result: PlainResult, fit: xr.Dataset, model: Model) -> PlainResult:
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
    return with_sizes(result.merged(PlainResult.of(own)), model)


def with_sizes(result: PlainResult, model: Model) -> PlainResult:
    """Add the lengths of the model's limbs, and the body heights at which they are usual."""
    # Loaded here, because few results need it.
    from borelli.library.limb_lengths import segment_sizes

    sizes = PlainResult.of(segment_sizes(model))
    if not sizes.sizes["segment"]:
        return result
    added = plain_result(
        {"segment_length": sizes["length"], "segment_height": sizes["height"]}, {"segment": sizes["segment"]}
    )
    citations = [*result.attrs.get("citations", []), *sizes.attrs["citations"]]
    return result.merged(added).with_attrs({"citations": citations})


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
    from borelli.analyses.movement.scene import scene

    found = PlainResult.of(fit)
    if np.isfinite(fit["q"].values).all():
        # Postures are drawn, however they follow each other: a jump from one to the next is no reason to lose them.
        moved, still = fit.borelli.motion(), np.zeros((fit.sizes["time"], len(model.speed_names)))
        postures = Motion(moved.time, moved.coordinates, moved.q, still, still, model.speed_names)
        found = found.merged(plain(scene)(model, postures).only(["joint_position"]))
    return with_sizes(found, model).to_dataset()
