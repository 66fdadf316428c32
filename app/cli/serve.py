"""`tabwright serve`: one socket, one store, one or more worker processes."""

import signal
import socket
import sys

from rich.console import Console

from app.cli import pair
from app.launch.worker_metrics import counted_together
from app.llm.providers.choice import choose
from app.logs import configure_logging
from app.server.supervisor import Patience, Supervisor
from app.settings import Settings
from app.settings_check import refuse_faults
from app.store.embedded import handed_down
from app.usage.prices import in_use

BACKLOG = 2048  # uvicorn's own default


class PortTaken(Exception):
    """The address cannot be listened on."""


def serve_until_stopped(
    settings: Settings, *, host: str, port: int, workers: int, say: Console
) -> None:
    """Listen, start the store, hand its address down, serve. Port 0 takes a free one.

    Raises `PortTaken`, `StoreUnavailable`, `ModelMisconfigured`, `PricesUnusable`, and `ValueError` for
    settings that are no use.
    """
    configure_logging(settings.log_level, settings.log_format)
    settings = settings.model_copy(update={"workers": workers})
    refuse_faults(settings)
    choose(settings)  # says what a model that is named lacks, before anything is started
    in_use(settings.prices)  # and what is wrong with the operator's prices
    # Until the supervisor listens for it: unwind, so that the store is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    listener = _listen(host, port)
    with listener, handed_down(settings), counted_together(settings.data_dir, workers):
        bound = listener.getsockname()[1]
        if settings.api_key is None:
            pair.offer(host, bound, say)
        name = f"[{host}]" if ":" in host else host
        print(f"Tabwright listens on http://{name}:{bound}", flush=True)  # noqa: T201
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
            f"{host}:{port} cannot be listened on ({error.strerror}). Choose another --port, or 0."
        ) from error
    listener.set_inheritable(True)  # for workers
    return listener
