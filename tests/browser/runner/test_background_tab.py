"""The driven tab is really in the background: hidden, its timers slowed, no animation frames."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.browser.cdp import Protocol, Tab, raw_chromium
from tests.browser.desk import ORIGIN
from tests.browser.runner_backend import Backend, act, done, node, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SECONDS = 20  # three answers and four actions take 4 s alone; a wait on slowed timers would add up

COMPLETED = "document.getElementById('status').dataset.state === 'completed'"


async def opened(protocol: Protocol, backend: Backend) -> tuple[Tab, Tab]:
    """A tab at the backend's page, and its panel in front of it."""
    probe = await protocol.open(f"{ORIGIN}/manifest.json")
    settings = f"{{settings: {{serverUrl: '{backend.url}', apiKey: 'key'}}}}"
    await probe.value(f"chrome.storage.local.set({settings})")
    tab = await protocol.open(f"{backend.url}/page")
    address = f"{backend.url}/page"
    query = f"chrome.tabs.query({{url: '{address}'}}).then((tabs) => tabs.at(-1).id)"
    number = await probe.value(query)
    panel = await protocol.open(f"{ORIGIN}/panel/index.html?tabId={number}")
    await panel.activate()
    return tab, panel


async def run(panel: Tab, goal: str) -> None:
    """As a person does: the goal in the box, then Enter."""
    await until(lambda: panel.value("document.getElementById('status').textContent !== ''"))
    await panel.value(
        f"document.getElementById('goal-input').value = '{goal}',"
        "document.getElementById('ask').requestSubmit()"
    )


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def protocol() -> AsyncIterator[Protocol]:
    async with raw_chromium() as (opened_browser, _):
        yield opened_browser


async def test_a_whole_task_is_done_in_a_hidden_tab(protocol: Protocol, backend: Backend) -> None:
    tab, panel = await opened(protocol, backend)
    await until(lambda: tab.value("document.visibilityState === 'hidden'"))
    assert await panel.value("document.visibilityState") == "visible"
    backend.script(
        lambda b: act(
            ("setValue", {"id": node(b, "Name"), "text": "Jas"}),
            ("setValue", {"id": node(b, "Phone"), "text": "555-0142"}),
        ),
        lambda b: act(("hover", {"id": node(b, "Save")})),
        lambda b: act(("click", {"id": node(b, "Save")})),
        lambda b: done("Saved"),
    )
    await run(panel, "Save Jas")
    await until(lambda: panel.value(COMPLETED), SECONDS)

    assert backend.saved == ["Jas"]
    assert [body.get("lastActionStatus") for body in backend.bodies[1:]] == ["success"] * 3
    assert await tab.value("document.visibilityState") == "hidden"


async def test_a_page_from_the_back_forward_cache_is_worked_on_again(
    protocol: Protocol, backend: Backend
) -> None:
    tab, panel = await opened(protocol, backend)
    await tab.value("addEventListener('pageshow', (event) => { window.kept = event.persisted; })")
    backend.script(
        lambda b: act(("click", {"id": node(b, "Other page")})),
        lambda b: act(("goBack", {})),
        lambda b: act(("click", {"id": node(b, "Save")})),
        lambda b: done(),
    )
    await run(panel, "There and back")
    await until(lambda: panel.value(COMPLETED), SECONDS)

    assert await tab.value("window.kept") is True
    assert backend.saved == [""]
    ids = [{n["i"] for n in body["interactiveTree"]} for body in backend.bodies]
    assert ids[0] == ids[2]
    assert not ids[0] & ids[1]


# A list whose lines are made as it is scrolled.
LIST = """document.body.innerHTML = '<div id=list style="height:300px;overflow:auto">'
    + '<ul style="position:relative;height:30000px"></ul></div>';
  const list = document.getElementById("list");
  list.onscroll = () => {
    const first = Math.floor(list.scrollTop / 30);
    list.firstChild.innerHTML = [...Array(15).keys()].map((n) => first + n).map((n) =>
      `<li style="position:absolute;top:${n * 30}px;height:30px"><button>Row ${n}</button></li>`).join("");
  };
  list.onscroll()"""


async def test_a_list_makes_its_lines_as_it_is_scrolled_in_a_hidden_tab(
    protocol: Protocol, backend: Backend
) -> None:
    tab, panel = await opened(protocol, backend)
    await until(lambda: tab.value("document.visibilityState === 'hidden'"))
    await tab.value(LIST)
    backend.script(
        lambda b: act(("scroll", {"id": node(b, "Row 2"), "direction": "down"})),
        lambda b: act(("scroll", {"id": node(b, "Row 10"), "direction": "down"})),
        lambda b: done(node(b, "Row 18")),
    )
    await run(panel, "Go down")
    await until(lambda: panel.value(COMPLETED), SECONDS)
    assert await tab.value("document.getElementById('list').scrollTop") == 480
