"""A page is learned, and what is opened on it; what is private never leaves it. Files come and go."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import FilePayload, Request, expect

from tests.browser.runner_backend import until
from tests.browser.ward import PASSWORD, TOKEN, TYPED, Ward, opened_ward
from tests.browser.world import KEY, Site, World, opened_world, threaded_backend

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture(scope="module")
def ward() -> Iterator[Ward]:
    with opened_ward() as opened:
        yield opened


@pytest.fixture(scope="module")
def backend(store_uri: str, ward: Ward, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    allowed = (ward.url.removeprefix("http://"),)
    folder = tmp_path_factory.mktemp("capture")
    with threaded_backend(store_uri, folder, fetch_allowed=allowed) as up:
        yield up


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def world(backend: Site, ward: Ward) -> AsyncIterator[World]:
    async with opened_world(backend, ward) as opened:
        yield opened


async def _asked(world: World, path: str, **query: str) -> dict[str, Any]:
    async with httpx.AsyncClient(trust_env=False) as client:
        reply = await client.get(
            f"{world.backend.url}/api/knowledge/{path}",
            params=query,
            headers={"Authorization": f"Bearer {KEY}"},
        )
    found: dict[str, Any] = reply.raise_for_status().json()
    return found


async def _found(world: World, query: str) -> str:
    url = f"{world.clinic.url}/"
    found = await _asked(world, "resolve", query=query, url=url)
    return "\n".join(one["content"] for one in found["chunks"])


async def _press_learn(world: World) -> None:
    if await world.panel.get_by_test_id("knowledge-learn").count() == 0:
        await world.panel.get_by_test_id("knowledge-button").click()
    await world.panel.get_by_test_id("knowledge-learn").click()


async def _learn_page(world: World) -> None:
    await world.page.goto(world.clinic.url)
    await expect(world.panel.locator("#learning")).to_be_hidden()
    await _press_learn(world)
    await expect(world.panel.locator("#learning .told")).to_contain_text(
        "Open something on the page", timeout=30_000
    )


async def test_nothing_that_is_private_is_sent(world: World) -> None:
    await world.page.goto(world.clinic.url)
    await world.page.fill("#name", TYPED)
    await world.page.fill("#pass", PASSWORD)
    await world.page.fill("#note", TYPED)
    await world.page.evaluate("echo.textContent = 'You typed ' + pass.value")
    await _press_learn(world)
    await expect(world.panel.locator("#learning .told")).to_contain_text("Learned", timeout=30_000)
    [document] = (await _asked(world, "documents"))["documents"]
    assert document["title"] == "Ward 7"
    assert document["phase"] == "initial"
    whole = json.dumps(await _asked(world, f"documents/{document['id']}"))
    assert "cupboard nine" in whole
    assert "extension 4410" in whole
    for private in (TYPED, PASSWORD, TOKEN, "script-secret"):
        assert private not in whole


async def test_what_was_opened_is_offered_and_found_once_learned(world: World) -> None:
    await _learn_page(world)
    assert "14 to 16" in await _found(world, "visiting hours")
    await world.page.get_by_role("button", name="House rules").click()
    offer = world.panel.get_by_test_id("knowledge-offer")
    await expect(offer).to_contain_text("“Visiting” was opened. Learn it?")
    assert "Children under twelve" not in await _found(world, "children visiting age adult")
    await world.panel.get_by_test_id("knowledge-offer-learn").click()
    await expect(world.panel.locator("#learning .told")).to_contain_text(
        "Learned “Visiting”", timeout=30_000
    )
    assert "replaced" in await world.panel.locator("#learning .told").inner_text()
    assert "Children under twelve" in await _found(world, "children visiting age adult")
    hours = await _found(world, "visiting hours")
    assert "18 to 20" in hours
    assert "14 to 16" not in hours
    await world.page.get_by_role("button", name="Close").click()
    # A menu has closed by the time that anybody can say yes to it.
    await world.page.get_by_role("button", name="Patient menu").click()
    await expect(world.panel.get_by_test_id("knowledge-offer")).to_contain_text("Patient menu")
    await world.page.get_by_role("button", name="Patient menu").click()
    await world.panel.get_by_test_id("knowledge-offer-learn").click()
    told = world.panel.locator("#learning .told")
    await expect(told).to_have_text(
        re.compile("Learned “Patient menu”|“Patient menu” contains nothing")
    )


async def test_a_tab_and_loaded_items_are_offered_and_a_no_is_kept(world: World) -> None:
    await _learn_page(world)
    await world.page.get_by_role("tab", name="Diets").click()
    offer = world.panel.get_by_test_id("knowledge-offer")
    await expect(offer).to_contain_text("Diets")
    await offer.get_by_role("button", name="Not now").click()
    await expect(offer).to_have_count(0)
    await world.page.get_by_role("tab", name="Doctors").click()
    await expect(offer).to_contain_text("Doctors")
    await offer.get_by_role("button", name="Not now").click()
    await world.page.get_by_role("button", name="Load more").click()
    await expect(offer).to_contain_text("Load more")
    assert "gluten-free" not in await _found(world, "gluten-free diet")
    await world.panel.get_by_test_id("knowledge-offer-learn").click()
    await expect(world.panel.locator("#learning .told")).to_contain_text("Learned", timeout=30_000)
    assert "cellar" in await _found(world, "where are splints kept")


async def test_always_on_this_page_asks_no_more_also_after_a_reload(world: World) -> None:
    await _learn_page(world)
    await world.page.get_by_role("tab", name="Diets").click()
    await world.panel.get_by_test_id("knowledge-offer-always").click()
    told = world.panel.locator("#learning .told")
    await expect(told).to_contain_text("learned too", timeout=30_000)

    async def found(words: str) -> bool:
        return words in await _found(world, words)

    await until(lambda: found("gluten-free"), 20)
    await world.page.reload()
    await expect(told).to_contain_text("learned too", timeout=30_000)
    await world.page.get_by_role("button", name="Load more").click()
    await expect(told).to_contain_text("Load more", timeout=30_000)
    await world.panel.get_by_test_id("knowledge-learn-end").click()
    await expect(world.panel.locator("#learning")).to_be_hidden()


async def test_where_nothing_is_learned_nothing_is_watched_or_sent(world: World) -> None:
    sent: list[Request] = []
    world.browser.context.on("request", lambda one: sent.append(one))
    await world.page.goto(world.clinic.url)
    await world.page.get_by_role("button", name="House rules").click()
    await world.page.get_by_role("button", name="Close").click()
    await expect(world.panel.get_by_test_id("knowledge-offer")).to_have_count(0)
    assert not [one.url for one in sent if "/api/knowledge" in one.url]


async def test_a_file_comes_in_is_found_and_is_gone_once_deleted(world: World) -> None:
    await world.panel.reload()
    await world.panel.get_by_test_id("knowledge-button").click()
    text = b"# Keys\n\nThe key of the boiler room hangs behind the porter's desk.\n"
    files = [
        FilePayload(name="keys.md", mimeType="text/markdown", buffer=text),
        FilePayload(name="broken.pdf", mimeType="application/pdf", buffer=b"%PDF-1.4 no more"),
    ]
    await world.panel.get_by_test_id("knowledge-upload").set_input_files(files)
    failed = world.panel.get_by_test_id("knowledge-job").filter(has_text="broken.pdf")
    await expect(failed.locator(".failures")).not_to_be_empty(timeout=30_000)
    document = world.panel.get_by_test_id("knowledge-document").filter(has_text="Keys")
    await expect(document).to_be_visible(timeout=30_000)
    search = world.panel.get_by_test_id("knowledge-search")
    await search.fill("Where is the key of the boiler room?")
    await search.press("Enter")
    await expect(world.panel.get_by_test_id("knowledge-result").first).to_contain_text("porter")
    await document.locator("summary").click()
    await document.get_by_test_id("knowledge-delete").click()
    await document.get_by_test_id("knowledge-delete-yes").click()
    await expect(document).to_have_count(0)
    await search.press("Enter")
    await expect(world.panel.get_by_text("Searching your documents…")).to_have_count(0)
    await expect(world.panel.get_by_text("porter's desk")).to_have_count(0)
    await failed.get_by_role("button", name="Dismiss").click()
    await world.panel.reload()
    await world.panel.get_by_test_id("knowledge-button").click()
    await expect(world.panel.get_by_test_id("knowledge-documents")).to_be_visible()
    await expect(world.panel.get_by_test_id("knowledge-job")).to_have_count(0)


async def test_a_page_that_only_a_browser_can_read_is_opened_and_learned(world: World) -> None:
    await world.panel.get_by_test_id("knowledge-add-link").click()
    await world.panel.get_by_test_id("knowledge-link").fill(f"{world.clinic.url}/rota")
    await world.panel.keyboard.press("Enter")
    async with world.browser.context.expect_page() as opened:
        await world.panel.get_by_test_id("knowledge-open").click(timeout=30_000)

    async def found() -> bool:
        return "Quispe" in await _found(world, "which doctor is on call on Sundays")

    await until(found, 20)
    await (await opened.value).close()
