"""`tabwright recipe save | list | show | run | delete`."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import httpx
import typer
from pydantic.alias_generators import to_camel
from rich.console import Console

from app.cli.browser import EXTENSION_DIR, open_browser
from app.cli.chromium import find_chromium
from app.cli.run import children
from app.cli.run.children import Backend, backend, clinic
from app.cli.run.goal import (
    Outcome,
    RunRequest,
    cancel_on_sigterm,
    clear,
    follow_run,
    following,
    has_display,
    hosts_of,
    report,
)
from app.domain.memory import Recipe
from app.errors import Invalid, NotFound
from app.settings import Settings
from app.store.open import open_store
from app.store.repositories import Store

recipes = typer.Typer(
    no_args_is_help=True, help="Recipes: completed tasks, replayed without a model."
)
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Named = Annotated[str, typer.Argument(help="Its id or title.")]
say = Console(stderr=True)


@recipes.command("save")
def save_command(
    task_id: Annotated[str, typer.Argument(help="The id of a completed task.")],
    title: Annotated[
        str | None, typer.Option(help="The title; default: the goal without its values.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Save a completed task as a recipe; the last line is the recipe's id."""
    recipe = asyncio.run(save_recipe(Settings(), task_id, title))
    if as_json:
        typer.echo(json.dumps(recipe, ensure_ascii=False))
        return
    _told(recipe, say)
    typer.echo(recipe["id"])


@recipes.command("list")
def list_recipes(as_json: Json = False) -> None:
    """List recipes, newest first."""
    found = asyncio.run(read_recipes(Settings()))
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False))
        return
    if not found:
        typer.echo("No recipes. Save a completed task with: tabwright recipe save TASK_ID")
        return
    typer.echo("\n\n".join(_entry(recipe) for recipe in found))


@recipes.command("show")
def show_command(named: Named, as_json: Json = False) -> None:
    """Show the parameters and steps of a recipe."""
    recipe = asyncio.run(read_recipe(Settings(), named))
    if as_json:
        typer.echo(json.dumps(recipe, ensure_ascii=False))
    else:
        _told(recipe, Console())


