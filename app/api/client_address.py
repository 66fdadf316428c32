"""The address of the client, according to the connection and the configured proxies."""

from collections.abc import Sequence

from starlette.types import Scope

from app.net.peers import is_within, peer_of

FORWARDING = frozenset({b"forwarded", b"x-forwarded-for", b"x-forwarded-proto", b"x-real-ip"})


def peer_host(scope: Scope) -> str:
    """The peer's address; "" if there is none, as with a Unix socket."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def address_bucket(scope: Scope) -> str:
    """The key of rate limits by address: an IPv4 address, or an IPv6 /64."""
    return peer_of(peer_host(scope))


def is_loopback(host: str) -> bool:
    return is_within(host, ("127.0.0.0/8", "::1/128"))


def is_private_connection(scope: Scope, local: Sequence[str] = ()) -> bool:
    """Whether the connection cannot be eavesdropped: TLS, or a peer on this machine.

    Networks in `local`, such as a container's gateway, count as this machine. A request forwarded
    by an unconfigured proxy may come from anywhere, and is not private.
    """
    if scope["scheme"] == "https":
        return True
    if any(name in FORWARDING for name, _ in scope["headers"]):
        return False
    host = peer_host(scope)
    return is_loopback(host) or is_within(host, local)
