"""Limits concurrent connections, in total and per peer."""

from collections import Counter
from collections.abc import Collection
from time import monotonic
from typing import Literal

import structlog

from app.net.peers import is_within, peer_of

log = structlog.get_logger(__name__)

MOST_SENT_OFF = 64  # rejected connections that are still read, so that their response arrives
LOG_EVERY_S = 10.0

Refusal = Literal[429, 503]


class ConnectionLimits:
    """Counts the connections of one process. The per-peer limit does not apply to `proxies`, which
    stand for many clients, and to peers without an address, such as Unix sockets.
    """

    def __init__(self, *, most: int, most_of_peer: int, proxies: Collection[str] = ()) -> None:
        self._most = most
        self._most_of_peer = most_of_peer
        self._proxies = tuple(proxies)
        self._held: Counter[str] = Counter()
        self._sent_off = 0
        self._logged_at = -LOG_EVERY_S

    def enter(self, host: str) -> Refusal | None:
        """Count a connection; return the status to reject it with if there are too many."""
        peer = peer_of(host)
        if self._held.total() >= self._most:
            return self._refuse(503, host, self._most)
        shared = not host or is_within(host, self._proxies)
        if not shared and self._held[peer] >= self._most_of_peer:
            return self._refuse(429, host, self._most_of_peer)
        self._held[peer] += 1
        return None

    def leave(self, host: str) -> None:
        """An admitted connection has ended."""
        peer = peer_of(host)
        self._held[peer] -= 1
        if not self._held[peer]:
            del self._held[peer]

    def send_off(self) -> bool:
        """Whether a rejected connection may stay open until its response is read; call `sent_off` at
        its end.
        """
        if self._sent_off >= MOST_SENT_OFF:
            return False
        self._sent_off += 1
        return True

    def sent_off(self) -> None:
        """A rejected connection that stayed open has ended."""
        self._sent_off -= 1

    def _refuse(self, status: Refusal, host: str, most: int) -> Refusal:
        if monotonic() - self._logged_at >= LOG_EVERY_S:
            self._logged_at = monotonic()
            setting = "TABWRIGHT_CONNECTIONS" + ("_PER_ADDRESS" if status == 429 else "")
            log.warning("too many connections", address=host, most=most, setting=setting)
        return status
