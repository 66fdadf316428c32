"""The conversation in the panel, by keyboard: what is done is told, asked and taken up again."""

import asyncio
import re

import pytest
from fastapi.responses import JSONResponse
from playwright.async_api import Page, expect

from tests.browser.panel_chat import (
    ANSWER,
    ASKED,
    HOSTILE,
    QUESTIONS,
    SAID,
    STATUSES,
    Event,
    answer,
    line,
    question,
)
from tests.browser.panel_stage import Stage
from tests.browser.panel_states import BY_NAME

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

BUSY = JSONResponse({"code": "TASK_BUSY", "detail": "Still being answered"}, 409)
SEEN = """() => {
  window.seen = [];
  const box = document.querySelector("[data-testid=chat-reasoning]");
  let last = null;
  new MutationObserver(() => {
    const parts = box.hidden ? [] : [...box.querySelectorAll(".now, .pill, q")];
    const text = parts.map((one) => one.textContent).join("|");
    if (text !== last) seen.push(last = text);
  }).observe(box, { subtree: true, childList: true, attributes: true });
}"""


async def ask(panel: Page, text: str) -> None:
    await expect(panel.get_by_test_id("chat-input")).to_be_focused()
    await panel.keyboard.insert_text(text)
    await panel.keyboard.press("Enter")


async def opened(
    stage: Stage, *parts: list[Event] | JSONResponse, name: str = "chat-answer"
) -> Page:
    """The tab with what was said, and what is answered next."""
    panel = await stage.show(BY_NAME[name])
    stage.chat.parts = [*parts]
    return panel


async def bodies(stage: Stage, path: str = "", *, least: int = 1) -> list[Event]:
    """What the panel posted there, once it has so often."""
    while len(found := [body for where, body in stage.chat.told if where == path]) < least:
        await asyncio.sleep(0.01)
    return found


async def test_each_status_is_read_before_the_answer_stands(stage: Stage) -> None:
    panel = await opened(stage, [*STATUSES, answer("It is **food** [1].")])
    await panel.evaluate(SEEN)
    await ask(panel, "And food?")
    last = panel.get_by_test_id("chat-answer").nth(1)
    await expect(last.locator("strong")).to_have_text("food")
    await expect(panel.get_by_test_id("chat-reasoning")).to_be_hidden()
    assert await panel.evaluate("seen") == [
        "Clarifying intent…",
        "Finding documents…|Handbook 2026|Returns",
        "Researching your question…|return period online",
        "",
    ]
    await expect(panel.locator("#announce")).to_have_text(re.compile("^Answer: It is food"))
    await expect(panel.get_by_test_id("chat-input")).to_be_focused()


async def test_what_a_document_smuggles_in_stays_words(stage: Stage) -> None:
    panel = await opened(stage, [answer(HOSTILE)])
    title = await panel.title()
    await ask(panel, "Read it")
    prose = panel.locator(".prose").nth(1)
    await expect(prose).to_contain_text("<script>")
    assert await prose.locator("img, script, [onerror]").count() == 0
    hrefs = await prose.locator("a").evaluate_all("links => links.map(one => one.href)")
    assert hrefs == ["https://shop.example/a", "https://evil.example/"]
    assert await prose.get_by_test_id("chat-citation").count() == 2
    assert await panel.title() == title


async def test_what_is_sent_while_the_conversation_loads_is_answered_below_it(stage: Stage) -> None:
    panel = await opened(stage, [answer("It is **food** [1].")], name="chat-loading")
    await ask(panel, "And food?")
    stage.chat.loads.set()
    await expect(panel.get_by_test_id("chat-answer")).to_have_count(2)
    await expect(panel.get_by_test_id("chat-answer").last).to_contain_text("food")
    await expect(panel.get_by_text("And food?", exact=True)).to_be_visible()
    assert [body["message"] for body in await bodies(stage)] == ["And food?"]


async def test_what_was_written_before_a_question_was_seen_does_not_answer_it(stage: Stage) -> None:
    panel = await opened(stage, name="chat-loading")
    stage.chat.pending = QUESTIONS["text"]
    await ask(panel, "And food?")
    stage.chat.loads.set()
    await expect(panel.get_by_test_id("chat-card")).to_be_visible()
    await expect(panel.get_by_test_id("chat-input")).to_have_text("And food?")
    assert stage.chat.told == []


