"""What is kept from look to look holds only as long as the page leaves it as it was."""

from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PAGE = "<main><label for=a>First</label><input id=a><hr><input id=b><p id=p>Saved well</p></main>"


async def after(page: Page, script: str) -> dict[str, Any]:
    """The second look, after a change that the first knew nothing of."""
    await harness.show(page, PAGE)
    await harness.observe(page)
    await page.evaluate(script)
    return await harness.observe(page)


async def test_an_element_that_becomes_a_message(page: Page) -> None:
    seen = await after(page, "p.setAttribute('role', 'alert')")
    assert [node["n"] for node in seen["tree"] if node["r"] == "txt"] == ["Saved well"]


async def test_a_message_in_an_added_part_and_one_that_goes(page: Page) -> None:
    seen = await after(
        page, "p.insertAdjacentHTML('afterend', '<div><b role=alert>No room left</b></div>')"
    )
    assert "No room left" in [node.get("n") for node in seen["tree"]]
    await page.evaluate("document.querySelector('b').removeAttribute('role')")
    seen = await harness.observe(page)
    assert "No room left" not in [node.get("n") for node in seen["tree"]]


async def test_a_label_given_to_another_field(page: Page) -> None:
    await harness.show(page, PAGE)
    fields = [node.get("n") for node in (await harness.observe(page))["tree"] if node["r"] == "inp"]
    assert (fields[0], fields[1] == "First") == ("First", False)
    await page.evaluate("document.querySelector('label').htmlFor = 'b'")
    fields = [node.get("n") for node in (await harness.observe(page))["tree"] if node["r"] == "inp"]
    assert fields[1] == "First"


async def test_a_dialog_opened_after_many_changes(page: Page) -> None:
    seen = await after(
        page,
        """for (let n = 0; n < 200; n++) document.querySelector('main').append(document.createElement('i'));
        document.body.insertAdjacentHTML(
          'beforeend',
          '<div role=dialog aria-modal=true style="position:fixed;inset:0"><button>Agree</button></div>')""",
    )
    assert seen["tree"][0]["n"] == "Agree"
