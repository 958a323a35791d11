"""Measure speed: ``python benchmarks/run.py [planar|spatial|…]``, all by default.

Every file beside this one that has a ``main()`` is a benchmark by its name.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from borelli.kernels.lanes.code.width import lane_width, native_width

HERE = Path(__file__).resolve().parent


def names() -> list[str]:
    """Return the benchmarks, by file name."""
    return sorted(
        path.stem for path in HERE.glob("*.py") if "\ndef main(" in path.read_text(encoding="utf-8")
    )


def main(chosen: list[str]) -> int:
    known = [name for name in names() if name != Path(__file__).stem]
    unknown = [name for name in chosen if name not in known]
    if unknown:
        print(f"No benchmark {', '.join(unknown)}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    print(f"vectors of {lane_width()} instants; this processor has {native_width()} (8 with AVX-512, else 4)")
    for name in chosen or known:
        importlib.import_module(name).main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
