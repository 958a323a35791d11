"""Which force and moment does every joint transmit?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from borelli.mechanics.forces.acting_forces import ActingForces
from borelli.mechanics.forces.closing_forces import tell_of_open_loops, with_closed_loops
from borelli.mechanics.forces.joint_wrenches import JointWrenches, bearing, joint_wrenches
from borelli.mechanics.forces.reaction_frames import At, ReactionFrames, reaction_frames
from borelli.mechanics.motion.ordered_motion import Load, Motion
from borelli.model.constraint import closing_names
from borelli.model.model import Model
from borelli.results.labelled.dataset import AXES, dataset, labelled, time_axis
from borelli.results.labelled.tensions import Tensions, given_forces, reserves_of

if TYPE_CHECKING:
    import xarray as xr


def joint_reactions(
    model: Model,
    motion: Motion,
    loads: Iterable[Load] = (),
    *,
    tensions: Tensions = None,
    passive: bool = False,
    loops: bool = False,
    express_in: str = "ground",
    on: str = "child",
    at: At = None,
    joints: Sequence[str] | None = None,
    threads: int = 1,
) -> xr.Dataset:
    """Force and moment that every joint transmits, its generalized forces included.

    Parameters
    ----------
    model : Model
    motion : Motion
    loads : iterable of Load
        In ground axes; brought to the instants of the motion.
    tensions : mapping of path to (n_times,) newtons, or Dataset of ``muscle_forces``, optional
        Without them the answer is the net resultant. With them the pull of these paths is taken out: what is
        left is what the joint's surfaces and everything not named bear, and the generalized forces that the
        tensions leave to be provided.
    passive : bool
        Take out as well what the springs, ligaments, stops and bushings of the model do by themselves.
    loops : bool
        Let constraints between bodies bear their part of what the given forces leave: exactly, where these forces
        cause the motion (:func:`driven_motion`) or, in a Dataset of ``muscle_forces`` with its reserves, balance it;
        else the part that leaves the least generalized forces to be provided. Without it the generalized forces at
        the joints provide everything, and such constraints nothing, which a warning says.
    express_in : str
        Axes: ``"ground"``, ``"parent"`` or ``"child"`` (the joint's own frame on that body), or the name of a
        body or frame.
    on : str
        ``"child"``: exerted by the parent on the child. ``"parent"``: exerted by the child on the parent.
    at : str or (frame, point), optional
        Point that the moment is about: ``"child"`` or ``"parent"`` (origin of the joint's frame there), the
        name of a body or frame (its origin) or of a marker, or a frame and a point in it (m). By default the
        joint's frame on the body of ``on``.
    joints : sequence of str, optional
        Only these joints; all by default.
    threads : int
        Threads to compute with; the result does not depend on it.

    Returns
    -------
    Dataset
        ``force`` (N), ``moment`` (N m), ``point`` (m), each (time, joint, axis). The attributes say on whom,
        about which point and in which axes. ``point`` is a position in the frame of ``express_in``.

    Guarantees, each a test
    -----------------------
    - ``on="parent"`` gives the opposite of ``on="child"`` about the same point
    - moving the point by r changes the moment by r x force
    - tensions change only the joints that their paths span
    - with ``loops``, pins of a linkage that nothing drives transmit no moment

    Examples
    --------
    >>> muscles = bo.muscle_forces(model, motion, loads, reserves=1.0)
    >>> knee = bo.joint_reactions(model, motion, loads, tensions=muscles)["force"].sel(joint="knee_r")
    >>> knee.dims, round(float(np.linalg.norm(knee, axis=1).max()) / (73 * 9.81), 1)  # body weights
    (('time', 'axis'), 2.7)
    """
    frames = reaction_frames(model, joints, on, express_in, at)
    acting = bearing(model, motion, loads, given_forces(tensions), passive)
    if loops:
        acting = with_closed_loops(acting, reserves_of(tensions))
    else:
        tell_of_open_loops(closing_names(model.constraints))
    found = joint_wrenches(acting, frames, threads)
    return _dataset(model, frames, found, acting)


def _dataset(
    model: Model,
    frames: ReactionFrames,
    found: JointWrenches,
    acting: ActingForces,
) -> xr.Dataset:
    says = frames.says()
    dims = ("time", "joint", "axis")
    meaning = "net resultant"
    pulling = (*acting.tensions.names, *acting.loads)
    if pulling:
        meaning = "carried by the joint; the pull of the given tensions is subtracted"
    return dataset(
        {
            "force": labelled(dims, found.force, "N", frames.axes, **says),
            "moment": labelled(dims, found.moment, "N m", frames.axes, **says),
            "point": labelled(dims, found.point, "m", frames.axes, description=says["about"]),
        },
        {"time": time_axis(acting.prepared.time), "joint": list(frames.joints), "axis": list(AXES)},
        {
            "analysis": "joint_reactions",
            "model": model.name,
            "meaning": meaning,
            "tensions": list(pulling),
            **({"loops": bool(acting.closing)} if closing_names(model.constraints) else {}),
            "express_in": frames.express_in,
            **says,
        },
    )
