"""Measure how many unnamed controls are observed, on 15 pages labelled by hand.

Run: `python -m bench.observation.unnamed_controls` (needs `make bench/gallery/node_modules/.installed`).
`unnamed.json` has selectors of controls without a name that a person can press, hold or drag; only those
on screen count.
"""

import asyncio
import json
from pathlib import Path

from app.cli.browser import EXTENSION_DIR, Browser, open_browser
from app.cli.chromium import find_chromium
from bench.gallery.widgets import PACKAGES, PAGES
from bench.observation.__main__ import SETTLE_MS, missed, observed
from bench.observation.backend import Listener, serve_listener
from bench.observation.site import PACKAGES as TEMPLATES
from bench.observation.site import serve_site

LABELS = json.loads(Path(__file__).with_name("unnamed.json").read_text("utf-8"))
_BOXES = """(selectors) => selectors.flatMap((css) => [...document.querySelectorAll(css)].map((el, n) => {
  const { x, y, width, height } = el.getBoundingClientRect();
  const [mx, my] = [x + width / 2, y + height / 2];
  const on = el.checkVisibility() && mx > 0 && mx < innerWidth && my > 0 && my < innerHeight;
  return { what: `${css} ${n + 1}`, box: [x, y, width, height], on };
}).filter((one) => one.on))"""


async def observe_controls(
    browser: Browser, listener: Listener, url: str, selectors: list[str]
) -> tuple[int, tuple[str, ...]]:
    """How many of the selected controls are on screen, and which of them were not observed."""
    page = await browser.context.new_page()
    try:
        await page.goto(url)
        await page.wait_for_timeout(SETTLE_MS)
        body = await observed(browser, listener, page)
        labelled = await page.evaluate(_BOXES, selectors)
    finally:
        await page.close()
    return len(labelled), missed(body, labelled)


async def main() -> None:
    """Print a line per page, and the total share."""
    chromium, found, all_ = find_chromium(None).path, 0, 0
    with serve_site(PAGES, PACKAGES) as gallery, serve_site(TEMPLATES, TEMPLATES) as packages:
        places = {"gallery": gallery.url, "packages": packages.url}
        async with (
            open_browser(chromium=chromium, extension=EXTENSION_DIR, headless=True) as browser,
            serve_listener(browser.url("").rstrip("/")) as listener,
        ):
            await browser.configure(listener.url, "bench")
            for place, pages in LABELS.items():
                for path, selectors in pages.items():
                    count, lost = await observe_controls(
                        browser, listener, f"{places[place]}/{path}", selectors
                    )
                    found, all_ = found + count - len(lost), all_ + count
                    print(f"{path:<44}{count - len(lost):>4}/{count:<4}{'; '.join(lost)}")
    print(f"unnamed things seen: {found} of {all_} ({100 * found / max(1, all_):.1f} %)")


if __name__ == "__main__":
    asyncio.run(main())
