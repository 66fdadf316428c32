"""`tabwright recipe save | list | show | run | delete`, on this machine's own backend and store."""

import asyncio
import sys
from collections.abc import Callable, Mapping
from typing import Annotated, Any
from urllib.parse import urlsplit

import httpx
import typer
from pydantic.alias_generators import to_camel
from rich.console import Console

from app.cli.run import children
from app.cli.run.children import backend
from app.cli.run.goal import RunRequest, has_display, run_goal
from app.cli.terminal import Approve, Json, print_json, print_text, run_async, say
from app.domain.memory import Recipe
from app.errors import Invalid, NotFound
from app.settings import Settings
from app.store.open import open_store
from app.store.repositories import Store

recipes = typer.Typer(
    no_args_is_help=True, help="Recipes: completed tasks, replayed without a model."
)
IdOrTitle = Annotated[str, typer.Argument(help="The recipe's id or title.")]
ANSWERS_S = 3.0  # timeout of the check whether a local page is up
PAGE = 200
TENANT = "default"  # of this machine's own key, which `save` and `run` use

Ask = Callable[[str, bool], str]
"""Asks the user for the value of that label, without echo if it is secret."""


class RecipeRefused(ValueError):
    """The request for a recipe cannot be fulfilled; the message says why."""


@recipes.command("save")
@run_async
async def save_recipe_command(
    task_id: Annotated[str, typer.Argument(help="The id of a completed task.")],
    title: Annotated[
        str | None, typer.Option(help="The title; default: the goal without its values.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Save a completed task as a recipe; the last line is the recipe's id."""
    recipe = await asyncio.to_thread(_save, Settings(), task_id, title)
    if as_json:
        print_json(recipe)
        return
    _print_recipe(recipe, say)
    typer.echo(recipe["id"])


@recipes.command("list")
@run_async
async def list_recipes_command(as_json: Json = False) -> None:
    """List recipes, newest first."""
    async with open_store(Settings()) as store:
        views = [_recipe_view(one) for one in await _list_recipes(store)]
    if as_json:
        print_json(views)
    elif not views:
        typer.echo("No recipes. Save a completed task with: tabwright recipe save TASK_ID")
    else:
        typer.echo("\n\n".join(_describe_recipe(one) for one in views))


@recipes.command("show")
@run_async
async def show_recipe_command(name: IdOrTitle, as_json: Json = False) -> None:
    """Show the parameters and steps of a recipe."""
    async with open_store(Settings()) as store:
        recipe = _recipe_view(await _find_recipe(store, name))
    if as_json:
        print_json(recipe)
    else:
        _print_recipe(recipe, Console())


@recipes.command("run")
@run_async
async def run_recipe_command(
    name: IdOrTitle,
    value: Annotated[
        list[str] | None, typer.Option("--value", help="NAME=TEXT, once per parameter.")
    ] = None,
    url: Annotated[
        str | None, typer.Option(help="A page of its site; default: its start page.")
    ] = None,
    approves: Approve = False,
    as_json: Json = False,
) -> None:
    """Replay a recipe in a separate Chromium and show each step.

    Exits with 0 only if it completed. Missing values are asked for in a terminal; secrets are neither
    shown nor stored.
    """
    settings, given = Settings(), _parse_values(value or [])
    async with open_store(settings) as store:
        recipe = _recipe_view(await _find_recipe(store, name))
    ask = _ask if sys.stdin.isatty() else None
    values = await asyncio.to_thread(_complete_values, recipe, given, ask)
    request = RunRequest(
        goal=recipe["goal"],
        url=url or _start_url(recipe),
        clinic_port=None if url else await _clinic_port(settings, recipe["domain"]),
        recipe=recipe,
        values=values,
        headless=as_json or not has_display(),
        approves=approves,
    )
    outcome = await run_goal(settings, request, say if as_json else Console())
    if as_json:
        typer.echo(outcome.as_json())
    raise typer.Exit(0 if outcome.ok else 1)


@recipes.command("delete")
@run_async
async def delete_recipe_command(name: IdOrTitle, as_json: Json = False) -> None:
    """Delete a recipe."""
    async with open_store(Settings()) as store:
        recipe = await _find_recipe(store, name)
        await store.recipes.delete(recipe.tenant, recipe.recipe_id)
    if as_json:
        print_json(_recipe_view(recipe))
    else:
        print_text(f"Deleted {recipe.title} ({recipe.recipe_id}).", say)


def _save(settings: Settings, task_id: str, title: str | None) -> dict[str, Any]:
    """Save a completed task by a backend of this machine. Raises `RecipeRefused`, `NotStarted`."""
    body = {"taskId": task_id} | ({"title": title} if title else {})
    key = settings.api_key.get_secret_value() if settings.api_key else None
    with backend(settings.data_dir, api_key=key or None) as server:
        headers = {"Authorization": f"Bearer {server.api_key}"}
        response = httpx.post(
            f"{server.url}/api/recipes", json=body, headers=headers, trust_env=False
        )
    answer: dict[str, Any] = response.json()
    if response.is_success:
        return answer
    if answer["code"] in (NotFound.code, Invalid.code):
        raise RecipeRefused(
            f"There is no task {task_id!r}. `tabwright run` prints the id of its task at the end."
        )
    raise RecipeRefused(answer["detail"])


async def _list_recipes(store: Store) -> list[Recipe]:
    """All recipes, newest first; read from the store, which other processes may be using."""
    listed: list[Recipe] = []
    while True:
        oldest = listed[-1].created_at if listed else None
        page = await store.recipes.recent(TENANT, limit=PAGE, before=oldest)
        listed += page
        if len(page) < PAGE:
            return listed


async def _find_recipe(store: Store, name: str) -> Recipe:
    """The recipe with that id or title. Raises `RecipeRefused`."""
    recipes = await _list_recipes(store)
    matches = [one for one in recipes if one.recipe_id == name] or [
        one for one in recipes if one.title.casefold() == name.casefold()
    ]
    if not matches:
        raise RecipeRefused(f"There is no recipe {name!r}. See `tabwright recipe list`.")
    if len(matches) > 1:
        ids = ", ".join(one.recipe_id for one in matches)
        raise RecipeRefused(f"{len(matches)} recipes have the title {name!r}. Use an id: {ids}")
    return matches[0]


def _ask(label: str, secret: bool) -> str:
    return str(typer.prompt(label, hide_input=secret, err=True))


def _parse_values(arguments: list[str]) -> dict[str, str]:
    """Parse NAME=TEXT arguments. Raises `RecipeRefused`."""
    values: dict[str, str] = {}
    for argument in arguments:
        name, sign, text = argument.partition("=")
        if not sign or not name.strip():
            raise RecipeRefused(f"--value {argument}: write NAME=TEXT")
        values[name.strip()] = text
    return values


def _complete_values(
    recipe: Mapping[str, Any], given: Mapping[str, str], ask: Ask | None
) -> dict[str, str]:
    """The values of a run, asking for missing ones.

    Raises `RecipeRefused` for an unknown value, and for one that is still missing.
    """
    values = dict(given)
    known = {parameter["name"] for parameter in recipe["parameters"]}
    if unknown := [name for name in values if name not in known]:
        names = ", ".join(sorted(known)) or "none"
        raise RecipeRefused(f"There is no parameter {', '.join(unknown)}. Parameters: {names}")
    needed = (one for one in recipe["parameters"] if one["required"])
    missing = [one for one in needed if not values.get(one["name"], "").strip()]
    if missing and ask is None:
        names = ", ".join(f"--value {one['name']}=…" for one in missing)
        raise RecipeRefused(f"Missing values: {names}")
    for parameter in missing:
        label = parameter["label"] or parameter["name"]
        values[parameter["name"]] = ask(label, parameter["secret"]) if ask else ""
    return values


def _start_url(recipe: Mapping[str, Any]) -> str:
    url = str(recipe["startUrl"])
    if "*" in url or "{" in url:
        raise RecipeRefused(
            f"This recipe starts on the page of one record ({url}). Give its address with --url."
        )
    if not urlsplit(url).hostname:
        raise RecipeRefused(f"{url} is not a web address. Give one with --url.")
    return url


async def _clinic_port(settings: Settings, site: str) -> int | None:
    """The port to serve the bundled page on; None for another site, or if a server responds there."""
    port = children.clinic_port(settings.data_dir, site)
    if port is None:
        return None
    async with httpx.AsyncClient(trust_env=False, timeout=ANSWERS_S) as client:
        try:
            await client.get(f"http://{site}/")
        except httpx.HTTPError:
            return port
    return None


def _recipe_view(recipe: Recipe) -> dict[str, Any]:
    """The recipe in its wire format."""
    fields = recipe.model_dump(mode="json", exclude={"recipe_id", "tenant", "user", "steps"})
    steps = [{"description": s.description, "check": s.check.description} for s in recipe.steps]
    return {"id": recipe.recipe_id, **{to_camel(k): v for k, v in fields.items()}, "steps": steps}


def _describe_recipe(recipe: Mapping[str, Any]) -> str:
    """Three lines, which fit a narrow terminal."""
    needs = ", ".join(one["name"] for one in recipe["parameters"]) or "nothing"
    return (
        f"{recipe['title']}\n  {recipe['id']}  {recipe['domain']}\n"
        f"  needs {needs}; {_describe_runs(recipe)}"
    )


def _describe_runs(recipe: Mapping[str, Any]) -> str:
    runs, failures = recipe["runs"], recipe["failures"]
    if not runs:
        return "not run yet"
    times = "run once" if runs == 1 else f"run {runs} times"
    return times + (f", {failures} failed" if failures else "")


def _print_recipe(recipe: Mapping[str, Any], console: Console) -> None:
    lines = [recipe["title"], f"  site   {recipe['domain']}", f"  from   {recipe['startUrl']}"]
    for parameter in recipe["parameters"]:
        secret = " (secret: asked for each time, never stored)" if parameter["secret"] else ""
        lines.append(f"  needs  {parameter['name']}: {parameter['label']}{secret}")
    for number, step in enumerate(recipe["steps"], start=1):
        check = f"  [{step['check']}]" if step["check"] else ""
        lines.append(f"  {number:>5}  {step['description']}{check}")
    lines.append(f"  so far {_describe_runs(recipe)}")
    print_text("\n".join(lines), console)
