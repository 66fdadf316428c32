"""Questions for a person, their answers, and the audit trail."""

from datetime import datetime
from typing import Any, Literal

from app.domain.access import Concern
from app.domain.base import Value, renamed_field
from app.domain.metrics.budget import BudgetIncrease
from app.domain.page import ElementRef

QuestionKind = Literal["clarification", "approval", "disambiguation"]


QuestionSource = Literal[
    "planner", "missing_info", "grounding", "risk", "budget",
    "intent", "documents", "validation", "retrieval",
]  # fmt: skip


CHAT_SOURCES: frozenset[QuestionSource] = frozenset(
    {"intent", "documents", "validation", "retrieval"}
)
"""Who asks in a conversation over documents; all others ask for a task."""


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
    """One thing that may be meant: a control of the page, in words, with its id there. It was the `nth`
    (from 0) of `alike` controls that have the same role, name and place.
    """

    id: str
    label: str
    element_id: str | None = None
    element: ElementRef | None = None
    nth: int = 0
    alike: int = 1


SAVE_TO_MEMORY = Option(id="save_to_memory", label="Save to memory")
"""Offered beside the words that answer a question of what is meant: nothing is to be done, only kept."""


class ChosenOption(Value):
    """What a person chose for one step: `option`, and the `others` of that question, which they did not
    mean for it; `about` is the phrase that fits them all. Steps made of one answer share `hitl_id` and
    `origin`, the step as it was planned.
    """

    option: Option
    others: tuple[Option, ...] = ()
    hitl_id: str = ""
    origin: str = ""
    about: str = ""


class Approval(Value):
    """What exactly a person is asked to let happen, and nothing else.

    `action` is the call as it may be shown (secrets masked), `element` what it touches, `site` its
    host[:port]; `undo` says what cannot be undone, in words; `whose` the record that it acts on, where
    the page draws it elsewhere.
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
    """What a run waits for a person to say. `fields` names what is missing, a line each; `options`
    are what to choose from, made from the page and never by a model; `about` is the phrase that fits
    them all, `multiple` says that several of them may be meant, `further` are options beyond those
    that are shown, which only words can name.

    `hitl_id`, `asked_at` and `expires_at` (ISO 8601, UTC) are empty until the question is put;
    `source` is who asks, `return_to` where the run goes on. `approval` is what a yes lets happen; `action_id`
    the id of the action that a yes says happened. `lift` is what the task may spend when the person says
    so, of a question of the `budget`.
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
    also: tuple[Approval, ...] = ()  # what a yes to `approval` lets happen with it
    action_id: str = renamed_field("", "action_id", stored="deed")
    lift: BudgetIncrease | None = None

    @property
    def takes_any_words(self) -> bool:
        """Whether whatever is said answers it, its options being shortcuts."""
        return all(option == SAVE_TO_MEMORY for option in self.options)

    @property
    def interrupt_type(self) -> InterruptType:
        """The kind of answer it takes, as CONTRACT names it."""
        if self.kind == "approval" or self.action_id:
            return "yes_no"
        if self.source in ("budget", "intent"):
            return "action_choice"
        if self.source in CHAT_SOURCES and self.options:
            return "retrieval_low" if self.source == "retrieval" else "doc_choice"
        return "text_input" if self.takes_any_words else "element_choice"

    @property
    def expected_input(self) -> ExpectedInput:
        """The form of the answer."""
        if self.kind == "approval" or self.action_id:
            return "yes_no"
        if self.takes_any_words:
            return "free_text"
        return "multi_choice" if self.multiple else "single_choice"


HitlStatus = Literal["pending", "answered", "cancelled", "expired"]


HitlDecision = Literal["answered", "approved", "refused", "cancelled", "expired"]


AnswerChannel = Literal["interact", "inbox", "mcp", "server"]


class HitlResult(Value):
    """What came of a question. `selected` are ids of its options, `text` what was said in words.

    `return_to` is where the run goes on; `key` names the request that brought it, so that a repeat of
    that is the same answer. A cancel and an expiry have no text. `operations` are the steps of the
    chain that a yes let go.
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
    via: AnswerChannel = "interact"
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


class UserAction(Value):
    """Something the person did in the page while they had taken over, as the page saw it: `name` is
    the control's, and of what was typed only that it was.
    """

    kind: Literal["click", "type", "choose", "navigate", "submit"]
    role: str = ""
    name: str = ""
    url: str = ""
    at: datetime | None = None
