"""`tabwright pair`: pairing codes for the extension."""

import asyncio
from typing import Annotated

import typer

from app.cli.terminal import Tenant, run_async, say
from app.domain.access import Principal
from app.net.urls import is_loopback_host, normalize_origin
from app.settings import Settings
from app.store.open import open_store

DEFAULT_SERVER = "http://127.0.0.1:8787"  # where the extension looks by default
ANYWHERE = {"0.0.0.0", "::"}  # can be listened on, but not connected to


@run_async
async def pair_command(
    tenant: Tenant = "default",
    user: Annotated[str, typer.Option(help="The user of that browser.")] = "local",
    server: Annotated[
        str, typer.Option(help="The address at which the browser reaches the server.")
    ] = DEFAULT_SERVER,
) -> None:
    """Print a code that pairs a browser; paste it into the extension's panel within two minutes."""
    code = await _create_code(Principal(tenant=tenant, user=user), server)
    say.print(f"This code pairs one browser with {user} of {tenant}, within two minutes:")
    typer.echo(code)


async def _create_code(principal: Principal, server: str) -> str:
    """Create a pairing code for a browser that reaches the server at that URL; a URL other than the
    default is put in front: `https://host/CODE`. Raises `ValueError` for a URL that no browser can pair
    with.

    Settings are read anew, since a store may just have been started.
    """
    origin = normalize_origin(server)
    async with open_store(Settings(), prepared=False) as store:
        _, code = await store.pairings.create(principal, origin)
    path = (server.partition("://")[2] or server).partition("/")[2].strip("/")
    address = "" if origin == DEFAULT_SERVER and not path else origin
    return "/".join(part for part in (address, path, code) if part)


def offer_pairing(host: str, port: int) -> None:
    """Print a pairing code while the default tenant has no key."""
    if asyncio.run(_has_keys()):
        return
    if (server := local_server_url(host, port)) is None:
        say.print(
            "No browser is paired yet. Pairing over a network requires TLS: set up a proxy, then run:"
        )
        say.print("    tabwright pair --server https://your-host", highlight=False)
    else:
        code = asyncio.run(_create_code(Principal(tenant="default", user="local"), server))
        say.print(
            "No browser is paired yet. Paste this into the extension's panel within two minutes:"
        )
        say.print(f"    {code}", highlight=False)
        say.print("For another code: tabwright pair")
    say.print("For an API key for scripts: tabwright key create --tenant default --user me")


def local_server_url(host: str, port: int) -> str | None:
    """The URL at which a browser on this machine can pair with the server; None if it cannot, as on a
    network address without TLS.
    """
    name = "127.0.0.1" if host in ANYWHERE else host
    name = f"[{name}]" if ":" in name else name
    return f"http://{name}:{port}" if is_loopback_host(name) else None


async def _has_keys() -> bool:
    async with open_store(Settings(), prepared=False) as store:
        return bool(await store.keys.all("default"))
