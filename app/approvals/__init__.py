"""When a person must answer before the run continues, and what an answer allows."""

from app.approvals.approval import (
    accepted_objection_outcome,
    add_left_out,
    add_objection,
    approval_question,
    describe_not_done,
    explain_declined,
    first_unapproved,
    list_approvals,
    list_submitted_values,
    list_unapproved,
    release_chain,
    skip_declined_step,
)
from app.approvals.approval_scope import RunHistory
from app.approvals.question_text import describe_element
from app.approvals.requested_fields import (
    NOTHING,
    AnswerValues,
    complete_required,
    is_cancel,
    is_redirection,
    read_answer,
    strip_redirection,
)
from app.approvals.risk import ActionRisk, list_doubtful, mark_grave, text_around, weigh_chain

__all__ = [
    "NOTHING",
    "ActionRisk",
    "AnswerValues",
    "RunHistory",
    "accepted_objection_outcome",
    "add_left_out",
    "add_objection",
    "approval_question",
    "complete_required",
    "describe_element",
    "describe_not_done",
    "explain_declined",
    "first_unapproved",
    "is_cancel",
    "is_redirection",
    "list_approvals",
    "list_doubtful",
    "list_submitted_values",
    "list_unapproved",
    "mark_grave",
    "read_answer",
    "release_chain",
    "skip_declined_step",
    "strip_redirection",
    "text_around",
    "weigh_chain",
]
