"""A person is asked before what cannot be undone, and which of several is meant, and says so in many ways.

That the server dies meanwhile is in test_whole.py.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.cdp import Protocol, Tab, raw_chromium
from tests.browser.desk import ORIGIN
from tests.browser.inbox import DELETE, Inbox, lapse
from tests.browser.register import Register, opened_register
from tests.browser.runner_backend import until
from tests.browser.world import KEY, Site, opened_world, threaded_backend

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

CHECK_IN = "Click 'Check in' for Jas"


@pytest.fixture(scope="module")
def database_name() -> str:
    return f"test_{secrets.token_hex(6)}"


@pytest.fixture(scope="module")
def backend(
    store_uri: str, database_name: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("people")
    with threaded_backend(store_uri, folder, mongodb_database=database_name) as up:
        yield up


@pytest.fixture(scope="module")
def register() -> Iterator[Register]:
    with opened_register() as opened:
        yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def desk(backend: Site, register: Register) -> AsyncIterator[Inbox]:
    async with opened_world(backend, register) as world:
        yield Inbox(world, register)


@pytest_asyncio.fixture(loop_scope="session")
async def inbox(desk: Inbox) -> AsyncIterator[Inbox]:
    """The one desk, free again after a test whose run is stuck."""
    yield desk
    await desk.freed()


async def test_a_yes_lets_exactly_that_happen(inbox: Inbox) -> None:
    assert "Ann Lee" in await inbox.asked(DELETE)
    assert inbox.register.deleted == []
    await inbox.option("Yes").click()
    await inbox.ended("completed")
    assert inbox.register.deleted == ["Ann Lee"]
    kinds = [one["kind"] for one in (await inbox.task())["people"]]
    assert kinds[:2] == ["asked", "approved"]
    assert set(kinds[2:]) == {"done"}


async def test_one_of_two_is_chosen_by_its_number(inbox: Inbox) -> None:
    await inbox.asked(CHECK_IN)
    await inbox.world.panel.get_by_test_id("assist").focus()
    await inbox.world.panel.keyboard.press("2")
    await inbox.ended("completed")
    assert inbox.register.arrived == ["Jas Ndiaye"]


async def test_one_of_two_in_a_frame_is_chosen_by_a_click_on_it(inbox: Inbox) -> None:
    await inbox.asked(CHECK_IN, path="/framed")
    frame = inbox.world.page.frame_locator("iframe")
    await (
        frame.locator("tr").filter(has_text="Ndiaye").get_by_role("button", name="Check in").click()
    )
    await inbox.ended("completed")
    assert inbox.register.arrived == ["Jas Ndiaye"]


async def test_what_the_site_answers_late_is_taken_for_the_answer_it_is(inbox: Inbox) -> None:
    await inbox.asked(CHECK_IN, path="/framed")
    inbox.register.free.clear()
    frame = inbox.world.page.frame_locator("iframe")
    await (
        frame.locator("tr").filter(has_text="Ndiaye").get_by_role("button", name="Check in").click()
    )
    await until(lambda: bool(inbox.register.arrived))
    await asyncio.sleep(
        0.5
    )  # the site's own time: longer than a page has to answer a click at once
    inbox.register.free.set()
    await inbox.ended("completed")
    assert inbox.register.arrived == ["Jas Ndiaye"]


async def test_a_cancelled_question_holds_up_nothing_and_the_next_is_answered_in_words(
    inbox: Inbox,
) -> None:
    await inbox.asked(DELETE)
    await inbox.world.panel.get_by_test_id("assist-cancel").click()
    await inbox.ended("interrupted")
    assert inbox.register.deleted == []
    await inbox.asked(CHECK_IN)
    await inbox.world.panel.get_by_test_id("assist-input").fill("Ndiaye")
    await inbox.world.panel.get_by_test_id("assist-submit").click()
    await inbox.ended("completed")
    assert inbox.register.arrived == ["Jas Ndiaye"]


async def test_a_browser_that_was_closed_meanwhile_asks_again(inbox: Inbox, tmp_path: Path) -> None:
    inbox.register.fill()
    async with raw_chromium(tmp_path) as (protocol, _):
        probe = await protocol.open(f"{ORIGIN}/manifest.json")
        settings = f"{{serverUrl: '{inbox.world.backend.url}', apiKey: '{KEY}'}}"
        await probe.value(f"chrome.storage.local.set({{settings: {settings}}})")
        panel = await panel_of(protocol, f"{inbox.register.url}/")
        await panel.value(f"document.getElementById('goal-input').value = '{DELETE}'")
        await panel.value("document.getElementById('ask').requestSubmit()")
        await until(lambda: has(panel, "question", "Ann Lee"))
    assert inbox.register.deleted == []
    async with raw_chromium(tmp_path) as (protocol, _):
        panel = await panel_of(protocol, f"{inbox.register.url}/")
        await until(lambda: has(panel, "question", "Ann Lee"))
        yes = "document.querySelector('[data-testid=assist-option][data-id=yes]')"
        await until(lambda: panel.value(f"{yes} !== null && {yes}.ariaDisabled !== 'true'"))
        await panel.value(f"{yes}.click()")
        await until(lambda: has(panel, "status", "Done"))
    assert inbox.register.deleted == ["Ann Lee"]


async def panel_of(protocol: Protocol, url: str) -> Tab:
    """A tab of the page, and a panel for it."""
    await protocol.open(url)
    probe = await protocol.open(f"{ORIGIN}/manifest.json")
    number = await probe.value(f"chrome.tabs.query({{url: '{url}'}}).then(([tab]) => tab.id)")
    panel = await protocol.open(f"{ORIGIN}/panel/index.html?tabId={number}")
    await until(lambda: panel.value("document.getElementById('status').textContent !== ''"))
    return panel


async def has(panel: Tab, name: str, text: str) -> bool:
    shown = await panel.value(f"document.getElementById('{name}')?.textContent ?? ''")
    return text in shown


async def test_an_answer_after_its_time_does_nothing_and_it_is_asked_again(
    inbox: Inbox, store_uri: str, database_name: str
) -> None:
    await inbox.asked(DELETE)
    await expect(inbox.option("Yes")).to_be_enabled()
    await asyncio.to_thread(lapse, store_uri, database_name)
    # At once: a moment later the panel knows of it by itself and offers no answer any more.
    await inbox.world.panel.evaluate("document.querySelector('[data-id=yes]')?.click()")
    await expect(inbox.world.panel.get_by_test_id("assist-again")).to_be_visible()
    assert inbox.register.deleted == []
    await inbox.world.panel.get_by_test_id("assist-again").click()
    await inbox.waiting()
    await inbox.option("Yes").click()
    await inbox.ended("completed")
    assert inbox.register.deleted == ["Ann Lee"]


async def test_what_is_another_by_the_time_of_the_yes_is_asked_anew_and_a_no_ends_it(
    inbox: Inbox,
) -> None:
    await inbox.asked(DELETE)
    await inbox.world.page.evaluate(
        """() => {
          const row = document.querySelector("tr[data-id='3']");
          row.querySelector("[data-does=delete]").textContent = "Delete with all records";
        }"""
    )
    first = (await inbox.questions())[0]["hitlId"]
    await inbox.option("Yes").click()
    await expect(inbox.world.panel.locator("#question")).to_contain_text("all records")
    assert inbox.register.deleted == []
    assert (await inbox.questions())[0]["hitlId"] != first
    await inbox.option("No").click()
    assert "You said no" in await inbox.ended("failed")
    assert inbox.register.deleted == []


async def test_a_page_that_imitates_the_badges_answers_nothing_and_a_click_on_the_row_does(
    inbox: Inbox,
) -> None:
    await inbox.asked(CHECK_IN)
    await inbox.world.page.evaluate(
        """() => {
          const fake = document.createElement("div");
          fake.innerHTML = "<button style='position:fixed;top:0;right:0'>1</button>";
          document.body.append(fake);
          const targets = [fake.firstChild, ...document.querySelectorAll(":popover-open, [data-does=visit]")];
          for (const target of targets)
            for (const type of ["pointerdown", "mousedown", "mouseup"])
              target.dispatchEvent(new PointerEvent(type, {bubbles: true, composed: true}));
          for (const target of targets.slice(0, 2)) target.click();
        }"""
    )
    await inbox.world.page.get_by_role("button", name="1").click()
    await inbox.state("waiting")
    assert (await inbox.questions())[0]["status"] == "pending"
    await inbox.row("Jas Ndiaye").get_by_role("button", name="Check in").click()
    await inbox.ended("completed")
    assert inbox.register.arrived == ["Jas Ndiaye"]  # once: the click was an answer


async def test_a_person_takes_over_and_what_they_did_is_not_done_again(inbox: Inbox) -> None:
    world, register = inbox.world, inbox.register
    register.fill()
    register.free.clear()
    await world.page.goto(register.url)
    await world.panel.get_by_test_id("goal-input").fill(
        "Click 'Check in' for Ann Lee, then click 'Keep note'"
    )
    await world.panel.get_by_test_id("run-button").click()
    async with asyncio.timeout(30):
        while not register.arrived:
            await asyncio.sleep(0.02)
    await world.panel.get_by_test_id("pause-button").click()
    await inbox.state("waiting")
    register.free.set()
    await world.page.get_by_label("Note").fill("secret words")
    await world.page.get_by_role("button", name="Keep note").click()
    await world.panel.get_by_test_id("hand-back").click()
    await inbox.ended("completed")
    task_id = (await world.panel.locator("[data-task]").first.get_attribute("data-task")) or ""
    people = (await inbox.get(f"/api/task/{task_id}"))["people"]
    said = " ".join(one["text"] for one in people)
    assert "Keep note" in said
    assert "secret words" not in str(people)
    assert register.arrived == ["Ann Lee"]
