"""What is kept of every wait on a person: the question, the answer, and what was then done."""

from datetime import datetime
from typing import Any, Literal

from app.domain.base import Value
from app.domain.question import (
    ExpectedInput,
    InterruptType,
    Question,
    QuestionKind,
    QuestionSource,
)

HitlStatus = Literal["pending", "answered", "cancelled", "expired"]
Decision = Literal["answered", "approved", "refused", "cancelled", "expired"]
Via = Literal["interact", "inbox", "mcp", "server"]


class HitlResult(Value):
    """What came of a question. `selected` are ids of its options, `text` what was said in words.

    `return_to` is where the run goes on; `key` names the request that brought it, so that a repeat of
    that is the same answer. A cancel and an expiry have no text. `operations` are the steps of the
    chain that a yes let go.
    """

    hitl_id: str
    decision: Decision
    return_to: str
    text: str = ""
    selected: tuple[str, ...] = ()
    by: str = ""
    via: Via = "interact"
    key: str = ""
    operations: tuple[str, ...] = ()
    at: datetime


class PendingHitl(Value):
    """A question as it waits, one at a time on a thread; kept when it is over.

    `task_id` is the LangGraph thread, `thread_id` the session or conversation it belongs to,
    `trace_id` the chain of requests. `goal` and `url` tell another inbox what it is about.
    """

    hitl_id: str
    tenant: str
    user: str
    task_id: str
    thread_id: str
    trace_id: str
    kind: QuestionKind
    source: QuestionSource
    return_to: str
    expected_input: ExpectedInput
    interrupt_type: InterruptType
    question: Question
    goal: str = ""
    url: str = ""
    status: HitlStatus = "pending"
    result: HitlResult | None = None
    created_at: datetime
    expires_at: datetime

    def status_at(self, now: datetime) -> HitlStatus:
        """The status by the dates that are stored: one that nobody answered in time has expired,
        written down or not.
        """
        late = self.status == "pending" and self.expires_at <= now
        return "expired" if late else self.status


AuditKind = Literal[
    "asked", "answered", "approved", "refused", "cancelled", "expired",
    "done", "not_done", "paused", "took_over", "resumed", "review_approved", "review_rejected",
]  # fmt: skip


class AuditEntry(Value):
    """One line of a task's audit trail; never changed. `shown` is what the person saw: the wording, the
    options' labels, what was to be approved. Secrets are masked.
    """

    entry_id: str
    tenant: str
    task_id: str
    kind: AuditKind
    by: str = ""
    via: Via = "interact"
    hitl_id: str | None = None
    text: str = ""
    shown: dict[str, Any] = {}
    operations: tuple[str, ...] = ()
    at: datetime


OperationStatus = Literal["sent", "success", "failure", "unknown", "skipped"]


class ExecutedOperation(Value):
    """One effect in the ledger, without personal data. `key` is `traceId:stepId`, with `step_id` =
    stepIndex.attempt.chainIndex; `name` is the action's.
    """

    key: str
    tenant: str
    task_id: str
    trace_id: str
    step_id: str
    name: str
    status: OperationStatus = "sent"
    at: datetime


class PersonAct(Value):
    """Something the person did in the page while they had taken over, as the page saw it: `name` is
    the control's, and of what was typed only that it was.
    """

    kind: Literal["click", "type", "choose", "navigate", "submit"]
    role: str = ""
    name: str = ""
    url: str = ""
    at: datetime | None = None
