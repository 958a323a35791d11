"""Rates of coordinates from speeds: q̇ = N(q) u, and what changes q̇ while u stays constant."""

from __future__ import annotations

import numpy as np

from borelli.attitude_rates import angles_rates, angular_acceleration_from_angles
from borelli.compiled.compile import CompiledModel
from borelli.kernels.tree.blocks import columns, columns_or_numbers, fill
from borelli.kernels.tree.joint_maps import BallMap
from borelli.kernels.tree.mechanism import Mechanism, Mobilizer, coordinate_rates, take


def rates(mechanism: Mechanism, q: np.ndarray, u: np.ndarray) -> np.ndarray:
    """q̇ = N(q) u, (n, n_q)."""
    out = np.empty(q.shape)
    fill(out, coordinate_rates(mechanism, columns_or_numbers(q), columns_or_numbers(u)))
    return out


def rate_row(compiled: CompiledModel, coordinate: int, q: np.ndarray) -> np.ndarray:
    """Row of N for one coordinate, (n, n_u)."""
    row = np.zeros((len(q), compiled.mechanism.n_speeds))
    speed = compiled.speed_of(coordinate)
    if speed is not None:
        row[:, speed] = 1.0
        return row
    mobilizer = _mobilizer(compiled.mechanism, coordinate)
    position = mobilizer.coordinates.index(coordinate)
    own = take(columns(q), mobilizer.coordinates)
    for k, column in enumerate(mobilizer.speeds):
        unit = tuple(1.0 if i == k else 0.0 for i in range(len(mobilizer.speeds)))
        row[:, column] = mobilizer.map.coordinate_rates(own, unit)[position]
    return row


def rate_bias(compiled: CompiledModel, coordinate: int, q: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Second derivative of a coordinate while u stays constant, Ṅ u, (n,)."""
    if compiled.speed_of(coordinate) is not None:
        return np.zeros(len(q))
    mobilizer = _mobilizer(compiled.mechanism, coordinate)
    assert isinstance(mobilizer.map, BallMap)
    position = mobilizer.coordinates.index(coordinate)
    own, speeds = q[:, list(mobilizer.coordinates)], u[:, list(mobilizer.speeds)]
    qdot = np.empty(own.shape)
    fill(qdot, mobilizer.map.coordinate_rates(tuple(columns(own)), tuple(columns(speeds))))
    if mobilizer.map.quaternion:
        # N is linear in the quaternion, so that N-dot is N of its rate.
        return np.asarray(
            mobilizer.map.coordinate_rates(tuple(columns(qdot)), tuple(columns(speeds)))[position]
        )
    angles, angle_rates = own[:, :3], qdot[:, :3]
    turning = angular_acceleration_from_angles(angles, angle_rates, np.zeros_like(angles))
    return -angles_rates(angles, turning)[:, position]


def _mobilizer(mechanism: Mechanism, coordinate: int) -> Mobilizer:
    return next(mobilizer for mobilizer in mechanism.mobilizers if coordinate in mobilizer.coordinates)
