"""`tabwright`: serve, run, recipe, usage, review, mcp, pair, key, tenant, doctor, and those of documents."""

import asyncio
import sys
from importlib.metadata import version
from typing import Annotated

import typer
from playwright.async_api import Error as BrowserError
from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import SettingsError
from rich.console import Console

from app.cli import pair as pairing
from app.cli.browser.chromium import NoChromium
from app.cli.doctor import report as checks
from app.cli.documents import commands
from app.cli.key import keys, tenants
from app.cli.mcp import mcp
from app.cli.review import review
from app.cli.run import goal as launching
from app.cli.run.children import NotStarted
from app.cli.run.recipe import recipes
from app.cli.serve import PortTaken, serve_until_stopped
from app.cli.usage import usage
from app.domain.access import Principal
from app.errors import TabwrightError
from app.settings import Settings
from app.text import patterns

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.add_typer(keys, name="key")
app.add_typer(tenants, name="tenant")
app.add_typer(recipes, name="recipe")
app.add_typer(usage, name="usage")
app.add_typer(review, name="review")
app.add_typer(mcp, name="mcp")
commands.add_to(app)
say = Console(stderr=True)  # standard output is kept for results

Tenant = Annotated[str, typer.Option(help="Whose data the key opens.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]


def _version(asked: bool) -> None:
    if asked:
        print(f"tabwright {version('tabwright')}")
        raise typer.Exit


@app.callback()
def about(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say it and end.")
    ] = False,
) -> None:
    """Does in a person's own signed-in browser what the person says in words."""


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(help="Beyond the loopback, put TLS before it.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8787,
    workers: Annotated[int, typer.Option(min=1, help="Processes; they share one store.")] = 1,
) -> None:
    """Run the backend until it is told to stop."""
    serve_until_stopped(Settings(), host=host, port=port, workers=workers, say=say)


@app.command()
def run(
    goal: Annotated[str, typer.Argument(help="What to do, in words.")] = launching.GOAL,
    url: Annotated[
        str | None, typer.Option(help="The page; the bundled clinic without it.")
    ] = None,
    agrees: Annotated[
        bool, typer.Option("--yes", help="Say yes to what needs to be agreed to.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Carry out a goal in a Chromium of its own, and show how.

    With a display the window stays open for further goals; without one, or with ONCE=1, it runs
    once. Exits 0 only when the goal was reached (for the default goal: the patient is stored).
    """
    shown = launching.has_display()
    wish = launching.RunRequest(
        goal=goal,
        url=url,
        headless=not shown,
        once=not shown or as_json,
        as_json=as_json,
        agrees=agrees,
    )
    outcome = asyncio.run(launching.run(Settings(), wish, say if as_json else Console()))
    if as_json:
        print(outcome.as_json())
    raise typer.Exit(0 if outcome.ok else 1)


@app.command()
def doctor(as_json: Json = False) -> None:
    """Say what is configured, what is reachable, what is missing, and what to do about it."""
    found = asyncio.run(checks.examine(Settings()))
    if as_json:
        print(checks.as_json(found))
    else:
        checks.show(found, Console())
    raise typer.Exit(1 if checks.missing(found) else 0)


@app.command()
def pair(
    tenant: Tenant = "default",
    user: Annotated[str, typer.Option(help="Who works in that browser.")] = "local",
    server: Annotated[
        str,
        typer.Option(help="Where that browser finds the server: https://host, or this machine."),
    ] = pairing.DEFAULT_SERVER,
) -> None:
    """Print a code that pairs a browser: paste it into the extension's panel within two minutes."""
    line = asyncio.run(pairing.line_for(Principal(tenant=tenant, user=user), server))
    say.print(f"Pairs one browser for {user} of {tenant}, once, within two minutes:")
    print(line)


def main() -> None:
    """The command's entry: what went wrong is said in a sentence, with exit code 1."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except asyncio.CancelledError:
        sys.exit(143)
    except TabwrightError as error:
        _give_up(error.detail)
    except ValidationError as error:
        _give_up("; ".join(_setting(found) for found in error.errors()))
    except SettingsError as error:
        _give_up(_unread(error))
    except (NoChromium, NotStarted, PortTaken, BrowserError, ValueError) as error:
        _give_up(str(error))


def _setting(found: ErrorDetails) -> str:
    """What is wrong with one setting, by its name in the environment; its value is not repeated."""
    name = "_".join(str(part) for part in found["loc"]).upper()
    return f"TABWRIGHT_{name}: {found['msg'][:1].lower()}{found['msg'][1:]}"


def _unread(error: SettingsError) -> str:
    """What a setting that is no JSON should have been."""
    named = patterns.search(r'field "(\w+)"', str(error))
    if named is None:
        return str(error)
    return f'TABWRIGHT_{named[1].upper()}: it takes a JSON list, such as ["one", "two"]'


def _give_up(reason: str) -> None:
    say.print("[red]tabwright:[/]", end=" ")
    say.print(reason, highlight=False, markup=False, soft_wrap=True)
    sys.exit(1)


if __name__ == "__main__":
    main()
