"""Putting a question, and taking what a person said to it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

from app.agent.state import AgentState, Patch, earlier
from app.domain.background import Answered, Background
from app.domain.plan import Outcome, Plan
from app.domain.question import Question

ANSWER_WITHIN = timedelta(minutes=5)  # DESIGN section 3: `expiresAt`
TEXT_INPUT = "text_input"  # the only kind of answer there is yet
CANCELLED = "You cancelled this; nothing more was done."


@dataclass(frozen=True, slots=True, kw_only=True)
class HitlAnswer:
    """What came back for a question, as an answer of a `kind`; `text` is None for a cancel."""

    hitl_id: str
    kind: str
    text: str | None


def put(question: Question, request_id: str) -> Question:
    """The question as it is sent: its id follows from the request, so that a repeat is the same."""
    until = datetime.now(UTC) + ANSWER_WITHIN
    return question.model_copy(
        update={
            "hitl_id": str(uuid5(NAMESPACE_URL, f"{request_id}/question")),
            "expires_at": until.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        }
    )


def expired(question: Question, now: datetime) -> bool:
    """Whether it is too late to answer."""
    return datetime.fromisoformat(question.expires_at) <= now


def wording(question: Question) -> str:
    """The question and what it is about, one line a field."""
    lines = [f"- {field}" for field in question.fields if field not in question.text]
    return "\n".join([question.text, *lines])


def answered(background: Background, question: Question, text: str) -> Background:
    """The background with the person's answer in it."""
    said = Answered(question=wording(question), text=text, hitl_id=question.hitl_id)
    return background.model_copy(update={"answers": (*background.answers, said)})


def replied(state: AgentState, request_id: str, text: str | None) -> Patch:
    """What an answer changes. A cancel ends the run; new facts end the plan, unless they were asked
    for within it.
    """
    question = state["question"]
    assert question is not None
    patch: Patch = {"request_id": request_id, "question": None, "notice": None}
    if text is None:
        return patch | Patch(outcome=Outcome(status="interrupted", message=CANCELLED))
    patch["background"] = answered(state["background"], question, text)
    if question.return_to == "planning/replan":
        plan = state["plan"]
        patch |= {
            "analyses": 0,
            "analysis": None,
            "plan": Plan(subtasks=plan.subtasks, subtask=plan.subtask),
            "deeds": [earlier(deed) for deed in state["deeds"]],
        }
    return patch
