"""The `tabwright` command line."""

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

from app.cli import doctor as checks
from app.cli import documents
from app.cli import pair as pairing
from app.cli.chromium import NoChromium
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
documents.add_to(app)
say = Console(stderr=True)  # standard output is for results

Tenant = Annotated[str, typer.Option(help="The tenant.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]


def _version(asked: bool) -> None:
    if asked:
        print(f"tabwright {version('tabwright')}")
        raise typer.Exit


@app.callback()
def about(
    _: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Does in a person's own signed-in browser what the person says in words."""


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on; use TLS beyond the loopback.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0 picks a free one.")
    ] = 8787,
    workers: Annotated[
        int, typer.Option(min=1, help="Number of worker processes, which share one store.")
    ] = 1,
) -> None:
    """Run the server until it is stopped."""
    serve_until_stopped(Settings(), host=host, port=port, workers=workers, say=say)


@app.command()
def run(
    goal: Annotated[str, typer.Argument(help="The goal, in plain words.")] = launching.GOAL,
    url: Annotated[
        str | None, typer.Option(help="The page to start on; default: the bundled demo clinic.")
    ] = None,
    agrees: Annotated[
        bool, typer.Option("--yes", help="Approve everything that asks for approval.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Run a goal in a separate Chromium and show each step.

    With a display the window stays open for more goals; without one, or with ONCE=1, it runs once.
    Exits with 0 only if the goal was reached (for the default goal: the patient is stored).
    """
    has_display = launching.has_display()
    wish = launching.RunRequest(
        goal=goal,
        url=url,
        headless=not has_display,
        once=not has_display or as_json,
        as_json=as_json,
        agrees=agrees,
    )
    outcome = asyncio.run(launching.run(Settings(), wish, say if as_json else Console()))
    if as_json:
        print(outcome.as_json())
    raise typer.Exit(0 if outcome.ok else 1)


@app.command()
def doctor(as_json: Json = False) -> None:
    """Check the configuration and its dependencies, and say how to fix problems."""
    found = asyncio.run(checks.examine(Settings()))
    if as_json:
        print(checks.as_json(found))
    else:
        checks.show(found, Console())
    raise typer.Exit(1 if checks.missing(found) else 0)


@app.command()
def pair(
    tenant: Tenant = "default",
    user: Annotated[str, typer.Option(help="The user of that browser.")] = "local",
    server: Annotated[
        str,
        typer.Option(help="The address at which the browser reaches the server."),
    ] = pairing.DEFAULT_SERVER,
) -> None:
    """Print a code that pairs a browser; paste it into the extension's panel within two minutes."""
    line = asyncio.run(pairing.line_for(Principal(tenant=tenant, user=user), server))
    say.print(f"Pairs one browser for {user} of {tenant}, once, within two minutes:")
    print(line)


def main() -> None:
    """Run the command; errors are one sentence on standard error, with exit code 1."""
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
        _give_up(_invalid_json(error))
    except (NoChromium, NotStarted, PortTaken, BrowserError, ValueError) as error:
        _give_up(str(error))


def _setting(found: ErrorDetails) -> str:
    """The problem with a setting, by its environment variable; the value is not repeated."""
    name = "_".join(str(part) for part in found["loc"]).upper()
    return f"TABWRIGHT_{name}: {found['msg'][:1].lower()}{found['msg'][1:]}"


def _invalid_json(error: SettingsError) -> str:
    """The message for a setting that is not valid JSON."""
    named = patterns.search(r'field "(\w+)"', str(error))
    if named is None:
        return str(error)
    return f'TABWRIGHT_{named[1].upper()}: must be a JSON list, such as ["one", "two"]'


def _give_up(reason: str) -> None:
    say.print("[red]tabwright:[/]", end=" ")
    say.print(reason, highlight=False, markup=False, soft_wrap=True)
    sys.exit(1)


if __name__ == "__main__":
    main()
