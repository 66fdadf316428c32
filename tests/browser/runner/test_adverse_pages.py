"""What a whole run meets at its worst: a frame that never loads, questions as a page is left."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tests.browser.outside_desk import Shared, act, desk_on, node

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session")
async def silent() -> AsyncIterator[str]:
    """The address of a server that takes every request and answers none."""

    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(hold, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


def click(name: str) -> Any:
    return lambda body: act(("click", {"id": node(body, name)}))


STEP_MS = 6_000  # settling takes 5 s at most


async def test_a_frame_that_never_loads_holds_up_no_step(shared: Shared, silent: str) -> None:
    desk = await desk_on(shared, "<h1>Start</h1>")
    frame = f"<iframe title=Slow src={silent}/slow width=300 height=200></iframe>"
    desk.site.pages["page"] = (
        f"""<button onclick="document.body.insertAdjacentHTML('beforeend', '{frame}')">More</button>"""
        f"<button onclick=\"fetch('/saved', {{method: 'POST'}})\">Save</button><br>{frame}"
    )
    await desk.tab.goto(f"{desk.site.url}/page", wait_until="commit")
    await desk.tab.get_by_text("Save").wait_for()
    at_frame = act(("clickAt", {"x": 100, "y": 150}))
    await desk.run(click("More"), lambda b: at_frame, click("Save"))
    assert desk.site.count("POST /saved") == 1
    more, pointed, saved = desk.backend.bodies[1:]
    assert (more["lastActionStatus"], saved["lastActionStatus"]) == ("success", "success")
    assert pointed["lastActionError"]["message"] == (
        "At 100, 150 is a frame that has not loaded, or that Tabwright may not read."
    )
    for body in (more, pointed, saved):
        assert body["clientObservations"]["settle"]["ms"] < STEP_MS


ASKING = """<script>addEventListener("beforeunload", (e) => { if (confirm("Leave the draft?")) alert("Left"); e.preventDefault(); e.returnValue = "x" })</script>
<label>Note <input></label>"""


def navigate(body: dict[str, Any]) -> dict[str, Any]:
    return act(("navigate", {"url": body["url"].replace("/asking", "/next")}))


@pytest.mark.parametrize(
    "leave", [navigate, lambda b: act(("goBack", {}))], ids=["navigate", "goBack"]
)
async def test_a_page_that_asks_as_it_is_left_is_left(shared: Shared, leave: Any) -> None:
    desk = await desk_on(shared, "<h1>Page</h1>", asking=ASKING, next="<h1>Next</h1>")
    await desk.tab.goto(f"{desk.site.url}/asking")
    await desk.tab.get_by_label("Note").fill("the person typed this")  # or Chrome never asks
    await desk.run(leave)
    assert desk.last["lastActionStatus"] == "success"
    assert not desk.last["url"].endswith("/asking")
    asked = [(told["type"], told["message"], told["accepted"]) for told in desk.last["dialogs"]]
    assert asked == [("confirm", "Leave the draft?", False), ("beforeunload", "", True)]


async def test_a_tab_that_asks_as_it_is_closed_is_closed(shared: Shared) -> None:
    desk = await desk_on(shared, "<h1>Page</h1>", asking=ASKING)

    def open_tab(body: dict[str, Any]) -> dict[str, Any]:
        desk.backend.hold.clear()  # the next answer waits until the person has typed
        return act(("openTab", {"url": f"{desk.site.url}/asking"}))

    asked: list[str] = []
    async with desk.browser.context.expect_page() as opened, asyncio.TaskGroup() as running:
        running.create_task(desk.run(open_tab, lambda b: act(("closeTab", {}))))
        tab = await opened.value
        tab.on("dialog", lambda dialog: asked.append(dialog.type))
        await tab.get_by_label("Note").fill("the person typed this")
        desk.backend.hold.set()
    assert desk.last["lastActionStatus"] == "success"
    assert desk.last["url"].endswith("/page")
    assert desk.tabs() == ["/page"]
    assert asked == []
