"""What goes on outside the page, with the real server deciding: a native question, a file."""
# ruff: noqa: E501 (the pages read best as whole lines of markup)

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import expect

from app.launch.browser import Browser, open_browser
from app.launch.chromium import find_chromium
from tests.browser.outside_desk import Site, site_up
from tests.browser.world import EXTENSION, KEY, Backend, World, started_backend

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

ROW = "<tr><td>{0}</td><td>1990</td><td><button onclick=\"if (confirm('{1}')) {{ fetch('/gone/{0}', {{method: 'POST'}}); this.closest('tr').remove(); }}\" {2}</button></td></tr>"
PATIENTS = "<h1>Patients</h1><table><tr><th>Name</th><th>Born</th><th></th></tr>{}</table>"


def patients(question: str, button: str) -> str:
    """A table of patients whose buttons ask before they delete."""
    rows = (ROW.format(name, question.format(name), button) for name in ("Ann", "Jas", "Bo"))
    return PATIENTS.format("".join(rows))


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    yield from started_backend(tmp_path_factory.mktemp("backend"))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser(backend: Backend) -> AsyncIterator[Browser]:
    chromium = find_chromium(None).path
    async with open_browser(chromium=chromium, extension=EXTENSION, headless=True) as opened:
        await opened.configure(backend.url, KEY)
        yield opened


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def site() -> AsyncIterator[Site]:
    async with site_up() as up:
        yield up


async def asked(backend: Backend, browser: Browser, site: Site, html: str, goal: str) -> World:
    """The world with that page open and that goal typed."""
    site.pages["page"] = html
    site.heard.clear()
    page = await browser.context.new_page()
    await page.goto(f"{site.url}/page")
    panel = await browser.open_panel(page)
    world = World(backend, site, browser, page, panel)  # type: ignore[arg-type]
    await world.ask(goal)
    return world


@pytest.mark.parametrize("button", [">Delete", "aria-label=X>&times;"])
async def test_what_the_person_asked_to_delete_is_deleted_once(
    backend: Backend, browser: Browser, site: Site, button: str
) -> None:
    html = patients("Delete patient {}?", button)
    world = await asked(backend, browser, site, html, "Delete patient Jas")
    assert "Jas" in await world.agree()
    assert await world.ended() == "completed", await world.result()
    assert [line for line in site.heard if "gone" in line] == ["POST /gone/Jas"]


async def test_a_question_about_more_than_was_agreed_to_is_asked_about_again(
    backend: Backend, browser: Browser, site: Site
) -> None:
    html = patients("Delete all patients?", ">Delete")
    world = await asked(backend, browser, site, html, "Delete patient Jas")
    assert await world.agree() == "Press 'Delete' for Jas, 1990?"
    question = world.panel.locator("#question")
    await expect(question).to_contain_text("and answer 'Delete all patients?' with yes")
    await world.panel.locator("#assist .option[data-id=no]:not([aria-disabled])").click()
    assert await world.ended() == "failed"
    assert site.count("POST") == 0


async def test_a_question_about_something_else_is_not_agreed_to(
    backend: Backend, browser: Browser, site: Site
) -> None:
    html = "<h1>Desk</h1><button onclick=\"if (confirm('Delete all your records?')) fetch('/gone/all', {method: 'POST'})\">Refresh list</button>"
    world = await asked(backend, browser, site, html, "Click Refresh list")
    assert await world.ended() == "failed"
    assert "Delete all your records?" in await world.result()
    assert site.count("POST") == 0


async def test_an_alert_with_an_error_is_an_error(
    backend: Backend, browser: Browser, site: Site
) -> None:
    html = "<h1>Desk</h1><form onsubmit=\"event.preventDefault(); alert('Error: the name could not be saved')\"><label>Name <input></label><button>Save</button></form>"
    world = await asked(backend, browser, site, html, "Enter Jas in Name and click Save")
    assert await world.ended() == "failed"
    assert "could not be saved" in await world.result()


async def test_a_file_is_uploaded_by_its_name(
    backend: Backend, browser: Browser, site: Site, tmp_path: Path
) -> None:
    html = "<h1>Papers</h1><form><label>Documents <input type=file onchange=\"fetch('/got', {method: 'POST', body: this.files[0].name})\"></label></form>"
    (tmp_path / "report.pdf").write_bytes(b"%PDF-")
    world = await asked(backend, browser, site, html, "Upload report.pdf")
    async with world.panel.expect_file_chooser() as opened:
        await world.panel.get_by_test_id("file-choose").click()
    await (await opened.value).set_files(tmp_path / "report.pdf")
    assert await world.ended() == "completed", await world.result()
    assert [line for line in site.heard if "got" in line] == ["POST /got report.pdf"]


EDITS = """<h1>Account</h1>
<section aria-label="Billing"><h2>Billing</h2><button onclick="fetch('/edit/billing', {method: 'POST'}); this.textContent = 'Editing'">Edit</button></section>
<section aria-label="Shipping"><h2>Shipping</h2><button onclick="fetch('/edit/shipping', {method: 'POST'}); this.textContent = 'Editing'">Edit</button></section>"""


async def test_where_several_fit_the_person_says_which_once(
    backend: Backend, browser: Browser, site: Site
) -> None:
    world = await asked(backend, browser, site, EDITS, "Click Edit")
    options = world.panel.get_by_test_id("assist-option")
    await expect(options).to_have_text(["Edit (section: Billing)", "Edit (section: Shipping)"])
    await options.nth(1).press("Enter")
    assert await world.ended() == "completed", await world.result()
    assert [line for line in site.heard if "edit" in line] == ["POST /edit/shipping"]
    again = await asked(backend, browser, site, EDITS, "Click Edit")
    assert await again.ended() == "completed", await again.result()
    assert [line for line in site.heard if "edit" in line] == ["POST /edit/shipping"]
