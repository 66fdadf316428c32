"""The timed usage hook, and the tenants and requests that calls are made for."""

import random
import time
from datetime import UTC, datetime

from app.domain.metrics.telemetry import ModelExchange, RunReport, new_trace_id
from app.domain.metrics.usage import CallUsage
from app.observability.port import Observers
from app.usage.meter import Spender
from app.usage.service import UsageService

TENANTS = 3


class TimedHook:
    """The usage hook, timed."""

    def __init__(self, usage: UsageService, watching: Observers) -> None:
        self._usage = usage
        self._watching = watching
        self.times: list[float] = []
        self.worked: list[float] = []

    def __call__(self, usage: CallUsage, exchange: ModelExchange | None = None) -> None:
        began, working = time.perf_counter(), time.thread_time()
        self._usage.record(usage, exchange)
        self.worked.append((time.thread_time() - working) * 1000)
        self.times.append((time.perf_counter() - began) * 1000)

    def passed(self, by: Spender, began: datetime) -> None:
        """Notify the observers that the request has ended, as the agent does."""
        now = datetime.now(UTC)
        report = RunReport(
            tenant=by.tenant,
            user=by.user,
            session_id=by.session_id,
            task_id=by.task_id,
            trace_id=by.trace_id,
            request_id=by.request_id,
            goal="Is it so?",
            answer="action",
            status="executing",
            started_at=began,
            ended_at=now,
            server_ms=(now - began).total_seconds() * 1000,
        )
        self._watching.on_run(report)


def make_usage(lot: random.Random) -> Spender:
    """A random tenant with its own request."""
    name = new_trace_id()
    return Spender(
        tenant=f"tenant-{lot.randrange(TENANTS)}",
        user=f"user-{lot.randrange(5)}",
        session_id="s",
        task_id=f"task-{lot.randrange(40)}",
        trace_id=name,
        request_id=name,
        message_id=name,
        step_index=lot.randrange(9),
    )
