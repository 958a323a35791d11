"""Planar n-link chains in closed form (Biscarini 2021; Cesari et al. 2001).

Everything stands on its own: an implementation independent of the spatial engine, so that each can be
checked against the other.
"""

from __future__ import annotations

from borelli.lazy import lazily

__getattr__, __dir__ = lazily(__name__, __file__, told=True)
__all__ = __dir__()  # noqa: PLE0605 (the list is in __init__.pyi)
