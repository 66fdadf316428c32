"""How many connections a process holds at once, in all and for each peer."""

from collections import Counter
from collections.abc import Collection
from time import monotonic
from typing import Literal

import structlog

from app.net.peers import is_within, peer_of

log = structlog.get_logger(__name__)

MOST_SENT_OFF = 64  # refused connections that are still read from, so that their answer arrives
LOG_EVERY_S = 10.0

Refusal = Literal[429, 503]


class ConnectionLimits:
    """Counts the connections of one process. Addresses and networks in `proxies` stand for many clients:
    they share the whole alone. So does a peer without an address, as at a Unix socket.
    """

    def __init__(self, *, most: int, most_of_peer: int, proxies: Collection[str] = ()) -> None:
        self._most = most
        self._most_of_peer = most_of_peer
        self._proxies = tuple(proxies)
        self._held: Counter[str] = Counter()
        self._sent_off = 0
        self._logged_at = -LOG_EVERY_S

    def enter(self, host: str) -> Refusal | None:
        """Count a connection; the status it is refused with where there are too many."""
        peer = peer_of(host)
        if self._held.total() >= self._most:
            return self._refuse(503, host, self._most)
        shared = not host or is_within(host, self._proxies)
        if not shared and self._held[peer] >= self._most_of_peer:
            return self._refuse(429, host, self._most_of_peer)
        self._held[peer] += 1
        return None

    def leave(self, host: str) -> None:
        """A connection that was let in is over."""
        peer = peer_of(host)
        self._held[peer] -= 1
        if not self._held[peer]:
            del self._held[peer]

    def send_off(self) -> bool:
        """Whether a refused connection may stay until its answer was read; `sent_off` when it is over."""
        if self._sent_off >= MOST_SENT_OFF:
            return False
        self._sent_off += 1
        return True

    def sent_off(self) -> None:
        """A refused connection that stayed is over."""
        self._sent_off -= 1

    def _refuse(self, status: Refusal, host: str, most: int) -> Refusal:
        if monotonic() - self._logged_at >= LOG_EVERY_S:
            self._logged_at = monotonic()
            setting = "TABWRIGHT_CONNECTIONS" + ("_PER_ADDRESS" if status == 429 else "")
            log.warning("too many connections", address=host, most=most, setting=setting)
        return status
