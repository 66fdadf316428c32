"""The demo clinic in a real Chromium: what a person does there, and what its server then holds."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.async_api import Page, expect

from app.cli.run.children import Serving, clinic

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with clinic(tmp_path_factory.mktemp("clinic") / "clinic.log") as child:
        yield child


@pytest.fixture
def stored(served: Serving) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{served.url}/api", trust_env=False) as client:
        client.post("/reset").raise_for_status()
        yield client


def named(stored: httpx.Client, name: str) -> list[dict[str, object]]:
    return [p for p in stored.get("/patients").json()["patients"] if p["name"] == name]


def saves(stored: httpx.Client) -> int:
    return int(stored.get("/stats").json()["posts"])


async def test_a_patient_is_added_through_the_menu(
    page: Page, served: Serving, stored: httpx.Client
) -> None:
    await page.goto(served.url)
    await expect(page.get_by_role("menuitem", name="New")).to_be_hidden()
    await page.get_by_role("button", name="Patient", exact=True).click()
    await page.get_by_role("menuitem", name="New").click()
    await expect(page).to_have_url(f"{served.url}/patients/new")
    await page.get_by_label("Name").fill("Mo Farrow")
    await page.get_by_label("Date of birth").fill("1990-02-03")
    await page.get_by_label("Sex").select_option("Other")
    await page.get_by_label("The patient consents").check()
    await page.get_by_role("button", name="Save patient").click()
    await expect(page.get_by_role("status")).to_have_text("Patient Mo Farrow was created")
    await expect(page).to_have_url(f"{served.url}/")
    (patient,) = named(stored, "Mo Farrow")
    assert patient["dateOfBirth"] == "1990-02-03"
    assert (patient["sex"], patient["consent"]) == ("other", True)


async def test_a_second_press_of_save_is_a_second_patient(
    page: Page, served: Serving, stored: httpx.Client
) -> None:
    await page.goto(f"{served.url}/patients/new")
    await page.get_by_label("Name").fill("Twice Told")
    await page.get_by_role("button", name="Save patient").dblclick()
    await expect(page.get_by_role("row", name="Twice Told")).to_have_count(2)
    assert len(named(stored, "Twice Told")) == 2
    assert saves(stored) == 2


async def test_what_is_wrong_is_said_and_nothing_is_sent(
    page: Page, served: Serving, stored: httpx.Client
) -> None:
    await page.goto(f"{served.url}/patients/new")
    await page.get_by_label("Phone").fill("none")
    await page.get_by_label("Date of birth").fill("2999-01-01")
    await page.get_by_role("button", name="Save patient").click()
    await expect(page.get_by_label("Name")).to_be_focused()
    await expect(page.get_by_text("Enter the name.")).to_be_visible()
    await expect(page.get_by_text("Enter a phone number")).to_be_visible()
    await expect(page.get_by_text("lies in the future")).to_be_visible()
    assert saves(stored) == 0


async def test_search_and_pages_are_addresses(
    page: Page, served: Serving, stored: httpx.Client
) -> None:
    await page.goto(served.url)
    await page.get_by_role("button", name="Next").click()
    await expect(page.get_by_text("Page 2 of 4")).to_be_visible()
    assert page.url.endswith("/?page=2")
    await page.get_by_label("Search patients").fill("lovelace")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("row")).to_have_count(2)
    assert page.url.endswith("/?q=lovelace")
    await page.go_back()
    await expect(page.get_by_text("Page 2 of 4")).to_be_visible()


async def test_deleting_asks_first(page: Page, served: Serving, stored: httpx.Client) -> None:
    await page.goto(f"{served.url}/?q=wanda")
    delete = page.get_by_role("button", name="Delete Wanda Fischer")
    await delete.click()
    await page.get_by_role("button", name="Cancel").click()
    assert len(named(stored, "Wanda Fischer")) == 1
    await delete.click()
    await page.get_by_role("button", name="Delete patient").click()
    await expect(page.get_by_role("status")).to_have_text("Patient Wanda Fischer was deleted")
    assert named(stored, "Wanda Fischer") == []


async def test_a_patient_is_edited(page: Page, served: Serving, stored: httpx.Client) -> None:
    await page.goto(f"{served.url}/?q=rosa")
    await page.get_by_role("link", name="Edit Rosa").click()
    await expect(page.get_by_label("Name")).to_have_value("Rosa Vogel")
    await page.get_by_label("Notes").fill("Moved to Leeds.")
    await page.get_by_role("button", name="Save patient").click()
    await expect(page.get_by_role("status")).to_have_text("Patient Rosa Vogel was updated")
    assert named(stored, "Rosa Vogel")[0]["notes"] == "Moved to Leeds."


async def test_logging_out_and_in(page: Page, served: Serving, stored: httpx.Client) -> None:
    await page.goto(served.url)
    await page.get_by_role("button", name="Log out").click()
    await expect(page).to_have_url(f"{served.url}/login")
    await page.get_by_label("Username").fill("demo")
    await page.get_by_label("Password").fill("wrong")
    await page.get_by_role("button", name="Log in").click()
    await expect(page.get_by_role("alert")).to_contain_text("do not match")
    await page.get_by_label("Password").fill("clinic")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Patients")).to_be_visible()


async def test_the_menu_works_from_the_keyboard(
    page: Page, served: Serving, stored: httpx.Client
) -> None:
    await page.goto(served.url)
    button = page.get_by_role("button", name="Patient", exact=True)
    await button.press("ArrowDown")
    await expect(page.get_by_role("menuitem", name="New")).to_be_focused()
    await page.keyboard.press("ArrowDown")
    await expect(page.get_by_role("menuitem", name="Search")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(button).to_be_focused()
    await expect(button).to_have_attribute("aria-expanded", "false")
    await button.press("ArrowUp")
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("Search patients")).to_be_focused()


async def test_a_dark_system_gets_a_dark_page(
    page: Page, served: Serving, stored: httpx.Client
) -> None:
    await page.emulate_media(color_scheme="dark")
    await page.goto(served.url)
    ground = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    await page.emulate_media(color_scheme="light")
    assert ground == "rgb(17, 24, 23)"
