"""An answer in the panel while it is written: read along, told apart from a checked one, stopped."""

import asyncio
import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.panel.test_chat import ask, bodies
from tests.browser.panel_chat import CITED, SAID, STATUSES, THREAD, Event, answer, claim, line
from tests.browser.panel_stage import Stage
from tests.browser.panel_states import BY_NAME

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

FOOD, DAYS = "Food is kept.", "Goods come back within 30 days."
ENDED = answer(f"{FOOD} [1] {DAYS} [2]")
STOPPED = {"type": "error", "message": "Stopped.", "stopped": True, "thread_id": THREAD}
TO_BEGINNING = """one => new Promise((done) => {
  one.addEventListener("scroll", () => done(), { once: true });
  one.scrollTop = 0;
})"""
LONG = " ".join(f"Sentence {n} of a long answer." for n in range(120))


async def opened(stage: Stage, *parts: list[Event | asyncio.Event]) -> Page:
    panel = await stage.show(BY_NAME["chat-answer"])
    stage.chat.parts = [*parts]
    return panel


async def test_words_and_sources_are_seen_before_the_answer_and_as_unchecked(stage: Stage) -> None:
    more, rest, end = asyncio.Event(), asyncio.Event(), asyncio.Event()
    panel = await opened(
        stage,
        [STATUSES[0], claim(1, "Food is"), more, claim(1, FOOD, "cited", CITED[0]), claim(2, "Goods"), rest,
         claim(2, DAYS, "unsupported", reason="not in its quotes: 30"), end, ENDED],
    )  # fmt: skip
    said = "window.said = []; new MutationObserver(() => said.push(announce.textContent))"
    await panel.evaluate(
        f"() => {{ const announce = document.getElementById('announce'); {said}"
        ".observe(announce, { childList: true, characterData: true, subtree: true }); }"
    )
    await ask(panel, "And food?")
    draft = panel.get_by_test_id("chat-draft")
    await expect(draft).to_contain_text("Food is")
    await expect(draft).to_contain_text("Not checked yet")
    await expect(draft).to_have_attribute("aria-busy", "true")
    await draft.locator(".claim").evaluate("one => { one.isTheSame = true; }")
    more.set()
    await expect(draft.locator(".claim")).to_have_count(2)
    assert await draft.locator(".claim").first.evaluate("one => one.isTheSame")
    await draft.get_by_test_id("chat-citation").click()
    await expect(panel.get_by_test_id("source")).to_be_visible()
    await panel.keyboard.press("Escape")
    rest.set()
    await expect(draft.locator(".claim").nth(1)).to_have_text(f"{DAYS} (not supported so far)")
    assert await draft.get_by_test_id("chat-confidence").count() == 0
    end.set()
    last = panel.get_by_test_id("chat-answer").nth(1)
    await expect(last.get_by_test_id("chat-confidence")).to_be_visible()
    await expect(draft).to_have_count(0)
    await expect(panel.locator("#announce")).to_have_text(re.compile(f"^Answer: {FOOD}"))
    assert (await panel.evaluate("said"))[:-1] == ["The answer is being written"]


async def test_who_reads_above_stays_there_and_who_reads_along_sees_its_beginning(
    stage: Stage,
) -> None:
    more, end = asyncio.Event(), asyncio.Event()
    parts = [claim(1, "Sentence"), more, claim(1, LONG), end, answer(LONG)]
    panel = await opened(stage, [*parts])
    scroll = panel.locator("#scroll")
    await ask(panel, "At length?")
    draft = panel.get_by_test_id("chat-draft")
    await expect(draft).to_be_visible()
    more.set()
    await expect(draft).to_contain_text("Sentence 119")
    asked = panel.get_by_test_id("chat-person").last
    await expect(asked).to_be_in_viewport()
    read = await scroll.evaluate("one => one.scrollTop")
    end.set()
    await expect(panel.get_by_test_id("chat-answer")).to_have_count(2)
    assert await scroll.evaluate("one => one.scrollTop") == read
    more.clear()
    end.clear()
    stage.chat.parts = [[*parts]]
    await ask(panel, "Once more?")
    await expect(draft).to_be_visible()
    await scroll.evaluate(TO_BEGINNING)
    more.set()
    await expect(draft).to_contain_text("Sentence 119")
    assert await scroll.evaluate("one => one.scrollTop") == 0
    end.set()
    await expect(panel.get_by_test_id("chat-answer")).to_have_count(3)
    assert await scroll.evaluate("one => one.scrollTop") == 0


