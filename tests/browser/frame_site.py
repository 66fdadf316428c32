"""A site of several origins for tests of frames: pages given by the test, and what was posted.

Which of them the extension may read is granted here as a person grants it.
"""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

from app.cli.browser import Browser
from tests.fakes.serving import listen, serve_in_loop


@dataclass
class Site:
    """Three origins of one server: `here`, `other` (granted too) and `barred` (never granted)."""

    here: str = ""
    other: str = ""
    barred: str = ""
    pages: dict[str, str] = field(default_factory=dict)
    posted: list[str] = field(default_factory=list)

    def show(self, **pages: str) -> None:
        """Serve these pages as `/name` at each origin, with `{here}`, `{other}` and `{barred}` filled in."""
        self.posted.clear()
        for name, html in pages.items():
            for origin in ("here", "other", "barred"):
                html = html.replace(f"{{{origin}}}", getattr(self, origin))
            self.pages[name] = f"<!doctype html>{html}"


def _build(site: Site) -> FastAPI:
    app = FastAPI()

    @app.get("/{name}")
    async def page(name: str) -> HTMLResponse:
        return HTMLResponse(site.pages.get(name, ""))

    @app.post("/{name}")
    async def post(name: str, request: Request) -> HTMLResponse:
        site.posted.append((await request.body()).decode())
        return HTMLResponse(site.pages.get(name, ""))

    return app


@contextlib.asynccontextmanager
async def serving_frames() -> AsyncIterator[Site]:
    """A site that is up, on a port of its own."""
    site = Site()
    here = listen()
    port = here.getsockname()[1]
    site.other = f"http://localhost:{port}"
    site.barred = f"http://127.0.0.2:{port}"
    barred = listen("127.0.0.2", port)
    async with serve_in_loop(_build(site), here, barred, timeout_graceful_shutdown=1) as site.here:
        yield site


async def grant(browser: Browser, *hosts: str) -> None:
    """As the person does on the browser's own page; a script cannot press its prompt.

    All that the extension asked for at its installation is withheld but for what was granted so.
    """
    settings = await browser.context.new_page()
    await settings.goto("chrome://extensions")
    await settings.evaluate(
        """async ([extensionId, hosts]) => {
            const all = chrome.developerPrivate;
            await all.updateExtensionConfiguration({extensionId, hostAccess: "ON_SPECIFIC_SITES"});
            for (const host of hosts) await all.addHostPermission(extensionId, `http://${host}/*`);
        }""",
        [browser.extension_id, list(hosts)],
    )
    await settings.close()
