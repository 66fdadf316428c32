"""What those who watch from outside are told of a turn."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import structlog

from app.agent.persistence.report import Watch
from app.chat.output.status import found_of
from app.chat.state import ChatState
from app.chat.turns import Turn
from app.domain.chat import Reply
from app.domain.metrics.telemetry import RunReport
from app.domain.redaction import masked, secrets_in
from app.observability.port import Observer
from app.runs.live import Event
from app.usage.meter import Meter

STATUSES = {"response": "completed", "interrupt": "awaiting_user", "error": "failed"}

log = structlog.get_logger(__name__)


@contextmanager
def watched(observer: Observer, held: Turn, meter: Meter) -> Iterator[Watch]:
    """A turn; one that an exception ends is told of as far as it came, and the exception goes on."""
    watch = Watch(found_of)
    try:
        yield watch
    except Exception:
        tell(observer, held, meter, watch, {"type": "error"}, None)
        raise


def tell(
    observer: Observer,
    held: Turn,
    meter: Meter,
    watch: Watch,
    event: Event,
    state: ChatState | None,
) -> None:
    """Tell of a turn with its terminal event. It is kept by now: nothing in here may take that back."""
    try:
        observer.passed(_report(held, meter, watch, event, state))
    except Exception:
        log.exception("turn not told")


def _report(
    held: Turn, meter: Meter, watch: Watch, event: Event, state: ChatState | None
) -> RunReport:
    by, now = meter.by, datetime.now(UTC)
    answer = state["answer"] if state is not None and event["type"] == "response" else None
    support, doubt = _certainty(answer)
    message = state["message"] if state is not None else held.call.said.text or ""
    return RunReport(
        tenant=by.tenant,
        user=by.user,
        session_id=by.session_id,
        task_id=by.task_id,
        trace_id=by.trace_id,
        request_id=by.request_id,
        goal=masked(message, secrets_in(message)),
        answer=event["type"],
        status="interrupted" if event.get("stopped") else STATUSES[event["type"]],
        started_at=watch.started_at,
        ended_at=now,
        server_ms=(now - watch.started_at).total_seconds() * 1000,
        nodes=watch.spans,
        question=event.get("interrupt_type"),
        turn=by.message_id,
        said=answer.text if answer is not None else "",
        support=support,
        doubt=doubt,
    )


def _certainty(answer: Reply | None) -> tuple[float | None, int | None]:
    """The share of the claims that stand undoubted, and how many do not; None without any."""
    if answer is None or not answer.claims:
        return None, None
    doubt = len(answer.unsupported) + answer.doubted
    return max(0.0, 1 - doubt / answer.claims), doubt
