"""Tabs that an action opens are followed; the run goes back when they close."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

import itertools
from typing import Any

import pytest
import pytest_asyncio
from fastapi.responses import Response

from tests.browser.outside_desk import Desk, Shared, act, desk_on, node

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PAGE = """<h1>Start</h1>
<a href="/second" target="_blank">Blank link</a>
<a href="/second" target="_blank" rel="noopener" onclick="event.stopPropagation()">Stopped link</a>
<a href="/second" target="_blank" onclick="event.preventDefault(); fetch('/kept', {method: 'POST'})">Own link</a>
<button onclick="window.open('/second')">Open window</button>
<button onclick="const w = window.open('', '_blank'); setTimeout(() => { w.location = '/second'; }, 50)">Open later</button>
<button onclick="if (!window.open('/second', 'x', 'width=300')) fetch('/blocked', {method: 'POST'})">Popup</button>
<form action="/second" target="_blank"><input type=hidden name=q value=1><button>Search in tab</button></form>
<form action="/posted" method=post target="_blank"><input type=hidden name=q value=1><button>Send in tab</button></form>
<a href="/file">Download</a> <a href="http://127.0.0.1:1/">Nowhere</a>"""
SECOND = "<h1>Second</h1><button onclick=\"fetch('/there', {method: 'POST'})\">There</button><button onclick='window.close()'>Shut</button>"


@pytest_asyncio.fixture(loop_scope="session")
async def desk(shared: Shared) -> Desk:
    return await desk_on(shared, PAGE, second=SECOND, posted="<h1>Posted</h1>")


def click(name: str) -> Any:
    return lambda body: act(("click", {"id": node(body, name)}))


def close_tab(body: dict[str, Any]) -> dict[str, Any]:
    return act(("closeTab", {}))


OPENERS = ["Blank link", "Stopped link", "Open window", "Open later", "Popup", "Search in tab"]


async def test_the_run_goes_on_in_the_tab_that_was_opened(desk: Desk) -> None:
    """Each way to open a tab, which closes itself or is closed by action before the next one."""
    steps = [(click(name), click("There"), close_tab) for name in OPENERS]
    steps[0] = (*steps[0][:2], click("Shut"))
    outcomes = await desk.outcomes(*itertools.chain(*steps))
    page, second = f"{desk.site.url}/page", f"{desk.site.url}/second"
    for name, (opened, there, back) in zip(
        OPENERS, zip(*[iter(outcomes)] * 3, strict=True), strict=True
    ):
        assert opened.body["lastActionStatus"] == "success", name
        assert [line.partition("?")[0] for line in opened.heard] == ["GET /second"], name
        for outcome in (opened, there):
            tabs = outcome.body["tabs"]
            assert [(tab["url"].partition("?")[0], tab["active"]) for tab in tabs] == [
                (page, False), (second, True),
            ], name  # fmt: skip
        assert there.posts == ["/there"], name
        assert back.body["url"] == page, name
        assert "tabs" not in back.body, name
    assert desk.site.count("POST /blocked") == 0
    assert desk.tabs() == ["/page"]


async def test_a_form_sent_to_another_tab_is_sent_once_and_a_handled_link_opens_none(
    desk: Desk,
) -> None:
    own, sent = await desk.outcomes(click("Own link"), click("Send in tab"))
    assert own.heard == ["POST /kept"]
    assert "tabs" not in own.body
    assert [line.split()[:2] for line in sent.heard] == [["POST", "/posted"]]
    assert sent.body["url"].endswith("/posted")


async def test_tabs_are_opened_switched_and_closed_by_action(desk: Desk) -> None:
    def switch(body: dict[str, Any]) -> dict[str, Any]:
        first = next(tab for tab in body["tabs"] if not tab["active"])
        return act(("switchTab", {"index": first["index"]}))

    def switch_back(body: dict[str, Any]) -> dict[str, Any]:
        other = next(tab for tab in body["tabs"] if not tab["active"])
        return act(("switchTab", {"index": other["index"]}))

    await desk.run(
        lambda b: act(("openTab", {"url": f"{desk.site.url}/second"})),
        switch,
        switch_back,
        lambda b: act(("closeTab", {})),
    )
    urls = [body["url"].removeprefix(desk.site.url) for body in desk.backend.bodies]
    assert urls == ["/page", "/second", "/page", "/second", "/page"]
    assert desk.tabs() == ["/page"]


async def test_an_address_without_a_document_is_said_to_be_blocked(desk: Desk) -> None:
    desk.site.answers["empty"] = lambda: Response(status_code=204)
    await desk.run(lambda b: act(("navigate", {"url": f"{desk.site.url}/empty"})))
    assert desk.last["lastActionError"]["code"] == "NAVIGATION_BLOCKED"
    assert desk.last["url"].endswith("/page")


async def test_an_address_that_cannot_be_opened_is_said_to_be_blocked(desk: Desk) -> None:
    await desk.run(lambda b: act(("navigate", {"url": "http://127.0.0.1:1/"})))
    assert desk.last["lastActionError"]["code"] == "NAVIGATION_BLOCKED"


async def test_a_click_that_leads_to_an_error_page_says_so(desk: Desk) -> None:
    await desk.run(click("Nowhere"))
    assert desk.last["lastActionError"]["code"] == "NAVIGATION_BLOCKED"
