"""Confines a reader process with Landlock, seccomp, an audit hook and resource limits."""

import ctypes
import mimetypes
import os
import signal
import stat
import struct
import sys
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from knowledge.extract.sandbox import seccomp

# The same on all architectures.
_CREATE, _ADD, _RESTRICT = 444, 445, 446
_ASK_VERSION = 1
_BENEATH = 1
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
"""Number of file access rights by ABI version: the first 13, then rename, truncate and device
ioctl.
"""
_TCP = 0b11  # bind and connect, since version 4
_SCOPES = 0b11  # abstract Unix sockets and signals, since version 6
_FORBIDDEN = (
    "socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.startfile",
    "os.system", "os.kill", "os.killpg", "signal.pthread_kill", "pty.", "os.chdir", "os.chmod",
    "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink",
    "os.truncate", "os.utime", "shutil.", "tempfile.",
)  # fmt: skip
_LISTING = ("os.listdir", "os.scandir", "glob.glob")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PARENT_DEATH_SIGNAL, _DUMPABLE, _NO_NEW_PRIVILEGES = 1, 4, 38
_CAPABILITIES_VERSION = 0x20080522
ROOT = Path(__file__).parents[3]
PACKAGES = ("app", "knowledge")
"""The packages themselves, not their folder, which may contain an `.env`."""
SYSTEM = (
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache",
    "/usr/share/zoneinfo", "/etc/localtime",
)  # fmt: skip
MOST_FILES = 64


class Layers(BaseModel):
    """What confines a reader process; `landlock` is the kernel's ABI version, 0 if unsupported."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    landlock: int = 0
    seccomp: bool = False

    @property
    def missing(self) -> tuple[str, ...]:
        active = {"Landlock": self.landlock > 0, "seccomp": self.seccomp}
        return tuple(name for name, is_active in active.items() if not is_active)

    def __str__(self) -> str:
        kernel = [f"Landlock {self.landlock}"] if self.landlock else []
        kernel += ["seccomp"] if self.seccomp else []
        return ", ".join([*kernel, "limits", "audit hook"])


def may_be_unconfined(setting: bool | None) -> bool:
    """Whether documents may be read without full confinement: as configured, else only on systems
    other than Linux, which lack these mechanisms.
    """
    return sys.platform != "linux" if setting is None else setting


def restrict_files(places: Sequence[str]) -> int:
    """Restrict this thread to reading beneath `places`; returns the ABI version in force.

    Returns 0 if unsupported, and in a process with several threads, since the others would stay
    unrestricted.
    """
    if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208 - descriptors' names, no paths
        return 0
    call = ctypes.CDLL(None, use_errno=True).syscall
    version: int = call(_CREATE, None, ctypes.c_size_t(0), _ASK_VERSION)
    if version < 1:
        return 0  # an older kernel, or Landlock is disabled
    rules = _rules(version)
    ruleset = call(_CREATE, rules, ctypes.c_size_t(len(rules)), 0)
    if ruleset < 0:
        return 0
    for place in places:
        _allow_reading(call, ruleset, place)
    failed = call(_RESTRICT, ruleset, 0)
    os.close(ruleset)
    return 0 if failed else version


def _rules(version: int) -> bytes:
    """The ruleset: the access rights denied by default."""
    rights = (1 << max(bits for since, bits in _RIGHTS.items() if version >= since)) - 1
    if version < 4:
        return struct.pack("=Q", rights)
    if version < 6:
        return struct.pack("=QQ", rights, _TCP)
    return struct.pack("=QQQ", rights, _TCP, _SCOPES)


def _allow_reading(call: Callable[..., int], ruleset: int, place: str) -> None:
    descriptor = os.open(place, os.O_PATH | os.O_CLOEXEC)
    is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
    rights = _READ_FILE | (_READ_FOLDER if is_folder else 0)
    call(_ADD, ruleset, _BENEATH, struct.pack("=Qi", rights, descriptor), 0)
    os.close(descriptor)


def install_audit_hook(places: Sequence[str]) -> None:
    """Block Python code from reading outside of `places`, writing files and any other access."""

    def outside(path: object) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return False  # an open descriptor
        name = os.path.realpath(os.fsdecode(path))
        return not any(name == place or name.startswith(place + os.sep) for place in places)

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            path, flags = arguments[0], arguments[2]
            writes = isinstance(flags, int) and flags & _WRITING
            if writes and isinstance(path, str | bytes | os.PathLike):
                raise PermissionError("Document readers may not write files")
            if outside(arguments[0]):
                raise PermissionError("Document readers may not open files")
        elif event in _LISTING:
            if outside(arguments[0]):
                raise PermissionError("Document readers may not list folders")
        elif event.startswith(_FORBIDDEN):
            raise PermissionError(f"Document readers may not call {event}")

    sys.addaudithook(hook)


def drop_privileges() -> None:
    """Drop privileges; also kills the process when its parent thread ends."""
    libc = ctypes.CDLL(None)
    libc.capset(struct.pack("=Ii", _CAPABILITIES_VERSION, 0), bytes(24))
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    libc.prctl(_DUMPABLE, 0, 0, 0, 0)
    libc.prctl(_PARENT_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)


def readable_places() -> tuple[str, ...]:
    """Existing folders and files that must be readable, with links resolved."""
    paths = sysconfig.get_paths()
    python = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    # The libraries of a Python installed in its own folder.
    python.append(os.path.join(sys.base_prefix, "lib"))  # noqa: PTH118 - strings throughout
    code = [str(ROOT / name) for name in PACKAGES]
    places = [*python, *code, *SYSTEM, *mimetypes.knownfiles]
    resolved = [os.path.realpath(one) for one in places]
    return tuple(dict.fromkeys(one for one in resolved if one != "/" and os.path.exists(one)))  # noqa: PTH110


def set_limits(memory: int) -> None:
    """Forbid core dumps, new processes and writing to files, limit open files, and limit the
    address space to `memory` bytes above the current size. The hard limits cannot be raised again.
    """
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - only POSIX has it

    bounds = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: 0,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: MOST_FILES,
    }
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        bounds[resource.RLIMIT_AS] = pages * resource.getpagesize() + memory
    for limit, most in bounds.items():
        _, hard = resource.getrlimit(limit)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (allowed, allowed))


def limit_cpu(seconds: float) -> None:
    """Kill this process after `more` seconds of CPU time from now, even if its server is gone."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - only POSIX has it

    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def confine(memory: int) -> Layers:
    """Irrevocably give up access to files, sockets, other processes and programs.

    The process can still read the code of Python and of this package, write to open descriptors,
    and allocate `memory` more bytes. Call it before starting threads: Landlock applies to the
    calling thread only.
    """
    places = readable_places()
    set_limits(memory)
    layers = Layers()
    if sys.platform == "linux":
        drop_privileges()
        layers = Layers(landlock=restrict_files(places), seccomp=seccomp.install_filter())
    install_audit_hook(places)
    return layers
