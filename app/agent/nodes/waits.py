"""Nodes that only wait for the browser: `execution` and `look`."""

from langgraph.types import interrupt

from app.agent.state import AgentState, Patch


def await_browser(state: AgentState) -> Patch:
    """Waits for the browser. Resuming re-runs this from the top, so no effect may precede it.

    The page and the client's report come with the resuming request's context; the value it
    resumes with is that request's id.
    """
    request_id = interrupt({"kind": "browser"})
    return {"request_id": request_id}


def await_observation(state: AgentState) -> Patch:
    """Waits for the browser to send the page in another form. No effect may precede it."""
    request_id = interrupt({"kind": "await_observation"})
    return {"request_id": request_id}
