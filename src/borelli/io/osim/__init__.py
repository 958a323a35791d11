"""OpenSim models (``.osim``), read and written."""

from __future__ import annotations

from borelli.io.osim.read import read_osim
from borelli.io.osim.write import write_osim

__all__ = ["read_osim", "write_osim"]
