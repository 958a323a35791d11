"""What a wheel holds, and that all places name one version."""

import re
import tomllib
import zipfile
from pathlib import Path

import pytest

import borelli

ROOT = Path(__file__).resolve().parents[1]


def test_version_is_the_same_everywhere():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", citation, re.MULTILINE)[1] == borelli.__version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert re.search(r"^license: (.+)$", citation, re.MULTILINE)[1] == project["license"]


def test_a_wheel_holds_data_stubs_and_templates(tmp_path):
    wheel = pytest.importorskip("hatchling.builders.wheel", reason="hatchling is not installed")
    built = next(wheel.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"]))
    names = set(zipfile.ZipFile(built).namelist())
    source = ROOT / "src"
    expected = {
        path.relative_to(source).as_posix()
        for path in (source / "borelli").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert expected <= names
    for name in ("library/walk/subject.osim", "py.typed", "__init__.pyi", "report/templates/page.html"):
        assert f"borelli/{name}" in names
    assert not [name for name in names if name.startswith(("tests/", "tools/", "docs/"))]
    assert Path(built).stat().st_size < 5_000_000
