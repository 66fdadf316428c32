"""The `tabwright` command line."""

import asyncio
import sys
from importlib import import_module
from importlib.metadata import version
from typing import Annotated

import typer
from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import SettingsError

from app.cli.terminal import say
from app.errors import TabwrightError
from app.text import patterns

_DOCUMENTS = "app.cli.documents:documents"
COMMANDS = {
    "serve": "app.cli.serve:serve_command",
    "run": "app.cli.run.goal:run_command",
    "doctor": "app.cli.doctor:doctor_command",
    "pair": "app.cli.pair:pair_command",
    "key": "app.cli.key:keys",
    "tenant": "app.cli.key:tenants",
    "recipe": "app.cli.run.recipe:recipes",
    "usage": "app.cli.usage:usage",
    "review": "app.cli.review:review",
    "mcp": "app.cli.mcp:mcp",
    **dict.fromkeys(("ingest", "documents", "search", "forget", "worker"), _DOCUMENTS),
}


def _print_version(requested: bool) -> None:
    if requested:
        typer.echo(f"tabwright {version('tabwright')}")
        raise typer.Exit


def _about(
    _: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Does in a person's own signed-in browser what the person says in words."""


def create_command_line(command: str | None = None) -> typer.Typer:
    """All commands; just `command` if that is one, since importing all takes a second."""
    app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
    app.callback()(_about)
    names = [command] if command in COMMANDS else list(COMMANDS)
    for target, name in {COMMANDS[name]: name for name in names}.items():
        module, _, attribute = target.partition(":")
        loaded = getattr(import_module(module), attribute)
        if not isinstance(loaded, typer.Typer):
            app.command(name)(loaded)
        elif target == _DOCUMENTS:
            app.add_typer(loaded)
        else:
            app.add_typer(loaded, name=name)
    return app


def run_command_line() -> None:
    """Run the command; errors are one sentence on standard error, with exit code 1."""
    try:
        create_command_line(next(iter(sys.argv[1:]), None))()
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
    except _reported_errors() as error:
        _exit_with_error(str(error))


def _reported_errors() -> tuple[type[Exception], ...]:
    """Further errors whose message is for the user. Their modules are imported only on a failure."""
    return (
        import_module("app.cli.chromium").NoChromium,
        import_module("app.cli.run.children").NotStarted,
        import_module("app.cli.serve").PortTaken,
        import_module("playwright.async_api").Error,
        ValueError,
    )


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
