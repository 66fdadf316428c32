"""Escape attempts of code that runs inside a document reader: each of `TRIES` raises if it is refused.

    python -m bench.faults.reader_attempts [confined|free]

Runs as its own process: it reads its targets from standard input as one line of JSON and writes one line
with the result of each attempt. `confined` applies the confinement of a document reader; `free` runs each
attempt in its own child, so that one cannot affect the next. Most attempts bypass Python, as native code
would.
"""

import ctypes
import json
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from knowledge.extract.sandbox.confinement import confine

Try = Callable[[dict[str, Any]], object]
TRIES: dict[str, Try] = {}
MEMORY = 2 << 30
LIBC = ctypes.CDLL(None, use_errno=True)
_OPENAT2, _PIDFD_OPEN, _IO_URING_SETUP = 437, 434, 425  # the same on every architecture
_PTRACE_SEIZE = 0x4206
_NEW_USER = 0x10000000


def _called(result: int) -> int:
    """The result of a C library function; raises `OSError` if it failed."""
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def _open(path: str, flags: int = os.O_RDONLY) -> None:
    opened = _called(LIBC.open(path.encode(), flags, 0o600))
    if flags == os.O_RDONLY:
        _called(LIBC.read(opened, ctypes.create_string_buffer(64), 64))
    LIBC.close(opened)


def _list(path: str) -> None:
    LIBC.close(_called(LIBC.open(path.encode(), os.O_RDONLY | os.O_DIRECTORY)))


def _socket(family: int, kind: int = socket.SOCK_STREAM) -> None:
    LIBC.close(_called(LIBC.socket(family, kind, 0)))


def _as_try(name: str) -> Callable[[Try], Try]:
    def keep(one: Try) -> Try:
        TRIES[name] = one
        return one

    return keep


TRIES |= {
    "files: another tenant's document": lambda at: _open(at["document"]),
    "files: the data folder": lambda at: _open(at["data"]),
    "files: .env": lambda at: _open(at["settings"]),
    "files: beside the code": lambda at: _open(at["project"]),
    "files: /etc/passwd": lambda _: _open("/etc/passwd"),
    "files: list the home folder": lambda at: _list(at["home"]),
    "files: list the temporary folder": lambda at: _list(at["scratch"]),
    "files: list /": lambda _: _list("/"),
    "files: list /dev/shm": lambda _: _list("/dev/shm"),
    "files: list /sys": lambda _: _list("/sys"),
    "files: by openat2": lambda at: _called(
        LIBC.syscall(_OPENAT2, -100, at["document"].encode(), bytes(24), 24)
    ),
    "files: by Python": lambda at: Path(at["document"]).read_bytes(),
    "files: list by Python": lambda at: list(Path(at["scratch"]).iterdir()),
    "files: write to another tenant's document": lambda at: _open(
        at["document"], os.O_WRONLY | os.O_APPEND
    ),
    "files: create": lambda at: _open(f"{at['scratch']}/new", os.O_WRONLY | os.O_CREAT),
    "files: create by Python": lambda at: Path(at["scratch"], "other").write_text("x"),
    "files: without a name": lambda at: _open(at["scratch"], os.O_RDWR | 0o20200000),
    "files: truncate": lambda at: _called(LIBC.truncate(at["spare"].encode(), 0)),
    "files: change rights": lambda at: _called(LIBC.chmod(at["spare"].encode(), 0o666)),
    "files: change times": lambda at: _called(LIBC.utimes(at["spare"].encode(), None)),
    "files: rename": lambda at: _called(
        LIBC.rename(at["moved"].encode(), f"{at['moved']}.2".encode())
    ),
    "files: link": lambda at: _called(
        LIBC.link(at["spare"].encode(), f"{at['spare']}.2".encode())
    ),
    "files: symbolic link": lambda at: _called(
        LIBC.symlink(b"/", f"{at['scratch']}/symbolic".encode())
    ),
    "files: make a folder": lambda at: _called(
        LIBC.mkdir(f"{at['scratch']}/folder".encode(), 0o700)
    ),
    "files: make a pipe": lambda at: _called(LIBC.mkfifo(f"{at['scratch']}/pipe".encode(), 0o600)),
    "files: delete": lambda at: _called(LIBC.unlink(at["deleted"].encode())),
    "files: change folder": lambda at: _called(LIBC.chdir(at["scratch"].encode())),
    "files: in memory": lambda _: _called(LIBC.memfd_create(b"x", 0)),
    "files: watch a folder": lambda _: _called(LIBC.inotify_init()),
    "/proc: list": lambda _: _list("/proc"),
    "/proc: own environment": lambda _: _open("/proc/self/environ"),
    "/proc: the server's environment": lambda at: _open(f"/proc/{at['server']}/environ"),
    "/proc: the server's command": lambda at: _open(f"/proc/{at['server']}/cmdline"),
    "/proc: the server's memory map": lambda at: _open(f"/proc/{at['server']}/maps"),
    "/proc: the server's open files": lambda at: _list(f"/proc/{at['server']}/fd"),
    "/proc: a file the server has open": lambda at: _open(f"/proc/{at['server']}/fd/{at['open']}"),
    "/proc: the server's folder": lambda at: _called(
        LIBC.readlink(f"/proc/{at['server']}/cwd".encode(), ctypes.create_string_buffer(99), 99)
    ),
    "/proc: the network": lambda _: _open("/proc/net/tcp"),
    "sockets: IPv4": lambda _: _socket(socket.AF_INET),
    "sockets: IPv4, datagrams": lambda _: _socket(socket.AF_INET, socket.SOCK_DGRAM),
    "sockets: IPv6": lambda _: _socket(socket.AF_INET6),
    "sockets: Unix": lambda _: _socket(socket.AF_UNIX),
    "sockets: netlink": lambda _: _socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "sockets: packets": lambda _: _socket(socket.AF_PACKET, socket.SOCK_RAW),
    "sockets: virtual machines": lambda _: _socket(socket.AF_VSOCK),
    "sockets: cryptography": lambda _: _socket(socket.AF_ALG, socket.SOCK_SEQPACKET),
    "sockets: a pair": lambda _: _called(
        LIBC.socketpair(socket.AF_UNIX, socket.SOCK_STREAM, 0, ctypes.create_string_buffer(8))
    ),
    "sockets: by Python": lambda at: socket.create_connection(("127.0.0.1", at["port"])).close(),
    "sockets: Unix by Python": lambda _: socket.socket(socket.AF_UNIX).close(),
    "sockets: io_uring": lambda _: _called(LIBC.syscall(_IO_URING_SETUP, 1, bytes(120))),
    "signals: to the server": lambda at: _called(LIBC.kill(at["server"], 0)),
    "signals: to another process": lambda at: _called(LIBC.kill(at["victim"], signal.SIGCONT)),
    "signals: to all": lambda _: _called(LIBC.kill(-1, 0)),
    "signals: to a thread": lambda at: _called(
        LIBC.tgkill(at["victim"], at["victim"], signal.SIGCONT)
    ),
    "signals: queued": lambda at: _called(LIBC.sigqueue(at["victim"], signal.SIGCONT, None)),
    "signals: by a descriptor": lambda at: _called(
        LIBC.syscall(_PIDFD_OPEN, at["victim"], 0)
    ),
    "signals: by an owner of a pipe": lambda at: _called(LIBC.fcntl(0, 8, at["victim"])),
    "signals: by Python": lambda at: os.kill(at["victim"], signal.SIGCONT),
    "processes: trace": lambda at: _called(LIBC.ptrace(_PTRACE_SEIZE, at["victim"], None, None)),
    "processes: limit another": lambda at: _called(
        LIBC.prlimit(at["victim"], resource.RLIMIT_CORE, struct.pack("QQ", 0, 0), None)
    ),
    "processes: slow another down": lambda at: _called(LIBC.setpriority(0, at["victim"], 1)),
    "processes: move another": lambda at: _called(
        LIBC.sched_setaffinity(at["victim"], 8, struct.pack("Q", 1))
    ),
    "processes: run a program": lambda _: _called(
        LIBC.execve(b"/bin/true", (ctypes.c_char_p * 2)(b"true"), (ctypes.c_char_p * 1)())
    ),
    "processes: run a program by Python": lambda _: subprocess.run(["/bin/true"], check=True),
    "processes: a namespace": lambda _: _called(LIBC.unshare(_NEW_USER)),
    "processes: shared memory": lambda _: _called(LIBC.shmget(0, 4096, 0o1600)),
    "processes: write more than it may": lambda _: _called(
        LIBC.setrlimit(resource.RLIMIT_FSIZE, struct.pack("QQ", 1 << 30, 1 << 30))
    ),
}  # fmt: skip


