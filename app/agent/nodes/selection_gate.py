"""Node `selection_gate`."""

from langgraph.types import interrupt

from app.agent.state import AgentState, Patch


def selection_gate(state: AgentState) -> Patch:
    """Waits for a person: several things fit. No effect may precede the wait.

    Resumes with {request_id, reply}.
    """
    question = state["question"]
    assert question is not None
    said = interrupt({"kind": "person", "hitlId": question.hitl_id})
    return {"request_id": said["request_id"], "reply": said["reply"]}
