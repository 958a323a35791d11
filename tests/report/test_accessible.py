"""The page and the playground for everybody: axe-core finds no violation, wide, narrow, light and dark.

axe-core is fetched for the test alone (``npm pack``); where that is not possible the tests are skipped and say why.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile

import pytest

import borelli as bo
from borelli.report.page import write_page

LOOKS = [(1400, "light"), (400, "dark")]


@pytest.fixture(scope="module")
def axe(tmp_path_factory):
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not on the path: axe-core cannot be fetched")
    place = tmp_path_factory.mktemp("axe")
    try:
        done = subprocess.run(
            [npm, "pack", "axe-core@4", "--silent"], cwd=place, capture_output=True, timeout=60
        )
    except subprocess.TimeoutExpired:
        pytest.skip("the registry of npm did not answer within a minute")
    found = list(place.glob("*.tgz"))
    if done.returncode or not found:
        pytest.skip("axe-core could not be fetched from the registry of npm")
    with tarfile.open(found[0]) as archive:
        stream = archive.extractfile("package/axe.min.js")
        assert stream is not None
        return stream.read().decode("utf-8")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    place = tmp_path_factory.mktemp("accessible")
    files = bo.library.sample_walk()
    model = bo.load_model(files.model)
    motion = bo.load_motion(files.motion, model)
    result = bo.analyze(model, motion, bo.load_loads(files.loads), muscles="none")
    folder = bo.save_result(result, place / "walk", tables=())
    # What a page with several results has more than the walk's: a comparison is as accessible with few outputs.
    reach = bo.planar.analyze(bo.library.reaching_arm(), bo.library.reach())
    folders = [bo.save_result(reach, place / name, tables=()) for name in ("one", "other")]
    return {
        "walk": write_page([folder], place / "walk.html"),
        "compared": write_page(folders, place / "both.html"),
        "playground": bo.write_playground(place / "play.html"),
    }


def violations(browser, axe: str, address: str, width: int, scheme: str) -> list[str]:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True
    )
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    page.wait_for_selector("main, body[data-ready], html[data-ready]", state="attached")
    page.wait_for_timeout(500)
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    context.close()
    return [f"{each['id']}: {node['target']}" for each in found for node in each["nodes"]]


@pytest.mark.parametrize("name", ["walk", "compared", "playground"])
def test_axe_finds_no_violation(browser, axe, pages, name):
    for width, scheme in LOOKS:
        assert violations(browser, axe, pages[name].as_uri(), width, scheme) == []


def test_axe_finds_what_is_wrong(browser, axe, tmp_path):
    page = tmp_path / "wrong.html"
    page.write_text(
        "<html><body><main><img src='data:,'><button></button></main></body></html>", encoding="utf-8"
    )
    found = violations(browser, axe, page.as_uri(), 800, "light")
    assert any(each.startswith("image-alt") for each in found)
    assert any(each.startswith("button-name") for each in found)
