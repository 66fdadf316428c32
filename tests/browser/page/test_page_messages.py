"""What the page told the person: passing toasts, messages in shadow roots, red words below a field."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

import re
from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser import page_harness as harness

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def after_click(page: Page, html: str, script: str) -> dict[str, Any]:
    """What is observed once the click is done and what it started has ended (`window.over`)."""
    await harness.show(page, html)
    await page.evaluate(
        "(script) => { document.querySelector('button').onclick = new Function(script) }", script
    )
    seen = await harness.observe(page)
    await harness.act(page, "click", {"id": harness.find(seen, "Save")["i"]})
    await page.wait_for_function("window.over")
    return await harness.observe(page, next_id=seen["nextId"])


async def test_a_toast_that_is_gone_already(page: Page) -> None:
    seen = await after_click(
        page,
        "<button>Save</button><div id=h></div>",
        """h.innerHTML = '<div class=toast>Patient saved</div>'; setTimeout(() => { h.innerHTML = ''; over = true }, 200)""",
    )
    assert seen["success_messages"] == ["Patient saved"]
    gone = r'Came \d\.\d s after the action and is gone: "Patient saved"'
    assert any(re.fullmatch(gone, event) for event in seen["recentEvents"])
    assert "Patient saved" not in [node.get("n") for node in seen["tree"]]
    again = await harness.act(page, "click", {"id": harness.find(seen, "Save")["i"]})
    assert again["status"] == "success"


async def test_a_live_region_that_is_emptied_again(page: Page) -> None:
    seen = await after_click(
        page,
        "<button>Save</button><div id=s role=status></div>",
        "s.textContent = 'Upload failed'; setTimeout(() => { s.textContent = ''; over = true }, 200)",
    )
    assert seen["errors_detected"] == ["Upload failed"]


async def test_messages_in_shadow_roots(page: Page) -> None:
    seen = await after_click(
        page,
        "<button>Save</button><x-toast id=t></x-toast>",
        "t.attachShadow({mode: 'open'}).innerHTML = '<div role=alert>Name is required</div>'; over = true",
    )
    assert seen["errors_detected"] == ["Name is required"]


@pytest.mark.parametrize(
    ("below", "told"),
    [
        ("<small style='color:#d32f2f'>Choose at least one</small>", ["Choose at least one"]),
        ("<div><span style='color:rgb(200,0,0)'>Too short</span></div>", ["Too short"]),
        ("<small style='color:gray'>As on your passport</small>", []),
        ("<p>Next step</p>", []),
        ("<button style='color:red'>Delete</button>", []),
    ],
)
async def test_red_words_below_a_field(page: Page, below: str, told: list[str]) -> None:
    seen = await after_click(
        page,
        "<div><label>Name</label><div id=w><input></div></div><button>Save</button>",
        f"w.insertAdjacentHTML('afterend', `{below}`); over = true",
    )
    assert seen["errors_detected"] == told
