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
        "planning": "Made a plan",
        "step_refinement": "Chose the next action",
        "outcome_prediction": "Noted what to expect",
        "execution": "Waiting for the page…",
        "verification": "Checked what changed",
        "correction": "Looked for another way",
        "finalize": "Finishing",
    }
)


def status_event(node: str) -> dict[str, Any]:
    """The status event of a node that ended, or of `STARTED`."""
    return {"type": "status", "node": node, "message": NODE_STATUS_MAP[node]}
