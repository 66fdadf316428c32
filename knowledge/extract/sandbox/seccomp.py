"""A seccomp filter that allows the system calls needed for reading and fails all others with EPERM
(docs.kernel.org/userspace-api/seccomp_filter.html). Supports x86-64 and arm64.
"""

import ctypes
import os
import platform
import struct
from dataclasses import dataclass

_SET_MODE_FILTER, _ALL_THREADS = 1, 1
_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000 | 1, 0x80000000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # offsets in `struct seccomp_data`
# O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND, O_TMPFILE
_WRITES = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000 | 0o20000000
_IOCTLS = (0x5401, 0x5451, 0x541B)  # TCGETS, FIOCLEX, FIONREAD: used by `open`
_FCNTLS = (0, 1, 2, 3, 1030)  # F_DUPFD to F_GETFL, F_DUPFD_CLOEXEC; F_SETOWN would send signals


@dataclass(frozen=True, slots=True)
class _Machine:
    """The audit constant of an architecture and its system call numbers by name."""

    sign: int
    seccomp: int
    calls: dict[str, int]


_MACHINES = {
    "x86_64": _Machine(0xC000003E, 317, {
        "read": 0, "write": 1, "open": 2, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "lseek": 8,
        "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14,
        "rt_sigreturn": 15, "ioctl": 16, "pread64": 17, "readv": 19, "writev": 20, "access": 21,
        "sched_yield": 24, "mremap": 25, "madvise": 28, "dup": 32, "dup2": 33, "nanosleep": 35,
        "getpid": 39, "exit": 60, "uname": 63, "fcntl": 72, "getdents": 78, "getcwd": 79,
        "readlink": 89, "gettimeofday": 96, "getrlimit": 97, "getrusage": 98, "times": 100,
        "getuid": 102, "getgid": 104, "geteuid": 107, "getegid": 108, "getppid": 110,
        "sigaltstack": 131, "gettid": 186, "time": 201, "futex": 202, "sched_getaffinity": 204,
        "getdents64": 217, "restart_syscall": 219, "clock_gettime": 228, "clock_getres": 229,
        "clock_nanosleep": 230, "exit_group": 231, "tgkill": 234, "openat": 257, "newfstatat": 262,
        "readlinkat": 267, "faccessat": 269, "set_robust_list": 273, "dup3": 292, "prlimit64": 302,
        "getrandom": 318, "membarrier": 324, "statx": 332, "rseq": 334, "faccessat2": 439,
    }),
    "aarch64": _Machine(0xC00000B7, 277, {
        "getcwd": 17, "dup": 23, "dup3": 24, "fcntl": 25, "ioctl": 29, "faccessat": 48, "openat": 56,
        "close": 57, "getdents64": 61, "lseek": 62, "read": 63, "write": 64, "readv": 65, "writev": 66,
        "pread64": 67, "readlinkat": 78, "newfstatat": 79, "fstat": 80, "exit": 93, "exit_group": 94,
        "futex": 98, "set_robust_list": 99, "nanosleep": 101, "clock_gettime": 113,
        "clock_getres": 114, "clock_nanosleep": 115, "sched_getaffinity": 123, "sched_yield": 124,
        "restart_syscall": 128, "tgkill": 131, "sigaltstack": 132, "rt_sigaction": 134,
        "rt_sigprocmask": 135, "rt_sigreturn": 139, "times": 153, "uname": 160, "getrlimit": 163,
        "getrusage": 165, "gettimeofday": 169, "getpid": 172, "getppid": 173, "getuid": 174,
        "geteuid": 175, "getgid": 176, "getegid": 177, "gettid": 178, "brk": 214, "munmap": 215,
        "mremap": 216, "mmap": 222, "mprotect": 226, "madvise": 233, "prlimit64": 261,
        "getrandom": 278, "membarrier": 283, "statx": 291, "rseq": 293, "faccessat2": 439,
    }),
}  # fmt: skip


def install_filter() -> bool:
    """Install the filter for all threads of this process; returns whether it is active."""
    machine = _MACHINES.get(
        platform.machine().replace("AMD64", "x86_64").replace("arm64", "aarch64")
    )
    if machine is None or struct.calcsize("P") != 8:
        return False
    program = _program(machine)
    buffer = ctypes.create_string_buffer(program, len(program))
    # `struct sock_fprog`: the number of instructions and a pointer to them.
    head = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(buffer))
    call = ctypes.CDLL(None, use_errno=True).syscall
    status: int = call(machine.seccomp, _SET_MODE_FILTER, _ALL_THREADS, head)
    return status == 0


def _program(machine: _Machine) -> bytes:
    foreign = _step(_EQUAL, machine.sign, no=0, yes=1) + _step(_RETURN, _KILL)
    parts = [_step(_LOAD, _ARCHITECTURE), foreign, _step(_LOAD, _NUMBER)]
    for name, number in machine.calls.items():
        body = _conditions(name)
        steps = len(body) // 8
        parts += [_step(_EQUAL, number, yes=0, no=steps), body]
    return b"".join([*parts, _step(_RETURN, _REFUSE)])


def _conditions(name: str) -> bytes:
    """Instructions for a system call: most are allowed, some only with certain arguments."""
    match name:
        case "open":
            return _argument(1) + _step(_ANY_BIT, _WRITES, yes=1) + _either()
        case "openat":
            return _argument(2) + _step(_ANY_BIT, _WRITES, yes=1) + _either()
        case "ioctl":
            return _one_of(1, _IOCTLS)
        case "fcntl":
            return _one_of(1, _FCNTLS)
        case "prlimit64":  # the process's own limits
            return _one_of(0, (0,))
        case "tgkill":  # used by `abort`
            return _one_of(0, (os.getpid(),))
    return _step(_RETURN, _ALLOW)


def _one_of(place: int, values: tuple[int, ...]) -> bytes:
    """Allow if the lower half of the argument, which is all these calls use, is one of the values."""
    tests = [_step(_EQUAL, value, yes=len(values) - at, no=0) for at, value in enumerate(values)]
    return b"".join([_argument(place), *tests, _step(_RETURN, _REFUSE), _step(_RETURN, _ALLOW)])


def _either() -> bytes:
    """Deny if the preceding test skips one instruction, else allow."""
    return _step(_RETURN, _ALLOW) + _step(_RETURN, _REFUSE)


def _argument(place: int) -> bytes:
    return _step(_LOAD, _FIRST_ARGUMENT + 8 * place)


def _step(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    """One `struct sock_filter`, with the instructions to skip if its test is true or false."""
    return struct.pack("=HBBI", code, yes, no, value)
