"""The text that Prometheus scrapes: of this process, or of all workers together.

With several workers each writes its numbers to files in one folder, which the parent names in
`PROMETHEUS_MULTIPROC_DIR` before the client is imported. Whoever is scraped adds up all files: counters of
a worker that died stay counted, its gauges do not.
"""

from collections.abc import Iterable
from pathlib import Path

import psutil
from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.values import ValueClass


def exposed(own: CollectorRegistry) -> tuple[bytes, str]:
    """The text and its media type."""
    if not getattr(ValueClass, "_multiprocess", False):
        return generate_latest(own), CONTENT_TYPE_LATEST
    everyone = CollectorRegistry()
    workers = _Workers(everyone)  # type: ignore[no-untyped-call]
    forget_dead(Path(workers._path))
    return generate_latest(everyone), CONTENT_TYPE_LATEST


class _Workers(MultiProcessCollector):
    """Of all workers. One that starts makes a file before it writes into it: the library cannot read that."""

    def collect(self) -> Iterable[Metric]:
        """What the files hold that hold something."""
        files = [str(one) for one in Path(self._path).glob("*.db") if one.stat().st_size]
        found: Iterable[Metric] = self.merge(files, accumulate=True)  # type: ignore[no-untyped-call]
        return found


def forget_dead(folder: Path) -> None:
    """Take away the gauges of processes that are no more."""
    for file in folder.glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdecimal() and not psutil.pid_exists(int(pid)):
            file.unlink(missing_ok=True)
