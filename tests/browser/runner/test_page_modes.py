"""A server asks to see the page in another form; the real extension shows it."""

import base64
import io
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from app.cli.browser import Browser
from tests.browser.desk import Place, Places, tab_id_of
from tests.browser.runner_backend import Backend, Body, Event, act, done, node, until
from tests.browser.shared_chromium import chromium

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


def wants(mode: str) -> Event:
    """An answer that holds no action and asks for the page in that form."""
    return {"type": "action", "status": "executing", "actions": [], "requestedDomMode": mode}


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def browser(backend: Backend) -> AsyncIterator[Browser]:
    """One that was granted every site, which a picture of a tab needs."""
    async with chromium(backend.url, "key", hosts=("<all_urls>",)) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def place(places: Places, backend: Backend) -> Place:
    return await places.at(f"{backend.url}/page")


@pytest.fixture
def tab(place: Place) -> Page:
    return place.tab


@pytest.fixture
def panel(place: Place) -> Page:
    return place.panel


async def run(panel: Page, state: str) -> None:
    await panel.get_by_test_id("goal-input").fill("Save Jas")
    await panel.get_by_test_id("goal-input").press("Enter")
    status = panel.get_by_test_id("status")
    await expect(status).to_have_attribute("data-state", state, timeout=30_000)


def click_save(body: Body) -> Event:
    return act(("click", {"id": node(body, "Save")}))


def jpeg_size(picture: str) -> tuple[int, int]:
    """Width and height that a JPEG says it has (its SOF0 or SOF2 segment)."""
    data = io.BytesIO(base64.b64decode(picture, validate=True))
    assert data.read(2) == b"\xff\xd8"
    while True:
        marker, length = data.read(2)[1], int.from_bytes(data.read(2))
        segment = data.read(length - 2)
        if marker in (0xC0, 0xC2):
            return int.from_bytes(segment[3:5]), int.from_bytes(segment[1:3])


async def test_frames_are_shown_in_their_place_with_their_ids(
    panel: Page, tab: Page, backend: Backend
) -> None:
    frames = f"<iframe title=Near src='{backend.url}/page'></iframe>"
    frames += f"<iframe title=Far src='{backend.elsewhere}/other'></iframe>"
    await tab.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", frames)
    for index in (0, 1):
        await tab.frame_locator(f"iframe >> nth={index}").get_by_role("button").wait_for()
    backend.script(lambda b: wants("semantic"), lambda b: done())
    await run(panel, "completed")
    body = backend.bodies[1]
    ids = {n.get("f", 0): n["i"] for n in body["interactiveTree"]}
    assert len(ids) == 3
    inside = re.findall(r'<iframe title="(?:Near|Far)">(.*?)</iframe>', body["dom"], re.DOTALL)
    found = {re.search(r'data-llm-id="(\d+):', part)[1] for part in inside}  # type: ignore[index]
    assert found == {str(frame) for frame in ids if frame}


def report(body: Body) -> dict[str, Any]:
    keys = ("lastActionId", "lastActionStatus", "clientObservations", "recentEvents")
    return {key: body.get(key) for key in keys}


async def test_the_same_step_is_posted_again_in_the_form_asked_for(
    panel: Page, backend: Backend
) -> None:
    backend.script(
        lambda b: wants("semantic"),
        click_save,
        lambda b: wants("full"),
        lambda b: act(("setValue", {"id": node(b, "Name"), "text": "x"})),
        lambda b: done(),
    )
    await run(panel, "completed")
    first, semantic, plain, full, last = backend.bodies
    assert first["domMode"] == plain["domMode"] == last["domMode"] == "semantic_v3"
    assert (semantic["domMode"], full["domMode"]) == ("semantic", "full")
    assert "<h1>Desk</h1>" in semantic["dom"]
    assert f'data-llm-id="{node(semantic, "Save")}"' in semantic["dom"]
    assert f'data-llm-id="{node(full, "Save")}"' in full["dom"]
    assert "dom" not in first
    assert "dom" not in last
    assert semantic["taskId"] == last["taskId"]
    assert report(full) == report(plain)
    assert report(plain)["lastActionStatus"] == "success"
    assert backend.saved == [""]