async def test_a_choice_is_made_by_keyboard_and_stays_as_two_small_lines(stage: Stage) -> None:
    nested = question("text_input", "Which part of it?") | {"hitl_id": "h2"}
    panel = await opened(stage, [STATUSES[0], nested], [answer("Part two.")], name="chat-document")
    card = panel.get_by_test_id("chat-card")
    await expect(card).to_be_focused()
    await panel.keyboard.press("ArrowDown")
    await expect(card.get_by_test_id("chat-option").first).to_be_focused()
    await panel.keyboard.press("ArrowDown")
    stage.chat.go.clear()
    await panel.keyboard.press("Enter")
    await expect(card.get_by_test_id("chat-option").first).to_be_disabled()
    await expect(card.get_by_test_id("chat-cancel")).to_be_disabled()
    stage.chat.go.set()
    await expect(card.get_by_role("heading")).to_have_text("Which part of it?")
    await ask(panel, "The second")
    await expect(panel.get_by_test_id("chat-answer")).to_contain_text("Part two.")
    await expect(card).to_be_hidden()
    told = panel.get_by_test_id("chat-then")
    await expect(told).to_have_text(
        [
            "Which handbook do you mean?",
            re.compile("^You answered: Handbook 2025"),
            "Which part of it?",
            "You answered: The second",
        ]
    )
    first, second = await bodies(stage, "/resume", least=2)
    assert first["hitl_id"] == "h1"
    assert first["resume_value"] == {"type": "doc_choice", "value": "d2"}
    assert second["resume_value"]["type"] == "text_input"


async def test_a_new_message_leaves_the_question_and_escape_cancels_it(stage: Stage) -> None:
    nested = question("action_choice", "What?", ("audit", "Check it"))
    panel = await opened(stage, [nested], [answer("", cancelled=True)], name="chat-action")
    await panel.get_by_test_id("chat-input").focus()
    await ask(panel, "Something else")
    then = panel.get_by_test_id("chat-then")
    left = ["What should be done with these two?", "You left the question unanswered"]
    await expect(then).to_have_text(left)
    await expect(panel.get_by_role("button", name="Check it")).to_be_visible()
    await panel.keyboard.press("Escape")
    await expect(panel.get_by_test_id("chat-card")).to_be_hidden()
    await expect(then).to_have_count(4)
    assert await panel.get_by_test_id("chat-answer").count() == 0
    assert (await bodies(stage, "/resume"))[0]["resume_value"] == {"type": "cancel", "value": None}
    await expect(panel.get_by_test_id("chat-input")).to_be_focused()


async def test_tagging_opens_the_menu_where_the_answer_is_written(stage: Stage) -> None:
    panel = await opened(stage, [QUESTIONS["text"]], name="chat-low")
    await panel.keyboard.press("1")
    await expect(panel.get_by_role("heading", name="Which document")).to_be_visible()
    await expect(panel.get_by_test_id("chat-input")).to_be_focused()
    await expect(panel.get_by_test_id("chat-input")).to_have_text("@")


async def test_what_broke_off_is_asked_again_as_the_same_request(stage: Stage) -> None:
    panel = await opened(stage, [STATUSES[0]], [answer("Yes.")])
    await ask(panel, "And food?")
    failed = panel.get_by_test_id("chat-failed")
    await expect(failed).to_contain_text("The connection was lost")
    await failed.get_by_role("button", name="Retry").click()
    await expect(panel.get_by_test_id("chat-answer").nth(1)).to_contain_text("Yes.")
    await expect(failed).to_have_count(0)
    first, second = await bodies(stage, least=2)
    assert first == second
    assert await panel.get_by_test_id("chat-person").count() == 2


async def test_an_answer_that_came_behind_a_cut_connection_is_shown(stage: Stage) -> None:
    panel = await opened(stage, [STATUSES[0]], [STATUSES[0]])  # it is listened to once more
    stage.chat.go.clear()
    await ask(panel, "And food?")
    await expect(panel.get_by_test_id("chat-stop")).to_be_visible()
    async with panel.expect_response("**/api/chat/history/**"):
        (body,) = await bodies(stage)
        stage.chat.running = True
        asked = line(7, "user", body["message"], request_id=body["request_id"])
        stage.chat.lines = [*SAID, asked]
        stage.chat.go.set()
    await expect(panel.get_by_test_id("chat-reasoning")).to_contain_text("Still working on it")
    stage.chat.lines = [*SAID, asked, line(8, "assistant", "Kept.", **answer("Kept."))]
    stage.chat.running = False
    await expect(panel.get_by_test_id("chat-answer").nth(1)).to_contain_text("Kept.")
    await expect(panel.get_by_test_id("chat-reasoning")).to_be_hidden()


async def test_a_conversation_that_is_busy_is_tried_again_by_itself(stage: Stage) -> None:
    panel = await opened(stage, BUSY, [answer("Now.")])
    await ask(panel, "And food?")
    await expect(panel.get_by_test_id("chat-answer").nth(1)).to_contain_text("Now.")
    assert len(await bodies(stage, least=2)) == 2
    assert await panel.get_by_test_id("chat-failed").count() == 0


