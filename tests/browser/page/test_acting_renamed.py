"""Elements that are called something else by the time they are acted on."""

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness
from tests.browser.page_harness import look

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TOGGLES = """<button id=a>Follow</button><button id=b>Follow</button><script>
window.pressed = []; for (const one of [a, b]) one.onclick = () => {
  pressed.push(one.id); one.textContent = "Following"; };</script>"""
DRAWN = """<ul id=u></ul><script>window.pressed = [];
const draw = (names) => names.forEach((name, at) => {
  const one = u.children[at] ?? u.appendChild(document.createElement("button"));
  one.textContent = name; one.onclick = () => pressed.push(name);
  while (u.children.length > names.length) u.lastChild.remove();
});
draw(["Ann", "Bob", "Cem"]);</script>"""


async def test_an_id_stays_with_a_button_that_was_renamed(page: Page) -> None:
    before = await look(page, TOGGLES)
    first = before["tree"][0]["i"]
    await harness.act(page, "click", {"id": first})
    after = await harness.observe(page)
    assert [(n["i"], n["n"]) for n in after["tree"]] == [
        (first, "Following"),
        (before["tree"][1]["i"], "Follow"),
    ]


async def test_a_second_press_in_a_chain_goes_to_the_same_button(page: Page) -> None:
    first = (await look(page, TOGGLES))["tree"][0]["i"]
    for _ in range(2):
        assert (await harness.act(page, "click", {"id": first}))["status"] == "success"
    assert await page.evaluate("pressed") == ["a", "a"]


async def test_what_was_agreed_to_under_one_name_is_not_pressed_under_another(page: Page) -> None:
    button = (await look(page, "<button id=b onclick='window.hit = 1'>Archive</button>"))["tree"][0]
    await page.evaluate("b.textContent = 'Delete'")
    grave = {"actionId": "a", "name": "click", "args": {"id": button["i"]}, "grave": True}
    result = await harness.request(page, "act", **grave)
    assert result["status"] == "failure"
    assert '"Archive"' in result["error"]["message"]
    assert '"Delete" by now' in result["error"]["message"]
    assert await page.evaluate("window.hit") is None


async def test_an_id_goes_along_with_what_is_drawn_into_another_element(page: Page) -> None:
    bob = (await look(page, DRAWN))["tree"][1]["i"]
    await page.evaluate("draw(['Bob', 'Cem'])")
    assert (await harness.act(page, "click", {"id": bob}))["status"] == "success"
    assert await page.evaluate("pressed") == ["Bob"]
    again = await harness.observe(page)
    assert next((n["i"], n["n"]) for n in again["tree"]) == (bob, "Bob")
