"""Importing Borelli is quick because it loads nothing heavy; modules are counted, not seconds."""

import subprocess
import sys

HEAVY = {"numba", "llvmlite", "sympy", "plotly", "pandas", "xarray", "scipy", "matplotlib", "typer", "rich"}


def loaded_after(code: str) -> set[str]:
    script = f"{code}\nimport sys\nprint(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_import_loads_no_heavy_library():
    assert not loaded_after("import borelli") & HEAVY


def test_every_public_name_can_be_loaded():
    loaded_after("import borelli\nfor name in borelli.__all__: getattr(borelli, name)")


def test_unknown_attribute_is_an_attribute_error():
    code = "import borelli\ntry: borelli.no_such_name\nexcept AttributeError as e: assert 'no_such_name' in str(e)\n"
    loaded_after(code + "else: raise SystemExit(1)")
