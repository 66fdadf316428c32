"""The whole conversation on one screen: nodes, and the pure functions that route between them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from app.chat.nodes import (
    WHOLE_DOCUMENTS,
    await_reply,
    doc_resolver,
    format_response,
    inquire,
    intent_resolver,
    run_action,
    save_question,
    validate_inputs,
)
from app.chat.state import ChatContext, ChatState
from app.hitl import ResumeRouter

TABLE: Mapping[str, str] = MappingProxyType(
    {
        "intent_resolver/chosen": "intent_resolver",
        "doc_resolver/chosen": "doc_resolver",
        "doc_resolver/named": "doc_resolver",
        "validate_inputs/given": "validate_inputs",
        "inquire/weak": "inquire",
        "inquire/tagged": "inquire",
    }
)
ROUTES = ResumeRouter(TABLE, refused=None)


def route_entry(state: ChatState) -> str:
    """An action that was named needs no looking for."""
    return "doc_resolver" if state["explicit_action"] else "intent_resolver"


def ask_or(onward: str) -> Callable[[ChatState], str]:
    """To the person if the node left a question, otherwise onward."""
    return lambda state: "put_question" if state["question"] is not None else onward


def after_validate_inputs(state: ChatState) -> str:
    if state["question"] is not None:
        return "put_question"
    return "format_response" if state["answer"] is not None else state["action"] or "inquire"


def after_person(state: ChatState) -> str:
    """To the node that asked; a cancel goes to the end."""
    reply = state["reply"]
    if reply is None or state["cancelled"]:
        return "format_response"
    return ROUTES.destination(reply)


ChatGraph = CompiledStateGraph[ChatState, ChatContext, ChatState, ChatState]


def build_chat(checkpointer: BaseCheckpointSaver[Any]) -> ChatGraph:
    """What is wanted, of which documents, is that enough; then one of four actions, and what lasts of it.

    A node that is not sure leaves a question: `put_question` writes it down, `person` waits, and the
    node that asked goes on with the answer.
    """
    graph = StateGraph(ChatState, context_schema=ChatContext)
    graph.add_node("intent_resolver", intent_resolver)
    graph.add_node("doc_resolver", doc_resolver)
    graph.add_node("validate_inputs", validate_inputs)
    graph.add_node("inquire", inquire)
    graph.add_node("put_question", save_question)
    graph.add_node("person", await_reply)
    graph.add_node("format_response", format_response)

    graph.add_conditional_edges(START, route_entry, ["intent_resolver", "doc_resolver"])
    graph.add_conditional_edges("intent_resolver", ask_or("doc_resolver"))
    graph.add_conditional_edges("doc_resolver", ask_or("validate_inputs"))
    graph.add_conditional_edges("validate_inputs", after_validate_inputs)
    graph.add_conditional_edges("inquire", ask_or("format_response"))
    for action in WHOLE_DOCUMENTS:
        graph.add_node(action, run_action)
        graph.add_edge(action, "format_response")
    graph.add_edge("put_question", "person")
    graph.add_conditional_edges("person", after_person)
    graph.add_edge("format_response", END)
    return graph.compile(checkpointer=checkpointer)
