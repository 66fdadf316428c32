"""Recipes of the local backend: save, list, find, delete, and replay in a browser."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from pydantic.alias_generators import to_camel
from rich.console import Console

from app.cli.browser.chromium import find_chromium
from app.cli.browser.extension import EXTENSION_DIR
from app.cli.browser.window import open_browser
from app.cli.run import children
from app.cli.run.children import Backend, backend, clinic
from app.cli.run.goal import (
    Outcome,
    RunRequest,
    cancel_on_sigterm,
    clear,
    follow_run,
    following,
    hosts_of,
    report,
)
from app.domain.memory import Recipe
from app.errors import Invalid, NotFound
from app.settings import Settings
from app.store.open import open_store
from app.store.repositories import Store

ANSWERS_S = 3.0  # timeout of the check whether a local page is up
PAGE = 200
_NO_SUCH_TASK = {NotFound.code, Invalid.code}
TENANT = "default"  # of this machine's own key, which `save` and `run` use


Ask = Callable[[str, bool], str]
"""Asks the user for the value of that label, without echo if it is secret."""


class RecipeRefused(ValueError):
    """The request for a recipe cannot be fulfilled; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRequest:
    """Which recipe to replay, with which values. `url` None is where the recipe begins."""

    named: str
    values: Mapping[str, str]
    url: str | None = None
    headless: bool = True
    agrees: bool = False
    out: Path = Path("out")


async def save(settings: Settings, task_id: str, title: str | None) -> dict[str, Any]:
    """Save a completed task as a recipe. Raises `RecipeRefused`, `NotStarted`."""
    async with _served(settings) as (_, api):
        asked = {"taskId": task_id} | ({"title": title} if title else {})
        answer = await api.post("/api/recipes", json=asked)
        if not answer.is_success and _code(answer) in _NO_SUCH_TASK:
            raise RecipeRefused(
                f"There is no task {task_id!r}. `tabwright run` prints the id of its task at the end."
            )
        return _json(answer)


async def every(settings: Settings) -> list[dict[str, Any]]:
    """All recipes, newest first; read from the store, which other processes may be using."""
    async with open_store(settings) as store:
        return [_view(found) for found in await _all(store)]


async def one(settings: Settings, named: str) -> dict[str, Any]:
    """The recipe with that id or title. Raises `RecipeRefused`."""
    async with open_store(settings) as store:
        return _view(_named(await _all(store), named))


async def delete(settings: Settings, named: str) -> dict[str, Any]:
    """Delete the recipe with that id or title, and return it."""
    async with open_store(settings) as store:
        found = _named(await _all(store), named)
        await store.recipes.delete(found.tenant, found.recipe_id)
        return _view(found)


def _complete(recipe: Mapping[str, Any], asked: ReplayRequest, ask: Ask | None) -> dict[str, str]:
    """The values of a run, asking for missing ones.

    Raises `RecipeRefused` for an unknown value, and for one that is still missing.
    """
    values = dict(asked.values)
    known = {parameter["name"] for parameter in recipe["parameters"]}
    if strange := [name for name in values if name not in known]:
        told = ", ".join(sorted(known)) or "none"
        raise RecipeRefused(f"There is no parameter {', '.join(strange)}. Parameters: {told}")
    needed = (one for one in recipe["parameters"] if one["required"])
    missing = [one for one in needed if not values.get(one["name"], "").strip()]
    if missing and ask is None:
        told = ", ".join(f"--value {one['name']}=…" for one in missing)
        raise RecipeRefused(f"Missing values: {told}")
    for one in missing:
        values[one["name"]] = ask(one["label"] or one["name"], one["secret"]) if ask else ""
    return values


