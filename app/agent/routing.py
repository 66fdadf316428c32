"""Edges. Pure, so each is a table test."""

from typing import Literal

from app.agent.state import AgentState

AfterComplexity = Literal["direct_action", "context_analysis"]
AfterDirect = Literal["outcome_prediction", "context_analysis", "finalize"]
AfterContext = Literal["planning", "finalize"]
AfterPlanning = Literal["step_refinement", "finalize"]
AfterRefinement = Literal["outcome_prediction", "step_refinement", "finalize"]
AfterPrediction = Literal["execution", "finalize"]
AfterVerification = Literal["finalize", "step_refinement", "correction"]
AfterCorrection = Literal["outcome_prediction", "step_refinement", "finalize"]


def after_complexity_check(state: AgentState) -> AfterComplexity:
    """A SIMPLE goal skips analysis and planning."""
    complexity = state["complexity"]
    return "direct_action" if complexity and complexity.level == "SIMPLE" else "context_analysis"


def after_direct_action(state: AgentState) -> AfterDirect:
    """What was not surely grounded goes the long way, within the same request."""
    if state["outcome"]:
        return "finalize"
    return "context_analysis" if state["misclassified"] else "outcome_prediction"


def after_context_analysis(state: AgentState) -> AfterContext:
    """Conversation is answered, and what nobody understood is said, without touching the page."""
    return "finalize" if state["outcome"] else "planning"


def after_planning(state: AgentState) -> AfterPlanning:
    """A plan without steps has nothing to refine."""
    return "finalize" if state["outcome"] else "step_refinement"


def after_step_refinement(state: AgentState) -> AfterRefinement:
    """Act, go on to the next step when this one holds already, or end."""
    if state["outcome"]:
        return "finalize"
    refinement = state["refinement"]
    acts = refinement is not None and refinement.outcome == "act"
    return "outcome_prediction" if acts else "step_refinement"


def after_outcome_prediction(state: AgentState) -> AfterPrediction:
    """Nothing invalid and nothing over the limit reaches the browser."""
    return "finalize" if state["outcome"] else "execution"


def after_verification(state: AgentState) -> AfterVerification:
    """End, repair, or take the next step."""
    if state["outcome"]:
        return "finalize"
    verdict = state["verdict"]
    return "step_refinement" if verdict and verdict.succeeded else "correction"


def after_correction(state: AgentState) -> AfterCorrection:
    """A correction acts, lets the step be refined anew, or ends the run honestly."""
    if state["outcome"]:
        return "finalize"
    refinement = state["refinement"]
    acts = refinement is not None and refinement.outcome == "act"
    return "outcome_prediction" if acts else "step_refinement"
