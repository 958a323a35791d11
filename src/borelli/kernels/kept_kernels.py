"""Kernels that Numba has compiled, kept on disk between processes.

They lie beside those of the lanes and under the same rules (:mod:`borelli.kernels.lanes.cache`): in a folder that the
user alone may write, each with a checksum, so that a damaged or foreign file is never run. Numba's own cache would take
whatever lies beside the sources, and stop with an error where that is damaged.
"""

from __future__ import annotations

import functools
import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from borelli.kernels.lanes.cache import cache_directory, cache_key, read_object, write_object


class KeptKernels(NullCache):  # type: ignore[misc]
    """What Numba asks for compiled code of one function, and gives it to; whatever goes wrong means "not kept".

    Parameters
    ----------
    function : callable
        As it was before it was compiled.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

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
            return None if code is None else CompileResult._rebuild(context, *pickle.loads(code))
        except Exception:
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what was compiled, if it does not hold addresses of this process."""
        if result.library.has_dynamic_globals or any(not part.can_cache for part in result.lifted):
            return
        # Not every type can be pickled; such a kernel is compiled again in the next process.
        try:
            write_object(self._key(signature, result.codegen), dumps(result._reduce()))
        except Exception:
            return

    def _key(self, signature: Any, codegen: Any) -> str:
        function = self._function
        cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
        return cache_key(
            "numba",
            numba.__version__,
            f"{function.__code__.co_filename}:{function.__qualname__}:{function.__code__.co_firstlineno}",
            _stamp_of_called(function),
            function.__code__.co_code,
            dumps(cells) if cells else b"",
            repr(signature),
            repr(codegen.magic_tuple()),
        )


def _stamp_of_called(function: Callable[..., Any]) -> str:
    """Fingerprint of the sources that a kernel's code may come from: it contains that of those it calls."""
    called = [function.__globals__.get(name) for name in function.__code__.co_names]
    sources = {getattr(kernel, "py_func", function).__code__.co_filename for kernel in called}
    folders = sorted({Path(source).parent for source in (*sources, function.__code__.co_filename)})
    return "".join(map(_stamp, folders))


@functools.cache
def _stamp(folder: Path) -> str:
    """Fingerprint of all sources of a folder."""
    digest = hashlib.sha256()
    for source in sorted(folder.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()
