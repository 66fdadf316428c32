"""What pages of applications make hard, with the real extension: closed shadow roots, long virtual lists, clicks into nothing,
a file that the person picks in the panel."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.outside_desk import Desk, Shared, act, desk_on, done, node, until
from tests.browser.runner_backend import Body, Event

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

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


def names(body: Body) -> set[str]:
    return {n.get("n", "") for n in body["interactiveTree"] if not n.get("occ")}


def click(name: str) -> Any:
    return lambda body: act(("click", {"id": node(body, name)}))


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

    desk = await desk_on(shared, CLOSED, frame=FRAME, second="<h1>Second</h1>")
    await desk.run(fill, click("Terms"))
    for sent in ("subscribed jas@example.org", "paid", "bought", "noted Blue"):
        assert desk.site.count(f"POST /{sent}") == 1
    assert desk.last["url"].endswith("/second")


async def test_a_row_far_down_in_a_virtual_list_is_scrolled_to(shared: Shared) -> None:
    desk = await desk_on(shared, ROWS)
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
    desk = await desk_on(shared, "<button>Dead</button><input type=checkbox checked aria-label=On>")  # fmt: skip
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


PAPERS = """<h1>Papers</h1>
<script>
const send = async (how, file) => fetch(`/${how}`, {method: 'POST', body: `${file.name} ${file.size} ${(await file.text()).slice(0, 5)}`});
const sent = (how, input) => { for (const file of input.files) send(how, file); };
</script>
<label>Report <input type=file onchange="sent('report', this)"></label>
<label style="padding:8px;border:1px solid">Photo <input type=file accept="image/*" style="opacity:0;position:absolute;width:1px" onchange="sent('photo', this)"></label>
<div role=button tabindex=0 aria-label="Drop papers here" style="width:200px;height:80px;border:1px dashed"
 ondragover="event.preventDefault()" ondrop="event.preventDefault(); send('dropped', event.dataTransfer.files[0])">Drop here</div>"""

CONTRACT = """<script>const send = (file) => fetch('/inner', {method: 'POST', body: `${file.name} ${file.size} %PDF-`});</script>
<label>Contract <input type=file onchange="send(this.files[0])"></label>"""


@pytest_asyncio.fixture(loop_scope="session")
async def papers(shared: Shared) -> Desk:
    return await desk_on(
        shared, PAPERS + "<iframe src=/inner title=Inner></iframe>", inner=CONTRACT
    )


async def waits_for_file(desk: Desk, field: str) -> None:
    """Start a run that uploads to that field, up to where it waits for the person."""

    def upload(body: dict[str, Any]) -> dict[str, Any]:
        return act(("uploadFile", {"id": node(body, field), "name": "report.pdf"}))

    desk.backend.script(upload, lambda b: done())
    await desk.panel.get_by_test_id("goal-input").fill("Upload report.pdf")
    await desk.panel.get_by_test_id("goal-input").press("Enter")
    await desk.state("waiting")
    await expect(desk.panel.get_by_text("Choose the file 'report.pdf'")).to_be_visible()


async def pick(desk: Desk, path: Path) -> None:
    """Choose the file as the person would."""
    async with desk.panel.expect_file_chooser() as opened:
        await desk.panel.get_by_test_id("file-choose").click()
    await (await opened.value).set_files(path)


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.pdf"
    path.write_bytes(b"%PDF-" + bytes(2_500_000))  # three pieces
    return path


def posts(desk: Desk) -> list[str]:
    return [line for line in desk.site.heard if line.startswith("POST")]


async def test_the_picked_file_reaches_the_page_once_also_over_the_runners_death(
    papers: Desk, report: Path
) -> None:
    """A drop zone, a field in a frame, and one that is picked for after the runner has died."""

    def upload(field: str) -> Any:
        return lambda b: act(("uploadFile", {"id": node(b, field), "name": "report.pdf"}))

    fields = {"Drop papers here": "dropped", "Contract": "inner", "Report": "report"}
    papers.backend.script(*map(upload, fields), lambda b: done())
    await papers.panel.get_by_test_id("goal-input").fill("Upload report.pdf")
    await papers.panel.get_by_test_id("goal-input").press("Enter")
    for number, how in enumerate(fields.values()):
        await until(lambda number=number: len(papers.backend.bodies) == number + 1)
        await papers.state("waiting")
        if how == "report":
            await papers.panel.evaluate("chrome.offscreen.closeDocument()")
            await expect(papers.panel.get_by_test_id("file-choose")).to_be_enabled()
        assert len(posts(papers)) == number, "nothing is sent before it is picked"
        await pick(papers, report)
    await papers.state("completed")
    assert posts(papers) == [f"POST /{how} report.pdf 2500005 %PDF-" for how in fields.values()]
    reports = [body["lastActionStatus"] for body in papers.backend.bodies[1:]]
    assert reports == ["success"] * len(fields)


async def test_a_file_that_is_not_taken_or_not_chosen_is_said_to_be_so(
    papers: Desk, report: Path
) -> None:
    await waits_for_file(papers, "Photo")
    await pick(papers, report)
    await papers.state("completed")
    assert papers.site.count("POST") == 0
    assert papers.last["lastActionError"]["code"] == "VALUE_NOT_ACCEPTED"
    assert "image/*" in papers.last["lastActionError"]["message"]

    await waits_for_file(papers, "Report")
    await papers.panel.get_by_test_id("file-cancel").click()
    await papers.state("completed")
    assert papers.site.count("POST") == 0
    assert papers.last["lastActionError"]["code"] == "FILE_NOT_CHOSEN"
    kept = "new Promise((r) => { const o = indexedDB.open('tabwright-files'); o.onsuccess = () => { const q = o.result.transaction('picked').objectStore('picked').count(); q.onsuccess = () => r(q.result); }; })"
    assert await papers.panel.evaluate(kept) == 0


async def test_a_file_made_from_text_reaches_the_page_and_nobody_is_asked(papers: Desk) -> None:
    made = {"name": "Ünits.csv", "text": "name,age\nJas,34\n"}
    fields = ("Drop papers here", "Contract")
    outcomes = await papers.outcomes(
        *(
            lambda b, field=field: act(("uploadFile", {"id": node(b, field), **made}))
            for field in fields
        )
    )
    for field, outcome in zip(fields, outcomes, strict=True):
        [sent] = outcome.posts
        assert sent.split(maxsplit=1)[1].startswith("Ünits.csv 16"), field
        assert outcome.body["lastActionStatus"] == "success", field
