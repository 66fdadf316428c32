"""What an index was made with goes back to the system, instead of staying with the process unused."""

import ctypes
from collections.abc import Callable
from functools import cache

LARGE = 1_000_000  # bytes; an array of more has pages of its own, which go with it
_MMAP_THRESHOLD = -3  # as in malloc.h of glibc


def give_back() -> None:
    """Have the C library give free pages back; nothing happens where it is not glibc."""
    if trim := _of_glibc("malloc_trim"):
        trim(0)


@cache
def keep_large_apart() -> None:
    """Have large arrays never share pages with small values. Of its own glibc raises that bound to 32 MB
    when such arrays come and go: an index of 14 MB left 100 MB behind.
    """
    if option := _of_glibc("mallopt"):
        option(_MMAP_THRESHOLD, LARGE)


def _of_glibc(name: str) -> Callable[..., int] | None:
    try:
        found: Callable[..., int] = getattr(ctypes.CDLL("libc.so.6"), name)
    except (OSError, AttributeError):
        return None
    return found
