"""Musculoskeletal dynamics: every newton in the body, accounted for.

The public names are listed here and loaded when first used, so that ``import borelli`` is quick and
brings in no compiler, plotting or symbolic library.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Public name -> the module that defines it.
_HOME: dict[str, str] = {
    "BorelliError": "borelli.errors",
    "BorelliWarning": "borelli.errors",
    "Load": "borelli.model.load",
    "Model": "borelli.model",
    "Motion": "borelli.model.motion",
    "save_result": "borelli.results.save",
    "load_result": "borelli.results.save",
}
_SUBMODULES = ("attitude", "model", "planar", "library", "units", "errors")

if TYPE_CHECKING:
    from borelli.errors import BorelliError as BorelliError
    from borelli.errors import BorelliWarning as BorelliWarning
    from borelli.model import Model as Model
    from borelli.model.load import Load as Load
    from borelli.model.motion import Motion as Motion
    from borelli.results.save import load_result as load_result
    from borelli.results.save import save_result as save_result

__all__ = [  # noqa: PLE0604 (the table above is the list)
    "__version__",
    *_HOME,
    *_SUBMODULES,
]


def __getattr__(name: str) -> Any:
    """Load a public name on first use."""
    if name in _HOME:
        value = getattr(importlib.import_module(_HOME[name]), name)
    elif name in _SUBMODULES:
        value = importlib.import_module(f"borelli.{name}")
    else:
        raise AttributeError(f"module 'borelli' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
