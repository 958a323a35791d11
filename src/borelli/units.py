"""SI inside; the only unit conversions and the units of the quantities that Borelli reports."""

from __future__ import annotations

import math

STANDARD_GRAVITY = 9.80665
"""m/s², the conventional standard value (CGPM 1901)."""

RAD_PER_DEG = math.pi / 180.0
DEG_PER_RAD = 180.0 / math.pi

METRE = "m"
KILOGRAM = "kg"
SECOND = "s"
RADIAN = "rad"
NEWTON = "N"
NEWTON_METRE = "N m"
JOULE = "J"
WATT = "W"
METRE_PER_SECOND = "m/s"
METRE_PER_SECOND2 = "m/s^2"
RADIAN_PER_SECOND = "rad/s"
RADIAN_PER_SECOND2 = "rad/s^2"
KILOGRAM_METRE2 = "kg m^2"
ONE = "1"