async def test_a_picture_is_sent_when_it_changed_and_a_skeleton_without_one_behind_another_tab(
    panel: Page, tab: Page, backend: Backend
) -> None:
    backend.script(lambda b: wants("hybrid"), lambda b: done())
    await run(panel, "completed")
    assert backend.bodies[1]["domMode"] == "skeleton"
    assert "screenshot" not in backend.bodies[1]
    assert f'data-llm-id="{node(backend.bodies[1], "Save")}"' in backend.bodies[1]["skeletonDom"]

    backend.script(
        lambda b: wants("hybrid"),
        lambda b: act(("wait", {"ms": 1})),
        lambda b: wants("hybrid"),
        lambda b: act(("setValue", {"id": node(b, "Name"), "text": "Jasmine"})),
        lambda b: wants("hybrid"),
        lambda b: done(),
    )
    await run_in_front(panel, tab, backend)
    shots = [body for body in backend.bodies if body["domMode"] == "hybrid"]
    assert [body["screenshot"] is None for body in shots] == [False, True, False]
    assert jpeg_size(shots[0]["screenshot"]) == (1024, 640)
    assert all(len(bytes.fromhex(body["screenshotHash"])) == 8 for body in shots)
    assert shots[0]["screenshotHash"] == shots[1]["screenshotHash"]


async def test_a_picture_comes_unasked_for_what_is_new_without_a_name(
    panel: Page, tab: Page, backend: Backend
) -> None:
    await tab.evaluate(NAMELESS)
    backend.script(
        lambda b: act(("wait", {"ms": 1})),
        lambda b: act(("wait", {"ms": 1})),
        lambda b: act(("click", {"id": node(b, "Save")})),
        lambda b: done(),
    )
    await run_in_front(panel, tab, backend)
    pictured = ["screenshotHash" in body for body in backend.bodies]
    # The first look may be of a tab that is behind another.
    assert (pictured[:3].count(True), pictured[3]) == (1, True)


async def test_after_an_action_at_a_point_a_new_picture_comes_unasked(
    panel: Page, tab: Page, backend: Backend
) -> None:
    backend.script(
        lambda b: wants("hybrid"),
        lambda b: act(("clickAt", {"x": 5, "y": 5})),
        lambda b: act(("click", {"id": node(b, "Save")})),
        lambda b: done(),
    )
    await run_in_front(panel, tab, backend)
    shots = ["screenshot" in body and body["screenshot"] is not None for body in backend.bodies]
    assert shots == [False, True, True, False]


async def run_in_front(panel: Page, tab: Page, backend: Backend) -> None:
    """Starts from the panel, lets the answers come when the tab is in front."""
    backend.hold.clear()
    await panel.get_by_test_id("goal-input").fill("Save Jas")
    await panel.get_by_test_id("goal-input").press("Enter")
    await tab.bring_to_front()
    number = tab_id_of(panel)

    async def is_in_front() -> bool:
        return bool(
            await panel.evaluate("async (id) => (await chrome.tabs.get(id)).active", number)
        )

    await until(is_in_front)
    backend.hold.set()
    status = panel.get_by_test_id("status")
    await expect(status).to_have_attribute("data-state", "completed", timeout=30_000)


async def test_a_server_that_asks_on_and_on_for_other_forms_ends_the_run(
    panel: Page, backend: Backend
) -> None:
    modes = ["skeleton", "full"] * 4
    backend.script(*(lambda b, mode=mode: wants(mode) for mode in modes))
    await run(panel, "failed")
    assert [body["domMode"] for body in backend.bodies[1:]] == modes[:6]


