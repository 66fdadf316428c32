"""How the console looks and reads: charts with their numbers, a phone, the keyboard, axe, its policy."""

from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.console_stage import HOSTILE, Console
from tests.browser.test_panel_axe import AXE, RUN, SCHEMES

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

PHONE = 360
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
    await page.locator("main .section:not(:has(> .loading))").wait_for()


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
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Skip to the section")).to_be_focused()
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
    await expect(page.get_by_text("No task yet")).to_be_visible()
    for place, sentence in (
        ("cost", "Nothing was spent"),
        ("skills", "Nothing was learned yet"),
        ("people", "Nobody is asked anything"),
        ("task/none", "There is no such task"),
    ):
        await go(page, place)
        await expect(page.get_by_text(sentence)).to_be_visible()


async def test_a_chart_of_nothing_says_so(console: Console) -> None:
    page = await console.signed_in("quality")
    told = await page.evaluate("""async () => {
      const { figure } = await import("./charts.js");
      const spec = { title: "By week", unit: "%", along: "Week", shape: "line", told: String };
      const { signal } = new AbortController();
      return [[null, null], [null, 0]].map((values) => {
        const made = figure({ ...spec, labels: ["1", "2"], series: [{ label: "a", values }] }, signal);
        return [made.textContent.includes("nothing to show"), made.querySelectorAll("canvas").length];
      });
    }""")
    assert told == [[True, 0], [False, 1]]
