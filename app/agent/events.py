"""Status events of a run."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

STARTED, KNOWLEDGE, ADVICE = "start", "knowledge", "advice"


NODE_STATUS_MAP: Mapping[str, str] = MappingProxyType(
    {
        STARTED: "Reading the page…",
        KNOWLEDGE: "Looked in your documents",
        "complexity_check": "Read the instruction",
        "direct_action": "Looked for the element",
        "context_analysis": "Checked what is needed",
        "web_search": "Searched the web",
        "put_question": "Prepared a question",
        "planner_gate": "Got an answer",
        "missing_info_gate": "Got what was missing",
        "selection_gate": "Got a choice",
        "risk_gate": "Got a decision",
        "budget_gate": "Got a decision on the budget",
        "take_answer": "Read the answer",
        "planning": "Made a plan",
        "step_refinement": "Chose the next action",
        "reading": "Read the page",
        "look": "Got another view of the page",
        "critic": "Double-checked the choice",
        "outcome_prediction": "Predicted the outcome",
        "execution": "Waiting for the page…",
        "verification": "Checked what changed",
        "replanning": "Compared the plan with the page",
        "correction": "Looked for another way",
        "finalize": "Finishing",
    }
)


def start_event(task_id: str) -> dict[str, Any]:
    """The first event of a run. It has the task's id, so that the task can be cancelled."""
    return status_event(STARTED) | {"taskId": task_id}


def status_event(node: str, patch: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The event of a node that returned this patch, with its search, documents or element."""
    patch = patch or {}
    event: dict[str, Any] = {"type": "status", "node": node, "message": NODE_STATUS_MAP[node]}
    background, chain = patch.get("background"), patch.get("chain")
    if background is not None and "lookups" in patch and background.searches:
        event["webQuery"] = background.searches[-1].query
    if background is not None and "known" in patch and background.knowledge:
        found = {one.document_id or one.title: one.title for one in background.knowledge}
        event["docsFound"] = [{"id": id_, "title": title} for id_, title in found.items()]
    if chain is not None and chain.actions and chain.actions[0].element:
        event["element"] = chain.actions[0].element
    return event
