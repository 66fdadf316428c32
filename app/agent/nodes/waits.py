"""Nodes that only wait: `execution` and `look` for the browser, the gates (`await_person`) for a person.

A resumed node reruns from its top, so nothing may have an effect before `interrupt`.
"""

from langgraph.types import interrupt

from app.agent.state import AgentState, Patch


def execution(state: AgentState) -> Patch:
    """Wait until the browser has executed the chain.

    Resumes with the request's id; the page and the client's report are in the request's context.
    """
    request_id = interrupt({"kind": "browser"})
    return {"request_id": request_id}


def look(state: AgentState) -> Patch:
    """Wait until the browser sends the page in the requested mode. Resumes with the request's id."""
    request_id = interrupt({"kind": "await_observation"})
    return {"request_id": request_id}


def await_person(state: AgentState) -> Patch:
    """Wait until a person answers the question. Resumes with `request_id` and `reply`."""
    question = state["question"]
    assert question is not None
    answer = interrupt({"kind": "person", "hitlId": question.hitl_id})
    return {"request_id": answer["request_id"], "reply": answer["reply"]}
