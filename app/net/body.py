"""Reads an answer's body up to a limit: of what came, and of what it unpacks to."""

import zlib
from collections.abc import AsyncIterable

from app.errors import FetchFailed

ENCODINGS = "gzip, deflate"  # what is asked for; both unpack piece by piece
TOO_LARGE = "The page is larger than what is read"
UNREADABLE = "The page came in a form that cannot be read"
_GZIP = 16 + zlib.MAX_WBITS
_PLAIN = ("", "identity")


class Body:
    """Collects the pieces of a body, unpacked, and never more than `limit` bytes of them."""

    def __init__(self, encoding: str, limit: int) -> None:
        name = encoding.strip().lower()
        if name not in (*_PLAIN, "gzip", "x-gzip", "deflate"):
            raise FetchFailed(UNREADABLE)
        self._packed = name not in _PLAIN
        self._form = zlib.MAX_WBITS if name == "deflate" else _GZIP
        self._limit = limit
        self._arrived = 0
        self._pieces: list[bytes] = []
        self._size = 0
        self._unpacking = zlib.decompressobj(self._form)

    async def read(self, pieces: AsyncIterable[bytes]) -> bytes:
        """The whole body. Raises `FetchFailed` as soon as it is over the limit, or cannot be unpacked."""
        async for piece in pieces:
            self._arrived += len(piece)
            if self._arrived > self._limit:
                raise FetchFailed(TOO_LARGE)
            self._unpack(piece) if self._packed else self._keep(piece)
        if self._packed and self._arrived and not self._unpacking.eof:
            raise FetchFailed(UNREADABLE)
        return b"".join(self._pieces)

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._limit:
            raise FetchFailed(TOO_LARGE)
        self._pieces.append(piece)

    def _unpack(self, packed: bytes) -> None:
        """One byte more than may come shows that there is more; the rest is never unpacked."""
        while packed:
            if self._unpacking.eof:  # gzip may come in several members, one after the other
                self._unpacking = zlib.decompressobj(self._form)
            self._keep(self._inflated(packed))
            packed = self._unpacking.unused_data or self._unpacking.unconsumed_tail

    def _inflated(self, packed: bytes) -> bytes:
        room = self._limit - self._size + 1
        try:
            return self._unpacking.decompress(packed, room)
        except zlib.error as error:
            if self._form != zlib.MAX_WBITS or self._pieces:
                raise FetchFailed(UNREADABLE) from error
        self._form = -zlib.MAX_WBITS  # some servers leave out deflate's header
        self._unpacking = zlib.decompressobj(self._form)
        return self._inflated(packed)
