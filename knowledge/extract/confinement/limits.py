"""Bounds that the system itself keeps (`setrlimit`). Windows has none of them."""

import sys
from pathlib import Path

MOST_FILES = 64


def set_limits(memory: int) -> None:
    """No core dumps, no new processes, no writing into files, few open ones, and `memory` bytes of address
    space more than there are now. None of them can be raised again.
    """
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - POSIX alone has it

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


def limit_cpu(more: float) -> None:
    """End this process once it has computed for `more` seconds from now, also when its server has gone."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - POSIX alone has it

    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + more) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))
