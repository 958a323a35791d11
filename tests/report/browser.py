"""A real browser for the tests of the page: Chromium of the system, driven by playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def chromium() -> Iterator:
    """Start Chromium; the test says so and is skipped where there is none."""
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"no browser on the path: looked for {', '.join(NAMES)}")
    with driver.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox", "--use-gl=swiftshader"])
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """One page, opened from disk, with everything that went wrong or over the network."""

    def __init__(self, browser, path, width=1280, scheme="light", address="", before="") -> None:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True
        )
        self.page = context.new_page()
        self.page.set_default_timeout(60_000)  # a busy machine, not a slow page
        self.errors: list[str] = []
        self.addresses: list[str] = []
        self.page.on("console", lambda message: self._heard(message.type, message.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", lambda dialog: self.errors.append(f"dialog {dialog.message}"))
        self.page.on("request", lambda request: self._asked(request.url))
        if before:
            self.page.add_init_script(before)
        self.page.goto(address or path.as_uri())
        self.page.wait_for_selector("html[data-ready=yes]", state="attached")

    def _asked(self, address: str) -> None:
        if not address.startswith(("blob:", "data:")):  # the page's own memory
            self.addresses.append(address)

    def _heard(self, kind: str, text: str) -> None:
        # Software rendering of a scene in space tells how it is doing; that is no fault of the page.
        if kind in ("error", "warning") and not any(words in text for words in ("GPU stall", "Canvas2D")):
            self.errors.append(text)

    def go_to(self, frame: int, result: int = 0) -> None:
        """Move the slider of a result to one of its drawn instants."""
        time = self.page.evaluate(f"borelli.results[{result}].player.time[{frame}]")
        self.page.locator(f"#result-{result} .scrub").fill(repr(time))

    def ask(self, script, argument=None):
        return self.page.evaluate(script, argument)

    def wait(self, script: str) -> None:
        """Wait until something holds; asked from here, since the page's own policy forbids to evaluate text."""
        for _ in range(200):
            if self.page.evaluate(script):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never came true: {script}")

    def saved_all(self, selector: str, count: int) -> dict[str, bytes]:
        """Click something that saves several files; return their contents by name."""
        found = []

        def keep(download) -> None:
            found.append(download)

        self.page.on("download", keep)
        self.page.locator(selector).click()
        for _ in range(200):
            if len(found) >= count:
                break
            self.page.wait_for_timeout(50)
        self.page.remove_listener("download", keep)
        return {each.suggested_filename: each.path().read_bytes() for each in found}

    def saved(self, selector: str) -> tuple[str, bytes]:
        """Click something that saves a file; return the file's name and content."""
        with self.page.expect_download() as waiting:
            self.page.locator(selector).click()
        return waiting.value.suggested_filename, waiting.value.path().read_bytes()
