"""What a run accumulates and the checkpointer saves."""

from typing import TypedDict

from app.domain.analysis import Analysis, Complexity
from app.domain.directive import Instruction
from app.domain.plan import Chain, Correction, Deed, Outcome, Plan, Refinement, Report, Verdict


class AgentState(TypedDict):
    """Everything a node may read. `initial` writes every key, so no node has to guess.

    `chain` waits in the browser; `judged` is what the next verification judges, which is an
    earlier chain when `chain` only waits for its effect. `before` is the packed observation that
    `judged` was chosen on (`app.engines.verification.snapshot`). `request_id` is the request whose
    run wrote this state: a repeat of it is answered from here.
    """

    goal: str
    request_id: str
    trace_id: str
    complexity: Complexity | None
    misclassified: bool
    instruction: Instruction | None
    analysis: Analysis | None
    plan: Plan
    refinement: Refinement | None
    chain: Chain | None
    judged: Chain | None
    report: Report | None
    before: bytes
    deeds: list[Deed]
    verdict: Verdict | None
    correction: Correction | None
    similarity: float | None
    steps: int
    outcome: Outcome | None


class Patch(TypedDict, total=False):
    """What a node returns: only the keys it changed."""

    goal: str
    request_id: str
    trace_id: str
    complexity: Complexity | None
    misclassified: bool
    instruction: Instruction | None
    analysis: Analysis | None
    plan: Plan
    refinement: Refinement | None
    chain: Chain | None
    judged: Chain | None
    report: Report | None
    before: bytes
    deeds: list[Deed]
    verdict: Verdict | None
    correction: Correction | None
    similarity: float | None
    steps: int
    outcome: Outcome | None


def initial(goal: str, *, request_id: str, trace_id: str, steps: int = 0) -> AgentState:
    """A run that has done nothing yet; `steps` goes on counting when a goal is replaced."""
    return AgentState(
        goal=goal,
        request_id=request_id,
        trace_id=trace_id,
        complexity=None,
        misclassified=False,
        instruction=None,
        analysis=None,
        plan=Plan(),
        refinement=None,
        chain=None,
        judged=None,
        report=None,
        before=b"",
        deeds=[],
        verdict=None,
        correction=None,
        similarity=None,
        steps=steps,
        outcome=None,
    )