async def run(
    settings: Settings, asked: ReplayRequest, console: Console, ask: Ask | None
) -> Outcome:
    """Replay the recipe in its own browser, reported line by line; `ask` gets missing values.

    The bundled page is served where the recipe was recorded. Raises like `app.cli.run.goal.run`, and
    `RecipeRefused`.
    """
    cancel_on_sigterm()
    recipe = await one(settings, asked.named)
    values = await asyncio.to_thread(_complete, recipe, asked, ask)
    url = asked.url or _start(recipe)
    headless, out = asked.headless, asked.out
    wish = RunRequest(
        goal=recipe["goal"],
        url=url,
        headless=headless,
        replays=True,
        agrees=asked.agrees,
        out=out,
    )
    chromium = await asyncio.to_thread(find_chromium, settings.chromium, install=True)
    clear(asked.out)
    async with AsyncExitStack() as stack:
        await _page_up(stack, settings, recipe, asked)
        server, _ = await stack.enter_async_context(_served(settings))
        said = f"backend {server.url}\npage    {url}\nrecipe  {recipe['title']}\n"
        console.print(said, highlight=False, markup=False)
        browser = await stack.enter_async_context(
            open_browser(
                chromium=chromium.path,
                extension=EXTENSION_DIR,
                headless=wish.headless,
                hosts=hosts_of(url),
            )
        )
        follower = await stack.enter_async_context(following(browser, server, url, wish, console))
        outcome = await follow_run(
            follower,
            lambda: follower.replay(recipe["title"], recipe["id"], values),
            wish,
            console,
        )
        report(outcome, wish, console)
    return outcome


async def _page_up(
    stack: AsyncExitStack, settings: Settings, recipe: Mapping[str, Any], asked: ReplayRequest
) -> None:
    """Serve the bundled page at the recipe's URL, unless a server responds there."""
    port = children.port_of(settings.data_dir, recipe["domain"])
    if asked.url is not None or port is None or await _answers(recipe["domain"]):
        return
    await asyncio.to_thread(stack.enter_context, clinic(asked.out / "clinic.log", port))


async def _answers(site: str) -> bool:
    async with httpx.AsyncClient(trust_env=False, timeout=ANSWERS_S) as client:
        try:
            await client.get(f"http://{site}/")
        except httpx.HTTPError:
            return False
    return True


def _start(recipe: Mapping[str, Any]) -> str:
    url = str(recipe["startUrl"])
    if "*" in url or "{" in url:
        raise RecipeRefused(
            f"This recipe starts on the page of one record ({url}). Give its address with --url."
        )
    if not urlsplit(url).hostname:
        raise RecipeRefused(f"{url} is not a web address. Give one with --url.")
    return url


@asynccontextmanager
async def _served(settings: Settings) -> AsyncIterator[tuple[Backend, httpx.AsyncClient]]:
    """Start this machine's backend, with a client authenticated for it."""
    key = settings.api_key.get_secret_value() if settings.api_key else None
    async with AsyncExitStack() as stack:
        starting = backend(settings.data_dir, api_key=key or None)
        server = await asyncio.to_thread(stack.enter_context, starting)
        headers = {"Authorization": f"Bearer {server.api_key}"}
        client = httpx.AsyncClient(base_url=server.url, headers=headers, trust_env=False)
        yield server, await stack.enter_async_context(client)


async def _all(store: Store) -> list[Recipe]:
    found: list[Recipe] = []
    while True:
        before = found[-1].created_at if found else None
        page = await store.recipes.recent(TENANT, limit=PAGE, before=before)
        found += page
        if len(page) < PAGE:
            return found


def _named(recipes: list[Recipe], named: str) -> Recipe:
    found = [one for one in recipes if one.recipe_id == named] or [
        one for one in recipes if one.title.casefold() == named.casefold()
    ]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(one.recipe_id for one in found)
        raise RecipeRefused(f"{len(found)} recipes have the title {named!r}. Use an id: {ids}")
    raise RecipeRefused(f"There is no recipe {named!r}. See `tabwright recipe list`.")


def _view(recipe: Recipe) -> dict[str, Any]:
    """The recipe in its wire format."""
    told = recipe.model_dump(mode="json", exclude={"recipe_id", "tenant", "user", "steps"})
    steps = [{"description": s.description, "check": s.check.description} for s in recipe.steps]
    return {"id": recipe.recipe_id, **{to_camel(k): v for k, v in told.items()}, "steps": steps}


def _json(answer: httpx.Response) -> dict[str, Any]:
    if not answer.is_success:
        raise RecipeRefused(_why(answer))
    body: dict[str, Any] = answer.json()
    return body


def _code(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["code"])
    except (ValueError, KeyError, TypeError):
        return ""


def _why(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["detail"])
    except (ValueError, KeyError, TypeError):
        return f"The backend responded with status {answer.status_code}."
