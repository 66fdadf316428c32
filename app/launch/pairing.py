"""The one line a person pastes into the extension to pair it."""

import asyncio

from rich.console import Console

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


def offer(host: str, port: int, say: Console) -> None:
    """While no key is there yet, the first browser is paired by a code, with no key passed by hand."""
    if (code := asyncio.run(_first_code())) is None:
        return
    say.print("No browser is paired yet. Paste this in the extension's panel within two minutes:")
    say.print(f"    {pasted(code, reachable(host, port))}", highlight=False)
    say.print("Another code: tabwright pair")
    say.print("A key for scripts: tabwright key create --tenant default --user me")


async def _first_code() -> str | None:
    """A new code for the default tenant; None where it holds a key."""
    async with open_store(Settings()) as store:
        if await store.keys.all("default"):
            return None
        _, code = await store.pairings.create(Principal(tenant="default", user="local"))
        return code
