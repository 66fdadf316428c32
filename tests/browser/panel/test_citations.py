"""A citation opens its document at the passage, marked: in the panel and in the console, for every format."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect

from tests.browser.cited_files import CASES, TEXT
from tests.browser.cited_stage import Room, opened_room, served_documents
from tests.integration.desk import KEY, Served

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
ASKED = "What do the papers say?"


@pytest.fixture(scope="module")
def documents(store_uri: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served_documents(store_uri, tmp_path_factory.mktemp("cited")) as served:
        yield served


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def room(documents: Served) -> AsyncIterator[Room]:
    async with opened_room(documents) as made:
        for case in CASES.values():
            await made.add(case.name, case.body)
        yield made


async def opened(room: Room, number: int) -> tuple[Locator, Locator]:
    """The citation with that number in the latest answer, opened by the keyboard, and the sheet."""
    citation = room.panel.get_by_test_id("chat-answer").last.get_by_test_id("chat-citation")
    await citation.nth(number).focus()
    await room.panel.keyboard.press("Enter")
    return citation.nth(number), room.panel.get_by_test_id("source")


async def test_each_format_is_opened_at_the_marked_passage_and_escape_leads_back(
    room: Room,
) -> None:
    await room.fresh()
    room.claims([case.quote for case in CASES.values()])
    answer = await room.ask(ASKED)
    await expect(answer.get_by_test_id("chat-citation")).to_have_count(len(CASES))
    for number, case in enumerate(CASES.values()):
        citation, sheet = await opened(room, number)
        assert await room.marked(sheet) == case.marked, case.name
        await expect(sheet.locator(".where")).to_contain_text("version 1")
        await expect(sheet.locator(".where")).to_contain_text(case.where)
        await room.panel.keyboard.press("Escape")
        await expect(sheet).to_be_hidden()
        await expect(citation).to_be_focused()


async def test_an_older_version_says_so_in_the_answer_and_at_the_passage(room: Room) -> None:
    await room.fresh()
    lost, lock = "A key that is lost is told to the caretaker", "A new lock costs 240 euros."
    room.claims([lost, lock])
    await room.ask(ASKED)
    for price in ("260 euros, and 20 for each key", "280 euros, and 20 for each key"):
        await room.add("keys.txt", TEXT.replace("240 euros", price).encode())
    await room.panel.reload()
    answer = room.panel.get_by_test_id("chat-answer").last
    sources = answer.get_by_role("listitem")
    await expect(sources.filter(has_text="version 1")).to_have_count(2)
    await expect(sources.filter(has_text="Version 3 is current")).to_have_count(2)
    _, sheet = await opened(room, 0)
    told = sheet.get_by_test_id("source-told")
    await expect(told).to_have_text(
        "This was cited from version 1. Version 3 is current, and still says it."
    )
    assert await room.marked(sheet) == lost
    await room.panel.keyboard.press("Escape")
    citation, sheet = await opened(room, 1)
    await expect(told).to_have_text(
        "This is version 1. Version 3 is current, and no longer says this."
    )
    await expect(sheet.get_by_test_id("source-quote")).to_have_text(lock)
    await sheet.get_by_role("button", name="Open version 3").press("Enter")
    await expect(sheet.get_by_test_id("source-cited")).to_contain_text("A new lock costs 280 euros")
    await expect(told).to_have_text("This is version 3, which is current.")
    await room.panel.keyboard.press("Escape")
    await expect(citation).to_be_focused()
    await sources.nth(1).get_by_role("button", name="Open version 3").click()
    await expect(sheet.get_by_test_id("source-cited")).to_contain_text("A new lock costs 280 euros")


async def test_of_a_deleted_document_the_kept_words_are_shown(room: Room) -> None:
    await room.fresh()
    parcel = await room.add("parcels.md", b"# Parcels\n\nParcels are kept by the caretaker.\n")
    room.claims(["Parcels are kept by the caretaker."])
    await room.ask(ASKED)
    (await room.client.delete(f"/api/knowledge/documents/{parcel}")).raise_for_status()
    citation, sheet = await opened(room, 0)
    await expect(sheet.get_by_test_id("source-told")).to_have_text(
        "This document was deleted. This is what it said."
    )
    await expect(sheet.get_by_test_id("source-quote")).to_have_text(
        "Parcels are kept by the caretaker."
    )
    await sheet.get_by_role("button", name="Back").click()
    await expect(citation).to_be_focused()


async def test_the_console_opens_the_passage_of_a_record_too(room: Room) -> None:
    await room.fresh()
    cases = [CASES["pdf"], CASES["xlsx"]]
    room.claims([case.quote for case in cases])
    await room.ask(ASKED)
    record = await room.reviewed()
    console = await room.browser.context.new_page()
    await console.goto(f"{room.served.url}/console/#/review/{record}")
    await console.get_by_label("API key").fill(KEY)
    await console.get_by_role("button", name="Sign in").click()
    turn = console.get_by_test_id("turn")
    await expect(turn.get_by_test_id("citation")).to_have_count(2)
    for number, case in enumerate(cases):
        await turn.get_by_test_id("citation").nth(number).press("Enter")
        place = console.locator(".source-body")
        assert await room.marked(place) == case.marked
        await expect(place.locator(".where")).to_contain_text(case.where)
        await console.keyboard.press("Escape")
        await expect(console.locator(f"[data-cited='{number + 1}']")).to_be_focused()
    await console.close()
