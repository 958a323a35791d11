"""Kernels that Numba has compiled, kept on disk between processes.

They lie beside those of the lanes and under the same rules (:mod:`borelli.kernels.lanes.code.cache`): in a folder that
the user alone may write, each with a checksum, so that a damaged or foreign file is never run. Numba's own cache would
take whatever lies beside the sources, and stop with an error where that is damaged.
"""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable
from typing import Any

import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from borelli.kernels.lanes.code.cache import cache_directory, cache_key, read_object, write_object
from borelli.kernels.native.fingerprint import fingerprint
from borelli.notice import compilation_notice


class KeptKernels(NullCache):  # type: ignore[misc]
    """What Numba asks for compiled code of one function, and gives it to; whatever goes wrong means "not kept".

    Parameters
    ----------
    function : callable
        As it was before it was compiled.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._notice = contextlib.ExitStack()

    @property
    def cache_path(self) -> str:
        """Where the files are; shown by Numba's statistics."""
        return str(cache_directory())

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return what was compiled for these types of arguments, or None."""
        context.refresh()
        # An intact file of another installation may still hold what this one cannot take up: it is compiled again.
        try:
            code = read_object(self._key(signature, context.codegen()))
            if code is not None:
                return CompileResult._rebuild(context, *pickle.loads(code))
        except Exception:
            pass
        # Compilation follows, and what it gives is saved.
        self._notice.enter_context(compilation_notice(self._function.__name__))
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what was compiled, if it does not hold addresses of this process."""
        self._notice.close()
        if result.library.has_dynamic_globals or any(not part.can_cache for part in result.lifted):
            return
        # Not every type can be pickled; such a kernel is compiled again in the next process.
        try:
            write_object(self._key(signature, result.codegen), dumps(result._reduce()))
        except Exception:
            return

    def _key(self, signature: Any, codegen: Any) -> str:
        return cache_key(
            "numba",
            numba.__version__,
            # By content, not by place: every copy of the same sources shares what any of them has compiled.
            fingerprint(self._function),
            repr(signature),
            repr(codegen.magic_tuple()),
        )