@pytest.mark.parametrize(("status", "button"), [(401, "Open settings"), (429, "Retry")])
async def test_a_refusal_says_what_to_do(stage: Stage, status: int, button: str) -> None:
    panel = await opened(stage, JSONResponse({"detail": "Too often."}, status))
    await ask(panel, "And food?")
    failed = panel.get_by_test_id("chat-failed")
    await expect(failed.get_by_role("button", name=button)).to_be_visible()
    await expect(failed.get_by_role("button", name="Retry")).to_be_visible()


async def test_stop_ends_the_turn_and_keeps_what_was_said(stage: Stage) -> None:
    error = {"type": "error", "message": "Stopped.", "problem": {}, "thread_id": "c1"}
    panel = await opened(stage, [STATUSES[0], error])
    stage.chat.go.clear()
    await ask(panel, "And food?")
    await expect(panel.get_by_test_id("chat-stop")).to_be_visible()
    await panel.keyboard.press("Escape")
    await expect(panel.get_by_test_id("chat-then")).to_have_text("Stopped")
    assert await panel.get_by_test_id("chat-failed").count() == 0
    await expect(panel.get_by_test_id("chat-input")).to_be_focused()


async def test_a_message_that_nothing_answered_can_be_asked_again(stage: Stage) -> None:
    stage.chat.play()
    panel = await opened(stage, name="chat-answer")
    stage.chat.lines = [ASKED]
    stage.chat.parts = [[answer(ANSWER)]]
    await panel.reload()
    await panel.get_by_role("button", name="Retry").click()
    await expect(panel.get_by_test_id("chat-answer")).to_have_count(1)
    assert (await bodies(stage))[0]["tagged_doc_ids"] == ["d1"]


async def test_tabs_are_moved_between_by_arrows_and_kept(stage: Stage) -> None:
    panel = await opened(stage)
    await panel.get_by_test_id("tab-ask").focus()
    await panel.keyboard.press("ArrowLeft")
    await expect(panel.get_by_test_id("tab-do")).to_be_focused()
    await expect(panel.get_by_test_id("goal-input")).to_be_visible()
    await expect(panel.get_by_test_id("chat-input")).to_be_hidden()
    await panel.keyboard.press("ArrowLeft")
    await expect(panel.get_by_test_id("tab-ask")).to_have_attribute("aria-selected", "true")
    await expect(panel.get_by_test_id("chat-answer")).to_be_visible()
    await panel.get_by_test_id("knowledge-button").click()
    await panel.keyboard.press("Escape")
    await expect(panel.get_by_test_id("chat-input")).to_be_focused()


async def test_conversations_are_renamed_and_deleted_in_their_place(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["chat-rename"])
    await panel.keyboard.type("Returns")
    await panel.keyboard.press("Enter")
    rows = panel.get_by_test_id("chat-conversation")
    await expect(rows.first.locator(".title")).to_have_text("Returns")
    await expect(panel.get_by_test_id("chat-rename").first).to_be_focused()
    assert await bodies(stage, "c1") == [{"title": "Returns"}]
    await panel.keyboard.press("Tab")
    await expect(panel.get_by_test_id("chat-export").first).to_be_focused()
    await panel.keyboard.press("Tab")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_role("button", name="Keep it")).to_be_focused()
    await panel.keyboard.press("Escape")
    await expect(panel.get_by_test_id("chat-delete").first).to_be_focused()
    await panel.keyboard.press("Enter")
    await panel.get_by_test_id("chat-delete-yes").click()
    await expect(rows).to_have_count(2)
    await expect(rows.first).to_be_focused()
    await panel.get_by_role("button", name="Back").click()
    await expect(panel.get_by_test_id("chat-example").first).to_be_visible()


async def test_what_speaks_against_an_answer_stands_beside_it_in_words_of_the_panel(
    stage: Stage,
) -> None:
    claims = {"unsupported": [{"text": "הסל חוזר תוך 90 יום", "reason": "not in its quotes: 90"}],
              "doubts": [{"text": "החזרה תוך 30 יום", "reason": "רק ללקוחות <b>פרטיים</b>"}],
              "looked": [{"id": "d9", "title": "Returns 2019"}]}  # fmt: skip
    told = answer("החזרה תוך 30 יום [1] *(?)*", claims_dropped=1, claims_doubted=1, **claims)
    panel = await opened(stage, [told])
    await ask(panel, "מה מותר להחזיר?")
    shown = panel.get_by_test_id("chat-answer").last
    prose = shown.locator(".prose")
    await expect(prose).to_contain_text("(?)")
    await expect(prose).not_to_contain_text("90")
    struck = shown.get_by_role("list", name="Not supported by the documents")
    await expect(struck.locator("del")).to_have_text("הסל חוזר תוך 90 יום")
    await expect(struck).to_contain_text("not in its quotes: 90")
    doubts = shown.get_by_role("list", name="Questioned by a second check")
    await expect(doubts).to_contain_text("רק ללקוחות <b>פרטיים</b>")
    await expect(shown.locator(".looked")).to_have_text("Not answered byReturns 2019")
