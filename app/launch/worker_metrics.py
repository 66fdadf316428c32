"""Where workers put their counts, so that whichever of them is scraped tells of all."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"  # prometheus_client's, read when it is imported
PREFIX = "metrics-"


@contextmanager
def counted_together(data_dir: Path, workers: int) -> Iterator[None]:
    """Name an empty folder to the processes that are started within; none where there is but one.

    What an earlier server left behind, whose parent is no more, is taken away.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    _clean(data_dir)
    if workers < 2:
        # Its numbers stay in memory, also where the environment names a folder of someone else.
        os.environ.pop(VARIABLE, None)  # noqa: TID251 - handed down to the client library
        yield
        return
    with tempfile.TemporaryDirectory(
        prefix=f"{PREFIX}{os.getpid()}-", dir=data_dir, ignore_cleanup_errors=True
    ) as folder:
        os.environ[VARIABLE] = folder  # noqa: TID251 - handed down to the workers
        try:
            yield
        finally:
            os.environ.pop(VARIABLE, None)  # noqa: TID251 - as it was


def _clean(data_dir: Path) -> None:
    for folder in data_dir.glob(f"{PREFIX}*-*"):
        pid = folder.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdecimal() and not psutil.pid_exists(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)
