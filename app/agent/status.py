"""What a person reads while a run works: one text a node."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

STARTED = "start"
NODE_STATUS_MAP: Mapping[str, str] = MappingProxyType(
    {
        STARTED: "Reading the page…",
        "complexity_check": "Read the instruction",
        "direct_action": "Looked for the element",
        "context_analysis": "Checked what is needed",
        "web_search": "Searched the web",
        "ask": "Got an answer",
        "planning": "Made a plan",
        "step_refinement": "Chose the next action",
        "reading": "Read the page",
        "look": "Got another view of the page",
        "critic": "Thought it over",
        "outcome_prediction": "Noted what to expect",
        "execution": "Waiting for the page…",
        "verification": "Checked what changed",
        "replanning": "Held the plan against the page",
        "correction": "Looked for another way",
        "finalize": "Finishing",
    }
)


def started(task_id: str) -> dict[str, Any]:
    """The status event of a run that starts; it names the task, so that it can be cancelled."""
    return {
        "type": "status",
        "node": STARTED,
        "message": NODE_STATUS_MAP[STARTED],
        "taskId": task_id,
    }


def status_event(node: str, patch: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The status event of a node that ended with this patch."""
    event = {"type": "status", "node": node, "message": NODE_STATUS_MAP[node]}
    if node == "web_search" and patch:
        event["webQuery"] = patch["background"].searches[-1].query
    return event
