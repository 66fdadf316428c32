"""The panel's rooms: what was done is kept as a recipe and run again, and a step is handed over and back; and
its documents, by keyboard: asked, listed, deleted with a second yes, and what did not get in.
"""

import pytest
from playwright.async_api import expect

from tests.browser.panel_stage import Stage
from tests.browser.panel_states import BY_NAME
from tests.browser.runner_backend import done, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_recipe_runs_with_its_values_from_the_keyboard_alone(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["recipes"])
    stage.backend.script(lambda b: done("Added Ann"))
    await expect(panel.get_by_test_id("recipe-value").first).to_be_focused()
    await panel.keyboard.type("Ann Lee")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_test_id("status")).to_have_attribute("data-state", "completed")
    [body] = stage.backend.bodies
    assert body["recipe"] == {"recipeId": "r0", "values": {"name": "Ann Lee"}}
    assert "query" not in body
    await expect(panel.locator("#goal")).to_have_text("Add a new patient with name Ann Lee")
    await expect(panel.get_by_test_id("save-recipe")).to_have_count(0)


async def test_escape_leaves_the_recipes_for_the_goal(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["recipes"])
    await panel.keyboard.press("Escape")
    await expect(panel.get_by_test_id("recipes-room")).to_be_hidden()
    await expect(panel.get_by_test_id("goal-input")).to_be_focused()


async def test_where_there_are_none_one_button_leads_to_the_goal(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["recipes-empty"])
    await panel.get_by_role("button", name="Start a task").press("Enter")
    await expect(panel.get_by_test_id("goal-input")).to_be_focused()


async def test_what_is_required_must_be_given(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["recipes"])
    stage.backend.script()
    await panel.keyboard.press("Enter")
    assert await panel.get_by_test_id("recipe-value").first.evaluate("e => e.validity.valueMissing")
    assert stage.backend.bodies == []


async def test_a_recipe_of_another_site_is_not_run_here(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["recipes"])
    await panel.get_by_test_id("recipe").nth(1).locator("summary").click()
    await expect(panel.get_by_test_id("recipe-run").nth(1)).to_be_disabled()
    await expect(panel.get_by_text("Open books.example in this tab to run it.")).to_be_visible()
    secret = panel.get_by_role("textbox", name="Password")
    assert await secret.get_attribute("type") == "password"


async def test_deleting_takes_two_presses(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["recipes"])
    delete = panel.get_by_test_id("recipe-delete").first
    await delete.click()
    await expect(delete).to_have_text("Delete permanently")
    await panel.get_by_test_id("recipe-value").first.focus()
    await expect(delete).to_have_text("Delete")
    await delete.click()
    await delete.click()
    await expect(panel.get_by_test_id("recipe")).to_have_count(2)


async def test_a_task_that_was_done_is_kept(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["recipe-saved"])
    await expect(panel.get_by_text("Saved as “Add a new patient with name name”.")).to_be_visible()
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_test_id("recipes")).to_be_visible()


@pytest.mark.parametrize("name", ["stopped", "failed", "right-to-left"])
async def test_only_what_was_done_is_offered_to_be_kept(stage: Stage, name: str) -> None:
    panel = await stage.show(BY_NAME[name])
    is_done = name == "right-to-left"
    await expect(panel.get_by_test_id("save-recipe")).to_have_count(int(is_done))


async def test_the_person_does_a_step_and_hands_the_rest_back(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["hand-over"])
    stage.backend.script(lambda b: done("Done."))
    await panel.get_by_role("button", name="I did it, continue").click()
    await until(lambda: len(stage.backend.bodies) == 1)
    [body] = stage.backend.bodies
    assert body["continueFrom"] == "t"
    assert not {"taskId", "query", "recipe"} & body.keys()
    await expect(panel.get_by_test_id("status")).to_have_attribute("data-state", "completed")


async def test_the_offer_to_hand_over_comes_with_the_failure(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["empty"])
    offer = {"step": "Save it", "message": "You can do this step yourself: “Save it”."}
    stage.backend.script(lambda b: done("It failed.", "failed") | {"handOver": offer})
    await panel.get_by_test_id("goal-input").fill("Save it")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_test_id("notice")).to_contain_text(offer["message"])
    await expect(panel.get_by_role("button", name="I did it, continue")).to_be_visible()


async def test_what_is_found_says_where_it_stands_and_whose_it_is(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["knowledge-found"])
    first, *_, last = await panel.get_by_test_id("knowledge-result").all()
    await expect(first).to_contain_text("page 41, Returns")
    await expect(first).to_contain_text("Yours")
    await expect(last).to_contain_text("Public")
    link = last.get_by_role("link", name="Open the source")
    assert await link.get_attribute("href") == "https://law.example/eu/returns"
    more = first.get_by_role("button", name="More")
    await more.press("Enter")
    await expect(first.get_by_role("button", name="Less")).to_be_focused()
    hidden = "box => box.scrollHeight - box.clientHeight"
    assert await first.locator(".passage").evaluate(hidden) <= 1


async def test_nothing_relevant_is_an_answer_and_escape_leaves(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["knowledge-nothing"])
    await expect(panel.get_by_test_id("knowledge-results")).to_have_text(
        "Nothing relevant was found."
    )
    await panel.keyboard.press("Escape")
    await expect(panel.get_by_test_id("knowledge-view")).to_be_hidden()
    await expect(panel.get_by_test_id("goal-input")).to_be_focused()


async def test_deleting_asks_in_its_place_and_keeping_is_the_first_answer(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["knowledge-delete"])
    await expect(panel.get_by_role("button", name="Keep it")).to_be_focused()
    await expect(panel.get_by_text("Everything made from it is deleted too")).to_be_visible()
    await panel.keyboard.press("Escape")
    await expect(panel.get_by_test_id("knowledge-delete").first).to_be_focused()
    await panel.keyboard.press("Enter")
    await panel.keyboard.press("Tab")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_test_id("knowledge-document")).to_have_count(4)
    second = panel.get_by_test_id("knowledge-document").first.locator("summary")
    await expect(second).to_be_focused()


async def test_what_failed_says_why_and_stays_until_it_is_put_away(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["knowledge-jobs"])
    assert await panel.locator("#scroll").evaluate("box => box.scrollTop") == 0
    jobs = panel.get_by_test_id("knowledge-job")
    await expect(jobs).to_have_count(4)
    await expect(jobs.filter(has_text="docs.example")).to_contain_text("12 of 40 documents")
    failed = jobs.filter(has_text="contract.pdf")
    await expect(failed).to_contain_text("The document asks for a password. Save it without its")
    await failed.get_by_role("button", name="Dismiss").click()
    await expect(jobs).to_have_count(3)
    await expect(panel.get_by_test_id("knowledge-open")).to_be_visible()


async def test_limits_are_asked_for_where_links_are_followed(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["knowledge-link"])
    await expect(panel.get_by_test_id("knowledge-link")).to_be_focused()
    await expect(panel.get_by_text("More", exact=True)).to_be_hidden()
    await panel.get_by_label("What to read").select_option("Follow links")
    await panel.get_by_text("More", exact=True).click()
    await expect(panel.get_by_label("Link depth")).to_be_visible()
    await panel.get_by_label("What to read").select_option("All pages in its sitemap")
    await expect(panel.get_by_label("Link depth")).to_be_hidden()
    await panel.keyboard.press("Escape")
    await expect(panel.get_by_test_id("knowledge-add-link")).to_be_focused()
