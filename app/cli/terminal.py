"""What the commands share: their common options and their output."""

import asyncio
import json
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import wraps
from typing import Annotated, Any, ParamSpec, TypeVar

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.logs import sanitize

P = ParamSpec("P")
T = TypeVar("T")

Tenant = Annotated[str, typer.Option(help="The tenant.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Approve = Annotated[bool, typer.Option("--yes", help="Approve everything that asks for approval.")]
say = Console(stderr=True)  # standard output is for results


def run_async(command: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Let Typer call an asynchronous command, which Ctrl-C and SIGTERM cancel.

    The command must not block on standard input, or Ctrl-C would not end it.
    """

    async def run_cancellably(*args: P.args, **kwargs: P.kwargs) -> T:
        if task := asyncio.current_task():
            with suppress(NotImplementedError, RuntimeError):  # Windows; not the main thread
                asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await command(*args, **kwargs)

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        return asyncio.run(run_cancellably(*args, **kwargs))

    return run


def print_json(value: object) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False))


def print_text(text: str, console: Console) -> None:
    """Print text that may come from a page, a model or a document: without markup, unwrapped."""
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def create_table(*columns: str, numbers: tuple[str, ...] = ()) -> Table:
    """A table without borders; `numbers` are the last columns, aligned to the right."""
    table = Table(*columns, box=None, pad_edge=False)
    for number in numbers:
        table.add_column(number, justify="right")
    return table


def escape_text(text: str) -> Text:
    """Escape untrusted text: no markup, no cursor movement."""
    return Text(sanitize(text))
