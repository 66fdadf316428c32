"""What a run learns from a look at the page, and remembers of the goal when it begins."""

from app.agent.persistence.redaction import secrets_of
from app.agent.state import AgentState, Patch
from app.domain.plan import Decision
from app.recovery import Judgement
from app.skills import describe_past_attempt, extract_lessons, list_used_skills


def with_episode_hint(refinement: Decision, state: AgentState) -> Decision:
    """The first choice of a task, with what is remembered of the same goal in its thought.

    A recipe says so by being one.
    """
    episodes = () if state["recipe"] is not None else state["background"].episodes
    told = describe_past_attempt(episodes) if episodes and not state["deeds"] else None
    if told is None or refinement.outcome != "act" or told in refinement.thought:
        return refinement
    return refinement.model_copy(update={"thought": f"{told} {refinement.thought}".strip()})


def learn_from(result: Judgement, state: AgentState) -> Patch:
    """The lessons and the uses of skills that a judged chain comes to."""
    judged = state["judged"]
    assert judged is not None
    uses = list(list_used_skills(state["deeds"], judged, result.verdict))
    if not any(deed.purpose == "correct" for deed in result.deeds):
        return {"lessons": [], "uses": uses}
    lessons = extract_lessons(
        result.deeds,
        judged,
        result.verdict,
        goal=state["goal"],
        instruction=state["instruction"],
        hidden=secrets_of(state),
    )
    return {"lessons": list(lessons), "uses": uses}
