"""What is around an answer, by keyboard: what one thinks of it."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.panel.test_chat import ask, bodies, opened
from tests.browser.panel_chat import ANSWER, ASKED, STATUSES, answer, line
from tests.browser.panel_stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def pressed(panel: Page) -> list[str | None]:
    thumbs = (panel.get_by_test_id(f"rating-{one}").last for one in ("up", "down"))
    return [await one.get_attribute("aria-pressed") for one in thumbs]


async def test_a_thumb_is_sent_at_once_and_why_when_it_is_said(stage: Stage) -> None:
    panel = await opened(stage)
    await panel.get_by_role("button", name="Bad answer").press("Enter")
    comment = panel.get_by_label("What was wrong with it? (optional)")
    await expect(comment).to_be_visible()
    assert await bodies(stage, "rating") == [{"rating": "down", "comment": ""}]
    assert await pressed(panel) == ["false", "true"]
    await panel.keyboard.press("Tab")
    await expect(comment).to_be_focused()
    await panel.keyboard.insert_text("It is the old year's.")
    await panel.get_by_role("button", name="Send", exact=True).press("Enter")
    await expect(panel.get_by_test_id("rating-why")).to_have_text(
        "Thank you. Operators can read your feedback."
    )
    await expect(panel.get_by_role("button", name="Bad answer")).to_be_focused()
    told = await bodies(stage, "rating", least=2)
    assert told[-1] == {"rating": "down", "comment": "It is the old year's."}


async def test_what_was_thought_is_shown_again_and_may_be_changed(stage: Stage) -> None:
    panel = await opened(stage)
    rated = {"rating": "down", "comment": "Wrong year"}
    stage.chat.lines = [ASKED, line(2, "assistant", ANSWER, **answer(ANSWER)) | {"rating": rated}]
    await panel.reload()
    await panel.get_by_test_id("tab-ask").click()
    bad = panel.get_by_role("button", name="Bad answer")
    await expect(bad).to_have_attribute("aria-pressed", "true")
    await bad.press("Enter")
    await expect(panel.get_by_test_id("rating-comment")).to_have_value("Wrong year")
    await panel.get_by_test_id("rating-comment").press("Escape")
    await expect(panel.get_by_test_id("rating-why")).to_be_hidden()
    await expect(bad).to_be_focused()
    assert await bodies(stage, "rating", least=0) == []
    await panel.get_by_role("button", name="Good answer").press("Enter")
    assert await bodies(stage, "rating") == [{"rating": "up", "comment": ""}]
    assert await pressed(panel) == ["true", "false"]


async def test_a_thumb_that_is_not_kept_is_not_shown_as_if_it_were(stage: Stage) -> None:
    panel = await opened(stage)
    stage.chat.refuses = True
    await panel.get_by_role("button", name="Good answer").press("Enter")
    await expect(panel.get_by_role("alert")).to_have_text("The server responded with status 503.")
    assert await pressed(panel) == ["false", "false"]


async def lines(panel: Page) -> list[str]:
    """What is shown: the person's words, and how each answer begins."""
    shown = panel.locator(".chat > .person > .words, .chat > .answer > .prose, .chat > .then")
    return [one[:20] for one in await shown.all_inner_texts()]


async def test_the_last_question_is_asked_again_and_its_answer_takes_the_place(
    stage: Stage,
) -> None:
    panel = await opened(stage, [answer("It is **food** [1].")])
    again = panel.get_by_role("button", name="Ask again")
    await again.press("Enter")
    await expect(panel.get_by_test_id("chat-answer")).to_contain_text("It is food")
    (body,) = await bodies(stage)
    assert body["replaces"] == ASKED["id"]
    assert "message" not in body
    assert len(await lines(panel)) == 2
    await expect(panel.get_by_test_id("chat-person").locator(".pill")).to_have_text("Handbook 2026")
    stage.chat.parts = [[answer("Yes.")]]
    await ask(panel, "And shoes?")
    await expect(panel.get_by_test_id("chat-answer")).to_have_count(2)
    await expect(again).to_have_count(1)  # of the last one alone
    assert "replaces" not in (await bodies(stage, least=2))[1]


