"""The console as the people who run it use it: the way in, tasks, answers, keys and budgets."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.async_api import expect

from app.store.open import open_store
from tests.browser.console_stage import GOAL, HOSTILE, Console
from tests.contract.store.test_usage import spent
from tests.integration.desk import FORM, KEY

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_key_opens_it_stays_in_the_tab_and_is_shown_nowhere(console: Console) -> None:
    page = await console.page()
    await page.goto(f"{console.served.url}/console/#/tasks")
    field = page.get_by_label("API key")
    await expect(field).to_be_focused()
    await page.keyboard.type("tw_wrong")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_contain_text("Invalid API key")
    await console.sign_in(page)
    await expect(page.get_by_role("banner")).to_contain_text("default · admin")
    assert KEY not in page.url + await page.content()
    await page.reload()
    await expect(page.get_by_role("heading", name="Tasks")).to_be_visible()
    await page.get_by_role("button", name="Sign out").click()
    await expect(field).to_be_focused()
    assert await page.evaluate("sessionStorage.length") == 0


async def test_a_task_tells_its_whole_story_and_hostile_text_is_text(console: Console) -> None:
    trip = await console.completed(HOSTILE)
    page = await console.signed_in()
    title = await page.title()
    await page.get_by_label("Words of the goal").fill("ONERROR goal")
    await page.get_by_role("link", name="onerror").click()
    await expect(page.get_by_test_id("goal")).to_have_text(HOSTILE)
    assert page.url.endswith(f"#/task/{trip.answer['taskId']}")
    await page.get_by_role("button", name="Open all").click()
    step = page.get_by_test_id("timeline").locator(".step").first
    for told in (
        "Customers", "What was on the page", "So be it", 'setValue("3", "555 1234")',
        "from the goal: “555 1234”", "Checked by rules on the page", "Predicted", "Planning",
        "gemini", "Server time",
    ):  # fmt: skip
        await expect(step).to_contain_text(told)
    link = step.get_by_role("link", name=FORM.url)
    assert await link.get_attribute("rel") == "noopener noreferrer"
    assert await page.locator("main img, main script").count() == 0
    assert "Tabwright console" in await page.title()
    await page.go_back()
    await expect(page.get_by_label("Words of the goal")).to_have_value("ONERROR goal")
    assert await page.title() == title


async def test_what_is_under_way_moves_on_while_it_is_looked_at(console: Console) -> None:
    trip = await console.under_way("Enter 555 1234 as the phone, live")
    page = await console.signed_in(f"task/{trip.answer['taskId']}")
    await expect(page.locator(".task-head")).to_contain_text("Working")
    await page.get_by_text("Details of step 1").click()
    await page.locator(".step").evaluate("one => { one.closest('ol').known = true }")
    await console.desk.go_on(trip, FORM.with_value(3, "555 1234"))
    await expect(page.locator(".task-head")).to_contain_text("Done")
    await expect(page.locator(".step").first).to_contain_text("Checked")
    assert await page.locator(".step details").first.evaluate("one => one.open")
    assert await page.get_by_test_id("timeline").evaluate("one => one.known")


async def test_a_question_is_answered_here(console: Console) -> None:
    asked = await console.asked()
    page = await console.signed_in("people")
    card = page.get_by_test_id("question").filter(has_text="phone of Jas").first
    await expect(card.get_by_role("timer")).to_contain_text(":")
    await card.get_by_label("Answer").fill("555 1234")
    await card.get_by_role("button", name="Send answer").click()
    row = page.get_by_role("row").filter(has_text="phone of Jas").first
    await expect(row).to_contain_text("555 1234")
    one = (await console.client.get(f"/api/hitl/{asked.answer['hitlId']}")).json()
    assert (one["status"], one["result"]["text"], one["result"]["via"]) == (
        "answered",
        "555 1234",
        "inbox",
    )
    await row.get_by_role("link").click()
    await expect(page.get_by_test_id("timeline")).to_contain_text("Answered: 555 1234")


async def test_a_key_is_made_shown_once_and_ended(console: Console) -> None:
    page = await console.signed_in("keys")
    await page.get_by_label("Person").fill("eve")
    await page.get_by_label("Name").fill("Laptop of eve")
    await page.get_by_label("Days until it expires").fill("30")
    await page.get_by_role("button", name="Create key").click()
    secret = await page.get_by_test_id("secret").input_value()
    row = page.get_by_role("row").filter(has_text="Laptop of eve")
    await expect(row).to_contain_text("in 29 days")
    who = await console.client.get("/api/me", headers={"Authorization": f"Bearer {secret}"})
    assert (who.json()["userId"], who.json()["role"]) == ("eve", "user")
    await page.get_by_role("button", name="Done").click()
    assert secret not in await page.content()

    eve = await console.signed_in("tasks", key=secret)
    await expect(eve.get_by_role("navigation")).not_to_contain_text("Quality")
    await row.get_by_role("button", name="Revoke").click()
    await page.get_by_role("dialog").get_by_role("button", name="Keep it").click()
    await expect(row).to_contain_text("Active")
    await row.get_by_role("button", name="Revoke").click()
    await page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    await expect(row).to_contain_text("Revoked")
    await expect(eve.get_by_role("alert")).to_contain_text("revoked or has expired")
    assert await eve.evaluate("sessionStorage.length") == 0


async def test_budgets_are_checked_and_saved(console: Console) -> None:
    page = await console.signed_in("budgets")
    whole = page.get_by_role("group", name="Whole tenant")
    await whole.get_by_label("Limit").fill("many")
    await page.get_by_role("button", name="Save budgets").click()
    await expect(page.get_by_role("alert")).to_contain_text("enter the limit in dollars")
    await whole.get_by_label("Limit").fill("40.50")
    await whole.get_by_label("Warn at").fill("75")
    await page.get_by_role("button", name="Save budgets").click()
    await expect(page.get_by_role("row").filter(has_text="Whole tenant")).to_contain_text("$40.50")
    kept = (await console.client.get("/api/budgets")).json()
    assert kept["tenant"] == {"limitUsd": 40.5, "warnAt": 0.75}
    assert (kept["task"], kept["user"], kept["users"]) == (None, None, {})


async def test_a_server_that_is_away_is_said_to_be(console: Console) -> None:
    await console.completed(GOAL)
    page = await console.signed_in()
    await page.context.set_offline(True)
    await expect(page.get_by_text("may be out of date")).to_be_visible(timeout=30_000)
    await page.get_by_role("link", name="Cost").click()
    again = page.get_by_role("button", name="Try again")
    await expect(again).to_be_visible(timeout=30_000)
    await page.context.set_offline(False)
    await again.click()
    await expect(page.get_by_role("heading", name="By day")).to_be_visible()


async def test_a_statement_is_opened_to_be_printed_and_saved_as_a_sheet(console: Console) -> None:
    await console.completed(GOAL)
    odd = {"model": "new-one", "cost_usd": 0.0, "priced": False, "tenant": "default"}
    async with open_store(console.served.settings) as store:
        await store.usage.add([spent("odd", created_at=datetime.now(UTC), **odd)])
    total = (await console.client.get("/api/usage/statement")).json()["totalUsd"]
    page = await console.signed_in("cost")
    row = page.get_by_role("region", name="By model").get_by_role("row").filter(has_text="new-one")
    await expect(row).to_contain_text("no price")
    await expect(page.locator(".tile").filter(has_text="Without a price")).to_contain_text("1")
    said: list[str] = []
    page.context.on("console", lambda one: said.append(one.text))
    async with page.expect_popup() as opened:
        await page.get_by_role("button", name="Printable statement").click()
    paper = await opened.value
    await expect(paper.get_by_role("heading", level=1)).to_contain_text("Statement 20")
    await expect(paper.locator("dl")).to_contain_text(f"${total:.2f} so far")
    await expect(paper.locator("td.n").first).to_have_css("text-align", "right")  # its own style
    assert said == []
    await page.bring_to_front()
    await page.get_by_label("Statement for").fill("2026-01")
    async with page.expect_download() as saved:
        await page.get_by_role("button", name="Statement as CSV").click()
    sheet = await saved.value
    assert sheet.suggested_filename == "statement-2026-01.csv"
    text = await asyncio.to_thread(Path(await sheet.path()).read_text, "utf-8")
    assert "\nmonth,2026-01," in text


async def test_a_key_is_replaced_and_the_old_one_opens_for_a_while(console: Console) -> None:
    key_id, old = await console.key_of("rita", "operator")
    page = await console.signed_in("keys")
    row = page.get_by_role("row").filter(has_text=key_id)
    await row.get_by_role("button", name="Replace").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("another hour")
    await dialog.get_by_role("button", name="Replace").click()
    new = await page.get_by_test_id("secret").input_value()
    await expect(row).to_contain_text("Replaced")
    await expect(row.get_by_role("button", name="Replace")).to_have_count(0)
    for secret in (old, new):
        who = await console.client.get("/api/me", headers={"Authorization": f"Bearer {secret}"})
        assert (who.json()["userId"], who.json()["role"]) == ("rita", "operator")


async def test_the_policy_is_checked_and_saved(console: Console) -> None:
    page = await console.signed_in("policy")
    acts = page.get_by_label("Acts on")
    await acts.fill("crm.example\nhttp://no site")
    await page.get_by_role("button", name="Save policy").click()
    await expect(page.get_by_role("alert")).not_to_be_empty()
    await expect(acts).to_have_value("crm.example\nhttp://no site")
    await acts.fill("crm.example\n*.books.example")
    await page.get_by_label("Asks first").select_option("always")
    reviews = page.get_by_label("Reviews answers from")
    await reviews.fill("Legal, EU\n \nhr")
    await page.get_by_role("button", name="Save policy").click()
    await expect(page.locator("#announce")).to_have_text("Policy saved")
    kept = (await console.client.get("/api/policy")).json()
    assert kept["actionDomains"] == ["crm.example", "*.books.example"]
    assert kept["approvals"]["mode"] == "always"
    assert kept["reviewedSets"] == ["Legal, EU", "hr"]
    await expect(reviews).to_have_value("Legal, EU\nhr")
    await console.client.put("/api/policy", json={})
