"""A comparison beside the table of its changes, an audit with its breaches first, in the panel and in the
console.
"""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect

from tests.browser.cited_stage import Room, judged, opened_room, served_documents
from tests.fakes.calls import Call
from tests.fakes.scripted import asks_for
from tests.integration.desk import KEY, Served

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

OLD = """# Travel rules 2023

## Hotels

A hotel may cost at most 120 euros a night. Breakfast is paid by the traveller. Receipts are kept.

## Trains

Staff travel in second class.

## Flights

Flights are booked by the office.

## Contact

Ask the travel desk.
"""
NEW = """# Travel rules 2024

## Contact

Ask the travel desk.

## Hotels

A hotel may cost at most 140 euros a night. Breakfast is paid by the firm. Receipts are kept.

## Trains

Staff travel in second class.

## Bicycles

Rented bicycles are paid for up to 20 euros a day.
"""
LONDON = """# Travel rules London

## Hotels

A hotel may cost at most 180 euros a night. Receipts are kept.
"""
HOTEL = "A hotel may cost at most {} euros a night."
NIGHTS = [HOTEL.format(price) for price in (120, 140, 180)]
BREAKFAST = "Breakfast is paid by the traveller.", "Breakfast is paid by the firm."
BICYCLES = "Rented bicycles are paid for up to 20 euros a day."
FLIGHTS = "Flights are booked by the office."
THIRD = " and \u201cTravel rules London\u201d"
COMPARED, AUDITED = asks_for("changes", "language"), asks_for("audited", "rules")
VERDICTS = asks_for("verdicts")