# A button that says nothing, and another one when Save is clicked.
NAMELESS = """() => {
  const blank = "all:unset;display:inline-block;width:20px;height:20px";
  const add = () => {
    document.body.append(Object.assign(document.createElement("button"), { style: blank }));
  };
  add();
  const save = [...document.querySelectorAll("button")].find((one) => one.textContent === "Save");
  save.addEventListener("click", add);
}"""
DOT = """() => {
  document.documentElement.style.overflow = "hidden";
  const dot = Object.assign(document.createElement("div"), {id: "dot"});
  dot.style.cssText = "position:fixed;left:62.3%;top:41.7%;width:9px;height:9px;background:#f0f";
  document.body.append(dot);
}"""
# The middle of what is magenta in a picture, in its pixels.
MIDDLE = """async (picture) => {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/jpeg;base64,${picture}`)).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  let [x, y, weight] = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const pink = Math.max(0, Math.min(data[at], data[at + 2]) - data[at + 1] - 80);
    weight += pink;
    x += pink * ((at / 4) % bitmap.width + 0.5);
    y += pink * (Math.floor(at / 4 / bitmap.width) + 0.5);
  }
  return [x / weight, y / weight];
}"""


@pytest.mark.parametrize(("zoom", "density"), [(0.8, 2), (1.5, 1)])
async def test_a_point_of_the_picture_is_one_of_the_window(
    panel: Page, tab: Page, backend: Backend, zoom: float, density: int
) -> None:
    session = await tab.context.new_cdp_session(tab)
    size = {"width": 1280, "height": 800, "mobile": False}
    await session.send("Emulation.setDeviceMetricsOverride", size | {"deviceScaleFactor": density})
    number = tab_id_of(panel)
    await panel.evaluate("([tab, zoom]) => chrome.tabs.setZoom(tab, zoom)", [number, zoom])
    await tab.evaluate(DOT)
    backend.script(lambda b: wants("hybrid"), lambda b: done())
    await run_in_front(panel, tab, backend)
    body = next(body for body in backend.bodies if body["domMode"] == "hybrid")
    scale = body["viewport"]["width"] / 1024
    seen = await panel.evaluate(MIDDLE, body["screenshot"])
    box = await tab.evaluate(
        "(({x, y, width, height}) => [x + width / 2, y + height / 2])(dot.getBoundingClientRect())"
    )
    assert [round(at * scale) for at in seen] == pytest.approx(box, abs=1)


# What becomes of the tab while a picture of it is asked for.
MINIMIZED = """async (id) => {
  const { windowId } = await chrome.tabs.get(id);
  await chrome.windows.update(windowId, { state: "minimized" });
}"""
RESTORED = MINIMIZED.replace("minimized", "normal")
DISCARDED = "(id) => chrome.tabs.discard(id)"


async def begun(panel: Page, backend: Backend) -> int:
    """Starts a run, up to where the answer to its first look is waited for."""
    backend.hold.clear()
    await panel.get_by_test_id("goal-input").fill("Save Jas")
    await panel.get_by_test_id("goal-input").press("Enter")
    await until(lambda: bool(backend.raw))
    return tab_id_of(panel)


@pytest.mark.parametrize("change", [MINIMIZED, DISCARDED], ids=["minimized", "discarded"])
async def test_of_a_tab_put_away_there_is_no_picture_and_it_is_worked_on_all_the_same(
    panel: Page, tab: Page, backend: Backend, change: str
) -> None:
    backend.script(lambda b: wants("hybrid"), click_save, lambda b: done())
    number = await begun(panel, backend)
    if change == MINIMIZED:
        await tab.bring_to_front()
    await panel.evaluate(change, number)
    try:
        backend.hold.set()
        status = panel.get_by_test_id("status")
        await expect(status).to_have_attribute("data-state", "completed", timeout=30_000)
    finally:
        if change == MINIMIZED:
            await panel.evaluate(RESTORED, number)
    asked = backend.bodies[1]
    assert (asked["domMode"], asked["screenshotRefused"]) == ("skeleton", "NOT_IN_FRONT")
    assert "screenshot" not in asked
    assert backend.bodies[2]["lastActionStatus"] == "success"
    assert backend.saved == [""]


async def test_of_a_page_of_the_browser_nothing_is_taken_and_the_person_is_told(
    panel: Page, tab: Page, backend: Backend
) -> None:
    backend.script(lambda b: wants("hybrid"))
    await begun(panel, backend)
    await tab.goto("chrome://version")
    backend.hold.set()
    status = panel.get_by_test_id("status")
    await expect(status).to_have_attribute("data-state", "interrupted", timeout=30_000)
    await expect(panel.get_by_test_id("result")).to_contain_text("only works on web pages")
    assert len(backend.bodies) == 1
