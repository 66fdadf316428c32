"""The conversation's box by keyboard and mouse: mentions, lines, what is pasted, what is undone."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from tests.browser.talk_stage import Talk, opened_talk

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  clipboardData.setData("text/html", "<h1>Styled</h1>");
  const event = new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true});
  const begun = performance.now();
  document.activeElement.dispatchEvent(event);
  return performance.now() - begun;
}"""


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def talk() -> AsyncIterator[Talk]:
    async with opened_talk() as opened:
        yield opened


async def chosen(panel: Page, typed: str) -> None:
    """Types it, and takes the first thing that fits."""
    await panel.keyboard.type(typed)
    first = panel.get_by_test_id("mention-option").first
    await expect(first).to_have_attribute("aria-selected", "true")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_test_id("mention-menu")).to_be_hidden()


async def sent(talk: Talk) -> dict[str, object]:
    """Sends what is written; what the server got."""
    before = len(talk.said)
    await talk.panel.keyboard.press("Enter")
    await expect(talk.panel.get_by_test_id("chat-answer")).to_have_count(before + 1)
    return talk.said[-1]


async def test_a_mention_is_found_by_keyboard_and_goes_as_what_it_is(talk: Talk) -> None:
    panel = await talk.fresh()
    await panel.keyboard.type("What is in @e")
    menu, options = panel.get_by_test_id("mention-menu"), panel.get_by_test_id("mention-option")
    await expect(options.filter(has_text="Employee handbook")).to_have_attribute(
        "aria-selected", "true"
    )
    await expect(talk.box).to_have_attribute("role", "combobox")
    await expect(talk.box).to_have_attribute("aria-expanded", "true")
    await panel.keyboard.type("mployee h")
    await expect(options).to_have_count(1)
    active = await talk.box.get_attribute("aria-activedescendant")
    assert active == await options.first.get_attribute("id")
    await panel.keyboard.press("Tab")
    await expect(menu).to_be_hidden()
    await expect(talk.box).to_have_attribute("aria-multiline", "true")
    await panel.keyboard.type("and")
    await panel.keyboard.press("Shift+Enter")
    await panel.keyboard.type("@pric")
    await expect(options).to_have_count(1)
    await options.first.click()
    await expect(talk.box).to_be_focused()
    body = await sent(talk)
    assert body["message"] == (
        "What is in @Employee handbook 2026 and\n"
        "@Price list of spare parts for all models since 1998, with surcharges"
    )
    assert body["tagged_doc_ids"] == ["d1", "d4"]
    assert await talk.box.inner_text() in ("", "\n")


async def test_arrows_go_round_escape_keeps_it_away_and_closed_ones_cannot_be_taken(
    talk: Talk,
) -> None:
    panel = await talk.fresh()
    await panel.keyboard.type("@")
    options = panel.get_by_test_id("mention-option")
    await expect(options).to_have_count(4 + 1 + 4 + 1)
    await expect(options.last).to_contain_text("No search of the web is set up")
    await panel.keyboard.press("ArrowUp")  # past the web, which is closed
    await expect(options.filter(has_text="Audit")).to_have_attribute("aria-selected", "true")
    await panel.keyboard.press("Escape")
    menu = panel.get_by_test_id("mention-menu")
    await expect(menu).to_be_hidden()
    await panel.keyboard.type("ret")
    await expect(talk.box).to_have_text("@ret")
    await expect(menu).to_be_hidden()
    await panel.keyboard.type(" @zzz")
    await expect(menu).to_have_text("Nothing matches “zzz”.")
    await panel.keyboard.type(" x")
    await expect(menu).to_be_hidden()
    assert (await sent(talk))["message"] == "@ret @zzz x"


async def test_there_is_one_action_at_most_and_a_pill_goes_whole_and_comes_back(talk: Talk) -> None:
    panel = await talk.fresh()
    await chosen(panel, "@summ")
    await chosen(panel, "@emp")
    await chosen(panel, "@comp")
    pills = talk.box.locator(".mention")
    await expect(pills).to_have_text(["@Employee handbook 2026", "@Compare"])
    await panel.keyboard.press("Backspace")
    await panel.keyboard.press("Backspace")
    await expect(pills).to_have_count(1)
    await panel.keyboard.press("Control+z")
    await expect(pills).to_have_count(2)
    for _ in range(3):
        await panel.keyboard.press("ArrowLeft")  # over the space, the pill, the space
    await panel.keyboard.type("with")
    body = await sent(talk)
    assert body["message"] == "@Employee handbook 2026with @Compare"
    assert (body["action"], body["tagged_doc_ids"]) == ("compare", ["d1"])


async def test_what_is_pasted_is_plain_and_what_was_copied_here_keeps_its_mentions(
    talk: Talk,
) -> None:
    panel = await talk.fresh()
    await panel.evaluate(PASTE, " <b>x</b>\r\n  & y ")
    await chosen(panel, "@emp")
    await panel.keyboard.press("Control+a")
    await panel.keyboard.press("Control+c")
    await panel.keyboard.press("ArrowRight")
    await panel.keyboard.press("Control+v")
    await expect(talk.box.locator(".mention")).to_have_count(2)
    said = "<b>x</b>\n  & y @Employee handbook 2026"
    assert (await sent(talk))["message"] == f"{said}  {said}"


async def test_the_longest_text_is_pasted_at_once_and_a_longer_one_is_refused(talk: Talk) -> None:
    panel = await talk.fresh()
    longest = ("A line that is pasted.\n" * 10_000)[:199_999]
    assert await panel.evaluate(PASTE, longest) < 2_000  # ms; lines as blocks take 20 s
    assert await panel.evaluate(PASTE, "xy") < 500
    hint = panel.get_by_test_id("chat-input-said")
    await expect(hint).to_contain_text("limited to 200,000 characters")
    await panel.keyboard.type("!")
    await expect(hint).to_be_empty()
    body = await sent(talk)
    assert body["message"] == f"{longest}!"


async def test_composing_sends_nothing_and_right_to_left_is_written_as_such(talk: Talk) -> None:
    panel = await talk.fresh()
    composing = {"key": "Enter", "isComposing": True, "bubbles": True, "cancelable": True}
    await panel.keyboard.type("סכם את ")
    await talk.box.dispatch_event("keydown", composing)
    await chosen(panel, "@מד")
    assert not talk.said
    body = await sent(talk)
    assert (body["message"], body["tagged_doc_ids"]) == ("סכם את @מדריך החזרות", ["d3"])


async def test_a_server_that_does_not_answer_is_said_in_the_menu(talk: Talk) -> None:
    panel = await talk.fresh()
    talk.mentions_fail = True
    await panel.keyboard.type("@emp")
    menu = panel.get_by_test_id("mention-menu")
    await expect(menu).to_contain_text("Could not search: ")
    talk.mentions_fail = False
    await panel.keyboard.type("l")
    await expect(menu).to_contain_text("Employee handbook 2026")
    assert len(talk.looked_up) <= 3  # not one for each key
