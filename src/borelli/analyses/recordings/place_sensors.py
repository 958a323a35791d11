"""Where do inertial sensors sit on the bodies?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from borelli.analyses.movement.body_poses import body_poses
from borelli.analyses.postures.default_posture import default_posture
from borelli.arrays import plain_recording
from borelli.errors import InvalidValueError, MissingInputError, UnknownNameError
from borelli.model.forces.force import OtherComponent
from borelli.model.frame import Frame
from borelli.model.model import Model
from borelli.model.parts import Parts
from borelli.model.placement import Placement
from borelli.model.values import matrix
from borelli.records import dataclass

if TYPE_CHECKING:
    import xarray as xr

SUFFIX = "_imu"
_DOCUMENT = 40600
"""Version of the documents in which an IMU is written so."""
AXES = ("x", "y", "z", "-x", "-y", "-z")


@dataclass(frozen=True)
class SensorPlacement:
    """A model with its sensors.

    Parameters
    ----------
    model : Model
        With a frame for every sensor.
    heading : float
        Turn about the vertical that was applied to all sensors (rad). It belongs to the recording, not to the model:
        orientations of a motion that are to face the same way need it, too.
    """

    model: Model
    heading: float


def place_sensors(
    model: Model, calibration: xr.DataArray, *, base: str | None = None, heading_axis: str | None = None
) -> SensorPlacement:
    """Fix sensors to their bodies as they were when the subject stood in the model's default posture.

    A sensor ``pelvis_imu`` belongs to body ``pelvis``. Its frame is that of the model with its name, turned anew, or a
    new one at the body's mass centre.

    Parameters
    ----------
    model : Model
    calibration : DataArray (time, sensor, axis, sensor_axis)
        Orientations; see :func:`borelli.load_orientations`. The first instant counts, as in OpenSim's IMUPlacer.
    base, heading_axis : str, optional
        A sensor, and which of its axes (``"z"``, ``"-x"``, …) points where the x axis of the first moving body does:
        all sensors are turned about the vertical until it does.

    Guarantees, each a test
    -----------------------
    - sensors are placed as OpenSim's IMUPlacer places them

    Examples
    --------
    >>> import xarray as xr
    >>> upright = xr.DataArray(
    ...     np.eye(3)[None, None], dims=("time", "sensor", "axis", "sensor_axis"),
    ...     coords={"time": [0.0], "sensor": ["torso_imu"]},
    ... )
    >>> placed = bo.place_sensors(model, upright)
    >>> "torso_imu" in [frame.name for frame in placed.model.frames]
    True
    """
    first = plain_recording(calibration, "the calibration").isel(time=0)
    names = [str(name) for name in first["sensor"].values]
    turned = dict(
        zip(names, np.asarray(first.transpose("sensor", "axis", "sensor_axis").values), strict=True)
    )
    sensors = [name for name in names if SUFFIX in name]
    if not sensors:
        raise MissingInputError(
            f"no sensor has a name that ends in {SUFFIX!r}.", closest=names[:3], remedy="name it <body>_imu"
        )
    poses = body_poses(model, default_posture(model))
    bodies = {str(b): poses["rotation"].sel(body=b).values[0] for b in poses["body"].values}
    heading = _heading(model, bodies, turned, base, heading_axis)
    frames = {frame.name: frame for frame in model.frames}
    others = list(model.others)
    about = np.array(Placement.from_angles(angles=(0.0, heading, 0.0)).rotation, dtype=float)
    for name in sensors:
        body = name[: name.rindex(SUFFIX)]
        if body not in bodies:
            raise UnknownNameError.among(
                body, "body", model.body_names, of=f"model {model.name!r}", where=f"sensor {name!r}"
            )
        if name not in frames and not model.others.has(name):
            others.append(_imu(name, body))
        frames[name] = _frame(model, frames.get(name), name, body, bodies[body].T @ about @ turned[name])
    return SensorPlacement(replace(model, frames=Parts(frames.values()), others=Parts(others)), heading)


def _imu(name: str, body: str) -> OtherComponent:
    """Return OpenSim's component of a sensor, as its IMUPlacer adds to a model: what its own tools look for."""
    place = escape(f"/bodyset/{body}/{name}")
    xml = f"<IMU name={quoteattr(name)}><socket_frame>{place}</socket_frame></IMU>"
    return OtherComponent(name=name, kind="IMU", xml=xml, role="component", version=_DOCUMENT)


def _frame(model: Model, known: Frame | None, name: str, body: str, rotation: np.ndarray) -> Frame:
    """Return the frame of a sensor, turned as given in its body."""
    if known is None:
        axes = matrix(rotation.tolist(), f"the axes of {name!r}")
        return Frame(name, body, Placement(model.bodies[body].com, axes))
    if known.parent != body:
        carrier, place = model.place(known.parent)
        if carrier != body:
            raise InvalidValueError(
                f"frame {name!r} is fixed to body {carrier!r}, but its name says {body!r}.",
                where=f"model {model.name!r}",
            )
        rotation = np.array(place.rotation, dtype=float).T @ rotation
    axes = matrix(rotation.tolist(), f"the axes of {name!r}")
    return replace(known, placement=Placement(known.placement.translation, axes))


def _heading(
    model: Model,
    bodies: dict[str, np.ndarray],
    turned: dict[str, np.ndarray],
    base: str | None,
    axis: str | None,
) -> float:
    """Return the turn about y that brings the base sensor's axis to the x axis of the first moving body (rad)."""
    if not base or not axis:
        return 0.0
    if base not in turned:
        raise UnknownNameError.among(base, "sensor", turned, of="the recording", where="base")
    if axis not in AXES:
        raise UnknownNameError.among(axis, "axis", AXES, where="heading_axis")
    column = (-1.0 if axis.startswith("-") else 1.0) * turned[base][:, "xyz".index(axis[-1])]
    joint = next(joint for joint in model.joints if model.parent_of(joint)[0] == "ground")
    ahead = bodies[model.child_of(joint)[0]][:, 0]
    angle = float(np.arccos(np.clip(column @ ahead, -1.0, 1.0)))
    # OpenSim takes the whole angle between the two directions, not that of their shadows on the floor.
    return -angle if np.cross(ahead, column)[1] > 0.0 else angle
