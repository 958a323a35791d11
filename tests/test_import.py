"""Importing Borelli is quick because it loads nothing heavy; modules are counted, not seconds."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import borelli
from borelli.lazy import listed

HEAVY = {"numba", "llvmlite", "sympy", "plotly", "pandas", "xarray", "scipy", "matplotlib", "typer", "rich"}


def loaded_after(code: str) -> set[str]:
    script = f"{code}\nimport sys\nprint(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def check_runs(code: str) -> None:
    """Run a script in a process of its own; what it raises fails the test."""
    loaded_after(code)


def test_import_loads_no_heavy_library():
    assert not loaded_after("import borelli") & HEAVY


def test_every_public_name_can_be_loaded():
    check_runs("import borelli\nfor name in borelli.__all__: getattr(borelli, name)")


def test_unknown_attribute_is_an_attribute_error():
    code = "import borelli\ntry: borelli.no_such_name\nexcept AttributeError as e: assert 'no_such_name' in str(e)\n"
    check_runs(code + "else: raise SystemExit(1)")


def test_a_skeleton_never_waits_for_muscles_and_forces():
    code = (
        "import sys, borelli\n"
        "from borelli.model import Body, Model, PinJoint, Coordinate\n"
        "joint = PinJoint(name='j', parent='ground', child='b', coordinates=(Coordinate('q'),))\n"
        "Model(bodies=[Body('b', 1.0)], joints=[joint])\n"
        "late = {'muscle', 'force', 'path', 'wrap', 'constraint', 'tabulated'}\n"
        "assert not late & {name.rpartition('.')[2] for name in sys.modules if name.startswith('borelli.model.')}"
    )
    check_runs(code)


def test_every_name_of_the_model_package_can_be_loaded():
    check_runs("from borelli import model\nfor name in model.__all__: getattr(model, name)")


def test_the_stub_is_the_one_list_of_public_names():
    """What type checkers read is what is loaded: every line names the module that the object came from."""
    for package in (borelli, borelli.model, borelli.planar, borelli.library, borelli.library.lifting_arm):
        stub = Path(package.__file__).with_suffix(".pyi").read_text("utf-8")
        lines = re.findall(r"^from (\S+) import (\w+) as (\w+)$", stub, re.M)
        assert len(lines) > 10 and {name for _, _, name in lines} == set(dir(package)) - {"__version__"}
        for module, name, public in lines:
            found = getattr(package, public)
            source = importlib.import_module(module if module != package.__name__ else f"{module}.{name}")
            assert name == public and (found is source or found is getattr(source, name))


def test_a_public_name_is_not_hidden_by_the_module_of_that_name():
    """Whatever is imported first, even the module itself."""
    check_runs("from borelli import library\nlibrary.SampleWalk\nassert callable(library.sample_walk)")
    check_runs("import borelli.library.spine\nfrom borelli import library\nassert callable(library.spine)")
    check_runs(
        "from borelli.library.spine import spine\nfrom borelli.library import spine as s\nassert s is spine"
    )


def test_a_name_that_the_list_lacks_is_not_there():
    homes, own = listed("p", "from p.a import b as b\nfrom p import c as c\nd: str\n")
    assert homes == {"b": "p.a", "c": "p"} and own == ["d"]


def test_a_function_named_like_its_module_is_the_function_whatever_is_asked_first():
    check_runs(
        "from borelli import library\n"
        "library.composite_angle, library.SampleWalk\n"
        "import borelli.library.neck\n"
        "assert all(callable(f) for f in (library.composite_joint, library.sample_walk, library.neck))\n"
    )
