"""Where the chat goes from each node: pure functions of the state."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from app.chat.state import ChatState
from app.hitl.resuming import ResumeRouter

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


def entering(state: ChatState) -> str:
    """An action that was named needs no looking for."""
    return "doc_resolver" if state["explicit_action"] else "intent_resolver"


def asking_or(onward: str) -> Callable[[ChatState], str]:
    """To the person where the node left a question, else onward."""
    return lambda state: "put_question" if state["question"] is not None else onward


def after_validate_inputs(state: ChatState) -> str:
    """Ask, do it, or say what is lacking."""
    if state["question"] is not None:
        return "put_question"
    return "format_response" if state["answer"] is not None else state["action"] or "inquire"


def after_person(state: ChatState) -> str:
    """To the node that asked; a cancel goes to the end."""
    reply = state["reply"]
    if reply is None or state["cancelled"]:
        return "format_response"
    return ROUTES.destination(reply)
