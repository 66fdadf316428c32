"""`tabwright serve`: one socket, one store, one or more worker processes."""

import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import psutil
import typer

from app.cli.pair import offer_pairing
from app.llm.providers.choice import choose_provider
from app.logs import configure_logging
from app.server import Patience, Supervisor
from app.settings import Settings
from app.settings_check import refuse_faults
from app.store.server.embedded_server import share_server
from app.usage import load_price_file

BACKLOG = 2048  # uvicorn's default
VARIABLE = "PROMETHEUS_MULTIPROC_DIR"  # prometheus_client's variable, read on import
PREFIX = "metrics-"


@contextmanager
def share_metrics(data_dir: Path, workers: int) -> Iterator[None]:
    """Name an empty metrics folder for child processes; none if there is just one worker.

    Deletes folders left behind by servers that are gone.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    _delete_stale_folders(data_dir)
    if workers < 2:
        # Keep metrics in memory even if the environment names someone's folder.
        os.environ.pop(VARIABLE, None)  # noqa: TID251 - handed down to the client library
        yield
        return
    with tempfile.TemporaryDirectory(
        prefix=f"{PREFIX}{os.getpid()}-", dir=data_dir, ignore_cleanup_errors=True
    ) as folder:
        os.environ[VARIABLE] = folder  # noqa: TID251 - handed down to the workers
        try:
            yield
        finally:
            os.environ.pop(VARIABLE, None)  # noqa: TID251 - restored


def _delete_stale_folders(data_dir: Path) -> None:
    for folder in data_dir.glob(f"{PREFIX}*-*"):
        pid = folder.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdecimal() and not psutil.pid_exists(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)


class PortTaken(Exception):
    """The address cannot be listened on."""


def serve_command(
    host: Annotated[
        str,
        typer.Option(
            help="The address to listen on. Put a TLS proxy in front of any but the loopback."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0 picks a free one.")
    ] = 8787,
    workers: Annotated[
        int, typer.Option(min=1, help="Number of worker processes, which share one store.")
    ] = 1,
) -> None:
    """Run the server until it is stopped."""
    settings = Settings().model_copy(update={"workers": workers})
    configure_logging(settings.log_level, settings.log_format)
    refuse_faults(settings)
    choose_provider(settings)  # reports a misconfigured model before anything is started
    load_price_file(settings.prices)  # and an invalid price file
    # Until the supervisor handles it: unwind, so that the store is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    listener = _listen(host, port)
    with listener, share_server(settings), share_metrics(settings.data_dir, workers):
        bound = listener.getsockname()[1]
        if settings.api_key is None:
            offer_pairing(host, bound)
        name = f"[{host}]" if ":" in host else host
        typer.echo(f"Tabwright listens on http://{name}:{bound}")
        patience = Patience(
            blocked_s=settings.loop_blocked_s,
            hung_s=settings.loop_hung_s,
            stop_s=settings.stop_within_s,
        )
        if code := Supervisor(listener, workers=workers, patience=patience).run():
            sys.exit(code)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise PortTaken(
            f"Cannot listen on {host}:{port} ({error.strerror}). Choose another --port, or 0 for a free one."
        ) from error
    listener.set_inheritable(True)  # for workers
    return listener