async def test_an_answer_that_is_stopped_stays_as_far_as_it_came(stage: Stage) -> None:
    end = STOPPED | {"response": f"{FOOD} Goods come"}
    panel = await opened(stage, [claim(1, FOOD, "cited", CITED[0]), claim(2, "Goods come"), end])
    stage.chat.go.clear()
    await ask(panel, "And food?")
    await expect(panel.get_by_test_id("chat-draft")).to_contain_text("Goods come")
    await panel.keyboard.press("Escape")
    stopped = panel.get_by_test_id("chat-stopped")
    await expect(stopped.locator(".prose")).to_have_text(f"{FOOD} Goods come")
    await expect(stopped).to_contain_text("Stopped here. None of this was checked.")
    assert await stopped.get_by_test_id("chat-citation").count() == 0
    await expect(panel.get_by_test_id("chat-draft")).to_have_count(0)
    await expect(panel.get_by_test_id("chat-input")).to_be_focused()
    stage.chat.lines = [
        *SAID,
        line(7, "user", "And food?"),
        line(8, "assistant", f"{FOOD} Goods come", "stopped", stopped=True),
    ]
    shown = await stopped.inner_text()
    await panel.reload()
    await expect(stopped).to_be_visible()
    assert await stopped.inner_text() == shown
    assert await panel.get_by_test_id("chat-retry").count() == 0


async def test_an_answer_that_begins_anew_says_so(stage: Stage) -> None:
    restart, end = asyncio.Event(), asyncio.Event()
    anew = {"type": "restart", "message": "It begins its answer anew.", "thread_id": THREAD}
    panel = await opened(stage, [claim(1, "Ninety"), restart, anew, end, claim(1, FOOD), ENDED])
    await ask(panel, "And food?")
    draft = panel.get_by_test_id("chat-draft")
    await expect(draft).to_contain_text("Ninety")
    restart.set()
    await expect(panel.get_by_test_id("chat-reasoning")).to_have_text(anew["message"])
    await expect(draft).to_have_count(0)
    end.set()
    await expect(panel.get_by_test_id("chat-answer").nth(1)).to_contain_text(DAYS)
    await expect(panel.get_by_text("Ninety")).to_have_count(0)


async def test_a_panel_that_is_opened_meanwhile_shows_what_was_told_and_goes_on(
    stage: Stage,
) -> None:
    gone, end = asyncio.Event(), asyncio.Event()
    panel = await opened(stage, [claim(1, FOOD), gone, ENDED], [claim(1, FOOD), end, ENDED])
    await ask(panel, "And food?")
    await expect(panel.get_by_test_id("chat-draft")).to_contain_text(FOOD)
    (body,) = await bodies(stage)
    stage.chat.lines = [*SAID, line(7, "user", "And food?", request_id=body["request_id"])]
    stage.chat.running = True
    await panel.reload()
    gone.set()
    await expect(panel.get_by_test_id("chat-draft")).to_contain_text(FOOD)
    assert await bodies(stage, least=2) == [body, body]
    await expect(panel.get_by_test_id("chat-stop")).to_be_visible()
    end.set()
    await expect(panel.get_by_test_id("chat-answer").nth(1)).to_contain_text(DAYS)
    await expect(panel.get_by_test_id("chat-draft")).to_have_count(0)


async def test_a_turn_of_another_browser_is_waited_for_and_nothing_is_asked_again(
    stage: Stage,
) -> None:
    panel = await opened(stage, [ENDED])
    await ask(panel, "And food?")
    await expect(panel.get_by_test_id("chat-answer")).to_have_count(2)
    (body,) = await bodies(stage)
    asked = line(7, "user", "And food?", request_id=body["request_id"])
    done = [asked, line(8, "assistant", DAYS, **ENDED)]
    stage.chat.lines = [*SAID, *done, line(9, "user", "And shoes?", request_id="another")]
    stage.chat.running = True
    await panel.reload()
    await expect(panel.get_by_test_id("chat-reasoning")).to_contain_text("Still working on it")
    assert await bodies(stage) == [body]
    stage.chat.running = False
    stage.chat.lines.append(line(10, "assistant", "Shoes too.", **answer("Shoes too.")))
    await expect(panel.get_by_test_id("chat-answer").nth(2)).to_contain_text("Shoes too.")
