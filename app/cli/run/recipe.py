"""`tabwright recipe save | list | show | run | delete`."""

import asyncio
import json
import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Console

from app.cli.run import replay as kept
from app.cli.run.goal import has_display
from app.settings import Settings

recipes = typer.Typer(
    no_args_is_help=True, help="Recipes: completed tasks, replayed without a model."
)
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Named = Annotated[str, typer.Argument(help="Its id or title.")]
say = Console(stderr=True)


@recipes.command("save")
def save(
    task_id: Annotated[str, typer.Argument(help="The id of a completed task.")],
    title: Annotated[
        str | None, typer.Option(help="The title; default: the goal without its values.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Save a completed task as a recipe; the last line is the recipe's id."""
    recipe = asyncio.run(kept.save(Settings(), task_id, title))
    if as_json:
        typer.echo(json.dumps(recipe, ensure_ascii=False))
        return
    _told(recipe, say)
    typer.echo(recipe["id"])


@recipes.command("list")
def list_recipes(as_json: Json = False) -> None:
    """List recipes, newest first."""
    found = asyncio.run(kept.every(Settings()))
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False))
        return
    if not found:
        typer.echo("No recipes. Save a completed task with: tabwright recipe save TASK_ID")
        return
    typer.echo("\n\n".join(_entry(recipe) for recipe in found))


@recipes.command("show")
def show(named: Named, as_json: Json = False) -> None:
    """Show the parameters and steps of a recipe."""
    recipe = asyncio.run(kept.one(Settings(), named))
    if as_json:
        typer.echo(json.dumps(recipe, ensure_ascii=False))
    else:
        _told(recipe, Console())


@recipes.command("run")
def run(
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
    asked = kept.ReplayRequest(
        named=named, values=_values(value or []), url=url, headless=not shown, agrees=agrees
    )
    ask = _ask if sys.stdin.isatty() else None
    outcome = asyncio.run(kept.run(Settings(), asked, say if as_json else Console(), ask))
    if as_json:
        typer.echo(outcome.as_json())
    raise typer.Exit(0 if outcome.ok else 1)


@recipes.command("delete")
def delete(named: Named, as_json: Json = False) -> None:
    """Delete a recipe."""
    recipe = asyncio.run(kept.delete(Settings(), named))
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
            raise kept.RecipeRefused(f"--value {one}: write NAME=TEXT")
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
