"""`tabwright serve`: one socket, one store, one or more worker processes."""

import asyncio
import signal
import socket
import sys

import uvicorn
from rich.console import Console
from uvicorn.supervisors import Multiprocess

from app.domain.task import Principal
from app.launch import pairing
from app.launch.configured import refuse_faults
from app.launch.wire import http_options
from app.launch.worker_metrics import counted_together
from app.llm.choice import choose
from app.logs import configure_logging
from app.settings import Settings
from app.store.embedded import handed_down
from app.store.open import open_store
from app.usage.price_file import in_use

FACTORY = "app.main:serve_app"
BACKLOG = 2048  # uvicorn's own default
STARTUP_FAILED = 3  # as uvicorn's own command
SHUTDOWN_S = 5  # how long streams may take to end; runs are stored and go on at the next start


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
    # uvicorn raises the signal again once it has ended: unwind then, so that the store is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    listener = _listen(host, port)
    with listener, handed_down(settings), counted_together(settings.data_dir, workers):
        bound = listener.getsockname()[1]
        if settings.api_key is None and not asyncio.run(_has_keys()):
            _offer_pairing(pairing.reachable(host, bound), say)
        name = f"[{host}]" if ":" in host else host
        print(f"Tabwright listens on http://{name}:{bound}", flush=True)  # noqa: T201
        config = uvicorn.Config(
            FACTORY,
            factory=True,
            workers=workers,
            log_config=None,  # its loggers write as ours do, see app.logs
            access_log=False,
            backlog=BACKLOG,
            timeout_graceful_shutdown=SHUTDOWN_S,
            **http_options(),
        )
        if workers > 1:
            Multiprocess(config, sockets=[listener]).run()
            return
        server = uvicorn.Server(config)
        server.run(sockets=[listener])
        if not server.started:
            sys.exit(STARTUP_FAILED)


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


def _offer_pairing(server: str, say: Console) -> None:
    """No key is there yet: the first browser is paired by a code, with no key passed by hand."""
    code = asyncio.run(pairing.code_for(Principal(tenant="default", user="local")))
    say.print("No browser is paired yet. Paste this in the extension's panel within two minutes:")
    say.print(f"    {pairing.pasted(code, server)}", highlight=False)
    say.print("Another code: tabwright pair")
    say.print("A key for scripts: tabwright key create --tenant default --user me")


async def _has_keys() -> bool:
    """Whether the default tenant holds a key; read anew, since the address was just handed down."""
    async with open_store(Settings()) as store:
        return bool(await store.keys.all("default"))