@pytest.fixture(scope="module")
def documents(store_uri: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served_documents(store_uri, tmp_path_factory.mktemp("compared")) as served:
        yield served


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def room(documents: Served) -> AsyncIterator[Room]:
    async with opened_room(documents) as made:
        for name, text in (("old.md", OLD), ("new.md", NEW), ("london.md", LONDON)):
            await made.add(name, text.encode())
        yield made


def change(kind: str, text: str, *words: str) -> dict[str, object]:
    return {"kind": kind, **listed_as(text, *words)}


def listed_as(text: str, *words: str) -> dict[str, object]:
    return {"text": text, "quotes": [{"source": "", "words": one} for one in words]}


async def compared(room: Room, *changes: dict[str, object], third: bool = False) -> Locator:
    """The answer to a comparison of which the model says this."""
    await room.fresh()
    room.script({"action": "compare", "confidence": "high"})
    room.served.gemini.when(COMPARED, {"changes": list(changes), "language": "en"}, always=True)
    named = "\u201cTravel rules 2023\u201d and \u201cTravel rules 2024\u201d"
    return await room.ask(f"compare {named}{THIRD if third else ''}")


TWO = (
    change("changed", "A night may cost 140 euros, and no longer 120.", *NIGHTS[:2]),
    change("changed", "The firm pays for breakfast now.", *BREAKFAST),
    change("added", "Rented bicycles are paid for up to 20 euros a day.", BICYCLES),
    change("removed", "Flights are no longer booked by the office.", FLIGHTS),
)  # fmt: skip


async def texts(place: Locator, tag: str) -> list[str]:
    return [one.strip() for one in await place.locator(tag).all_inner_texts()]


async def test_two_documents_stand_side_by_side_with_the_words_marked_that_differ(
    room: Room,
) -> None:
    answer = await compared(room, *TWO)
    rows = answer.locator(".prose").first.locator("tbody tr")
    kinds = [await one.locator("strong").last.inner_text() for one in await rows.all()]
    assert kinds == ["changed", "changed", "added", "removed", "moved"]
    beside = answer.get_by_test_id("chat-beside")
    summary = beside.locator("summary")
    await summary.focus()
    await room.panel.keyboard.press("Enter")
    await expect(beside.locator("section").first).to_be_visible()
    assert await texts(beside, "del") == ["120", "traveller", FLIGHTS]
    assert await texts(beside, "ins") == ["140", "firm", BICYCLES]
    hotels = beside.locator("section").filter(has=room.panel.get_by_role("heading", name="Hotels"))
    await expect(hotels).to_contain_text("changed: The firm pays for breakfast now.")
    await expect(hotels).to_contain_text("Receipts are kept.")
    await expect(beside).not_to_contain_text("Staff travel in second class")
    cited = hotels.locator("tbody tr").first.get_by_test_id("chat-citation")
    await cited.last.press("Enter")
    sheet = room.panel.get_by_test_id("source")
    assert await room.marked(sheet) == NIGHTS[1].removesuffix(".")
    await room.panel.keyboard.press("Escape")
    await expect(cited.last).to_be_focused()
    for width, beneath in ((360, True), (640, False)):
        await room.panel.set_viewport_size({"width": width, "height": 640})
        cells = await hotels.locator("tbody tr").first.locator("td").all()
        before, after = [await one.bounding_box() for one in cells]
        assert before
        assert after
        assert (after["y"] >= before["y"] + before["height"]) == beneath
        assert not await room.panel.evaluate("document.documentElement.scrollWidth > innerWidth")
    await room.panel.set_viewport_size({"width": 360, "height": 640})


async def test_a_comparison_is_the_same_after_a_reload_and_in_the_console(room: Room) -> None:
    answer = await compared(room, *TWO)
    beside = answer.get_by_test_id("chat-beside")
    said = await beside.text_content()
    record = await room.reviewed()
    await room.panel.reload()
    await expect(beside).to_have_text(said or "")
    console = await room.browser.context.new_page()
    await console.goto(f"{room.served.url}/console/#/review/{record}")
    await console.get_by_label("API key").fill(KEY)
    await console.get_by_role("button", name="Sign in").click()
    await console.locator(".compared summary").press("Enter")
    await expect(console.locator(".compared section").first).to_be_visible()
    assert await texts(console.locator(".compared"), "ins") == ["140", "firm", BICYCLES]
    await console.close()


async def test_three_documents_are_a_matrix(room: Room) -> None:
    told = change("changed", "A night costs 120, 140 or 180 euros at most.", *NIGHTS)
    answer = await compared(room, told, third=True)
    beside = answer.get_by_test_id("chat-beside")
    await beside.locator("summary").press("Enter")
    heads = await beside.locator("thead th").all_text_contents()
    assert heads == ["Section", "Travel rules 2023", "Travel rules 2024", "Travel rules London"]
    row = beside.locator("tbody tr").first
    await expect(row.get_by_role("rowheader")).to_have_text("Hotels")
    assert await texts(row, "mark") == ["120", "140", "180"]
    await expect(row.get_by_test_id("chat-citation")).to_have_count(3)


async def audited(room: Room) -> Locator:
    """The answer to an audit with a breach, a rule that is not covered, and one that is met."""
    await room.fresh()
    rules = [NIGHTS[1], "Receipts are kept.", BICYCLES]
    gemini = room.served.gemini
    gemini.clear()
    gemini.when(
        asks_for("action", "unknown"), {"action": "audit", "confidence": "high"}, always=True
    )
    listed = [listed_as(one, one) for one in rules]
    gemini.when(AUDITED, {"audited": ["D1"], "rules": listed, "language": "en"}, always=True)

    given = [
        {"rule": 1, "verdict": "breached", **listed_as("A night may cost 180 euros.", NIGHTS[2])},
        {"rule": 2, "verdict": "met", **listed_as("Receipts are kept.", rules[1])},
        {"rule": 3, "verdict": "not covered"},
    ]

    def verdicts(call: Call) -> dict[str, object]:
        if ", and its quotes" in call.prompt:
            return judged(call)
        return {"verdicts": given}

    gemini.when(VERDICTS, verdicts, always=True)
    return await room.ask("audit “Travel rules London” against “Travel rules 2024”")


async def test_an_audit_shows_its_breaches_first_each_with_its_quotes(room: Room) -> None:
    answer = await audited(room)
    shown = answer.locator("[data-verdict]")
    await expect(shown).to_have_text(["breached", "not covered", "met"])
    first = answer.locator("tbody tr").first
    await expect(first.get_by_test_id("chat-citation")).to_have_count(2)
    await first.get_by_test_id("chat-citation").last.press("Enter")
    sheet = room.panel.get_by_test_id("source")
    assert await room.marked(sheet) == NIGHTS[2].removesuffix(".")
