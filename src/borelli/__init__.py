"""Musculoskeletal dynamics: every newton in the body, accounted for.

The public names are listed in ``__init__.pyi`` and loaded when first used, so that ``import borelli`` is quick
and brings in no compiler, plotting or symbolic library.
"""

from __future__ import annotations

from borelli.lazy import lazily

__version__ = "0.1.0"

__getattr__, __dir__ = lazily(__name__, __file__, told=True)
__all__ = __dir__()  # noqa: PLE0605 (the list is in __init__.pyi)
