"""Node `person_gate`: every gate of `routing.GATES`."""

from langgraph.types import interrupt

from app.agent.state import AgentState, Patch


def person_gate(state: AgentState) -> Patch:
    """Waits for a person to answer the question. No effect may precede the wait.

    Resumes with {request_id, reply}.
    """
    question = state["question"]
    assert question is not None
    said = interrupt({"kind": "person", "hitlId": question.hitl_id})
    return {"request_id": said["request_id"], "reply": said["reply"]}
