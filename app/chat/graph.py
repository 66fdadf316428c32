"""The graph of the chat: its nodes, and the functions that route between them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from app.chat.nodes.actions import DOCUMENT_ACTIONS, run_action
from app.chat.nodes.doc_resolver import doc_resolver
from app.chat.nodes.format_response import format_response
from app.chat.nodes.inquire import inquire
from app.chat.nodes.intent_resolver import intent_resolver
from app.chat.nodes.person import person
from app.chat.nodes.put_question import put_question
from app.chat.nodes.validate_inputs import validate_inputs
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
ChatGraph = CompiledStateGraph[ChatState, ChatContext, ChatState, ChatState]


def build_chat(checkpointer: BaseCheckpointSaver[Any]) -> ChatGraph:
    """Resolve the intent and the documents, check the inputs, run one of four actions, update the memory.

    A node asks by leaving a question in the state: `put_question` stores it, `person` waits, and the node
    that asked continues with the answer.
    """
    graph = StateGraph(ChatState, context_schema=ChatContext)
    graph.add_node("intent_resolver", intent_resolver)
    graph.add_node("doc_resolver", doc_resolver)
    graph.add_node("validate_inputs", validate_inputs)
    graph.add_node("inquire", inquire)
    graph.add_node("put_question", put_question)
    graph.add_node("person", person)
    graph.add_node("format_response", format_response)

    graph.add_conditional_edges(START, route_entry, ["intent_resolver", "doc_resolver"])
    graph.add_conditional_edges("intent_resolver", ask_or("doc_resolver"))
    graph.add_conditional_edges("doc_resolver", ask_or("validate_inputs"))
    graph.add_conditional_edges("validate_inputs", after_validate_inputs)
    graph.add_conditional_edges("inquire", ask_or("format_response"))
    for action in DOCUMENT_ACTIONS:
        graph.add_node(action, run_action)
        graph.add_edge(action, "format_response")
    graph.add_edge("put_question", "person")
    graph.add_conditional_edges("person", after_person)
    graph.add_edge("format_response", END)
    return graph.compile(checkpointer=checkpointer)


def route_entry(state: ChatState) -> str:
    return "doc_resolver" if state["explicit_action"] else "intent_resolver"


def ask_or(onward: str) -> Callable[[ChatState], str]:
    """Route to the person if the node left a question, else to `onward`."""
    return lambda state: "put_question" if state["question"] is not None else onward


def after_validate_inputs(state: ChatState) -> str:
    if state["question"] is not None:
        return "put_question"
    return "format_response" if state["answer"] is not None else state["action"] or "inquire"


def after_person(state: ChatState) -> str:
    """Return to the node that asked; a cancellation ends the turn."""
    reply = state["reply"]
    if reply is None or state["cancelled"]:
        return "format_response"
    return ROUTES.destination(reply)
