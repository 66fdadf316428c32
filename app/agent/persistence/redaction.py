"""What of a run's state is for nobody's eyes."""

from app.agent.state import AgentState
from app.domain.background import Background
from app.domain.hitl import HitlResult, Question
from app.domain.redaction import masked, secrets_in, secrets_told


def secrets_of(state: AgentState) -> frozenset[str]:
    """The secrets in the goal, and what a person answered when asked for one."""
    return secrets_told(state["instruction"], state["background"]) | secrets_in(state["goal"])


def mask_background(background: Background, hidden: frozenset[str]) -> Background:
    """The background without the secrets."""
    answers = tuple(
        answer.model_copy(
            update={
                "text": masked(answer.text, hidden),
                "values": {name: masked(value, hidden) for name, value in answer.values.items()},
            }
        )
        for answer in background.answers
    )
    return background.model_copy(update={"answers": answers})


def drop_download_texts(background: Background) -> Background:
    """The background of a task that is over: what was in its files is not kept."""
    bare = (one.model_copy(update={"text": ""}) for one in background.downloads)
    return background.model_copy(update={"downloads": tuple(bare)})


def mask_answers(results: dict[str, HitlResult], hidden: frozenset[str]) -> dict[str, HitlResult]:
    """What was answered, without the secrets."""
    return {
        name: result.model_copy(update={"text": masked(result.text, hidden)})
        for name, result in results.items()
    }


def mask_question(question: Question, hidden: frozenset[str]) -> Question:
    """The question as it may be kept: its words without the secrets."""
    if not hidden:
        return question
    changed: dict[str, object] = {
        "text": masked(question.text, hidden),
        "fields": tuple(masked(field, hidden) for field in question.fields),
    }
    if (asked := question.approval) is not None:
        words = {name: masked(getattr(asked, name), hidden) for name in ("action", "description")}
        changed["approval"] = asked.model_copy(update=words)
    return question.model_copy(update=changed)
