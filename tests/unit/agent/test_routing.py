"""Edges, as a table."""

import pytest

from app.agent import routing
from app.agent.state import new_state
from app.domain.plan import Complexity, Decision, Outcome, Plan, SubTask
from app.domain.verdict import RePlan, Verdict

ANOTHER = RePlan(decision="continue", reason="The address is another", similarity=0.4)
OPENS = Plan(subtasks=(SubTask(id="1", goal="Look it up"), SubTask(id="2", goal="Enter it")))
ENDED = Outcome(status="failed", message="no")


def state(**changes):
    return new_state("x", request_id="r", trace_id="t") | changes


@pytest.mark.parametrize(
    ("edge", "changes", "to"),
    [
        ("complexity_check", {"complexity": Complexity(level="SIMPLE")}, "direct_action"),
        ("complexity_check", {"complexity": Complexity(level="COMPLEX")}, "context_analysis"),
        ("direct_action", {"refinement": Decision(outcome="act")}, "outcome_prediction"),
        ("direct_action", {"misclassified": True}, "context_analysis"),
        ("context_analysis", {}, "planning"),
        ("context_analysis", {"outcome": ENDED}, "finalize"),
        ("planning", {}, "step_refinement"),
        ("planning", {"outcome": ENDED}, "finalize"),
        ("step_refinement", {"refinement": Decision(outcome="act")}, "outcome_prediction"),
        ("step_refinement", {"refinement": Decision(outcome="done")}, "step_refinement"),
        ("step_refinement", {"outcome": ENDED}, "finalize"),
        ("outcome_prediction", {}, "execution"),
        ("outcome_prediction", {"outcome": ENDED}, "finalize"),
        ("verification", {"verdict": Verdict(succeeded=True)}, "step_refinement"),
        ("verification", {"verdict": Verdict(succeeded=None)}, "correction"),
        ("verification", {"verdict": Verdict(succeeded=False)}, "correction"),
        ("verification", {"verdict": Verdict(succeeded=True), "outcome": ENDED}, "finalize"),
        ("verification", {"verdict": Verdict(succeeded=True), "replanning": ANOTHER}, "replanning"),
        ("replanning", {"replanning": ANOTHER}, "step_refinement"),
        ("replanning", {"outcome": ENDED}, "finalize"),
        ("context_analysis", {"plan": OPENS}, "context_analysis"),
        ("correction", {"refinement": Decision(outcome="act")}, "outcome_prediction"),
        ("correction", {"refinement": Decision(outcome="done")}, "step_refinement"),
        ("correction", {"outcome": ENDED}, "finalize"),
    ],
)
def test_edges(edge, changes, to):
    route = getattr(routing, f"after_{edge}", routing.after_decision)
    assert route(state(**changes)) == to
