"""A desk whose page is the test's own: the real extension, a scripted backend, a site that counts."""

import contextlib
import itertools
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse
from playwright.async_api import Page, expect

from app.cli.browser import Browser
from tests.browser.desk import Places
from tests.browser.runner_backend import Backend, Event, act, done, node, until
from tests.fakes.serving import serve_in_loop

__all__ = ["Desk", "Shared", "Site", "act", "desk_on", "done", "node", "until"]

Handler = Callable[[], Response]


@dataclass
class Site:
    """Pages by path, and each request they sent: `METHOD path body`."""

    url: str = ""
    pages: dict[str, str] = field(default_factory=dict)
    answers: dict[str, Handler] = field(default_factory=dict)
    heard: list[str] = field(default_factory=list)

    def count(self, what: str) -> int:
        """How often that was asked for."""
        return sum(line.startswith(what) for line in self.heard)


def build(site: Site) -> FastAPI:
    """The app of a site."""
    app = FastAPI()

    @app.api_route("/{path:path}", methods=["GET", "POST"])
    async def any_path(path: str, request: Request) -> Response:
        body = (await request.body()).decode("utf-8", "replace")
        site.heard.append(f"{request.method} /{path} {body}".strip())
        if path in site.answers:
            return site.answers[path]()
        if path in site.pages:
            return HTMLResponse(f"<!doctype html><title>{path}</title>{site.pages[path]}")
        return Response(status_code=200 if request.method == "POST" else 404)

    return app


@dataclass
class Shared:
    """What the tests of a module share."""

    browser: Browser
    backend: Backend
    places: Places
    site: Site


@contextlib.asynccontextmanager
async def site_up() -> AsyncIterator[Site]:
    """A site on a port of its own."""
    site = Site()
    async with serve_in_loop(build(site), timeout_graceful_shutdown=1) as site.url:
        yield site


@dataclass(frozen=True)
class Outcome:
    """What the backend was told of a step, and the requests that the site got during it."""

    body: dict[str, Any]
    heard: list[str]

    @property
    def posts(self) -> list[str]:
        return [line.removeprefix("POST ") for line in self.heard if line.startswith("POST ")]


@dataclass
class Desk:
    """A browser with the extension, the backend it talks to, and a tab with its panel."""

    browser: Browser
    backend: Backend
    site: Site
    tab: Page
    panel: Page

    async def run(
        self, *steps: Callable[[dict[str, Any]], Event], state: str = "completed"
    ) -> None:
        """Type a goal, and wait until the run that these steps answer has come to that state."""
        self.backend.script(*steps, lambda b: done())
        await self.panel.get_by_test_id("goal-input").fill("Do it")
        await self.panel.get_by_test_id("goal-input").press("Enter")
        await self.state(state)

    async def outcomes(self, *steps: Callable[[dict[str, Any]], Event]) -> list[Outcome]:
        """The same, with what came of each step; a step counts as over when the next one is asked for."""
        marks: list[int] = []

        def marked(step: Callable[[dict[str, Any]], Event]) -> Callable[[dict[str, Any]], Event]:
            def answer(body: dict[str, Any]) -> Event:
                marks.append(len(self.site.heard))
                return step(body)

            return answer

        await self.run(*map(marked, (*steps, lambda b: done())))
        spans = itertools.pairwise(marks)
        reports = zip(self.backend.bodies[1:], spans, strict=True)
        return [Outcome(body, self.site.heard[first:last]) for body, (first, last) in reports]

    async def state(self, state: str) -> None:
        status = self.panel.get_by_test_id("status")
        await expect(status).to_have_attribute("data-state", state, timeout=30_000)

    @property
    def last(self) -> dict[str, Any]:
        """The last request the backend got."""
        return self.backend.bodies[-1]

    def tabs(self) -> list[str]:
        """Paths of the site's open tabs."""
        urls = (page.url for page in self.browser.context.pages)
        return [url.removeprefix(self.site.url) for url in urls if url.startswith(self.site.url)]


async def desk_on(shared: Shared, html: str = "", **pages: str) -> Desk:
    """A tab on a page, with its panel; the site has that page and `pages`, and was asked for nothing."""
    site = shared.site
    site.answers.clear()
    site.pages = {"page": html, **pages}
    place = await shared.places.at(f"{site.url}/page")
    site.heard.clear()
    return Desk(shared.browser, shared.backend, site, place.tab, place.panel)
