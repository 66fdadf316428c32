"""Landlock: the kernel refuses files, native code's too (docs.kernel.org/userspace-api/landlock.html)."""

import ctypes
import os
import stat
import struct
from collections.abc import Sequence

# The same on every architecture.
_CREATE, _ADD, _RESTRICT = 444, 445, 446
_ASK_VERSION = 1
_BENEATH = 1
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
"""How many rights over files there are since a version: the first 13, moving, truncating, devices."""
_TCP = 0b11  # bind and connect, since version 4
_SCOPES = 0b11  # abstract Unix sockets and signals, since version 6


def restrict(places: Sequence[str]) -> int:
    """Allow this thread to read beneath `places` and nothing else; the version that holds. 0 without, and in
    a process of several threads, of which the others would go on as they are.
    """
    if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208 - descriptors' names, no paths
        return 0
    call = ctypes.CDLL(None, use_errno=True).syscall
    version: int = call(_CREATE, None, ctypes.c_size_t(0), _ASK_VERSION)
    if version < 1:
        return 0  # an older kernel, or one that was started without it
    rules = _rules(version)
    made = call(_CREATE, rules, ctypes.c_size_t(len(rules)), 0)
    if made < 0:
        return 0
    for place in places:
        _allow_reading(call, made, place)
    refused = call(_RESTRICT, made, 0)
    os.close(made)
    return 0 if refused else version


def _rules(version: int) -> bytes:
    """What is forbidden unless it is allowed."""
    rights = (1 << max(bits for since, bits in _RIGHTS.items() if version >= since)) - 1
    if version < 4:
        return struct.pack("=Q", rights)
    if version < 6:
        return struct.pack("=QQ", rights, _TCP)
    return struct.pack("=QQQ", rights, _TCP, _SCOPES)


def _allow_reading(call: "ctypes._NamedFuncPointer", made: int, place: str) -> None:
    opened = os.open(place, os.O_PATH | os.O_CLOEXEC)
    folder = stat.S_ISDIR(os.fstat(opened).st_mode)
    rights = _READ_FILE | (_READ_FOLDER if folder else 0)
    call(_ADD, made, _BENEATH, struct.pack("=Qi", rights, opened), 0)
    os.close(opened)
