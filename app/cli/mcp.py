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
INTERRUPTED = 130  # the shell's exit code for Ctrl+C

mcp = typer.Typer(
    no_args_is_help=True,
    help="MCP servers for an assistant on this machine, over standard input and output.",
)


@mcp.command()
def capture() -> None:
    """Submit cases to the review queue and follow their status."""
    _serve("capture")


@mcp.command()
def review() -> None:
    """Work through the review queue, with an operator's key."""
    _serve("review")


@mcp.command()
def tabwright() -> None:
    """Run tasks in your own browser, and ask your documents."""
    _serve("tabwright")


def _serve(server: str) -> None:
    """Serve until standard input ends. Raises `ValueError` without a key, `Unauthenticated` for an
    invalid one.
    """
    settings = Settings()
    key = settings.mcp_key or settings.api_key
    if key is None:
        raise ValueError(
            "Set TABWRIGHT_MCP_KEY to the client's API key. Create one with `tabwright key create`."
        )
    configure_logging(settings.log_level, settings.log_format)
    refuse_faults(settings)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        asyncio.run(import_from_string(SERVE)(server, settings, key.get_secret_value()))
    except (SystemExit, KeyboardInterrupt) as end:
        # At once: a thread that blocks on standard input would keep the process alive.
        sys.stderr.flush()
        os._exit(0 if isinstance(end, SystemExit) else INTERRUPTED)
