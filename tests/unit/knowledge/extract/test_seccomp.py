"""The filter of the kernel's calls, as a machine of each architecture would run it."""

import os
import struct

import pytest

from knowledge.extract.sandbox.seccomp import _MACHINES, _program

ALLOWED, REFUSED, KILLED = 0x7FFF0000, 0x00050001, 0x80000000
LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
# socket, connect, execve, clone, clone3, kill, ptrace, unlinkat, truncate, mount, bpf, io_uring_setup
DANGEROUS = {
    "x86_64": (41, 42, 59, 56, 435, 62, 101, 263, 76, 165, 321, 425, 0x40000000),
    "aarch64": (198, 203, 221, 220, 435, 129, 117, 35, 45, 40, 280, 425),
}


def verdict(machine: str, number: int, *arguments: int, sign: int | None = None) -> int:
    """Run the program over one call."""
    call = struct.pack(
        "=IIQ6Q",
        number,
        sign or _MACHINES[machine].sign,
        0,
        *arguments,
        *[0] * (6 - len(arguments)),
    )
    steps = list(struct.iter_unpack("=HBBI", _program(_MACHINES[machine])))
    at = loaded = 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        if code == LOAD:
            (loaded,) = struct.unpack_from("=I", call, value)
        elif code == RETURN:
            return value
        else:
            assert code in (EQUAL, ANY_BIT)
            holds = loaded == value if code == EQUAL else bool(loaded & value)
            at += yes if holds else no


@pytest.mark.parametrize("machine", DANGEROUS)
def test_what_reading_needs_is_allowed_and_nothing_else(machine: str) -> None:
    calls = _MACHINES[machine].calls
    for name in ("read", "write", "mmap", "futex", "exit_group", "getrandom"):
        assert verdict(machine, calls[name]) == ALLOWED, name
    for number in DANGEROUS[machine]:
        assert verdict(machine, number) == REFUSED, number
    assert verdict(machine, calls["read"], sign=0x40000003) == KILLED
    assert len(_program(_MACHINES[machine])) // 8 < 4_096  # what a kernel takes


@pytest.mark.parametrize("machine", DANGEROUS)
def test_some_calls_are_allowed_with_harmless_arguments_alone(machine: str) -> None:
    calls = _MACHINES[machine].calls
    assert verdict(machine, calls["openat"], 0, 0, os.O_RDONLY | os.O_CLOEXEC) == ALLOWED
    for flag in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_APPEND):
        assert verdict(machine, calls["openat"], 0, 0, flag) == REFUSED
    assert verdict(machine, calls["prlimit64"], 0) == ALLOWED
    assert verdict(machine, calls["prlimit64"], 1) == REFUSED
    assert verdict(machine, calls["tgkill"], os.getpid()) == ALLOWED
    assert verdict(machine, calls["tgkill"], 1) == REFUSED
    assert verdict(machine, calls["fcntl"], 0, 1) == ALLOWED
    assert verdict(machine, calls["fcntl"], 0, 8) == REFUSED
    assert verdict(machine, calls["ioctl"], 0, 0x5401) == ALLOWED
    assert verdict(machine, calls["ioctl"], 0, 0x5412) == REFUSED  # types into a terminal
