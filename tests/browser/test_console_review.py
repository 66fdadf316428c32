"""The review queue in the console: by keyboard alone, against another operator, filtered, on a phone."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.console_stage import HOSTILE, Console
from tests.browser.review_stage import ANSWER, file, file_answer, record, simple
from tests.browser.test_console_looks import PHONE, WIDER, go
from tests.browser.test_panel_axe import AXE, RUN, SCHEMES

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

NOTES = "The other Jas was meant: correct that one."


async def press(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


async def test_the_keyboard_alone_goes_from_the_queue_to_a_decision_and_on(
    console: Console,
) -> None:
    trip = await console.completed()
    first = record("Phone of Jas", hours=1, task_id=trip.answer["taskId"])
    second = simple("Plan of Oak Street", hours=2)
    await file(console.served.settings, first, second)
    page = await console.signed_in("review")
    await expect(page.get_by_role("link", name="Waiting 2")).to_have_attribute(
        "aria-current", "page"
    )
    await expect(page.get_by_text("The oldest was submitted 2 h ago")).to_be_visible()
    await press(page, "j", "j")
    await expect(page.get_by_role("link", name="Plan of Oak Street")).to_be_focused()
    await press(page, "ArrowUp", "Enter")
    for told in (
        "I saved 555 1234", "Both tabs", "Two customers have the name", "other customer of the same",
        "may matter much", "Which Jas Patel was meant", "Open both customers", "Low", "High",
    ):  # fmt: skip
        await expect(page.get_by_role("article")).to_contain_text(told)
    await expect(page.get_by_test_id("timeline")).to_contain_text("Checked by rules on the page")

    decide = page.get_by_test_id("decide")
    await expect(decide).to_have_text("Choose approve or reject")
    await press(page, "r")
    await expect(page.get_by_label("Notes")).to_be_focused()
    await expect(decide).to_have_text("Write notes to decide")
    await press(page, "Control+Enter")
    await page.keyboard.type(NOTES)
    await expect(decide).to_have_text("Reject")
    await press(page, "Escape", "Escape")
    await expect(page.get_by_role("link", name="Phone of Jas")).to_be_focused()
    await press(page, "Enter")
    await expect(page.get_by_label("Notes")).to_have_value(NOTES)
    await expect(page.get_by_label("Your name")).to_have_value("local")
    await press(page, "a", "Control+Enter")
    await expect(page.get_by_test_id("asked")).to_have_text("Plan of Oak Street")
    await expect(page.locator("#announce")).to_contain_text("Approved. The next record is shown.")
    stands = (await console.client.get(f"/api/review/{first.id}")).json()["record"]["review"]
    assert (stands["decision"], stands["notes"]) == ("approved", NOTES)
    assert stands["operator"]["role"] == "admin"
    await press(page, "r")
    await page.keyboard.type("Not yearly")
    await press(page, "Control+Enter")
    await expect(page.get_by_text("Nothing waits")).to_be_visible()
    await press(page, "3")
    await expect(page.get_by_role("link", name="Rejected 1")).to_have_attribute(
        "aria-current", "page"
    )
    await expect(page.get_by_role("link", name="Plan of Oak Street")).to_be_visible()


async def test_who_was_slower_is_told_and_sees_the_decision_that_stands(console: Console) -> None:
    mine = simple("Refund of Kim", hours=3)
    await file(console.served.settings, mine)
    page = await console.signed_in(f"review/{mine.id}")
    await press(page, "a")
    await page.keyboard.type("Refund it")
    said = {"outcome": "rejected", "notes": "Paid twice <b>already</b>", "operatorName": "Olga"}
    path = f"/api/review/{mine.id}/decision"
    _, secret = await console.key_of("olga", "operator")
    other = {"Authorization": f"Bearer {secret}"}
    assert (await console.client.post(path, json=said, headers=other)).status_code == 200
    await press(page, "Control+Enter")
    await expect(page.get_by_role("alert")).to_contain_text("Another operator was quicker")
    stands = page.get_by_test_id("decision")
    for told in ("Rejected", "Paid twice <b>already</b>", "Olga"):
        await expect(stands).to_contain_text(told)
    await page.get_by_text("Your notes").click()
    await expect(page.get_by_text("Refund it")).to_be_visible()
    await page.get_by_role("button", name="Back to the list").click()
    await expect(page.get_by_role("heading", name="Review")).to_be_visible()


async def test_filters_find_what_is_meant_and_say_when_nothing_is(console: Console) -> None:
    settings = console.served.settings
    await file(settings, record("Number of Lee", hours=1), simple("Order of Lee", hours=2))
    page = await console.signed_in("review")
    rows = page.get_by_role("rowheader")
    await expect(rows).to_have_count(2)
    await press(page, "/")
    await page.keyboard.type("lee Order")
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("Order of Lee")
    await page.get_by_label("Reason").select_option("Evidence conflicts")
    await expect(page.get_by_text("No record fits.")).to_be_visible()
    await page.reload()
    await expect(page.get_by_label("Words")).to_have_value("lee Order")
    await page.get_by_role("button", name="Show all records").click()
    await expect(rows).to_have_count(2)
    for name, value, found in (
        ("Site", "office.example", "Order of Lee"),
        ("Confidence", "Low", "Number of Lee"),
        ("Impact", "Normal", "Order of Lee"),
    ):
        await page.get_by_label(name).select_option(value)
        await expect(rows).to_have_count(1)
        await expect(rows).to_contain_text(found)
        await page.get_by_label(name).select_option("Any")


async def test_a_user_reads_their_own_and_decides_nothing(console: Console) -> None:
    answer = await file_answer(console.served.settings)
    _, secret = await console.key_of("ann", "user")
    page = await console.signed_in("review", key=secret)
    await expect(page.get_by_role("link", name="Order of Lee")).to_have_count(0)
    await go(page, f"review/{answer}")
    turn = page.get_by_test_id("turn")
    for told in (ANSWER, "[1] Leave 2026, page 4", "Those who work nights have 33 days"):
        await expect(turn).to_contain_text(told)
    await expect(page.get_by_text("An operator looks at it")).to_be_visible()
    await expect(page.get_by_test_id("decide")).to_have_count(0)
    await go(page, "review/HITL-none")
    await expect(page.get_by_text("There is no such record")).to_be_visible()


async def test_on_a_phone_it_fits_hostile_text_is_text_and_axe_agrees(console: Console) -> None:
    told: list[str] = []
    long = record(f"{HOSTILE} {'w' * 400}", hours=0.5, why_escalated=HOSTILE)
    await file(console.served.settings, long)
    answer = await file_answer(console.served.settings)
    page = await console.signed_in(width=PHONE)
    page.on("console", lambda message: told.append(message.text))
    await page.evaluate(AXE.read_text("utf-8"))
    for place in ("review", f"review/{long.id}", f"review/{answer}"):
        await go(page, place)
        assert not await page.evaluate(WIDER), place
        for scheme, only in SCHEMES:
            await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert not await page.evaluate(RUN, only), (place, scheme)
    assert await page.locator("main img, main script").count() == 0
    assert told == []


async def test_a_server_that_is_away_is_said_to_be(console: Console) -> None:
    page = await console.signed_in("review")
    await page.context.set_offline(True)
    await page.get_by_role("rowheader").first.get_by_role("link").click()
    again = page.get_by_role("button", name="Try again")
    await expect(again).to_be_visible()
    await page.context.set_offline(False)
    await again.click()
    await expect(page.get_by_test_id("asked")).to_be_visible()
