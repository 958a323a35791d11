"""Contacts and points on any surface, with scratch for geodesics."""

from __future__ import annotations

import numpy as np

from borelli.kernels.paths import wrap as kernels
from borelli.kernels.paths.geodesic import SCRATCH

_ROOM = np.zeros(SCRATCH)


def wrap(kind, size, axis, sign, a, b):
    return kernels.wrap(kind, size, axis, sign, a, b, _ROOM)


def over_surface(kind, size, start, direction, way):
    return kernels.over_surface(kind, size, start, direction, way, _ROOM)
