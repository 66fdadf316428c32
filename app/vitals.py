"""Signs of life of a worker process, in memory that it shares with its supervisor.

What is written here can be read when the worker cannot answer any more: while its event loop is blocked,
also by C code that holds the interpreter's lock, and after its end.
"""

import json
import mmap
import os
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from struct import Struct

SIZE = 8192
MOST_TOLD = 16  # pieces of work, the newest: the one that blocks the loop is most often among them
_HEAD = Struct("<QBxxxI")  # heartbeats, whether it serves, bytes of JSON that follow


class Vitals:
    """The shared memory behind a file descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._memory = mmap.mmap(descriptor, SIZE)

    @property
    def beats(self) -> int:
        """How often the event loop came round; 0 before it runs."""
        return int(_HEAD.unpack_from(self._memory)[0])

    @property
    def serves(self) -> bool:
        """Whether it has ever been ready for requests."""
        return bool(_HEAD.unpack_from(self._memory)[1])

    @property
    def work(self) -> list[dict[str, str]]:
        """What it works on, the newest first."""
        length = _HEAD.unpack_from(self._memory)[2]
        try:
            told: list[dict[str, str]] = json.loads(self._memory[_HEAD.size : _HEAD.size + length])
        except ValueError:  # in the midst of being written
            return []
        return told

    def beat(self) -> None:
        """The event loop came round."""
        beats, serves, length = _HEAD.unpack_from(self._memory)
        _HEAD.pack_into(self._memory, 0, beats + 1, serves, length)

    def mark_serving(self) -> None:
        """It is ready for requests."""
        beats, _, length = _HEAD.unpack_from(self._memory)
        _HEAD.pack_into(self._memory, 0, beats, 1, length)

    def write_work(self, work: list[dict[str, str]]) -> None:
        """Write down what is worked on, the newest first; what does not fit is left out."""
        text = json.dumps(work[:MOST_TOLD]).encode()
        while len(text) > SIZE - _HEAD.size:
            work = work[: len(work) // 2]
            text = json.dumps(work).encode()
        beats, serves, _ = _HEAD.unpack_from(self._memory)
        self._memory[_HEAD.size : _HEAD.size + len(text)] = text
        _HEAD.pack_into(self._memory, 0, beats, serves, len(text))


@contextmanager
def shared_memory() -> Iterator[int]:
    """A descriptor of fresh memory for `Vitals`, to be handed to a child process."""
    with tempfile.TemporaryFile() as file:
        os.truncate(file.fileno(), SIZE)
        yield file.fileno()


class _Workload:
    """What this process works on, told to the supervisor where there is one."""

    def __init__(self) -> None:
        self._pieces: dict[int, dict[str, str]] = {}
        self._next = 0
        self.vitals: Vitals | None = None

    @contextmanager
    def piece(self, fields: dict[str, str]) -> Iterator[None]:
        """One more, for as long as the context lasts."""
        self._next += 1
        mine = self._next
        self._pieces[mine] = fields
        self._tell()
        try:
            yield
        finally:
            del self._pieces[mine]
            self._tell()

    def _tell(self) -> None:
        if self.vitals is not None:
            self.vitals.write_work([*self._pieces.values()][: -MOST_TOLD - 1 : -1])


_workload = _Workload()


def publish_work_to(vitals: Vitals | None) -> None:
    """Write down there what this process works on from now on."""
    _workload.vitals = vitals


def working_on(kind: str, **fields: str) -> AbstractContextManager[None]:
    """Within it, the process works on this: a request, a run, a document. Bodies and goals do not belong
    here: the fields are logged when the process hangs.
    """
    return _workload.piece({"work": kind, **fields})
