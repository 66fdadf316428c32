"""Putting a question, and taking what a person said to it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

from app.agent.state import AgentState, Patch, earlier
from app.domain.background import Answered, Background
from app.domain.plan import Outcome, Plan
from app.domain.question import Question
from app.engines.disambiguation import choice_of, picked
from app.errors import Invalid

ANSWER_WITHIN = timedelta(minutes=5)  # DESIGN section 3: `expiresAt`
TEXT_INPUT, ELEMENT_CHOICE = "text_input", "element_choice"  # CONTRACT, `interruptType`
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


def answer_type(question: Question) -> str:
    """The kind of answer it takes, as CONTRACT names it."""
    return ELEMENT_CHOICE if question.kind == "disambiguation" else TEXT_INPUT


def taken(question: Question, text: str) -> str:
    """The answer as the run goes on with it: of a choice, the id of the option. `Invalid` for none."""
    if question.kind != "disambiguation":
        return text
    option = picked(question, text)
    if option is None:
        listed = "; ".join(f"{one.id}: {one.label}" for one in question.options)
        raise Invalid(f"hitlResponse.value: choose one of {listed}")
    return option.id


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
    if question.kind == "disambiguation":
        return patch | Patch(background=_chosen(state["background"], question, text))
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


def _chosen(background: Background, question: Question, text: str) -> Background:
    """The background with the choice in it, for the rest of the run."""
    option = picked(question, text)
    choice = choice_of(question, option, background.site) if option is not None else None
    if choice is None:
        return background
    return background.model_copy(update={"choices": (*background.choices, choice)})
