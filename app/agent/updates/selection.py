"""What choosing among several changes in a run."""

from app.agent.state import AgentState, Patch
from app.domain.background import Background
from app.domain.hitl import HitlResult, Option, Question
from app.domain.plan import Outcome, Plan
from app.planning.disambiguation import choice_of, with_choice
from app.planning.hierarchy import rejoined

NONE_MEANT = "You said that none of these is meant, so nothing was done"


def selected(state: AgentState, question: Question, reply: HitlResult) -> Patch:
    """The step held to what was chosen, a step for each of several."""
    known = (*question.options, *question.further)
    options = tuple(one for one in known if one.id in reply.selected)
    background = state["background"]
    if len(options) == 1:
        background = _kept(background, question, options[0])
    return Patch(
        plan=with_choice(_plan(state), question, options),
        background=background,
        refinement=None,
    )


def none_meant(question: Question) -> Patch:
    """Without a model there is no other way to find what is meant: an honest end."""
    about = f": {question.about}" if question.about else ""
    return Patch(outcome=Outcome(status="failed", message=f"{NONE_MEANT}{about}."))


def _plan(state: AgentState) -> Plan:
    """The plan as the choice was made in it: a step in words was perhaps read only then."""
    refinement = state["refinement"]
    read = refinement.plan if refinement is not None else None
    return rejoined(state["plan"], read) if read is not None else state["plan"]


def _kept(background: Background, question: Question, option: Option) -> Background:
    """The background with the choice in it, for where it may be remembered."""
    choice = choice_of(question, option, background.site)
    if choice is None:
        return background
    return background.model_copy(update={"choices": (*background.choices, choice)})
