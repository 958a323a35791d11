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


def test_a_skeleton_never_waits_for_muscles_and_forces():
    code = (
        "import sys, borelli\n"
        "from borelli.model import Body, Model, PinJoint, Coordinate\n"
        "joint = PinJoint(name='j', parent='ground', child='b', coordinates=(Coordinate('q'),))\n"
        "Model(bodies=[Body('b', 1.0)], joints=[joint])\n"
        "late = {'muscle', 'force', 'path', 'wrap', 'constraint', 'tabulated'}\n"
        "assert not late & {name.rpartition('.')[2] for name in sys.modules if name.startswith('borelli.model.')}"
    )
    loaded_after(code)


def test_every_name_of_the_model_package_can_be_loaded():
    loaded_after("from borelli import model\nfor name in model.__all__: getattr(model, name)")
