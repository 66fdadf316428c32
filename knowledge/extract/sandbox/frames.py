"""The frame protocol between the server and its worker processes.

A frame is a big-endian length of four bytes, and JSON. A document's bytes follow the frame that
announces their size. Nothing is unpickled: a malicious document may control the worker's output.
"""

import struct
from pathlib import Path
from typing import Any, BinaryIO

import orjson

_HEAD = struct.Struct(">I")
PIECE = 1 << 20
MOST_REQUEST = 1 << 20
"""Maximum bytes of a request: a few names and numbers."""


class BrokenFrame(Exception):
    """Not a frame, or over the size limit."""


def write_frame(stream: BinaryIO, value: dict[str, Any]) -> None:
    """Send a value. Raises `OSError` if the other side is gone."""
    body = orjson.dumps(value)
    stream.write(_HEAD.pack(len(body)) + body)
    stream.flush()


def write_file(stream: BinaryIO, path: Path, size: int) -> None:
    """Send the first `size` bytes of a file, as announced by the frame before."""
    with path.open("rb") as file:
        while size > 0:
            piece = file.read(min(size, PIECE))
            if not piece:
                raise BrokenFrame("the file is shorter than it was")
            stream.write(piece)
            size -= len(piece)
    stream.flush()


def read_frame(stream: BinaryIO, most: int) -> bytes | None:
    """The JSON of the next frame; None at the end. Raises `BrokenFrame` above `most` bytes."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    (length,) = _HEAD.unpack(head)
    if length > most:
        raise BrokenFrame(f"{length} bytes")
    body = stream.read(length)
    return body if len(body) == length else None
