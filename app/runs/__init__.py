"""One run of a request, for the agent and the chat alike."""

from app.runs.graph import (
    GraphInput,
    RunTrace,
    forget_result,
    load_thread,
    run_graph,
    send_report,
    thread_config,
    trace_run,
)
from app.runs.lease import (
    CLAIM_TTL_S,
    KEY_REVOKED,
    RUNNING_TASKS,
    LeaseManager,
    RunHandle,
    RunLease,
    StoreWrite,
    acquire_lease,
    require_capacity,
)
from app.runs.service import Event, LiveRun, Problem, RunService, error_event

__all__ = [
    "CLAIM_TTL_S",
    "KEY_REVOKED",
    "RUNNING_TASKS",
    "Event",
    "GraphInput",
    "LeaseManager",
    "LiveRun",
    "Problem",
    "RunHandle",
    "RunLease",
    "RunService",
    "RunTrace",
    "StoreWrite",
    "acquire_lease",
    "error_event",
    "forget_result",
    "load_thread",
    "require_capacity",
    "run_graph",
    "send_report",
    "thread_config",
    "trace_run",
]
