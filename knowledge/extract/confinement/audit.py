"""An audit hook (docs.python.org/3/library/audit_events.html), which Python code cannot go round. On macOS
and Windows it is all there is; native code is not bound by it.
"""

import os
import sys
from collections.abc import Sequence

_FORBIDDEN = (
    "socket.",
    "subprocess.",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "os.system",
    "os.kill",
    "os.killpg",
    "signal.pthread_kill",
    "pty.",
    "os.chdir",
    "os.chmod",
    "os.chown",
    "os.link",
    "os.mkdir",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.symlink",
    "os.truncate",
    "os.utime",
    "shutil.",
    "tempfile.",
)
_LISTING = ("os.listdir", "os.scandir", "glob.glob")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def install(places: Sequence[str]) -> None:
    """From now on Python code reads beneath `places` alone, writes into no file and reaches nothing else."""

    def outside(path: object) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return False  # a descriptor that is open already
        name = os.path.realpath(os.fsdecode(path))
        return not any(name == place or name.startswith(place + os.sep) for place in places)

    def hook(event: str, given: tuple[object, ...]) -> None:
        if event == "open":
            if _writes(given[2]) and isinstance(given[0], str | bytes | os.PathLike):
                raise PermissionError("A reader of documents writes no files")
            if outside(given[0]):
                raise PermissionError("A reader of documents opens no files")
        elif event in _LISTING:
            if outside(given[0]):
                raise PermissionError("A reader of documents lists no folders")
        elif event.startswith(_FORBIDDEN):
            raise PermissionError(f"A reader of documents may not: {event}")

    sys.addaudithook(hook)


def _writes(flags: object) -> bool:
    return isinstance(flags, int) and bool(flags & _WRITING)
