"""Take pictures of the page for the documentation, with the Chromium of this machine: screenshot.py PAGE.html FOLDER.

The page is that of ``borelli demo walk``; pictures are ``page_cards``, ``page_body`` and ``page_gait``.
"""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

WIDTH, HEIGHT = 1280, 900
NAMES = ("chromium", "chromium-browser", "google-chrome")
QUALITY = 82
"""Of WebP: letters stay sharp, and a picture has a fifth of the bytes of a PNG."""
# Without the player, which lies over what is behind it.
PREPARE = """() => {
  for (const dock of document.querySelectorAll(".dock")) dock.style.display = "none";
  const cards = [...document.querySelectorAll("#result-0 .card")];
  cards.find((card) => card.textContent.includes("Right knee")).querySelector("button").click();
}"""
PARTS = {
    "page_cards": ("h1", "#result-0 .verdict"),
    "page_body": ("#result-0 .motion", "#result-0 .shares"),
    "page_gait": ("#result-0 .gait", "#result-0 .gait"),
}
BOX = """([first, last]) => {
  const [above, below] = [first, last].map((query) => document.querySelector(query).getBoundingClientRect());
  const left = Math.min(above.left, below.left) - 8, top = above.top + window.scrollY - 8;
  return {x: left, y: top, width: Math.max(above.right, below.right) - left + 8,
          height: below.bottom + window.scrollY - top + 8};
}"""


def picture(page: Page, ends: tuple[str, str]) -> Image.Image:
    """Return the part of a page from one element to the end of another."""
    for query in ends:
        page.locator(query).first.scroll_into_view_if_needed()
        page.wait_for_timeout(700)
    shot = page.screenshot(clip=page.evaluate(BOX, list(ends)), full_page=True)
    return Image.open(io.BytesIO(shot)).convert("RGB")


def main() -> None:
    page_file, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    browser_file = next(filter(None, map(shutil.which, NAMES)), None)
    if browser_file is None:
        raise SystemExit(f"No browser on the path: looked for {', '.join(NAMES)}.")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_file, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(page_file.as_uri())
        page.wait_for_selector("html[data-ready=yes]", state="attached")
        page.evaluate(PREPARE)
        for name, ends in PARTS.items():
            file = folder / f"{name}.webp"
            picture(page, ends).save(file, quality=QUALITY, method=6)
            print(f"{file}: {file.stat().st_size / 1024:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main()
