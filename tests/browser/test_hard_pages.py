"""What pages of applications make hard, with the real extension: closed shadow roots, long virtual lists, clicks into nothing."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from fastapi.responses import Response
from playwright.async_api import expect

from app.launch.browser import Browser
from tests.browser.outside_desk import Desk, Site, act, desk_on, node, opened_desk
from tests.browser.runner_backend import Backend, Body, Event

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

Shared = tuple[Browser, Backend, Site]

# A custom element, and two plain ones: one shows what it was given inside of its own, one hides it.
CLOSED = """<h1>Shop</h1><sign-up></sign-up><div id=card><p>A lamp</p></div><div id=notes>Loading…</div><script>
const sent = (path, body) => fetch(path, {method: "POST", body});
customElements.define("sign-up", class extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({mode: "closed"});
    root.innerHTML = `<form><label>Email <input></label><button>Subscribe</button></form>
      <a href=/second target=_blank>Terms</a><iframe title=Card src=/frame></iframe>`;
    root.querySelector("form").onsubmit = (e) => { e.preventDefault(); sent("/subscribed", root.querySelector("input").value) };
  }
});
const closed = (id, html) => { document.getElementById(id).attachShadow({mode: "closed"}).innerHTML = html };
closed("card", `<slot></slot><button onclick="sent('/bought')">Buy</button>`);
closed("notes", `<input aria-label=Note><button onclick="sent('/noted', this.previousSibling.value)">Keep</button>`);
</script>"""
FRAME = "<button onclick=\"fetch('/paid', {method: 'POST'})\">Pay now</button>"

ROWS = """<div id=list style="height:600px;overflow:auto"><ul style="position:relative;height:300000px"></ul></div><script>
const list = document.getElementById("list"), ul = list.firstChild;
list.onscroll = () => {
  const first = Math.floor(list.scrollTop / 30);
  ul.innerHTML = [...Array(30).keys()].map((n) => first + n).filter((n) => n < 10000).map((n) =>
    `<li style="position:absolute;top:${n * 30}px;height:30px"><button onclick="fetch('/row/${n}', {method: 'POST'})">Row ${n}</button></li>`).join("");
};
list.onscroll();</script>"""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def shared() -> AsyncIterator[Shared]:
    async with opened_desk() as made:
        yield made


def names(body: Body) -> set[str]:
    return {n.get("n", "") for n in body["interactiveTree"] if not n.get("occ")}


def click(name: str) -> Any:
    return lambda body: act(("click", {"id": node(body, name)}))


async def show(desk: Desk, html: str, **pages: str) -> None:
    desk.site.pages |= {"page": html, **pages}
    await desk.tab.reload()


async def test_closed_shadow_roots_are_seen_and_acted_in(shared: Shared) -> None:
    def fill(body: Body) -> Event:
        assert names(body) == {"Email", "Subscribe", "Terms", "Pay now", "Buy", "Note", "Keep"}
        return act(
            ("setValue", {"id": node(body, "Email"), "text": "jas@example.org"}),
            ("click", {"id": node(body, "Subscribe")}),
            ("click", {"id": node(body, "Pay now")}),
            ("click", {"id": node(body, "Buy")}),
            ("setValue", {"id": node(body, "Note"), "text": "Blue"}),
            ("click", {"id": node(body, "Keep")}),
        )

    async with desk_on(shared) as desk:
        await show(desk, CLOSED, frame=FRAME, second="<h1>Second</h1>")
        await desk.run(fill, click("Terms"))
        for sent in ("subscribed jas@example.org", "paid", "bought", "noted Blue"):
            assert desk.site.count(f"POST /{sent}") == 1
        assert desk.last["url"].endswith("/second")


async def test_a_row_far_down_in_a_virtual_list_is_scrolled_to(shared: Shared) -> None:
    async with desk_on(shared, ROWS) as desk:
        steps = 0

        def on(body: Body) -> Event:
            nonlocal steps
            steps += 1
            if "Row 120" in names(body):
                return act(("click", {"id": node(body, "Row 120")}))
            scrolled = next(n["i"] for n in body["interactiveTree"] if n["n"].startswith("Row"))
            return act(*[("scroll", {"id": scrolled, "direction": "down"})] * 3)

        await desk.run(on, on, on)
        assert desk.site.count("POST /row/120") == 1
        assert steps == 3
        first = desk.backend.bodies[0]
        assert "Row 0" in names(first)
        assert len(first["interactiveTree"]) <= 40
        assert first["scrollableContainers"] == ["list: at 0%, about 9971 more below"]


async def test_a_click_that_nothing_answers_is_told_to_the_server_and_to_the_person(
    shared: Shared,
) -> None:
    async with desk_on(shared, "<button>Dead</button><input type=checkbox checked aria-label=On>") as desk:  # fmt: skip
        await desk.run(
            click("Dead"),
            lambda b: act(("setChecked", {"id": node(b, "On"), "checked": True})),
        )
        dead, already = (body["lastActionNote"] for body in desk.backend.bodies[1:3])
        assert dead["code"] == "NOTHING_ANSWERED"
        assert already == {"code": "NOTED", "message": "It was checked already."}
        step = desk.panel.get_by_test_id("timeline-step").first
        await step.locator("summary").click()
        await expect(step).to_contain_text('Nothing answered the click on "Dead"')


async def test_an_address_without_a_page_is_said_to_be_blocked(shared: Shared) -> None:
    async with desk_on(shared, "<h1>Start</h1>") as desk:
        desk.site.answers["empty"] = lambda: Response(status_code=204)
        await desk.run(lambda b: act(("navigate", {"url": f"{desk.site.url}/empty"})))
        assert desk.last["lastActionError"]["code"] == "NAVIGATION_BLOCKED"
        assert desk.last["url"].endswith("/page")
