"""What a worker process takes away from itself before it opens a document.

None of it is needed for the server's own safety from a slow or greedy document (the server watches the
clock and the memory, and kills): this is for documents that get code of theirs to run. Each part does
nothing where the platform has no such thing.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Callable
from pathlib import Path

MOST_FILES = 256
LARGEST_FILE = 1 << 30
"""Bytes a reader may write into one file of its own folder."""

_FORBIDDEN = (
    "socket.connect",
    "socket.bind",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "socket.sendto",
    "socket.sendmsg",
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
)
_CHANGING = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.chmod")


def confine(folder: Path) -> None:
    """Give up the network, other programs, and writing anywhere but into `folder`."""
    _few_files()
    _landlock(folder)
    sys.addaudithook(_refusing(folder))


def limit_memory(more: int) -> None:
    """Let this process have `more` bytes of address space than it has now; beyond it `MemoryError`."""
    if sys.platform == "linux":
        import resource  # noqa: PLC0415 - POSIX alone has it

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + more
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def limit_cpu(more: float) -> None:
    """End this process once it has computed for `more` seconds from now, also when its server has gone."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - POSIX alone has it

        used = resource.getrusage(resource.RUSAGE_SELF)
        most = int(used.ru_utime + used.ru_stime + more) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _few_files() -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - POSIX alone has it

    for limit, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, MOST_FILES),
        (resource.RLIMIT_FSIZE, LARGEST_FILE),
    ):
        _, hard = resource.getrlimit(limit)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (allowed, allowed))


def _refusing(folder: Path) -> Callable[[str, tuple[object, ...]], None]:
    """An audit hook (docs.python.org/3/library/audit_events.html): Python code cannot go round it."""
    own = os.path.realpath(folder) + os.sep

    def outside(path: object) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return False  # a descriptor that is open already
        name = os.path.realpath(os.fsdecode(path))
        # The folder itself is opened for files without a name.
        return not f"{name}{os.sep}".startswith(own) and name != os.path.realpath(os.devnull)

    def hook(event: str, given: tuple[object, ...]) -> None:
        if event in _FORBIDDEN:
            raise PermissionError(f"A reader of documents may not: {event}")
        if event == "open" and _writes(given) and outside(given[0]):
            raise PermissionError("A reader of documents writes into its own folder only")
        if event in _CHANGING and outside(given[0]):
            raise PermissionError("A reader of documents changes its own folder only")

    return hook


def _writes(given: tuple[object, ...]) -> bool:
    """Whether an `open` event (path, mode, flags) is for writing."""
    flags = given[2]
    return isinstance(flags, int) and bool(
        flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    )


# Landlock, docs.kernel.org/userspace-api/landlock.html: the kernel itself refuses, native code too. The
# numbers of its calls are the same on every architecture.
_CREATE, _ADD, _RESTRICT = 444, 445, 446
_ASK_VERSION = 1
_WRITING = sum(1 << bit for bit in (1, *range(4, 13)))  # write a file, remove and make entries
_REFER, _TRUNCATE = 1 << 13, 1 << 14  # since versions 2 and 3
_TCP = 0b11  # bind and connect, since version 4
_BENEATH = 1
_NO_NEW_PRIVILEGES = 38


def _landlock(folder: Path) -> None:
    if sys.platform != "linux":
        return
    call = ctypes.CDLL(None, use_errno=True).syscall
    version = call(_CREATE, None, ctypes.c_size_t(0), _ASK_VERSION)
    if version < 1:
        return  # an older kernel, or one without it
    rights = _WRITING | (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    rules = struct.pack("=QQ", rights, _TCP) if version >= 4 else struct.pack("=Q", rights)
    made = call(_CREATE, rules, ctypes.c_size_t(len(rules)), 0)
    if made < 0:
        return
    for path, allowed in ((folder, rights), (Path(os.devnull), rights & (_TRUNCATE | 1 << 1))):
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        call(_ADD, made, _BENEATH, struct.pack("=Qi", allowed, place), 0)
        os.close(place)
    ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    call(_RESTRICT, made, 0)
    os.close(made)