@_as_try("processes: read another's memory")
def _read_memory(at: dict[str, Any]) -> None:
    room = ctypes.create_string_buffer(8)
    here = struct.pack("QQ", ctypes.addressof(room), 8)
    there = struct.pack("QQ", at["address"], 8)
    _called(LIBC.process_vm_readv(at["server"], here, 1, there, 1, 0))


@_as_try("processes: fork")
def _fork(_: dict[str, Any]) -> None:
    if _called(LIBC.fork()) == 0:
        os._exit(0)


@_as_try("processes: a thread")
def _thread(_: dict[str, Any]) -> None:
    import threading  # noqa: PLC0415 - it is this import's use that is tried

    try:
        threading.Thread(target=str).start()
    except RuntimeError as error:
        raise PermissionError(str(error)) from None


@_as_try("environment: the server's secret")
def _secret(at: dict[str, Any]) -> None:
    if at["secret"] not in os.environ.values():
        raise PermissionError("the target does not exist")


@_as_try("environment: whose home")
def _home(_: dict[str, Any]) -> None:
    if not {"HOME", "USER", "PATH"} & os.environ.keys():
        raise PermissionError("the target does not exist")


@_as_try("environment: in the process's own memory")
def _environment_block(at: dict[str, Any]) -> None:
    block = ctypes.POINTER(ctypes.c_char_p).in_dll(LIBC, "environ")
    number = 0
    while block[number]:
        if at["secret"].encode() in (block[number] or b""):
            return
        number += 1
    raise PermissionError("the target does not exist")


def find_refusal_reason(one: Try, at: dict[str, Any]) -> str | None:
    """Why the attempt failed; None if it succeeded."""
    try:
        one(at)
    except PermissionError as error:
        return f"refused: {error.strerror or error}"
    except OSError as error:
        return f"failed: {error.strerror or error}"
    return None


def _free(one: Try, at: dict[str, Any]) -> str | None:
    """The same in a child process, which another program may replace."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        with suppress(BaseException):
            os.set_inheritable(writing, False)
            os.write(writing, (find_refusal_reason(one, at) or "").encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        said = told.read().decode()
    os.waitpid(child, 0)
    return said or None


def main() -> None:
    at = json.loads(sys.stdin.readline())
    answers = os.fdopen(os.dup(1), "w")
    confined = sys.argv[1:] == ["confined"]
    if confined:
        confine(MEMORY)
    do = find_refusal_reason if confined else _free
    answers.write(json.dumps({name: do(one, at) for name, one in TRIES.items()}))
    answers.flush()


if __name__ == "__main__":
    main()
