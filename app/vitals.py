"""Liveness and current work of a worker process, in memory shared with its supervisor.

It stays readable when the worker cannot respond: while its event loop is blocked, even by C code that
holds the interpreter lock, and after it died.
"""

import json
import mmap
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from struct import Struct

SIZE = 8192
MOST_ITEMS = 16  # items, newest first: the one that blocks the loop is usually among them
_HEAD = Struct("<QBxxxI")  # heartbeats, whether it serves, length of the JSON that follows in bytes


class Vitals:
    """The shared memory behind a file descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._memory = mmap.mmap(descriptor, SIZE)

    @property
    def beats(self) -> int:
        return int(_HEAD.unpack_from(self._memory)[0])

    @property
    def serves(self) -> bool:
        """Whether the worker has ever been ready for requests."""
        return bool(_HEAD.unpack_from(self._memory)[1])

    @property
    def work(self) -> list[dict[str, str]]:
        """The current work, newest first."""
        length = _HEAD.unpack_from(self._memory)[2]
        try:
            found: list[dict[str, str]] = json.loads(self._memory[_HEAD.size : _HEAD.size + length])
        except ValueError:  # caught in the middle of a write
            return []
        return found

    def beat(self) -> None:
        beats, serves, length = _HEAD.unpack_from(self._memory)
        _HEAD.pack_into(self._memory, 0, beats + 1, serves, length)

    def mark_serving(self) -> None:
        beats, _, length = _HEAD.unpack_from(self._memory)
        _HEAD.pack_into(self._memory, 0, beats, 1, length)

    def write_work(self, work: list[dict[str, str]]) -> None:
        """Store the current work, newest first; what does not fit is dropped."""
        text = json.dumps(work[:MOST_ITEMS]).encode()
        while len(text) > SIZE - _HEAD.size:
            work = work[: len(work) // 2]
            text = json.dumps(work).encode()
        beats, serves, _ = _HEAD.unpack_from(self._memory)
        self._memory[_HEAD.size : _HEAD.size + len(text)] = text
        _HEAD.pack_into(self._memory, 0, beats, serves, len(text))


@contextmanager
def shared_memory() -> Iterator[int]:
    """Create memory for `Vitals`; yields a descriptor to pass to a child process."""
    with tempfile.TemporaryFile() as file:
        os.truncate(file.fileno(), SIZE)
        yield file.fileno()


_work: dict[int, dict[str, str]] = {}  # current work of this process, oldest first
_numbers = count()
_vitals: Vitals | None = None  # where it is published for the supervisor, if there is one


def publish_work_to(vitals: Vitals | None) -> None:
    global _vitals
    _vitals = vitals


@contextmanager
def working_on(kind: str, **fields: str) -> Iterator[None]:
    """Mark a request, run or document as current work for the duration of the context. Do not pass
    bodies or goals: the fields are logged if the process hangs.
    """
    number = next(_numbers)
    _work[number] = {"work": kind, **fields}
    _publish()
    try:
        yield
    finally:
        del _work[number]
        _publish()


def _publish() -> None:
    if _vitals is not None:
        _vitals.write_work([*_work.values()][: -MOST_ITEMS - 1 : -1])
