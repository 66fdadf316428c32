"""Node `ask`."""

from langgraph.types import interrupt

from app.agent.questions import replied
from app.agent.state import AgentState, Patch


def ask(state: AgentState) -> Patch:
    """Waits for a person. The question was put before; no effect may precede the wait.

    Resumes with {request_id, text}; a text of None is a cancel.
    """
    said = interrupt({"kind": "person"})
    return replied(state, said["request_id"], said["text"])
