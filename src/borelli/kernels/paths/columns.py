"""Columns of the tables in :class:`~borelli.kernels.paths.tables.PathTables`, by name.

Plain integers: the compiler puts them into the code, so that a name costs nothing.
"""

from __future__ import annotations

FIRST_POINT, END_POINT = 0, 1
FIRST_WRAP, END_WRAP = 2, 3
FIRST_SPEED, END_SPEED = 4, 5
FIRST_LOCAL, END_LOCAL = 6, 7
N_CONDITIONAL = 8
PATH_WIDTH = 9
"""``paths``: spans in the other tables, from the first to one beyond the last; conditional points."""

POINT_NODE, POINT_LOCAL, POINT_MOVING, POINT_COORDINATE = 0, 1, 2, 3
POINT_WIDTH = 4
"""``points``: node, the same counted within the path, position among moving points or -1, coordinate or -1."""

RANGE_LOW, RANGE_HIGH = 3, 4
POINT_VALUES_WIDTH = 5
"""``point_values``: x, y, z in the node (m), then the range of the coordinate in which the point is there."""

WRAP_OBJECT, WRAP_LOCAL, WRAP_FROM, WRAP_TO = 0, 1, 2, 3
WRAP_WIDTH = 4
"""``wraps``: object, local node, first and last point between which the object may be touched."""

OBJECT_KIND, OBJECT_NODE, HALF_AXIS, HALF_SIGN = 0, 1, 2, 3
OBJECT_WIDTH = 4
"""``objects``: kind of surface, node, axis and sign of the half that may be touched (sign 0: all of it)."""

AXES, ORIGIN = 3, 12
OBJECT_VALUES_WIDTH = 15
"""``object_values``: size (3, m), axes in the node as columns of a matrix (9), place in the node (3, m)."""
