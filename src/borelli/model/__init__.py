"""What a body is: frozen dataclasses, no files, no kernels.

The names are loaded when first used: a model without muscles never waits for their classes.
"""

from __future__ import annotations

from borelli.lazy import lazily

__getattr__, __dir__ = lazily(__name__, __file__)
__all__ = __dir__()  # noqa: PLE0605 (the list is in __init__.pyi)
