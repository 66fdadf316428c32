"""What a confined reader may still read: code and tables that libraries load when they are first needed."""

import mimetypes
import os
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[3]
OURS = ("app", "knowledge")
"""The packages themselves, not the folder they lie in: that one may hold an `.env`."""
SYSTEM = (
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache",
    "/usr/share/zoneinfo", "/etc/localtime",
)  # fmt: skip


def readable_places() -> tuple[str, ...]:
    """Folders and files that are there, as they are called without links."""
    paths = sysconfig.get_paths()
    python = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    # The libraries of a Python that was installed in a folder of its own.
    python.append(os.path.join(sys.base_prefix, "lib"))  # noqa: PTH118 - strings throughout
    ours = [str(ROOT / name) for name in OURS]
    asked = [*python, *ours, *SYSTEM, *mimetypes.knownfiles]
    found = [os.path.realpath(one) for one in asked]
    return tuple(dict.fromkeys(one for one in found if one != "/" and os.path.exists(one)))  # noqa: PTH110
