"""Where a request came from: the peer, by what its connection and the configured proxies say."""

from collections.abc import Sequence

from starlette.types import Scope

from app.net.peers import is_within, peer_of

FORWARDING = frozenset({b"forwarded", b"x-forwarded-for", b"x-forwarded-proto", b"x-real-ip"})


def peer_host(scope: Scope) -> str:
    """The peer's address; "" where there is none, as with a Unix socket."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def address_bucket(scope: Scope) -> str:
    """What is counted as one address: an IPv4 address, or an IPv6 network of 64 bits."""
    return peer_of(peer_host(scope))


def is_loopback(host: str) -> bool:
    """Whether the address is this machine's own."""
    return is_within(host, ("127.0.0.0/8", "::1/128"))


def is_private_connection(scope: Scope, local: Sequence[str] = ()) -> bool:
    """Whether nobody between can read along: TLS, or a peer on this machine. Networks in `local` count as
    this machine: a container's gateway.

    What was forwarded by a proxy that is not configured came from wherever: it is not private.
    """
    if scope["scheme"] == "https":
        return True
    if any(name in FORWARDING for name, _ in scope["headers"]):
        return False
    host = peer_host(scope)
    return is_loopback(host) or is_within(host, local)
