"""`tabwright mcp`: an MCP server over standard input and output, for an assistant on this machine."""

import asyncio
import os
import signal
import sys

import typer
from uvicorn.importer import import_from_string

from app.logs import configure_logging
from app.settings import Settings
from app.settings_check import refuse_faults

SERVE = "app.main:serve_mcp"
INTERRUPTED = 130  # as a shell has it for Ctrl+C

mcp = typer.Typer(
    no_args_is_help=True,
    help="MCP servers for an assistant on this machine, over standard input and output.",
)


@mcp.command()
def capture() -> None:
    """Hand cases in to the review queue, and see what became of them."""
    _serve("capture")


@mcp.command()
def review() -> None:
    """Work through the review queue, with an operator's key."""
    _serve("review")


@mcp.command()
def tabwright() -> None:
    """Have tasks carried out in your own browser, and ask your documents."""
    _serve("tabwright")


def _serve(server: str) -> None:
    """Until standard input ends. Raises `ValueError` without a key, `Unauthenticated` for one that opens
    nothing here.
    """
    settings = Settings()
    key = settings.mcp_key or settings.api_key
    if key is None:
        raise ValueError(
            "Set TABWRIGHT_MCP_KEY to a key that this server's client may use; "
            "'tabwright key create' makes one"
        )
    configure_logging(settings.log_level, settings.log_format)
    refuse_faults(settings)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        asyncio.run(import_from_string(SERVE)(server, settings, key.get_secret_value()))
    except (SystemExit, KeyboardInterrupt) as told:
        _leave(0 if isinstance(told, SystemExit) else INTERRUPTED)


def _leave(code: int) -> None:
    """End at once. All is closed by now but for a thread that waits for a line of standard input, and
    would have the process wait with it.
    """
    sys.stderr.flush()
    os._exit(code)