async def test_the_last_question_is_edited_in_the_input_with_what_it_mentions(stage: Stage) -> None:
    panel = await opened(stage, [answer("Two weeks.")])
    pencil = panel.get_by_role("button", name="Edit the question")
    box = panel.get_by_test_id("chat-input")
    await pencil.press("Enter")
    await expect(box).to_be_focused()
    await expect(box).to_contain_text("How long can goods be returned? See @Handbook 2026")
    await expect(pencil).to_have_attribute("aria-pressed", "true")
    await pencil.press("Enter")  # it is left as it was
    await expect(box).to_have_text("")
    await pencil.press("Enter")
    await expect(box).to_be_focused()
    await panel.keyboard.press("Control+End")
    await panel.keyboard.insert_text(" in June")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_test_id("chat-answer")).to_contain_text("Two weeks.")
    (body,) = await bodies(stage)
    assert body["replaces"] == ASKED["id"]
    assert body["message"] == "How long can goods be returned? See @Handbook 2026 in June"
    assert body["tagged_doc_ids"] == ["d1"]
    assert len(await lines(panel)) == 2
    await expect(box).to_have_text("")


async def test_while_an_answer_is_on_its_way_nothing_is_asked_anew(stage: Stage) -> None:
    panel = await opened(stage, [*STATUSES, answer("Yes.")])
    stage.chat.go.clear()
    await ask(panel, "And shoes?")
    await expect(panel.get_by_test_id("chat-reasoning")).to_contain_text("Researching")
    await expect(panel.locator("[data-does]:visible")).to_have_count(0)
    stage.chat.go.set()
    await expect(panel.locator("[data-does]:visible")).to_have_count(2)


PASTED = """() => {
  window.pasted = new Promise((pasted) => addEventListener("paste", ({ clipboardData: held }) =>
    pasted(["text/plain", "text/html"].map((type) => held.getData(type))), { capture: true, once: true }));
}"""


async def test_an_answer_is_copied_with_its_sources_as_text_and_as_a_page(stage: Stage) -> None:
    panel = await opened(stage)
    await panel.get_by_role("button", name="Copy with sources").press("Enter")
    await expect(panel.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    await panel.get_by_test_id("chat-input").focus()
    await panel.evaluate(PASTED)
    await panel.keyboard.press("Control+V")
    text, html = await panel.evaluate("window.pasted")
    assert text.startswith("Goods come back within **30 days**, unused and in their box [1].")
    assert "[1] Handbook 2026, page 41 · Returns: “within 30 days”" in text
    assert "<strong>30 days</strong>, unused and in their box [1]" in html
    assert "<li>Food and made-to-measure goods are kept [2].</li>" in html
    assert "[2] Handbook 2026, page 42 · Refunds: “within 30 days”" in html


@pytest.mark.parametrize(("form", "name"), [("docx", "Word"), ("md", "Markdown")])
async def test_a_conversation_is_saved_under_its_title(stage: Stage, form: str, name: str) -> None:
    panel = await opened(stage, name="chat-conversations")
    stage.chat.told.clear()
    await panel.get_by_role("button", name="Export").first.press("Enter")
    await expect(panel.get_by_role("button", name="Word")).to_be_focused()
    async with panel.expect_download() as download:
        await panel.get_by_role("button", name=name, exact=True).press("Enter")
    kept = await download.value
    assert kept.suggested_filename == f"How long can goods be returned_.{form}"
    assert (await kept.path()).read_text() == f"As {form}"
    assert await bodies(stage, "export") == [{"thread_id": "c1", "format": form}]
    await expect(panel.get_by_role("button", name="Export").first).to_be_focused()
