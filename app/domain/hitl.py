"""Questions for a person, their answers, and the audit trail."""

from datetime import datetime
from typing import Any, Literal

from app.domain.access import Concern
from app.domain.base import Value, renamed_field
from app.domain.metrics.usage import BudgetIncrease
from app.domain.page import ElementRef

QuestionKind = Literal["clarification", "approval", "disambiguation"]

QuestionSource = Literal[
    "planner", "missing_info", "grounding", "risk", "budget",
    "intent", "documents", "validation", "retrieval",
]  # fmt: skip

CHAT_SOURCES: frozenset[QuestionSource] = frozenset(
    {"intent", "documents", "validation", "retrieval"}
)
"""Sources that ask within a conversation over documents; all others ask on behalf of a task."""

ReturnTo = Literal[
    "planning/replan",
    "step_refinement/continue",
    "grounding/apply_selection",
    "execution/approved",
    "context_analysis/spend",
    "web_search/spend",
    "planning/spend",
    "step_refinement/spend",
    "reading/spend",
    "critic/spend",
    "replanning/spend",
    "correction/spend",
    "intent_resolver/chosen",
    "doc_resolver/chosen",
    "doc_resolver/named",
    "validate_inputs/given",
    "inquire/weak",
    "inquire/tagged",
]

ExpectedInput = Literal["yes_no", "single_choice", "multi_choice", "free_text"]

InterruptType = Literal[
    "doc_choice", "text_input", "action_choice", "element_choice", "yes_no", "retrieval_low"
]


class Option(Value):
    """An option to choose: a control of the page, described in words, with its element id.

    It was the `nth` (from 0) of `alike` controls with the same role, name and place.
    """

    id: str
    label: str
    element_id: str | None = None
    element: ElementRef | None = None
    nth: int = 0
    alike: int = 1


SAVE_TO_MEMORY = Option(id="save_to_memory", label="Save to memory")
"""Offered beside free-text answers to a question of intent: save without doing anything."""


class ChosenOption(Value):
    """The option chosen for one step, and the `others` that were rejected; `about` is the phrase that
    matches all of them. Steps created from one answer share `hitl_id` and `origin`, the step as planned.
    """

    option: Option
    others: tuple[Option, ...] = ()
    hitl_id: str = ""
    origin: str = ""
    about: str = ""


class Approval(Value):
    """Exactly what a person is asked to approve.

    `action` is the call in displayable form (secrets masked), `element` its target, `site` its host[:port];
    `undo` says what cannot be undone; `whose` is the record it acts on, if the page shows that elsewhere.
    """

    action: str
    description: str
    element_id: str | None = None
    element: ElementRef | None = None
    site: str = ""
    effects: tuple[Concern, ...] = ()
    undo: str = ""
    whose: str = ""


class Question(Value):
    """A question that a run is waiting for a person to answer. `fields` names the missing values, one per
    line. `options` come from the page and never from a model; `about` is the phrase that matches all of
    them, `multiple` allows several, and `further` are options not shown that only words can select.

    `hitl_id`, `asked_at` and `expires_at` (ISO 8601, UTC) are empty until the question is created; `source`
    is who asks, `return_to` where the run continues. `approval` is what a yes permits; `action_id` is the
    action that a yes confirms as done. `lift` is the increased spending limit that a `budget` question
    offers.
    """

    text: str
    fields: tuple[str, ...] = ()
    hitl_id: str = ""
    kind: QuestionKind = "clarification"
    source: QuestionSource = "planner"
    return_to: ReturnTo = "planning/replan"
    asked_at: str = ""
    expires_at: str = ""
    options: tuple[Option, ...] = ()
    multiple: bool = False
    further: tuple[Option, ...] = ()
    about: str = ""
    approval: Approval | None = None
    also: tuple[Approval, ...] = ()  # further actions that a yes to `approval` permits
    action_id: str = renamed_field("", "action_id", stored="deed")
    lift: BudgetIncrease | None = None

    @property
    def takes_any_words(self) -> bool:
        """Whether free text is accepted, the options being shortcuts."""
        return all(option == SAVE_TO_MEMORY for option in self.options)

    @property
    def interrupt_type(self) -> InterruptType:
        """The interrupt type, as named in CONTRACT."""
        if self.kind == "approval" or self.action_id:
            return "yes_no"
        if self.source in ("budget", "intent"):
            return "action_choice"
        if self.source in CHAT_SOURCES and self.options:
            return "retrieval_low" if self.source == "retrieval" else "doc_choice"
        return "text_input" if self.takes_any_words else "element_choice"

    @property
    def expected_input(self) -> ExpectedInput:
        if self.kind == "approval" or self.action_id:
            return "yes_no"
        if self.takes_any_words:
            return "free_text"
        return "multi_choice" if self.multiple else "single_choice"


HitlStatus = Literal["pending", "answered", "cancelled", "expired"]
HitlDecision = Literal["answered", "approved", "refused", "cancelled", "expired"]
AnswerChannel = Literal["interact", "inbox", "mcp", "server"]


class HitlResult(Value):
    """The result of a question. `selected` are option ids, `text` the answer in words.

    `return_to` is where the run continues; `key` identifies the request that carried the answer, so that a
    retry counts as the same answer. Cancellations and expiries have no text. `operations` are the steps of
    the chain that a yes released.
    """

    hitl_id: str
    decision: HitlDecision
    return_to: str
    text: str = ""
    selected: tuple[str, ...] = ()
    by: str = ""
    via: AnswerChannel = "interact"
    key: str = ""
    operations: tuple[str, ...] = ()
    at: datetime


class PendingHitl(Value):
    """A stored question. At most one per thread is pending; it is kept after it ends.

    `task_id` is the LangGraph thread, `thread_id` the session or conversation, `trace_id` the request
    chain. `goal` and `url` give context in other inboxes.
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
        """The status at that time; an unanswered question expires whether or not that was written."""
        late = self.status == "pending" and self.expires_at <= now
        return "expired" if late else self.status


AuditKind = Literal[
    "asked", "answered", "approved", "refused", "cancelled", "expired",
    "done", "not_done", "paused", "took_over", "resumed", "review_approved", "review_rejected",
]  # fmt: skip


class AuditEntry(Value):
    """One immutable entry of a task's audit trail.

    `shown` is what the person saw: the wording, the option labels, the actions to approve. Secrets are
    masked.
    """

    entry_id: str
    tenant: str
    task_id: str
    kind: AuditKind
    by: str = ""
    via: AnswerChannel = "interact"
    hitl_id: str | None = None
    text: str = ""
    shown: dict[str, Any] = {}
    operations: tuple[str, ...] = ()
    at: datetime


OperationStatus = Literal["sent", "success", "failure", "unknown", "skipped"]


class ExecutedOperation(Value):
    """One effect in the ledger, without personal data.

    `key` is `traceId:stepId`, with `step_id` = stepIndex.attempt.chainIndex; `name` is the action's.
    """

    key: str
    tenant: str
    task_id: str
    trace_id: str
    step_id: str
    name: str
    status: OperationStatus = "sent"
    at: datetime


class UserAction(Value):
    """A person's action during a takeover, as the page saw it.

    `name` is the control's; of typed text only the fact is recorded.
    """

    kind: Literal["click", "type", "choose", "navigate", "submit"]
    role: str = ""
    name: str = ""
    url: str = ""
    at: datetime | None = None
