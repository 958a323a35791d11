"""OpenSim models (``.osim``), read and written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from borelli.io.osim.read import read_osim

if TYPE_CHECKING:
    from borelli.io.osim.write import write_osim

__all__ = ["read_osim", "write_osim"]


def __getattr__(name: str) -> Any:
    if name != "write_osim":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Loaded here: reading, which most commands do, needs nothing of it.
    from borelli.io.osim.write import write_osim

    return write_osim
