"""Tabs that an action opens are followed; the run goes back when they close."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from typing import Any

import pytest
import pytest_asyncio

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


@pytest.mark.parametrize(
    "name", ["Blank link", "Stopped link", "Open window", "Open later", "Popup", "Search in tab"]
)
async def test_the_run_goes_on_in_the_tab_that_was_opened(desk: Desk, name: str) -> None:
    await desk.run(click(name), click("There"))
    assert desk.site.count("GET /second") == 1
    assert desk.site.count("POST /there") == 1
    assert desk.site.count("POST /blocked") == 0
    assert sorted(path.partition("?")[0] for path in desk.tabs()) == ["/page", "/second"]
    assert desk.tab.url.endswith("/page")
    tabs = desk.last["tabs"]
    assert [(tab["url"].partition("?")[0], tab["active"]) for tab in tabs] == [
        (f"{desk.site.url}/page", False),
        (f"{desk.site.url}/second", True),
    ]
    assert desk.backend.bodies[1]["lastActionStatus"] == "success"


async def test_a_link_that_the_page_handles_itself_opens_nothing(desk: Desk) -> None:
    await desk.run(click("Own link"))
    assert desk.site.count("POST /kept") == 1
    assert desk.tabs() == ["/page"]
    assert "tabs" not in desk.last


async def test_what_a_form_sends_to_another_tab_is_sent_once(desk: Desk) -> None:
    await desk.run(click("Send in tab"))
    assert desk.site.count("POST /posted") == 1
    assert desk.last["url"].endswith("/posted")


async def test_a_tab_that_closes_itself_leads_back(desk: Desk) -> None:
    await desk.run(click("Open window"), click("Shut"))
    assert desk.last["url"] == f"{desk.site.url}/page"
    assert desk.tabs() == ["/page"]


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


async def test_an_address_that_cannot_be_opened_is_said_to_be_blocked(desk: Desk) -> None:
    await desk.run(lambda b: act(("navigate", {"url": "http://127.0.0.1:1/"})))
    assert desk.last["lastActionError"]["code"] == "NAVIGATION_BLOCKED"


async def test_a_click_that_leads_to_an_error_page_says_so(desk: Desk) -> None:
    await desk.run(click("Nowhere"))
    assert desk.last["lastActionError"]["code"] == "NAVIGATION_BLOCKED"
