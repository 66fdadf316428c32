"""What the server and its worker processes say to each other: frames of JSON.

A frame is its length in bytes, four of them, big-endian, and the JSON. The bytes of a document follow the
frame that says how many they are. Nothing is unpickled: what comes
out of a worker may have been written by the document it was reading.
"""

import struct
from pathlib import Path
from typing import Any, BinaryIO

import orjson

_HEAD = struct.Struct(">I")
PIECE = 1 << 20
MOST_REQUEST = 1 << 20
"""Bytes of a request: a few names and numbers."""


class BrokenFrame(Exception):
    """What came is no frame, or one over its limit."""


def write_frame(stream: BinaryIO, value: dict[str, Any]) -> None:
    """Send one value; `OSError` when nobody reads there any more."""
    body = orjson.dumps(value)
    stream.write(_HEAD.pack(len(body)) + body)
    stream.flush()


def write_file(stream: BinaryIO, path: Path, size: int) -> None:
    """Send the first `size` bytes of a file, which the frame before has announced."""
    with path.open("rb") as file:
        while size > 0:
            piece = file.read(min(size, PIECE))
            if not piece:
                raise BrokenFrame("the file is shorter than it was")
            stream.write(piece)
            size -= len(piece)
    stream.flush()


def read_frame(stream: BinaryIO, most: int) -> bytes | None:
    """The JSON of the next frame, of `most` bytes at most; None when the other side has gone."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    (length,) = _HEAD.unpack(head)
    if length > most:
        raise BrokenFrame(f"{length} bytes")
    body = stream.read(length)
    return body if len(body) == length else None