@recipes.command("run")
def run_command(
    named: Named,
    value: Annotated[
        list[str] | None, typer.Option("--value", help="NAME=TEXT, once per parameter.")
    ] = None,
    url: Annotated[
        str | None, typer.Option(help="A page of its site; default: its start page.")
    ] = None,
    agrees: Annotated[
        bool, typer.Option("--yes", help="Approve everything that asks for approval.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Replay a recipe in a separate Chromium and show each step.

    Exits with 0 only if it completed. Missing values are asked for in a terminal; secrets are neither
    shown nor stored.
    """
    shown = has_display() and not as_json
    asked = ReplayRequest(
        named=named, values=_values(value or []), url=url, headless=not shown, agrees=agrees
    )
    ask = _ask if sys.stdin.isatty() else None
    outcome = asyncio.run(replay_recipe(Settings(), asked, say if as_json else Console(), ask))
    if as_json:
        typer.echo(outcome.as_json())
    raise typer.Exit(0 if outcome.ok else 1)


@recipes.command("delete")
def delete_command(named: Named, as_json: Json = False) -> None:
    """Delete a recipe."""
    recipe = asyncio.run(delete_recipe(Settings(), named))
    if as_json:
        typer.echo(json.dumps(recipe, ensure_ascii=False))
        return
    say.print(f"Deleted {recipe['title']} ({recipe['id']}).", highlight=False, markup=False)


def _ask(label: str, secret: bool) -> str:
    return str(typer.prompt(label, hide_input=secret, err=True))


def _values(given: list[str]) -> dict[str, str]:
    """Parse NAME=TEXT arguments. Raises `RecipeRefused`."""
    pairs = [one.partition("=") for one in given]
    for one, (name, sign, _) in zip(given, pairs, strict=True):
        if not sign or not name.strip():
            raise RecipeRefused(f"--value {one}: write NAME=TEXT")
    return {name.strip(): text for name, _, text in pairs}


def _entry(recipe: Mapping[str, Any]) -> str:
    """Three lines, which fit a narrow terminal."""
    needs = ", ".join(one["name"] for one in recipe["parameters"]) or "nothing"
    counts = _counts(recipe)
    return f"{recipe['title']}\n  {recipe['id']}  {recipe['domain']}\n  needs {needs}; {counts}"


def _counts(recipe: Mapping[str, Any]) -> str:
    runs, failures = recipe["runs"], recipe["failures"]
    if not runs:
        return "not run yet"
    told = "run once" if runs == 1 else f"run {runs} times"
    return told + (f", {failures} failed" if failures else "")


def _told(recipe: Mapping[str, Any], console: Console) -> None:
    lines = [recipe["title"], f"  site   {recipe['domain']}", f"  from   {recipe['startUrl']}"]
    for one in recipe["parameters"]:
        secret = " (secret: asked for each time, never stored)" if one["secret"] else ""
        lines.append(f"  needs  {one['name']}: {one['label']}{secret}")
    for number, step in enumerate(recipe["steps"], start=1):
        check = f"  [{step['check']}]" if step["check"] else ""
        lines.append(f"  {number:>5}  {step['description']}{check}")
    lines.append(f"  so far {_counts(recipe)}")
    console.print("\n".join(lines), highlight=False, markup=False, soft_wrap=True)


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


async def save_recipe(settings: Settings, task_id: str, title: str | None) -> dict[str, Any]:
    """Save a completed task as a recipe. Raises `RecipeRefused`, `NotStarted`."""
    async with _served(settings) as (_, api):
        asked = {"taskId": task_id} | ({"title": title} if title else {})
        answer = await api.post("/api/recipes", json=asked)
        if not answer.is_success and _code(answer) in _NO_SUCH_TASK:
            raise RecipeRefused(
                f"There is no task {task_id!r}. `tabwright run` prints the id of its task at the end."
            )
        return _json(answer)


async def read_recipes(settings: Settings) -> list[dict[str, Any]]:
    """All recipes, newest first; read from the store, which other processes may be using."""
    async with open_store(settings) as store:
        return [_view(found) for found in await _all(store)]


async def read_recipe(settings: Settings, named: str) -> dict[str, Any]:
    """The recipe with that id or title. Raises `RecipeRefused`."""
    async with open_store(settings) as store:
        return _view(_named(await _all(store), named))


async def delete_recipe(settings: Settings, named: str) -> dict[str, Any]:
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
    needed = (read_recipe for read_recipe in recipe["parameters"] if read_recipe["required"])
    missing = [
        read_recipe for read_recipe in needed if not values.get(read_recipe["name"], "").strip()
    ]
    if missing and ask is None:
        told = ", ".join(f"--value {read_recipe['name']}=…" for read_recipe in missing)
        raise RecipeRefused(f"Missing values: {told}")
    for read_recipe in missing:
        values[read_recipe["name"]] = (
            ask(read_recipe["label"] or read_recipe["name"], read_recipe["secret"]) if ask else ""
        )
    return values


async def replay_recipe(
    settings: Settings, asked: ReplayRequest, console: Console, ask: Ask | None
) -> Outcome:
    """Replay the recipe in its own browser, reported line by line; `ask` gets missing values.

    The bundled page is served where the recipe was recorded. Raises like `app.cli.run.goal.run`, and
    `RecipeRefused`.
    """
    cancel_on_sigterm()
    recipe = await read_recipe(settings, asked.named)
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
    found = [read_recipe for read_recipe in recipes if read_recipe.recipe_id == named] or [
        read_recipe for read_recipe in recipes if read_recipe.title.casefold() == named.casefold()
    ]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(read_recipe.recipe_id for read_recipe in found)
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
