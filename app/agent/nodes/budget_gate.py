"""Node `budget_gate`."""

from langgraph.types import interrupt

from app.agent.state import AgentState, Patch


def budget_gate(state: AgentState) -> Patch:
    """Waits for a person: the budget is used up. No effect may precede the wait.

    Resumes with {request_id, reply}.
    """
    question = state["question"]
    assert question is not None
    said = interrupt({"kind": "person", "hitlId": question.hitl_id})
    return {"request_id": said["request_id"], "reply": said["reply"]}
