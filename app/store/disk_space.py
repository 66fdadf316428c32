"""Free space on the disk of the data folder, and its consequences."""

import shutil
import threading
from time import monotonic
from typing import Literal

import structlog

from app.errors import StorageFull
from app.settings import Settings

FRESH_S = 1.0  # cache lifetime of a measurement
STOP = "TABWRIGHT_DISK_STOP_PERCENT"
Level = Literal["ok", "low", "full"]

log = structlog.get_logger(__name__)


class DiskSpace:
    """Free space of one folder, which need not exist yet. Thread-safe."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.data_dir.resolve()
        self._warn, self._stop = settings.disk_warn_percent, settings.disk_stop_percent
        self._lock = threading.Lock()
        self._free, self._total = 1, 1
        self._measured_at = -FRESH_S
        self._level: Level = "ok"

    @property
    def free_percent(self) -> float:
        """Free space in percent; the last known value if the disk cannot be read."""
        with self._lock:
            if monotonic() - self._measured_at >= FRESH_S:
                self._measured_at = monotonic()
                self._measure()
            return 100.0 * self._free / max(1, self._total)

    @property
    def level(self) -> Level:
        """`low`: below the warning threshold; `full`: below the minimum for new work."""
        percent = self.free_percent
        return "full" if percent < self._stop else "low" if percent < self._warn else "ok"

    def require(self) -> None:
        """Raise `StorageFull` if there is too little space for new work."""
        if self.level == "full":
            raise StorageFull(
                f"{self.describe()}. New work is stopped below {self._stop:g} % ({STOP})"
            )

    def describe(self) -> str:
        percent = self.free_percent
        return f"{self._folder}: {self._free / 1e9:.1f} GB free ({percent:.1f} %)"

    def report(self) -> None:
        """Log each crossing of a threshold once."""
        level = self.level
        if level == self._level:
            return
        previous, self._level = self._level, level
        threshold = {"ok": self._warn, "low": self._warn, "full": self._stop}[level]
        if level == "low" and previous == "full":
            threshold = self._stop
        write = log.info if level == "ok" else log.warning
        write(
            "disk_space",
            level=level,
            before=previous,
            folder=str(self._folder),
            free_bytes=self._free,
            free_percent=round(self.free_percent, 1),
            threshold_percent=threshold,
        )

    def _measure(self) -> None:
        try:
            existing = next(it for it in (self._folder, *self._folder.parents) if it.exists())
            self._total, _, self._free = shutil.disk_usage(existing)
        except OSError as error:
            log.warning("disk_space_unknown", folder=str(self._folder), reason=error.strerror)
