"""Whatever dies, at whatever stage of a run: every effect happens once, and the run completes.

Effects are counted by the page's own server. That the server dies is in test_whole.py.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page

from app.cli.browser import Browser
from tests.browser.desk import Desk, opened_desk
from tests.browser.runner_backend import Backend, Body, Event, act, done, node, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DEEDS = ("add", "confirm")
WAIT_MS = 2_000  # after the first: what is under way is met on a busy machine, too


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def desk(browser: Browser, backend: Backend) -> AsyncIterator[Desk]:
    made = await opened_desk(browser, backend, "/counted")
    yield made
    await made.close()


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def probe(browser: Browser) -> AsyncIterator[Page]:
    """A page with the extension's rights that runs none of its code."""
    page = await browser.context.new_page()
    await page.goto(browser.url("manifest.json"))
    yield page
    await page.close()


class Server:
    """Decides as a careful server does: what was not reported as done, and is not to be seen on the
    page, is done next. An action of unknown outcome is judged by the page alone.
    """

    def __init__(self) -> None:
        self.reported: set[str] = set()
        self.given: dict[str, str] = {}
        self.asked = 0

    def __call__(self, body: Body) -> Event:
        self.asked += 1
        if body.get("lastActionStatus") == "success":
            self.reported.add(self.given[body["lastActionId"]])
        shown = {name for name in DEEDS if f"Done: {name}" in body["pageSummary"]}
        left = [name for name in DEEDS if name not in shown | self.reported]
        if not left:
            return done()
        name = left[0]
        self.given |= {f"a{self.asked}-{index}": name for index in (0, 1)}
        click = ("click", {"id": node(body, name.capitalize())})
        return act(click, ("wait", {"ms": WAIT_MS})) if name == DEEDS[0] else act(click)


async def kept_run(desk: Desk, probe: Page) -> dict[str, Any]:
    """The run as the journal has it."""
    key = f"run_{desk.tab_id}"
    kept: dict[str, Any] = await probe.evaluate("k => chrome.storage.local.get(k)", key)
    return kept.get(key, {})


async def kill_worker(desk: Desk, probe: Page) -> None:
    session = await desk.browser.context.new_cdp_session(probe)
    await session.send("ServiceWorker.enable")
    await session.send("ServiceWorker.stopAllWorkers")
    await session.detach()


async def kill_runner(desk: Desk, probe: Page) -> None:
    await probe.evaluate("chrome.offscreen.closeDocument()")


async def kill_panel(desk: Desk, probe: Page) -> None:
    await desk.panel.close()


async def kill_page(desk: Desk, probe: Page) -> None:
    await desk.tab.reload()


async def kill_stream(desk: Desk, probe: Page) -> None:
    desk.backend.cut = 1


async def before_first_answer(desk: Desk, probe: Page) -> None:
    await until(lambda: len(desk.backend.raw) == 1)


async def while_acting(desk: Desk, probe: Page) -> None:
    async def there() -> bool:
        chain = (await kept_run(desk, probe)).get("chain") or {}
        return str(chain.get("intent")).endswith(
            "-1"
        )  # the wait; the click before it has its result

    await until(there)
    desk.backend.hold.clear()  # the next request is to wait


async def while_settling(desk: Desk, probe: Page) -> None:
    async def there() -> bool:
        return bool((await kept_run(desk, probe)).get("phase") == "settle")

    await until(there)


async def while_waiting(desk: Desk, probe: Page) -> None:
    async def there() -> bool:
        return len(set(desk.backend.raw)) > len(desk.backend.bodies)

    await until(there)


Deed = Callable[[Desk, Page], Awaitable[None]]
STAGES: list[Deed] = [before_first_answer, while_acting, while_settling, while_waiting]
DEATHS: list[Deed] = [kill_worker, kill_runner, kill_panel, kill_page, kill_stream]


async def dies(desk: Desk, probe: Page, death: Deed, stage: Deed) -> None:
    await death(desk, probe)
    if stage in (before_first_answer, while_waiting):
        desk.backend.hold.set()


@pytest.mark.parametrize("first", range(len(DEATHS)), ids=lambda first: DEATHS[first].__name__)
async def test_exactly_once(desk: Desk, probe: Page, first: int) -> None:
    """At each stage something else dies; over all runs everything has died at every stage."""
    desk.backend.script(*[Server()] * 8)
    await desk.tab.reload()
    desk.backend.hold.clear()
    await desk.run("Add and confirm")
    deaths = [DEATHS[(first + turn) % len(DEATHS)] for turn in range(len(STAGES))]
    await STAGES[0](desk, probe)
    for at, then in enumerate(STAGES[1:]):
        # Looked for from now on: it may have come and gone by the time that all is dead.
        await asyncio.gather(dies(desk, probe, deaths[at], STAGES[at]), then(desk, probe))
    await dies(desk, probe, deaths[-1], STAGES[-1])
    if desk.panel.is_closed():
        desk.panel = await desk.browser.context.new_page()
        await desk.panel.goto(desk.browser.url(f"panel/index.html?tabId={desk.tab_id}"))
    await desk.state("completed")

    assert desk.backend.saved == list(DEEDS)
    repeated = {body["requestId"] for body in desk.backend.bodies}
    assert len(repeated) == len(desk.backend.bodies), "no request is worked on twice"
    assert len(set(desk.backend.raw)) == len(repeated), "a repeat is the same to the byte"
