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

from app.cli.chromium import NoChromium
from app.cli.doctor import doctor_command
from app.cli.documents import documents
from app.cli.key import keys, tenants
from app.cli.mcp import mcp
from app.cli.pair import pair_command
from app.cli.review import review
from app.cli.run.children import NotStarted
from app.cli.run.goal import run_command
from app.cli.run.recipe import recipes
from app.cli.serve import PortTaken, serve_command
from app.cli.terminal import say
from app.cli.usage import usage
from app.errors import TabwrightError
from app.text import patterns

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.command("serve")(serve_command)
app.command("run")(run_command)
app.command("doctor")(doctor_command)
app.command("pair")(pair_command)
app.add_typer(keys, name="key")
app.add_typer(tenants, name="tenant")
app.add_typer(recipes, name="recipe")
app.add_typer(usage, name="usage")
app.add_typer(review, name="review")
app.add_typer(mcp, name="mcp")
app.add_typer(documents)


def _print_version(requested: bool) -> None:
    if requested:
        typer.echo(f"tabwright {version('tabwright')}")
        raise typer.Exit


@app.callback()
def about(
    _: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Does in a person's own signed-in browser what the person says in words."""


def run_command_line() -> None:
    """Run the command; errors are one sentence on standard error, with exit code 1."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except asyncio.CancelledError:
        sys.exit(143)
    except TabwrightError as error:
        _exit_with_error(error.detail)
    except ValidationError as error:
        _exit_with_error("; ".join(_describe_setting(found) for found in error.errors()))
    except SettingsError as error:
        _exit_with_error(_describe_invalid_json(error))
    except (NoChromium, NotStarted, PortTaken, BrowserError, ValueError) as error:
        _exit_with_error(str(error))


def _describe_setting(details: ErrorDetails) -> str:
    """The problem with a setting, by its environment variable; the value is not repeated."""
    name = "_".join(str(part) for part in details["loc"]).upper()
    return f"TABWRIGHT_{name}: {details['msg'][:1].lower()}{details['msg'][1:]}"


def _describe_invalid_json(error: SettingsError) -> str:
    """The message for a setting that is not valid JSON."""
    field = patterns.search(r'field "(\w+)"', str(error))
    if field is None:
        return str(error)
    return f'TABWRIGHT_{field[1].upper()}: must be a JSON list, such as ["one", "two"]'


def _exit_with_error(reason: str) -> None:
    say.print("[red]tabwright:[/]", end=" ")
    say.print(reason, highlight=False, markup=False, soft_wrap=True)
    sys.exit(1)


if __name__ == "__main__":
    run_command_line()
