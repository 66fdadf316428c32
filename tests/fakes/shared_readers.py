"""Document readers that outlive the server that started them: each takes a second of CPU to start."""

from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

from knowledge.extract.workers.pool import ReaderLimits, WorkerPool
from knowledge.extract.workers.process import WorkerProcess


class LastingThreads(ThreadPoolExecutor):
    """Threads that no pool ends: a reader dies with the thread that started it."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Do nothing."""


THREADS = LastingThreads(16, "reader")


class SharedReaderPool(WorkerPool):
    """A pool that leaves its idle readers to the next pool of this process with the same limits."""

    left: ClassVar[dict[ReaderLimits, list[WorkerProcess]]] = {}

    def __init__(self, limits: ReaderLimits | None = None) -> None:
        super().__init__(limits)
        self._threads.shutdown()
        self._threads = THREADS

    def _take(self, tenant: str) -> WorkerProcess:
        left = self.left.setdefault(self._limits, [])
        left[:] = [child for child in left if child.memory()]  # a test may have killed some
        if left and all(child.tenant != tenant for child in self._idle):
            child = left.pop()
            child.tenant = tenant
            self._layers = child.layers
            self._idle.append(child)
        return super()._take(tenant)

    def _end_idle(self) -> None:
        if self._closed:
            self.left.setdefault(self._limits, []).extend(self._idle)
            self._idle.clear()
        super()._end_idle()
