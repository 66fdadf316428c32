"""Node `look`."""

from langgraph.types import interrupt

from app.agent.state import AgentState, Patch


def look(state: AgentState) -> Patch:
    """Waits for the browser to send the page in another form. No effect may precede it."""
    request_id = interrupt({"kind": "look"})
    return {"request_id": request_id}
