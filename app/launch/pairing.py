"""The one line a person pastes into the extension to pair it."""

from app.domain.task import Principal
from app.settings import Settings
from app.store.open import open_store

DEFAULT_SERVER = "http://127.0.0.1:8787"  # where the extension looks when no address is given
ANYWHERE = {"0.0.0.0", "::"}  # listened on, but no address to go to


def pasted(code: str, server: str) -> str:
    """The code, led by the server's address where that is not the default: `host:port/CODE`.

    `http://` is left out: the extension puts it back.
    """
    address = server.rstrip("/")
    return code if address == DEFAULT_SERVER else f"{address.removeprefix('http://')}/{code}"


def reachable(host: str, port: int) -> str:
    """The address at which a browser on this machine finds a server that listens there."""
    name = "127.0.0.1" if host in ANYWHERE else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


async def code_for(principal: Principal) -> str:
    """A new code, stored; the settings are read anew, since a store may just have been handed down."""
    async with open_store(Settings()) as store:
        _, code = await store.pairings.create(principal)
        return code
