"""A file that the person picks in the panel gets to the page's own field, or drop zone."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.outside_desk import Desk, Shared, act, desk_on, done, node

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

PAGE = """<h1>Papers</h1>
<script>
const send = async (how, file) => fetch(`/${how}`, {method: 'POST', body: `${file.name} ${file.size} ${(await file.text()).slice(0, 5)}`});
const sent = (how, input) => { for (const file of input.files) send(how, file); };
</script>
<label>Report <input type=file onchange="sent('report', this)"></label>
<label style="padding:8px;border:1px solid">Photo <input type=file accept="image/*" style="opacity:0;position:absolute;width:1px" onchange="sent('photo', this)"></label>
<div role=button tabindex=0 aria-label="Drop papers here" style="width:200px;height:80px;border:1px dashed"
 ondragover="event.preventDefault()" ondrop="event.preventDefault(); send('dropped', event.dataTransfer.files[0])">Drop here</div>"""

INNER = """<script>const send = (file) => fetch('/inner', {method: 'POST', body: `${file.name} ${file.size} %PDF-`});</script>
<label>Contract <input type=file onchange="send(this.files[0])"></label>"""


@pytest_asyncio.fixture(loop_scope="module")
async def desk(shared: Shared) -> AsyncIterator[Desk]:
    async with desk_on(shared, PAGE + "<iframe src=/inner title=Inner></iframe>") as made:
        made.site.pages["inner"] = INNER
        await made.tab.reload()
        yield made


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


@pytest.mark.parametrize(
    ("field", "how"), [("Report", "report"), ("Drop papers here", "dropped"), ("Contract", "inner")]
)
async def test_the_picked_file_reaches_the_page_once(
    desk: Desk, report: Path, field: str, how: str
) -> None:
    await waits_for_file(desk, field)
    assert desk.site.count("POST") == 0
    await pick(desk, report)
    await desk.state("completed")
    assert [line for line in desk.site.heard if line.startswith("POST")] == [
        f"POST /{how} report.pdf 2500005 %PDF-"
    ]
    assert desk.last["lastActionStatus"] == "success"


async def test_it_survives_the_runner(desk: Desk, report: Path) -> None:
    await waits_for_file(desk, "Report")
    await desk.panel.evaluate("chrome.offscreen.closeDocument()")
    await expect(desk.panel.get_by_test_id("file-choose")).to_be_enabled()
    await pick(desk, report)
    await desk.state("completed")
    assert desk.site.count("POST /report report.pdf 2500005") == 1


async def test_a_field_that_takes_other_files_says_so(desk: Desk, report: Path) -> None:
    await waits_for_file(desk, "Photo")
    await pick(desk, report)
    await desk.state("completed")
    assert desk.site.count("POST") == 0
    assert desk.last["lastActionError"]["code"] == "VALUE_NOT_ACCEPTED"
    assert "image/*" in desk.last["lastActionError"]["message"]


async def test_the_person_may_go_on_without_it(desk: Desk) -> None:
    await waits_for_file(desk, "Report")
    await desk.panel.get_by_test_id("file-cancel").click()
    await desk.state("completed")
    assert desk.site.count("POST") == 0
    assert desk.last["lastActionError"]["code"] == "FILE_NOT_CHOSEN"
    kept = "new Promise((r) => { const o = indexedDB.open('tabwright-files'); o.onsuccess = () => { const q = o.result.transaction('picked').objectStore('picked').count(); q.onsuccess = () => r(q.result); }; })"
    assert await desk.panel.evaluate(kept) == 0
