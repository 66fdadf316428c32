"""What a page alone cannot tell, with the real server deciding: a native question, a file, a person's hand."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.outside_desk import Site, site_up
from tests.browser.world import Served, World, Worlds, opened_worlds, threaded_backend

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ROW = "<tr><td>{0}</td><td>1990</td><td><button onclick=\"if (confirm('{1}')) {{ fetch('/gone/{0}', {{method: 'POST'}}); this.closest('tr').remove(); }}\" {2}</button></td></tr>"
PATIENTS = "<h1>Patients</h1><table><tr><th>Name</th><th>Born</th><th></th></tr>{}</table>"


def patients(question: str, button: str) -> str:
    """A table of patients whose buttons ask before they delete."""
    rows = (ROW.format(name, question.format(name), button) for name in ("Ann", "Jas", "Bo"))
    return PATIENTS.format("".join(rows))


@pytest.fixture(scope="module")
def backend(store_uri: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with threaded_backend(store_uri, tmp_path_factory.mktemp("backend")) as up:
        yield up


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def worlds(backend: Served) -> AsyncIterator[Worlds]:
    async with opened_worlds(backend) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def site() -> AsyncIterator[Site]:
    async with site_up() as up:
        yield up


async def asked(worlds: Worlds, site: Site, html: str, goal: str) -> World:
    """The world with that page open and that goal typed."""
    site.pages["page"] = html
    world = await worlds.at(site, "/page")
    site.heard.clear()
    await world.ask(goal)
    return world


@pytest.mark.parametrize("button", [">Delete", "aria-label=X>&times;"])
async def test_what_the_person_asked_to_delete_is_deleted_once(
    worlds: Worlds, site: Site, button: str
) -> None:
    html = patients("Delete patient {}?", button)
    world = await asked(worlds, site, html, "Delete patient Jas")
    assert "Jas" in await world.agree()
    assert await world.ended() == "completed", await world.result()
    assert [line for line in site.heard if "gone" in line] == ["POST /gone/Jas"]


async def test_a_question_about_more_than_was_agreed_to_is_asked_about_again(
    worlds: Worlds, site: Site
) -> None:
    html = patients("Delete all patients?", ">Delete")
    world = await asked(worlds, site, html, "Delete patient Jas")
    assert await world.agree() == "Press 'Delete' for Jas, 1990?"
    question = world.panel.locator("#question")
    await expect(question).to_contain_text("and answer 'Delete all patients?' with yes")
    await world.panel.locator("#assist .option[data-id=no]:not([aria-disabled])").click()
    assert await world.ended() == "failed"
    assert site.count("POST") == 0


async def test_a_question_about_something_else_is_not_agreed_to(worlds: Worlds, site: Site) -> None:
    html = "<h1>Desk</h1><button onclick=\"if (confirm('Delete all your records?')) fetch('/gone/all', {method: 'POST'})\">Refresh list</button>"
    world = await asked(worlds, site, html, "Click Refresh list")
    assert await world.ended() == "failed"
    assert "Delete all your records?" in await world.result()
    assert site.count("POST") == 0


async def test_an_alert_with_an_error_is_an_error(worlds: Worlds, site: Site) -> None:
    html = "<h1>Desk</h1><form onsubmit=\"event.preventDefault(); alert('Error: the name could not be saved')\"><label>Name <input></label><button>Save</button></form>"
    world = await asked(worlds, site, html, "Enter Jas in Name and click Save")
    assert await world.ended() == "failed"
    assert "could not be saved" in await world.result()


async def test_a_file_is_uploaded_by_its_name(worlds: Worlds, site: Site, tmp_path: Path) -> None:
    html = "<h1>Papers</h1><form><label>Documents <input type=file onchange=\"fetch('/got', {method: 'POST', body: this.files[0].name})\"></label></form>"
    (tmp_path / "report.pdf").write_bytes(b"%PDF-")
    world = await asked(worlds, site, html, "Upload report.pdf")
    async with world.panel.expect_file_chooser() as opened:
        await world.panel.get_by_test_id("file-choose").click()
    await (await opened.value).set_files(tmp_path / "report.pdf")
    assert await world.ended() == "completed", await world.result()
    assert [line for line in site.heard if "got" in line] == ["POST /got report.pdf"]


EXPORTS = """<h1>Reports</h1><button onclick="const link = document.createElement('a'); link.href = window.URL.createObjectURL(new Blob(['a,b']));
link.download = 'report.csv'; link.click(); window.URL.revokeObjectURL(link.href); fetch('/exported', {method: 'POST'})">Export</button>"""


