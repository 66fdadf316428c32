"""How the console looks and reads: charts with their numbers, a phone, the keyboard, axe, its policy, and
the review queue: by keyboard alone, against another operator, filtered, on a phone.
"""

from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.async_api import Page, expect

from app.domain.chat import Rating
from app.store.open import open_store
from tests.browser.console_stage import HOSTILE, LOADED, Console
from tests.browser.panel.test_accessibility import AXE, RUN, SCHEMES
from tests.browser.review_stage import ANSWER, file, file_answer, record, simple
from tests.contract.store.test_conversations import conversation, line

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PHONE = 360
NOTES = "The other Jas was meant: correct that one."
SECTIONS = "tasks", "people", "cost", "quality", "skills", "recipes", "budgets", "keys", "policy"
WIDER = "document.documentElement.scrollWidth > innerWidth"
DRAWN = """async () => {
  for (let tries = 0; tries < 100; tries++) {
    const charts = Object.values(Chart.instances);
    if (charts.length) return charts.map(({canvas, data}) => ({
      title: canvas.ariaLabel.split(":")[0], labels: data.labels, values: data.datasets[0].data,
    }));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}"""


@pytest.fixture(scope="module")
def told() -> list[str]:
    """What pages said in their consoles: nothing is refused by the policy."""
    return []


async def go(page: Page, place: str) -> None:
    if not page.url.endswith(f"#/{place}"):
        await page.evaluate("place => { location.hash = `#/${place}` }", place)
        await page.locator("h1:focus").wait_for()
    await page.locator(LOADED).wait_for()


async def test_charts_show_the_numbers_of_their_tables_and_of_the_rows(console: Console) -> None:
    await console.completed()
    page = await console.signed_in("cost")
    logs = (await console.client.get("/api/usage/logs", params={"limit": 500})).json()["logs"]
    cost = sum(row["costUsd"] for row in logs)
    assert cost > 0
    drawn = {one["title"]: one for one in await page.evaluate(DRAWN)}
    for title in ("By day", "By type of work", "By model", "By person"):
        assert sum(drawn[title]["values"]) == pytest.approx(cost, abs=1e-9)
        table = page.get_by_role("region", name=title)
        total = table.get_by_role("row").filter(has_text="Total")
        await expect(total).to_contain_text(f"${cost:.4f}")
        rows = table.locator("tbody tr")
        assert await rows.count() == len(drawn[title]["labels"])
        shown = [
            await rows.nth(n).locator("td").first.inner_text() for n in range(await rows.count())
        ]
        values = [0.0 if one == "<$0.0001" else float(one[1:]) for one in shown]
        assert values == [pytest.approx(one, abs=1e-4) for one in drawn[title]["values"]]
    async with page.expect_download() as saved:
        await page.get_by_role("button", name="Export calls as CSV").click()
    file = await (await saved.value).path()
    assert len(file.read_text("utf-8").strip().splitlines()) == len(logs) + 1


async def test_on_a_phone_nothing_is_wider_than_the_page_and_axe_agrees(
    console: Console, told: list[str]
) -> None:
    trip = await console.completed(f"{HOSTILE} {'w' * 300}")
    await console.asked()
    page = await console.signed_in(width=PHONE)
    page.on("console", lambda message: told.append(message.text))
    await page.evaluate(AXE.read_text("utf-8"))
    found: list[Any] = []
    for place in (*SECTIONS, f"task/{trip.answer['taskId']}"):
        await go(page, place)
        assert not await page.evaluate(WIDER), place
        for scheme, only in SCHEMES:
            await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found += [(place, scheme, one) for one in await page.evaluate(RUN, only)]
    assert not found
    assert told == []


async def test_the_keyboard_reaches_every_section(console: Console) -> None:
    page = await console.signed_in(width=PHONE)
    await page.reload()  # the focus is where a new document has it
    await page.locator(LOADED).wait_for()
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("navigation")).to_be_visible()
    for _ in range(5):
        await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Quality")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Quality")).to_be_focused()
    await expect(page.get_by_role("navigation")).to_be_hidden()
    await expect(page.get_by_role("table", name="KPIs, each with its target")).to_be_visible()


async def test_who_sees_nothing_is_told_in_a_sentence(console: Console) -> None:
    _, secret = await console.key_of("nobody", "user")
    page = await console.signed_in("tasks", key=secret)
    await expect(page.get_by_text("No tasks yet")).to_be_visible()
    for place, sentence in (
        ("cost", "No spending"),
        ("skills", "No skills yet"),
        ("people", "No open questions"),
        ("task/none", "This task does not exist"),
    ):
        await go(page, place)
        await expect(page.get_by_text(sentence)).to_be_visible()


async def test_a_chart_of_nothing_says_so(console: Console) -> None:
    page = await console.signed_in("quality")
    told = await page.evaluate("""async () => {
      const { figure } = await import("./charts.js");
      const spec = { title: "By week", unit: "%", along: "Week", shape: "line", format: String };
      const { signal } = new AbortController();
      return [[null, null], [null, 0]].map((values) => {
        const made = figure({ ...spec, labels: ["1", "2"], series: [{ label: "a", values }] }, signal);
        return [made.textContent.includes("no data"), made.querySelectorAll("canvas").length];
      });
    }""")
    assert told == [[True, 0], [False, 1]]


async def test_what_people_said_of_answers_is_read_as_words(console: Console) -> None:
    async with open_store(console.served.settings) as store:
        now = datetime.now(UTC)
        talk = conversation(tenant="default")
        await store.conversations.create(talk)
        said = line("answer", tenant="default", role="assistant")
        await store.conversations.add_lines("default", "t", [said], at=now)
        thought = Rating(satisfied=False, comment=HOSTILE)
        await store.conversations.rate("default", "t", "answer", thought, at=now)
    page = await console.signed_in("quality")
    title = await page.title()
    row = page.get_by_role("row").filter(has=page.get_by_role("cell", name="Down"))
    await expect(row).to_contain_text("<img src=x onerror=document.title=1>")
    assert await page.title() == title
    kpi = page.get_by_role("row").filter(has_text="User satisfaction")
    await expect(kpi).to_contain_text("0.0 %")


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
    await expect(decide).to_have_text("Enter notes to decide")
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
    await expect(page.get_by_text("Nothing is waiting")).to_be_visible()
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
    await expect(page.get_by_role("alert")).to_contain_text("Another operator decided first")
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
    await expect(page.get_by_text("No matching records.")).to_be_visible()
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
    answer = ANSWER.replace("[", "").replace("]", "")  # numbers that lead to what is cited
    where = "[1] Leave 2026 version 1 \u00b7 page 4"
    for told in (answer, where, "Those who work nights have 33 days"):
        await expect(turn).to_contain_text(told)
    await expect(page.get_by_text("An operator will review this")).to_be_visible()
    await expect(page.get_by_test_id("decide")).to_have_count(0)
    await go(page, "review/HITL-none")
    await expect(page.get_by_text("This record does not exist")).to_be_visible()


async def test_the_queue_fits_on_a_phone_hostile_text_is_text_and_axe_agrees(
    console: Console,
) -> None:
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


async def test_a_queue_whose_server_is_away_says_so(console: Console) -> None:
    page = await console.signed_in("review")
    await page.context.set_offline(True)
    await page.get_by_role("rowheader").first.get_by_role("link").click()
    again = page.get_by_role("button", name="Try again")
    await expect(again).to_be_visible()
    await page.context.set_offline(False)
    await again.click()
    await expect(page.get_by_test_id("asked")).to_be_visible()
