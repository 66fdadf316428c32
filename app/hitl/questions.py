"""Creates questions for a person."""

from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

from app.domain.hitl import PendingHitl, Question

ANSWER_WITHIN = timedelta(minutes=5)  # DESIGN section 3: `expiresAt`
_PUT = {"hitl_id", "asked_at", "expires_at"}


def question_text(question: Question) -> str:
    """The question and its subject, one line per field."""
    text = question.text.casefold()
    lines = [f"- {one}" for one in question.fields if one.rstrip(" .:?…").casefold() not in text]
    return "\n".join([question.text, *lines])


def create_question(
    question: Question,
    request_id: str,
    now: datetime | None = None,
    lifetime: timedelta | None = None,
) -> Question:
    """Prepare the question for sending, which expires after `lifetime` (default: five minutes).

    Its id is derived from the request and the content, so that an identical retry gets the same id and a
    different question does not.
    """
    asked_at = now or datetime.now(UTC)
    content = question.model_dump_json(exclude=_PUT)
    return question.model_copy(
        update={
            "hitl_id": str(uuid5(NAMESPACE_URL, f"{request_id}/question/{content}")),
            "asked_at": _iso(asked_at),
            "expires_at": _iso(asked_at + (lifetime or ANSWER_WITHIN)),
        }
    )


def pending_row(
    question: Question,
    *,
    tenant: str,
    user: str,
    task_id: str,
    thread_id: str,
    trace_id: str,
    goal: str,
    url: str,
) -> PendingHitl:
    return PendingHitl(
        hitl_id=question.hitl_id,
        tenant=tenant,
        user=user,
        task_id=task_id,
        thread_id=thread_id,
        trace_id=trace_id,
        kind=question.kind,
        source=question.source,
        return_to=question.return_to,
        expected_input=question.expected_input,
        interrupt_type=question.interrupt_type,
        question=question,
        goal=goal,
        url=url,
        created_at=datetime.fromisoformat(question.asked_at),
        expires_at=datetime.fromisoformat(question.expires_at),
    )


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