async def test_an_export_that_only_saves_a_file_is_done_once(worlds: Worlds, site: Site) -> None:
    world = await asked(worlds, site, EXPORTS, "Click Export")
    assert await world.ended() == "completed", await world.result()
    assert site.heard.count("POST /exported") == 1


EDITS = """<h1>Account</h1>
<section aria-label="Billing"><h2>Billing</h2><button onclick="fetch('/edit/billing', {method: 'POST'}); this.textContent = 'Editing'">Edit</button></section>
<section aria-label="Shipping"><h2>Shipping</h2><button onclick="fetch('/edit/shipping', {method: 'POST'}); this.textContent = 'Editing'">Edit</button></section>"""


async def test_where_several_fit_the_person_says_which_once(worlds: Worlds, site: Site) -> None:
    world = await asked(worlds, site, EDITS, "Click Edit")
    options = world.panel.get_by_test_id("assist-option")
    await expect(options).to_have_text(["Edit (section: Billing)", "Edit (section: Shipping)"])
    await options.nth(1).press("Enter")
    assert await world.ended() == "completed", await world.result()
    assert [line for line in site.heard if "edit" in line] == ["POST /edit/shipping"]
    again = await asked(worlds, site, EDITS, "Click Edit")
    assert await again.ended() == "completed", await again.result()
    assert [line for line in site.heard if "edit" in line] == ["POST /edit/shipping"]


# As pages that guard against scripts do: only a hand's click counts.
VISIT = """<h1>Visit</h1>
<button id=start>Start visit</button> <p role=status id=said></p>
<script>
  start.addEventListener("click", event => {
    if (!event.isTrusted) return;
    start.remove();
    said.textContent = "Visit started";
    const call = document.createElement("button");
    call.textContent = "Call in";
    call.onclick = () => {
      said.textContent = "The patient was called in";
      globalThis.calls = (globalThis.calls ?? 0) + 1;
    };
    document.body.append(call);
  });
</script>"""
HAND_OVER = "Click 'Start visit', then click 'Call in'"


async def test_the_person_does_a_step_that_no_script_can_and_the_rest_is_done(
    worlds: Worlds, site: Site
) -> None:
    world = await asked(worlds, site, VISIT, HAND_OVER)
    page, panel = world.page, world.panel
    assert await world.ended() == "failed"
    notice = panel.get_by_test_id("notice")
    await expect(notice).to_contain_text("Start visit")
    instead = panel.get_by_test_id("timeline-step").filter(has_text="Instead")
    tried = await instead.filter(has_not_text="Wait").count()
    assert tried <= 3  # a wait belongs to the try that follows it
    assert "Tried" in await world.result()
    assert "person's own hand" in await world.result()
    await page.get_by_role("button", name="Start visit").click()
    await panel.get_by_role("button", name="I did it, continue").click()
    await expect(panel.get_by_test_id("status")).not_to_have_attribute("data-state", "failed")
    assert await world.ended() == "completed", await world.result()
    assert await page.evaluate("globalThis.calls") == 1
    await expect(panel.locator("#goal")).to_have_text(HAND_OVER)
    done = panel.get_by_label("Plan").locator("[data-status=completed]")
    await expect(done).to_have_count(2)
