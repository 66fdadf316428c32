"""Worker processes that read documents, seen from the server."""

from knowledge.extract.sandbox.confinement import Layers, may_be_unconfined
from knowledge.extract.workers.pool import ReaderLimits, WorkerPool
from knowledge.extract.workers.process import probe_layers

__all__ = ["Layers", "ReaderLimits", "WorkerPool", "may_be_unconfined", "probe_layers"]
