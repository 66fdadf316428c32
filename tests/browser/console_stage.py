"""The console in a real browser, on the real server, with tasks that were made through its API."""

import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import Browser, Page, expect
from pydantic import SecretStr

from app.domain.access import ROLES, Principal, Role
from app.settings import Settings
from app.store.open import open_store
from tests.integration.desk import FORM, KEY, TYPES, Desk, Served, Trip, doing, opening, served_desk

HOSTILE = (
    "<img src=x onerror=document.title=1><script>document.title=2</script> 555 1234 "
    "\u202eevil \u2066 goal"
)
GOAL = "Our customer is now reached at 555 1234: put that into the record"
LOADED = "main .section:not(:has(> .loading))"
SHOW = """(where) => {
  location.hash = `#/${where}`;
  dispatchEvent(new HashChangeEvent("hashchange"));  // also where it was shown already
}"""
WAIT_MS = 30_000  # only ends a hang
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


@contextmanager
def served_console(store_uri: str, folder: Path, **more: Any) -> Iterator[Served]:
    """The real server with a database of its own."""
    settings = Settings(
        _env_file=None,
        mongodb_uri=SecretStr(store_uri),
        mongodb_database=f"test_{secrets.token_hex(6)}",
        data_dir=folder,
        **more,
    )
    with served_desk(settings) as served:
        yield served


@dataclass
class Console:
    """A browser at the console, and a client of the same server that holds an admin's key."""

    served: Served
    browser: Browser
    client: httpx.AsyncClient
    desk: Desk
    # Kept over tests: loading the console and signing in costs most of one.
    _admin: Page | None = None

    async def page(self, width: int = 1280, height: int = 800) -> Page:
        """A page of a context of its own: nobody is signed in."""
        context = await self.browser.new_context(
            viewport={"width": width, "height": height}, accept_downloads=True
        )
        page = await context.new_page()
        page.set_default_timeout(WAIT_MS)
        return page

    async def leave(self) -> None:
        """Closes every page but the admin's."""
        kept = self._admin and self._admin.context
        for context in self.browser.contexts:
            if context is not kept:
                await context.close()

    async def signed_in(
        self, where: str = "tasks", key: str = KEY, width: int = 1280, height: int = 800
    ) -> Page:
        """A page of that section, through the sign-in form; the admin's is the one that is open already."""
        admin = self._admin
        if key == KEY and admin and not admin.is_closed():
            await admin.set_viewport_size({"width": width, "height": height})
            await admin.emulate_media(color_scheme="light", reduced_motion="no-preference")
            await admin.bring_to_front()
            await admin.evaluate(SHOW, where)
            await admin.locator(LOADED).wait_for()
            return admin
        page = await self.page(width, height)
        await page.goto(f"{self.served.url}/console/#/{where}")
        await self.sign_in(page, key)
        if key == KEY:
            self._admin = page
        return page

    async def sign_in(self, page: Page, key: str = KEY) -> None:
        await page.get_by_label("API key").fill(key)
        await page.get_by_role("button", name="Sign in").click()
        await page.locator(LOADED).wait_for()

    async def key_of(self, user: str, role: Role) -> tuple[str, str]:
        """A new key: its id and its secret."""
        async with open_store(self.served.settings) as store:
            key, secret = await store.keys.create(
                Principal(tenant="default", user=user, scopes=(ROLES[role],)),
                name=f"Laptop of {user}",
            )
        return key.key_id, secret

    async def completed(self, goal: str = GOAL) -> Trip:
        """A task that a model chose one step of, and that came to its end."""
        gemini = self.served.gemini
        gemini.script(opening(TYPES, step="Put the phone number in"))
        trip = await self.desk.begin(FORM, goal)
        for _ in range(4):
            if trip.answer["type"] != "action":
                break
            gemini.script(doing('finish("The number is 555 1234 now")'))
            trip = await self.desk.go_on(trip, FORM.with_value(3, "555 1234"))
        gemini.clear()
        return trip

    async def under_way(self, goal: str = GOAL) -> Trip:
        """A task whose first step was handed out."""
        self.served.gemini.script(opening(TYPES))
        trip = await self.desk.begin(FORM, goal)
        self.served.gemini.clear()
        return trip

    async def asked(self, goal: str = "Jas moved; see to it that we can ring") -> Trip:
        """A task that waits for what only a person knows."""
        self.served.gemini.script(opening('setValue(3, "MISSING_INFO: phone of Jas")'))
        trip = await self.desk.begin(FORM, goal)
        self.served.gemini.clear()
        assert trip.answer["type"] == "interrupt", trip.answer
        return trip


@asynccontextmanager
async def opened_console(served: Served, browser: Browser) -> AsyncIterator[Console]:
    """The server's console in that browser, for as long as a module runs."""
    headers = {"Authorization": f"Bearer {KEY}"}
    expect.set_options(timeout=WAIT_MS)
    async with httpx.AsyncClient(
        base_url=served.url, headers=headers, timeout=30, trust_env=False
    ) as client:
        yield Console(served, browser, client, Desk(client, served))
