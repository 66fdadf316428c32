"""Node `missing_info_gate`."""

from langgraph.types import interrupt

from app.agent.state import AgentState, Patch


def missing_info_gate(state: AgentState) -> Patch:
    """Waits for a person: only they know what is missing. No effect may precede the wait.

    Resumes with {request_id, reply}.
    """
    question = state["question"]
    assert question is not None
    said = interrupt({"kind": "person", "hitlId": question.hitl_id})
    return {"request_id": said["request_id"], "reply": said["reply"]}
