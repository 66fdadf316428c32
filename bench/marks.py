"""Write `docs/images/marks-*.jpg`: pages as a model sees them, with marked ids. `python -m bench.marks`."""

import asyncio
import base64
from pathlib import Path

from app.cli.browser import EXTENSION_DIR, open_browser
from app.cli.chromium import find_chromium
from bench.gallery.widgets import PACKAGES, PAGES
from bench.observation.site import serve_site
from tests.browser.runner_backend import Body, Event, done, serving, until

FOLDER = Path(__file__).parents[1] / "docs" / "images"
SHOWN = ("html_pointer", "html_fields", "charts")
SETTLE_MS = 900


async def main() -> None:
    """Write one picture per page."""
    with serve_site(PAGES, PACKAGES) as site:
        async with (
            open_browser(
                chromium=find_chromium(None).path,
                extension=EXTENSION_DIR,
                headless=True,
                hosts=("<all_urls>",),
            ) as browser,
            serving(browser.url("").rstrip("/")) as backend,
        ):
            await browser.configure(backend.url, "key")
            for name in SHOWN:
                page = await browser.context.new_page()
                await page.goto(f"{site.url}/{name}.html")
                await page.wait_for_timeout(SETTLE_MS)
                panel = await browser.open_panel(page)
                backend.script(wants, lambda _: done())
                backend.hold.clear()
                await panel.get_by_test_id("goal-input").fill("Look at this page")
                await panel.get_by_test_id("run-button").click()
                await page.bring_to_front()
                backend.hold.set()
                await until(lambda: _pictured(backend.bodies))
                picture = next(b["screenshot"] for b in backend.bodies if b.get("screenshot"))
                (FOLDER / f"marks-{name.replace('_', '-')}.jpg").write_bytes(
                    base64.b64decode(picture)
                )
                await page.close()


def wants(_: Body) -> Event:
    """The answer that requests a picture."""
    return {"type": "action", "status": "executing", "actions": [], "requestedDomMode": "hybrid"}


async def _pictured(bodies: list[Body]) -> bool:
    return any(body.get("screenshot") for body in bodies)


if __name__ == "__main__":
    asyncio.run(main())
