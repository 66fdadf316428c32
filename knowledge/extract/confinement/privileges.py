"""Linux: the powers of root given up, for good; nobody of the same user may look into the process."""

import ctypes
import signal
import struct

_PARENT_DEATH_SIGNAL, _DUMPABLE, _NO_NEW_PRIVILEGES = 1, 4, 38
_CAPABILITIES_VERSION = 0x20080522


def drop() -> None:
    """Also ends with the thread that started it, which lives as long as whoever asks for documents."""
    libc = ctypes.CDLL(None)
    libc.capset(struct.pack("=Ii", _CAPABILITIES_VERSION, 0), bytes(24))
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    libc.prctl(_DUMPABLE, 0, 0, 0, 0)
    libc.prctl(_PARENT_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
