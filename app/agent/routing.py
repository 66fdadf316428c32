"""The edges of the graph: pure functions of the state."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, cast

from app.agent.state import AgentState
from app.domain.hitl import QuestionSource
from app.hitl import ResumeRouter
from app.plans import is_subtask_unplanned
from app.recovery import must_reread

AfterComplexity = Literal[
    "direct_action", "context_analysis", "planning", "step_refinement", "finalize"
]
AfterDecision = Literal[
    "critic", "outcome_prediction", "step_refinement", "context_analysis", "web_search", "reading",
    "look", "put_question", "finalize",
]  # fmt: skip
AfterContext = Literal["web_search", "put_question", "context_analysis", "planning", "finalize"]
AfterSearch = Literal["put_question", "context_analysis", "step_refinement"]
Gate = Literal["planner_gate", "missing_info_gate", "selection_gate", "risk_gate", "budget_gate"]
AfterAnswer = Literal[
    "context_analysis", "step_refinement", "execution", "put_question", "finalize", "web_search",
    "planning", "reading", "critic", "replanning", "correction",
]  # fmt: skip
AfterPlanning = Literal["put_question", "step_refinement", "finalize"]
AfterPrediction = Literal["put_question", "execution", "step_refinement", "finalize"]
AfterVerification = Literal[
    "finalize", "put_question", "context_analysis", "replanning", "step_refinement", "correction"
]
AfterReplanning = Literal["finalize", "put_question", "step_refinement"]
AfterReading = Literal["put_question", "step_refinement"]

BUDGETED_NODES = (
    "context_analysis", "web_search", "planning", "step_refinement", "reading", "critic",
    "replanning", "correction",
)  # fmt: skip
"""Nodes that may call a model or a search, and ask the person if the budget is used up."""

DECISION_NODES: dict[str, AfterDecision] = {
    "act": "outcome_prediction",
    "search": "web_search",
    "read": "reading",
    "look": "look",
    "ask": "put_question",
}
"""The node that carries out a decision; after other decisions the next step is decided."""

GATES: Mapping[QuestionSource, Gate] = MappingProxyType(
    {
        "planner": "planner_gate",
        "missing_info": "missing_info_gate",
        "grounding": "selection_gate",
        "risk": "risk_gate",
        "budget": "budget_gate",
    }
)
RESUME_ROUTER = ResumeRouter(
    {
        "planning/replan": "context_analysis",
        "step_refinement/continue": "step_refinement",
        "grounding/apply_selection": "step_refinement",
        "execution/approved": "execution",
        **{f"{node}/spend": node for node in BUDGETED_NODES},
    }
)
"""Maps `returnTo` (CONTRACT) to the node that continues."""


def after_complexity_check(state: AgentState) -> AfterComplexity:
    """A SIMPLE goal skips analysis and planning, and so does an existing plan."""
    if state["outcome"]:
        return "finalize"
    if state["plan"].steps:
        return "planning" if must_reread(state["plan"]) else "step_refinement"
    if is_subtask_unplanned(state["plan"]):
        return "context_analysis"
    complexity = state["complexity"]
    return "direct_action" if complexity and complexity.level == "SIMPLE" else "context_analysis"


def after_direct_action(state: AgentState) -> AfterDecision:
    """Without a certain element the goal is analysed and planned after all."""
    return "context_analysis" if state["misclassified"] else after_decision(state)


def after_context_analysis(state: AgentState) -> AfterContext:
    """Conversation is answered at once; a search precedes a question."""
    if _asks_for_budget(state):
        return "put_question"
    analysis = state["analysis"]
    if state["outcome"]:
        return "finalize"
    if analysis is None and is_subtask_unplanned(state["plan"]):  # an earlier one was reopened
        return "context_analysis"
    if analysis and analysis.search:
        return "web_search"
    return "put_question" if state["question"] else "planning"


def after_web_search(state: AgentState) -> AfterSearch:
    """Back to the node that needed the search; a question comes first."""
    if state["question"]:
        return "put_question"
    return "step_refinement" if state["refinement"] else "context_analysis"


def gate_of(state: AgentState) -> Gate:
    question = state["question"]
    assert question is not None
    return GATES[question.source]


def after_answer(state: AgentState) -> AfterAnswer:
    """The question's `returnTo`, with these exceptions.

    A cancel ends the run, a new question comes first, a withdrawn chain is decided again, and without a plan
    the goal is analysed again.
    """
    reply = state["reply"]
    assert reply is not None
    if state["outcome"]:
        return "finalize"
    if state["question"]:
        return "put_question"
    node = cast(AfterAnswer, RESUME_ROUTER.destination(reply))
    if reply.return_to == "execution/approved" and state["chain"] is None:
        node = "step_refinement"
    return "context_analysis" if node == "step_refinement" and not state["plan"].steps else node


def after_planning(state: AgentState) -> AfterPlanning:
    if state["outcome"]:
        return "finalize"
    return "put_question" if state["question"] else "step_refinement"


def after_outcome_prediction(state: AgentState) -> AfterPrediction:
    if state["outcome"]:
        return "finalize"
    if state["refusal_reason"]:
        return "step_refinement"
    return "put_question" if state["question"] else "execution"


def after_verification(state: AgentState) -> AfterVerification:
    """End, ask, plan the next sub-task, reconsider the plan, take the next step, or correct the last."""
    if state["outcome"]:
        return "finalize"
    if state["question"]:
        return "put_question"
    if is_subtask_unplanned(state["plan"]):
        return "context_analysis"
    if state["replanning"] is not None:
        return "replanning"
    verdict = state["verdict"]
    if verdict and verdict.succeeded:
        return "step_refinement"
    return (
        "correction" if state["correction"] is None else "step_refinement"
    )  # a contingency's step


def after_reading(state: AgentState) -> AfterReading:
    return "put_question" if _asks_for_budget(state) else "step_refinement"


def after_replanning(state: AgentState) -> AfterReplanning:
    if _asks_for_budget(state):
        return "put_question"
    return "finalize" if state["outcome"] else "step_refinement"


def _asks_for_budget(state: AgentState) -> bool:
    """Whether the node stopped because the budget is used up; it reruns after the answer."""
    return state["question"] is not None and state["question"].source == "budget"


def after_decision(state: AgentState) -> AfterDecision:
    """After a decision, its review or a correction: act, look up, decide again, or end."""
    if state["outcome"]:
        return "finalize"
    if _asks_for_budget(state):
        return "put_question"
    if is_subtask_unplanned(state["plan"]):
        return "context_analysis"
    refinement = state["refinement"]
    if state["refusal_reason"] or refinement is None:
        return "step_refinement"
    if state["needs_critique"]:
        return "critic"
    if state["question"] is not None:
        return "put_question"
    return DECISION_NODES.get(refinement.outcome, "step_refinement")
