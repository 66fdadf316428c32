"""Background jobs: queued in the store, worked on under a lease, reported as progress."""

from knowledge.jobs.broker import Send, open_broker
from knowledge.jobs.runner import Accounting, Runner, Sweeper, release_resources
from knowledge.jobs.work import Work, temp_file

__all__ = [
    "Accounting",
    "Runner",
    "Send",
    "Sweeper",
    "Work",
    "open_broker",
    "release_resources",
    "temp_file",
]
