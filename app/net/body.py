"""Reads an answer's body up to a limit: of what came, and of what it unpacks to."""

import zlib
from collections.abc import AsyncGenerator, AsyncIterable, Iterator

from app.errors import FetchFailed

ENCODINGS = "gzip, deflate"  # what is asked for; both unpack piece by piece
TOO_LARGE = "The page is larger than what is read"
UNREADABLE = "The page came in a form that cannot be read"
PIECE = 1_000_000  # bytes that are unpacked at a time, where a body is read piece by piece
_GZIP = 16 + zlib.MAX_WBITS
_PLAIN = ("", "identity")


class Body:
    """Unpacks the pieces of a body, and never gives more than `limit` bytes of them."""

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
        """The whole body. Raises `FetchFailed` as soon as it is over the limit, or cannot be unpacked."""
        return b"".join([piece async for piece in self.stream(pieces)])

    async def stream(self, pieces: AsyncIterable[bytes]) -> AsyncGenerator[bytes, None]:
        """The body as it comes, in pieces of at most `PIECE` where it was packed. Raises as `read` does."""
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
        """One byte more than may come shows that there is more; the rest is never unpacked."""
        held = False  # the unpacker has more to give of what it has taken
        while packed or held:
            if self._unpacking.eof:  # gzip may come in several members, one after the other
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
        self._form = -zlib.MAX_WBITS  # some servers leave out deflate's header
        self._unpacking = zlib.decompressobj(self._form)
        return self._inflated(packed, room)
