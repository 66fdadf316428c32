"""Nodes that only wait: `execution` and `look` for the browser, the gates (`await_person`) for a person."""

from langgraph.types import interrupt

from app.agent.state import AgentState, Patch


def execution(state: AgentState) -> Patch:
    """Waits for the browser. Resuming re-runs this from the top, so no effect may precede it.

    The page and the client's report come with the resuming request's context; the value it
    resumes with is that request's id.
    """
    request_id = interrupt({"kind": "browser"})
    return {"request_id": request_id}


def look(state: AgentState) -> Patch:
    """Waits for the browser to send the page in another form. No effect may precede it."""
    request_id = interrupt({"kind": "await_observation"})
    return {"request_id": request_id}


def await_person(state: AgentState) -> Patch:
    """Waits for a person to answer the question. No effect may precede the wait.

    Resumes with {request_id, reply}.
    """
    question = state["question"]
    assert question is not None
    said = interrupt({"kind": "person", "hitlId": question.hitl_id})
    return {"request_id": said["request_id"], "reply": said["reply"]}
