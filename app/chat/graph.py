"""The whole conversation on one screen."""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from app.chat import routing
from app.chat.context import ChatContext
from app.chat.nodes.actions import audit, compare, summarize
from app.chat.nodes.doc_resolver import doc_resolver
from app.chat.nodes.format_response import format_response
from app.chat.nodes.inquire import inquire
from app.chat.nodes.intent_resolver import intent_resolver
from app.chat.nodes.person import person
from app.chat.nodes.put_question import put_question
from app.chat.nodes.validate_inputs import validate_inputs
from app.chat.state import ChatState

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
    graph.add_node("summarize", summarize)
    graph.add_node("compare", compare)
    graph.add_node("audit", audit)
    graph.add_node("put_question", put_question)
    graph.add_node("person", person)
    graph.add_node("format_response", format_response)

    graph.add_conditional_edges(START, routing.entering, ["intent_resolver", "doc_resolver"])
    graph.add_conditional_edges("intent_resolver", routing.asking_or("doc_resolver"))
    graph.add_conditional_edges("doc_resolver", routing.asking_or("validate_inputs"))
    graph.add_conditional_edges("validate_inputs", routing.after_validate_inputs)
    graph.add_conditional_edges("inquire", routing.asking_or("format_response"))
    for action in ("summarize", "compare", "audit"):
        graph.add_edge(action, "format_response")
    graph.add_edge("put_question", "person")
    graph.add_conditional_edges("person", routing.after_person)
    graph.add_edge("format_response", END)
    return graph.compile(checkpointer=checkpointer)
