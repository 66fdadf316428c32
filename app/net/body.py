"""Reads a response body, bounding both its compressed and its decompressed size."""

import zlib
from collections.abc import AsyncGenerator, AsyncIterable, Iterator

from app.errors import FetchFailed

ENCODINGS = "gzip, deflate"  # sent as Accept-Encoding; both can be decompressed piece by piece
TOO_LARGE = "The page is larger than what is read"
UNREADABLE = "The page came in a form that cannot be read"
PIECE = 1_000_000  # bytes to decompress at a time when streaming
_GZIP = 16 + zlib.MAX_WBITS
_PLAIN = ("", "identity")


class Body:
    """Decompresses a body in pieces, never more than `limit` bytes in total."""

    def __init__(self, encoding: str, limit: int) -> None:
        name = encoding.strip().lower()
        if name not in (*_PLAIN, "gzip", "x-gzip", "deflate"):
            raise FetchFailed(UNREADABLE)
        self._packed = name not in _PLAIN
        self._form = zlib.MAX_WBITS if name == "deflate" else _GZIP
        self._limit = limit
        self._arrived = 0
        self._size = 0
        self._unpacking = zlib.decompressobj(self._form)

    async def read(self, pieces: AsyncIterable[bytes]) -> bytes:
        """Read the whole body. Raises `FetchFailed` once it exceeds the limit, or if it cannot be
        decompressed.
        """
        return b"".join([piece async for piece in self.stream(pieces)])

    async def stream(self, pieces: AsyncIterable[bytes]) -> AsyncGenerator[bytes, None]:
        """Yield the body as it arrives, compressed bodies in pieces of at most `PIECE`. Raises like
        `read`.
        """
        async for piece in pieces:
            self._arrived += len(piece)
            if self._arrived > self._limit:
                raise FetchFailed(TOO_LARGE)
            for plain in self._unpacked(piece) if self._packed else (piece,):
                self._size += len(plain)
                if self._size > self._limit:
                    raise FetchFailed(TOO_LARGE)
                yield plain
        if self._packed and self._arrived and not self._unpacking.eof:
            raise FetchFailed(UNREADABLE)

    def _unpacked(self, packed: bytes) -> Iterator[bytes]:
        """Ask for one byte above the limit to detect an oversized body; the rest is never
        decompressed.
        """
        held = False  # the decompressor has more output pending
        while packed or held:
            if self._unpacking.eof:  # gzip may have several members in a row
                self._unpacking = zlib.decompressobj(self._form)
            room = min(self._limit - self._size + 1, PIECE)
            plain = self._inflated(packed, room)
            if plain:
                yield plain
            packed = self._unpacking.unused_data or self._unpacking.unconsumed_tail
            held = len(plain) == room and not self._unpacking.eof

    def _inflated(self, packed: bytes, room: int) -> bytes:
        try:
            return self._unpacking.decompress(packed, room)
        except zlib.error as error:
            if self._form != zlib.MAX_WBITS or self._size:
                raise FetchFailed(UNREADABLE) from error
        self._form = -zlib.MAX_WBITS  # some servers omit the zlib header of deflate
        self._unpacking = zlib.decompressobj(self._form)
        return self._inflated(packed, room)
